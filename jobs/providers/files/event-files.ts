/** Events from `adjustments.csv`, from files of vendors, and from columns of files of bars. */
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../../engine/market/adjust.ts';
import { parseDay } from '../../../engine/market/dates.ts';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import type { AccountBook } from '../file-account.ts';
import { NO_DAY, type ProvidedAdjustment } from '../provider.ts';
import { readEventColumns } from './bar-file.ts';
import { layoutOfFile } from './layouts/index.ts';
import type { EventLayout } from './layouts/layout.ts';
import { type ListRecord, type RecordColumns, type Reject, readRecords } from './records.ts';
import { identityOf, type SurveyedFile } from './survey.ts';
import { symbolOfName, tickerOfText } from './symbol-text.ts';
import { readDay, readNumber } from './values.ts';

const OWN_COLUMNS = ['symbol', 'ex_date', 'kind', 'factor', 'ratio', 'amount'] as const;

const OWN_RECORDS: RecordColumns<string> = { names: OWN_COLUMNS, required: ['symbol', 'ex_date', 'kind'] };

/** The events of a list. */
export async function* readEventFile(
  file: SurveyedFile,
  book: AccountBook,
  reject: Reject,
): AsyncGenerator<ProvidedAdjustment> {
  const account = book.open(identityOf(file));
  const layout = layoutOfFile(file.facts);
  const vendor = layout?.kind === 'events' ? layout : null;
  const columns = vendor
    ? { names: Object.values(vendor.columns), required: [vendor.columns.date, vendor.columns.value] }
    : OWN_RECORDS;
  const tickers = new Set<string>();
  for await (const record of readRecords(file, columns, account, reject)) {
    const event = vendor ? vendorEvent(vendor, record, file.path) : ownEvent(record);
    if (typeof event !== 'string') {
      tickers.add(event.ticker);
      yield event;
    } else if (event.startsWith('-')) book.leaveOut(record.source, event.slice(1));
    else {
      book.reject(record.source, record.content, event);
      reject({ source: record.source, content: record.content, reason: event });
    }
  }
  account.tickers = [...tickers];
}

function ownEvent({ fields, source, content }: ListRecord<string>): ProvidedAdjustment | string {
  const exDay = parseDay(fields.ex_date);
  const kind = ADJUSTMENT_KINDS.find((known) => known === fields.kind);
  if (exDay === null) return 'bad_date';
  if (kind === undefined) return 'bad_kind';
  const ticker = withoutMarket(fields.symbol);
  const event = { ticker, exDay, kind, source, content };
  if (fields.factor === '' && fields.amount !== '') {
    const amount = readNumber(fields.amount);
    return amount > 0 ? { ...event, factor: Number.NaN, amount } : 'bad_amount';
  }
  const factor = fields.factor === '' ? factorOfRatio(fields.ratio) : readNumber(fields.factor);
  return factor > 0 && factor < Infinity ? { ...event, factor } : 'bad_factor';
}

/** `4:1`, `4-for-1`, `4/1`: four new shares for one. NaN when it is none. */
function factorOfRatio(text: string): number {
  const parts = /^([\d.]+) *(?::|\/|-?for-?) *([\d.]+)$/i.exec(text.trim());
  return parts ? Number(parts[2]) / Number(parts[1]) : Number.NaN;
}

function vendorEvent(
  { columns, actions }: EventLayout,
  { fields, source, content }: ListRecord<string>,
  path: string,
): ProvidedAdjustment | string {
  const action = columns.action === undefined ? '' : fields[columns.action].toLowerCase();
  if (!Object.hasOwn(actions, action)) return '-other_action';
  const exDay = readDay(fields[columns.date]);
  if (exDay <= NO_DAY) return 'bad_date';
  const ticker =
    columns.symbol === undefined
      ? symbolOfName(path.replace(/[._-](splits?|div(idends)?)(?=\.csv)/i, ''))
      : tickerOfText(fields[columns.symbol]);
  if (ticker === null) return 'bad_symbol';
  const text = fields[columns.value];
  if (actions[action] === 'amount') {
    const amount = readNumber(text);
    const event = { ticker, exDay, kind: 'cash_dividend', factor: Number.NaN, source, content } as const;
    return amount > 0 ? { ...event, amount, isAmountAdjusted: true } : 'bad_amount';
  }
  const factor = /[:/]/.test(text) ? factorOfRatio(text) : 1 / readNumber(text);
  if (!(factor > 0 && factor < Infinity)) return 'bad_factor';
  return { ticker, exDay, kind: kindOfSplit(factor), factor, source, content };
}

const kindOfSplit = (factor: number): AdjustmentKind => (factor > 1 ? 'reverse_split' : 'split');

/** The events in columns of a file of bars. An amount becomes a factor by the close before, which is on the same basis. */
export async function* readColumnEvents(file: SurveyedFile): AsyncGenerator<ProvidedAdjustment> {
  const { format, packing } = file.facts;
  if (!format || (format.splitsAt === -1 && format.dividendsAt === -1)) return;
  const rows = await Array.fromAsync(
    readEventColumns({ ...file, packing, format, onlyDay: null, lastDay: 0, splitsOf: null }),
  );
  const before = new Map<string, number>();
  for (const { line, ticker, day: exDay, split, dividend, text: content, close } of rows.sort(
    (a, b) => a.day - b.day,
  )) {
    const event = { ticker, exDay, content, source: `${file.path}:${line}` };
    const closeBefore = before.get(ticker);
    if (split > 0 && split !== 1) yield { ...event, kind: kindOfSplit(1 / split), factor: 1 / split };
    // The close before is on the basis before the split of the day where prices are as traded.
    const onBasis =
      format.prices === 'as_traded' && split > 0 ? (closeBefore ?? Number.NaN) / split : (closeBefore ?? Number.NaN);
    if (dividend > 0 && onBasis > dividend) yield { ...event, kind: 'cash_dividend', factor: 1 - dividend / onBasis };
    if (close > 0) before.set(ticker, close);
  }
}
