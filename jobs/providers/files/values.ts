/** Days and numbers in the forms that files have. */
import { type Day, dayOf, newYorkDay, newYorkTime, parseDay } from '../../../engine/market/dates.ts';
import { fromKeys } from '../../../engine/util/values.ts';
import { NO_DAY } from '../provider.ts';

export const DATE_FORMS = ['YYYY-MM-DD', 'YYYYMMDD', 'MM/DD/YYYY', 'DD/MM/YYYY'] as const;
export type DateForm = (typeof DATE_FORMS)[number];

/** A moment within a day: the line is no daily bar. */
export const WITHIN_DAY: Day = NO_DAY - 1;

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/;
const MIDNIGHT = /^00:00(:00(\.0+)?)?$/;

/** The day of a text in any of the forms; `NO_DAY` when it is none, `WITHIN_DAY` when it is a moment after midnight. */
export function readDay(text: string, form?: DateForm): Day {
  const day = parseDay(text);
  if (day !== null) return day;
  const slashed = SLASHED.exec(text);
  if (slashed) {
    const [, first, second, year] = slashed;
    return form === 'DD/MM/YYYY' ? civil(year, second, first) : civil(year, first, second);
  }
  if (/^\d{8}$/.test(text)) return civil(text.slice(0, 4), text.slice(4, 6), text.slice(6));
  const moment = MOMENT.exec(text);
  if (moment) {
    const [, date, time, zone] = moment;
    if (MIDNIGHT.test(time)) return parseDay(date) ?? NO_DAY;
    return zone === undefined ? WITHIN_DAY : dayOfMoment(Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : zone}`));
  }
  return /^-?\d{9,19}$/.test(text) ? dayOfMoment(epochMs(text)) : NO_DAY;
}

/** `readDay` with a cache: the files of a market share a few thousand days. */
export function readDayCached(text: string, form?: DateForm): Day {
  const known = knownDays[form ?? 'any'];
  let day = known.get(text);
  if (day === undefined) {
    day = readDay(text.trim(), form);
    if (text.length > LONGEST_DATE) return day;
    if (known.size > 20_000) known.clear();
    // A copy: a field keeps all of the chunk of lines that it was cut from in memory.
    known.set(Buffer.from(text).toString(), day);
  }
  return day;
}
const LONGEST_DATE = 40;
const knownDays = fromKeys(['any', ...DATE_FORMS], () => new Map<string, Day>());

function civil(year: string, month: string, dayOfMonth: string): Day {
  return parseDay(`${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`) ?? NO_DAY;
}

/** Seconds, milliseconds, or nanoseconds since 1970, by the number of digits. */
function epochMs(text: string): number {
  const digits = text.replace('-', '').length;
  if (digits <= 10) return Number(text) * 1000;
  return digits <= 13 ? Number(text) : Number(text.slice(0, -6));
}

function dayOfMoment(ms: number): Day {
  if (!Number.isFinite(ms)) return NO_DAY;
  if (ms % 86_400_000 === 0) return ms / 86_400_000;
  const day = newYorkDay(ms);
  return newYorkTime(day, 0) === ms ? day : WITHIN_DAY;
}

/** The oldest day of the calendar. */
export const FIRST_DAY: Day = dayOf(1962, 1, 2);

const NO_VALUE: ReadonlySet<string> = new Set(['', 'null', 'n/a', 'na', 'nan', '-', 'none']);

export function isNoValue(text: string | undefined): boolean {
  return text === undefined || NO_VALUE.has(text.trim().toLowerCase());
}

const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/;

const PLAIN = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WITH_DECIMAL_COMMA = /^-?\d[\d.]*(,\d+)?$/;
const NINE = 57;

/** The number of a field, with `$` and thousands separators; NaN when it is none. `decimal`: the mark of decimals. */
export function readNumber(text: string, decimal: '.' | ',' = '.'): number {
  const plain = Number(text);
  // Neither blank, nor in another notation such as 0x1f.
  if (decimal === '.' && !Number.isNaN(plain) && plain !== 0 && !(text.charCodeAt(1) > NINE)) return plain;
  const bare = text.replace(/[$\s']/g, '');
  if (decimal === ',')
    return WITH_DECIMAL_COMMA.test(bare) ? Number(bare.replaceAll('.', '').replace(',', '.')) : Number.NaN;
  if (GROUPED.test(bare)) return Number(bare.replaceAll(',', ''));
  return PLAIN.test(bare) ? Number(bare) : Number.NaN;
}
