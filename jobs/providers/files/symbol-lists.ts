/** Lists of instruments: `symbols.csv`, and the listings of vendors. */
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import type { AccountBook } from '../file-account.ts';
import { NO_DAY, type ProvidedInstrument } from '../provider.ts';
import { layoutOfFile } from './layouts/index.ts';
import type { SymbolLayout } from './layouts/layout.ts';
import { type ListRecord, type RecordColumns, type Reject, readRecords } from './records.ts';
import { identityOf, type SurveyedFile } from './survey.ts';
import { tickerOfText } from './symbol-text.ts';
import { isNoValue, readDay } from './values.ts';

const OWN_COLUMNS = [
  ...(['symbol', 'name', 'asset_type', 'primary_venue', 'currency', 'listed_on', 'delisted_on'] as const),
  ...(['delisting_return_pct', 'is_popular', 'lot_size', 'previous_symbols'] as const),
] as const;

const OWN_RECORDS: RecordColumns<string> = { names: OWN_COLUMNS, required: ['symbol'] };

/** Words of vendors for types, in lower case. */
const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['stock', 'common stock', 'cs', 'os', 'nyrs', 'eqs', 'equity', 'ordinary shares'].map((word) => [word, 'stock']),
  ),
  ...Object.fromEntries(['etf', 'etv', 'etp', 'ets', 'exchange traded fund'].map((word) => [word, 'etf'])),
  ...Object.fromEntries(['adr', 'adrc', 'gdr', 'dr'].map((word) => [word, 'adr'])),
  ...Object.fromEntries(['preferred', 'preferred stock', 'pfd', 'prf', 'adrp'].map((word) => [word, 'preferred'])),
  ...Object.fromEntries(['warrant', 'war', 'wt', 'adrw'].map((word) => [word, 'warrant'])),
  ...Object.fromEntries(['fund', 'mutual fund', 'mf', 'cef', 'closed-end fund'].map((word) => [word, 'fund'])),
  etn: 'etn',
  etc: 'etn',
  right: 'right',
  unit: 'unit',
  other: 'other',
};

/** Our type for a vendor's word; null: it is not known. */
function typeOfWord(word: string): string | null {
  const text = word.trim().toLowerCase().replaceAll('_', ' ');
  if (text.startsWith('adr '))
    return text.includes('preferred') ? 'preferred' : text.includes('warrant') ? 'warrant' : 'adr';
  if (text.startsWith('domestic ') || text.startsWith('canadian ')) {
    return text.includes('preferred') ? 'preferred' : text.includes('warrant') ? 'warrant' : 'stock';
  }
  return TYPES[text] ?? null;
}

/** A row of a list as all lists have it. */
interface Row extends Omit<ProvidedInstrument, 'key'> {
  readonly content: string;
}

/** The instruments of all lists: `symbols.csv` first, then by name. A row that an earlier list has is repeated. */
export async function readInstruments(
  files: readonly SurveyedFile[],
  book: AccountBook,
  reject: Reject,
): Promise<ProvidedInstrument[]> {
  const rows: Row[] = [];
  const taken = new Set<string>();
  const ordered = [...files].sort(
    (a, b) => Number(b.facts.layout === 'own') - Number(a.facts.layout === 'own') || (a.path < b.path ? -1 : 1),
  );
  for (const file of ordered) {
    const own = new Map<string, Row[]>();
    for await (const row of rowsOf(file, book, reject)) {
      const same = own.get(row.ticker) ?? [];
      if (taken.has(row.ticker) || same.some((other) => isSameRow(other, row))) book.repeat(row.source);
      else own.set(row.ticker, [...same, row]);
    }
    for (const [ticker, group] of own) {
      taken.add(ticker);
      rows.push(...withEnds(group, file, book));
    }
  }
  const keys = new Set<string>();
  return rows.map((row) => ({ ...row, key: uniqueKey(keys, row) }));
}

function isSameRow(a: Row, b: Row): boolean {
  const text = ({ source: _, content: __, ...facts }: Row) => JSON.stringify(facts);
  return text(a) === text(b);
}

/** An empty end is the day before the next row's listing. Of two rows with overlapping lives, the first counts. */
function withEnds(group: readonly Row[], file: SurveyedFile, book: AccountBook): Row[] {
  const sorted = [...group].sort((a, b) => (a.listedOn ?? -Infinity) - (b.listedOn ?? -Infinity));
  const kept: Row[] = [];
  for (const [i, row] of sorted.entries()) {
    const next = sorted.slice(i + 1).find(({ listedOn }) => listedOn !== null && listedOn !== row.listedOn);
    const delistedOn = row.delistedOn ?? (next?.listedOn ? next.listedOn - 1 : null);
    const before = kept.at(-1);
    if (before && (before.delistedOn === null || (row.listedOn ?? -Infinity) <= before.delistedOn)) {
      book.tell(
        file.path,
        `${row.ticker}: the lives of two rows overlap (${before.source}, ${row.source}); the first counts`,
      );
      book.leaveOut(row.source, 'overlapping_life');
    } else {
      kept.push({ ...row, delistedOn });
      if (delistedOn === null && typeof row.delistingReturnPct === 'number')
        book.tell(file.path, `${row.ticker}: delisting_return_pct counts only with a day of delisting`);
    }
  }
  return kept;
}

async function* rowsOf(file: SurveyedFile, book: AccountBook, reject: Reject): AsyncGenerator<Row> {
  const account = book.open(identityOf(file));
  const layout = layoutOfFile(file.facts);
  const columns = layout?.kind === 'symbols' ? vendorColumns(layout) : OWN_RECORDS;
  const read = layout?.kind === 'symbols' ? vendorRow(layout) : ownRow;
  for await (const record of readRecords(file, columns, account, reject)) {
    const row = read(record, (sentence) => account.tell(sentence));
    if (typeof row !== 'string') yield row;
    else if (row.startsWith('-')) book.leaveOut(record.source, row.slice(1));
    else {
      book.reject(record.source, record.content, row);
      reject({ source: record.source, content: record.content, reason: row });
    }
  }
}

type Tell = (sentence: string) => void;

function ownRow({ fields, source, content }: ListRecord<string>, tell: Tell): Row | string {
  const listedOn = optionalDay(fields.listed_on);
  const delistedOn = optionalDay(fields.delisted_on);
  const previousTickers = parsePreviousSymbols(fields.previous_symbols);
  const lotSize = fields.lot_size === '' ? 100 : Number(fields.lot_size);
  const delistingReturnPct = fields.delisting_return_pct === '' ? null : Number(fields.delisting_return_pct);
  if (listedOn === undefined || delistedOn === undefined) return 'bad_date';
  if (previousTickers === null) return 'bad_previous_symbols';
  if (!Number.isInteger(lotSize) || lotSize < 1) return 'bad_lot_size';
  if (delistingReturnPct !== null && !isReturn(delistingReturnPct)) return 'bad_delisting_return';
  const ticker = withoutMarket(fields.symbol);
  return {
    ...common(ticker, fields.name, source, content),
    listedOn,
    delistedOn,
    delistingReturnPct,
    previousTickers,
    lotSize,
    assetType: fields.asset_type === '' ? 'stock' : ourType(fields.asset_type, tell),
    primaryVenue: fields.primary_venue || 'US',
    currency: fields.currency || 'USD',
    isPopular: /^(true|1|yes)$/i.test(fields.is_popular),
  };
}

/** Nobody loses more than all; the other bound finds figures that are no percentages. */
const isReturn = (percent: number) => percent >= -100 && percent <= 1000;

function common(ticker: string, name: string, source: string, content: string) {
  return { ticker, name: name || ticker, source, content };
}

function ourType(word: string, tell: Tell): string {
  const type = typeOfWord(word);
  if (type === null) tell(`the type "${word}" is not known; it counts as other`);
  return type ?? 'other';
}

function vendorColumns({ columns, trailer, only, isDelisted }: SymbolLayout) {
  const names = [...Object.values(columns), only?.column, isDelisted].filter((name) => name !== undefined);
  return { names, required: [columns.symbol], trailer };
}

/** A text that begins with `-` is the reason for which the row is left out. */
function vendorRow({ columns, only, isDelisted }: SymbolLayout) {
  return ({ fields, source, content }: ListRecord<string>, tell: Tell): Row | string => {
    const field = (name: string | undefined) => (name === undefined || isNoValue(fields[name]) ? '' : fields[name]);
    if (only && fields[only.column] !== only.value) return '-other_table';
    if (field(columns.test) === 'Y') return '-test_symbol';
    const ticker = tickerOfText(field(columns.symbol));
    if (ticker === null) return 'bad_symbol';
    const isActive = isDelisted !== undefined && field(isDelisted).toUpperCase() !== 'Y';
    const listedOn = vendorDay(field(columns.listed));
    const delistedOn = isActive ? null : vendorDay(field(columns.delisted));
    if (listedOn === undefined || delistedOn === undefined) return 'bad_date';
    return {
      ...common(ticker, field(columns.name), source, content),
      listedOn,
      delistedOn,
      previousTickers: [],
      isPopular: false,
      lotSize: Number(field(columns.lot)) || 100,
      assetType: vendorType(columns.etf === undefined ? null : field(columns.etf), field(columns.type), tell),
      primaryVenue: VENUES[field(columns.venue).toUpperCase()] ?? (field(columns.venue) || 'US'),
      currency: field(columns.currency) || 'USD',
    };
  };
}

/** `etf`: the mark of exchange-traded funds; null: the list has a word for each type. */
function vendorType(etf: string | null, word: string, tell: Tell): string {
  if (etf !== null) return etf === 'Y' ? 'etf' : 'stock';
  return word === '' ? 'other' : ourType(word, tell);
}

/** Codes and words of vendors for listing venues. */
const VENUES: Readonly<Record<string, string>> = {
  'NYSE ARCA': 'NYSEARCA',
  'NYSE MKT': 'NYSEAMERICAN',
  A: 'NYSEAMERICAN',
  N: 'NYSE',
  P: 'NYSEARCA',
  Z: 'BATS',
};

function vendorDay(text: string): Day | null | undefined {
  if (text === '') return null;
  const day = readDay(text);
  return day <= NO_DAY ? undefined : day;
}

/** Null: the text is empty; undefined: it is not a day. */
function optionalDay(text: string): Day | null | undefined {
  return text === '' ? null : (parseDay(text) ?? undefined);
}

/** `OLD:YYYY-MM-DD|…`, oldest first; null when malformed. */
function parsePreviousSymbols(text: string): PreviousTicker[] | null {
  if (text === '') return [];
  const spans: PreviousTicker[] = [];
  for (const part of text.split('|')) {
    const at = part.lastIndexOf(':');
    const lastDay = parseDay(part.slice(at + 1).trim());
    if (at < 1 || lastDay === null) return null;
    spans.push({ ticker: withoutMarket(part.slice(0, at).trim()), lastDay });
  }
  return spans.sort((a, b) => a.lastDay - b.lastDay);
}

/**
 * Files have no ids of instruments, so the key of an instrument is its first ticker and its listing day. If two rows agree in both, the
 * key of the later one also has its delisting day.
 */
function uniqueKey(keys: Set<string>, { ticker, listedOn, delistedOn, previousTickers }: Row): string {
  const text = (day: Day | null) => (day === null ? '' : formatDay(day));
  const plain = `${previousTickers[0]?.ticker ?? ticker}@${text(listedOn)}`;
  let key = keys.has(plain) ? `${plain}~${text(delistedOn)}` : plain;
  while (keys.has(key)) key += '+';
  keys.add(key);
  return key;
}
