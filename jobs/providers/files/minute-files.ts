/** Minute bars of the primary venue, and its official closes. */
import { tzOffset } from '@date-fns/tz';
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import type { AccountBook } from '../file-account.ts';
import { readRecords } from './records.ts';
import { identityOf, type SurveyedFile } from './survey.ts';
import { readNumber } from './values.ts';

const MINUTE_COLUMNS = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const;
const CLOSE_COLUMNS = ['symbol', 'date', 'close'] as const;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;

/**
 * The bars of a file, oldest first; null when they cannot be used, for example because their times have no offset and no `timeZone` is
 * given. Lines that are no bars are rejected.
 */
export async function readMinuteFile(
  file: SurveyedFile,
  book: AccountBook,
  timeZone: string | undefined,
): Promise<MinuteBar[] | null> {
  const account = book.open(identityOf(file));
  const bars: MinuteBar[] = [];
  let isWithoutOffset = false;
  for await (const { fields, source, content } of readRecords(
    file,
    { names: MINUTE_COLUMNS, required: MINUTE_COLUMNS },
    account,
    () => {},
  )) {
    isWithoutOffset ||= !OFFSET.test(fields.ts) && timeZone === undefined;
    const bar = {
      startMs: momentOf(fields.ts, timeZone),
      open: readNumber(fields.open),
      high: readNumber(fields.high),
      low: readNumber(fields.low),
      close: readNumber(fields.close),
      volume: readNumber(fields.volume),
    };
    if (!isWithoutOffset && Object.values(bar).some(Number.isNaN)) book.reject(source, content, 'bad_minute');
    else bars.push(bar);
  }
  if (isWithoutOffset)
    account.refuse('its times have no offset from UTC; "timezone" of market.json may name their zone');
  else if (account.isTooMalformed) account.refuse(`${account.malformed} of ${account.dataLines} lines are malformed`);
  account.close();
  return account.reason === null ? bars.sort((a, b) => a.startMs - b.startMs) : null;
}

/** NaN when it is no moment. */
function momentOf(text: string, timeZone: string | undefined): number {
  if (OFFSET.test(text)) return Date.parse(text);
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (timeZone === undefined || Number.isNaN(utc)) return Number.NaN;
  // The offset of the moment, which the offset of the same time in UTC is near to.
  const near = utc - tzOffset(timeZone, new Date(utc)) * 60_000;
  return utc - tzOffset(timeZone, new Date(near)) * 60_000;
}

/** Official closes of a day by ticker. A line that is none is rejected. */
export async function readCloses(file: SurveyedFile, book: AccountBook, day: Day): Promise<Map<string, number>> {
  const account = book.open(identityOf(file));
  const closes = new Map<string, number>();
  const wanted = formatDay(day);
  for await (const { fields, source, content } of readRecords(
    file,
    { names: CLOSE_COLUMNS, required: CLOSE_COLUMNS },
    account,
    () => {},
  )) {
    const close = readNumber(fields.close);
    if (!(close > 0)) book.reject(source, content, 'bad_price');
    else if (fields.date === wanted) closes.set(withoutMarket(fields.symbol), close);
  }
  account.close();
  return closes;
}
