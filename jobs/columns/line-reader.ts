/** Reads the lines of a file of a column. Each goes into the account of the file; good ones become rows of the store. */
import { KNOWN_AS_DAY, WHOLE_MARKET } from '../../db/research/own-columns.ts';
import type { Day } from '../../engine/market/dates.ts';
import {
  FIRST_COLUMN_DAY,
  knownByLag,
  LAST_COLUMN_DAY,
  type SightRules,
  seenFrom,
} from '../../engine/market/known-at.ts';
import type { ColumnSettings } from '../contracts/columns.ts';
import type { FileAccount } from '../providers/file-account.ts';
import { isNoValue, readDayCached, readNumber } from '../providers/files/values.ts';
import { NO_DAY } from '../providers/provider.ts';
import { NO_END, OF_LIST } from './forms.ts';
import { readKnownAt } from './known-text.ts';
import type { RowStore } from './row-store.ts';
import type { SymbolBook } from './symbol-book.ts';

/** How the rows of a file are read. */
export interface ReadingRules extends SightRules {
  /** Null: the values say. */
  readonly kind: 'number' | 'label' | null;
  readonly isMarket: boolean;
  readonly form: NonNullable<ColumnSettings['form']>;
}

/** Why a file cannot be loaded. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  /** The account of its lines; absent: they were not read to the end. */
  readonly account?: FileAccount;

  constructor(message: string, account?: FileAccount) {
    super(message);
    this.account = account;
  }
}

/** A value is text where numbers were read before: the file is to be read again, with labels. */
export class IsLabels extends Error {
  override readonly name = 'IsLabels';
}

type Field = 'symbol' | 'symbols' | 'date' | 'known_at' | 'value' | 'from' | 'to';

/** The names of a field in files. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  symbol: ['symbol', 'ticker', 'code', 'act_symbol'],
  symbols: ['symbols', 'tickers', 'members', 'constituents'],
  date: ['date', 'day', 'as_of'],
  known_at: ['known_at'],
  value: ['value'],
  from: ['from', 'start', 'start_date', 'from_date', 'date_added', 'added'],
  to: ['to', 'end', 'end_date', 'to_date', 'thru', 'date_removed', 'removed'],
};

const FIELDS_OF_FORM: Readonly<Record<ReadingRules['form'], readonly Field[]>> = {
  rows: ['symbol', 'date', 'known_at', 'value'],
  intervals: ['symbol', 'from', 'to'],
  snapshots: ['symbol', 'symbols', 'date'],
};

const MAX_LABEL = 64;
const MAX_LABELS = 65_536;
const EARLIEST_KNOWN = 366;
const CONTROL = /\p{Cc}/u;

/** A reader of the lines of a file. */
export type ReadsLines = Pick<LineReader, 'optionalName' | 'readHeader' | 'read'>;

export class LineReader {
  /** In the order of their indexes. */
  readonly labels = new Map<string, number>();
  readonly snapshots = new Set<Day>();
  private readonly rules: ReadingRules;
  private readonly account: FileAccount;
  private readonly book: SymbolBook;
  private readonly store: Pick<RowStore, 'add'>;
  private at: Partial<Record<Field, number>> = {};

  constructor(
    rules: ReadingRules,
    { account, book, store }: { account: FileAccount; book: SymbolBook; store: Pick<RowStore, 'add'> },
    labels: readonly string[],
  ) {
    this.rules = rules;
    this.account = account;
    this.book = book;
    this.store = store;
    for (const label of labels) this.labels.set(label, this.labels.size);
  }

  /** The name of the column that records may leave out. */
  get optionalName(): string | null {
    return { rows: 'known_at', intervals: 'to', snapshots: null }[this.rules.form];
  }

  /** Takes the names of the columns. Throws `FileRefused` when one is missing. */
  readHeader(header: readonly string[]): void {
    const { form, isMarket } = this.rules;
    const names = header.map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_'));
    const wanted = FIELDS_OF_FORM[form].filter((field) => !isMarket || !field.startsWith('symbol'));
    for (const field of wanted) {
      const at = names.findIndex((name) => NAMES[field].includes(name));
      if (at !== -1) this.at[field] = at;
    }
    const others = names.filter((name, i) => name !== '' && !Object.values(this.at).includes(i));
    if (wanted.includes('value') && this.at.value === undefined && others.length === 1) {
      this.at.value = names.indexOf(others[0]);
      this.account.tell(`the value is ${others[0]}`);
    } else if (others.length > 0) this.account.tell(`unknown columns: ${others.join(', ')}`);
    this.requireFields(form === 'rows' ? ['date', 'value'] : form === 'intervals' ? ['from', 'to'] : ['date'], names);
  }

  private requireFields(required: readonly Field[], names: readonly string[]): void {
    const { at } = this;
    const missing = required.filter((field) => at[field] === undefined);
    if (!this.rules.isMarket && at.symbol === undefined && at.symbols === undefined) missing.unshift('symbol');
    if (missing.length === 0) return;
    throw new FileRefused(
      `${missing.join(', ')} is missing among the columns ${names.join(', ')} (form: ${this.rules.form})`,
    );
  }

  /** Reads a line; true when the store is to be flushed. `content`: the line as it stands in the file. */
  read(fields: readonly string[], line: number, content: string | (() => string)): boolean {
    const { account } = this;
    const isFull = this.take(fields);
    if (typeof isFull === 'boolean') {
      account.loaded++;
      return isFull;
    }
    if (LEFT_OUT.has(isFull)) account.leaveOut(isFull);
    else account.reject(line, typeof content === 'string' ? content : content(), isFull);
    return false;
  }

  /** Whether the store is full, or why the line has no row. */
  private take(fields: readonly string[]): boolean | Reason {
    const { form, isMarket } = this.rules;
    const date = dayOf(field(fields, form === 'intervals' ? this.at.from : this.at.date));
    if (typeof date !== 'number') return date;
    if (form === 'snapshots' && this.at.symbols !== undefined) return this.takeList(fields, date);
    const ticker = isMarket ? null : this.book.find(field(fields, this.at.symbol));
    if (!isMarket && ticker === null) return 'bad_symbol';
    const idOf = () => (ticker === null ? WHOLE_MARKET : this.book.instrumentOf(ticker, date));
    if (form === 'rows') return this.takeRow(fields, date, idOf);
    if (form === 'intervals') return this.takeInterval(fields, date, idOf);
    this.snapshots.add(date);
    const id = idOf();
    return id === null ? 'unknown_symbol' : this.store.add(id, date, 0, 0, 0, 1);
  }

  private takeRow(fields: readonly string[], date: Day, idOf: () => number | null): boolean | Reason {
    const { lag, about } = this.rules;
    const text = field(fields, this.at.known_at);
    const value = this.valueOf(field(fields, this.at.value));
    if (typeof value !== 'number') return value;
    if (text === '') {
      const id = idOf();
      if (id === null) return 'unknown_symbol';
      const { day, second } = knownByLag(date, lag);
      return this.store.add(id, date, day, day, second, value);
    }
    const known = readKnownAt(text);
    if (known === null || known.day < FIRST_COLUMN_DAY || known.day > LAST_COLUMN_DAY) return 'bad_known_at';
    if (about === 'value' && known.day < date - EARLIEST_KNOWN) return 'known_too_early';
    const id = idOf();
    if (id === null) return 'unknown_symbol';
    return this.store.add(id, date, seenFrom(date, known, this.rules), known.day, known.second ?? KNOWN_AS_DAY, value);
  }

  private takeInterval(fields: readonly string[], from: Day, idOf: () => number | null): boolean | Reason {
    const text = field(fields, this.at.to);
    const to = isNoValue(text) ? NO_END : readDayCached(text);
    if (to < FIRST_COLUMN_DAY) return 'bad_date';
    if (to < from) return 'ends_before_it_begins';
    const id = idOf();
    return id === null ? 'unknown_symbol' : this.store.add(id, from, 0, to >= LAST_COLUMN_DAY ? NO_END : to, 0, 1);
  }

  private takeList(fields: readonly string[], date: Day): boolean | Reason {
    const texts = field(fields, this.at.symbols).split(/[\s,;|]+/);
    const tickers = texts.filter((text) => text !== '').map((text) => this.book.find(text));
    if (tickers.includes(null)) return 'bad_symbol';
    this.snapshots.add(date);
    let isFull = false;
    for (const ticker of tickers) {
      const id = ticker && this.book.instrumentOf(ticker, date);
      if (id !== null) isFull = this.store.add(id, date, 0, 0, OF_LIST, 1);
    }
    return isFull;
  }

  private valueOf(text: string): number | Reason {
    const { kind } = this.rules;
    if (kind === 'label') return text === '' ? Number.NaN : this.labelOf(text);
    if (isNoValue(text)) return Number.NaN;
    const value = readNumber(text);
    if (!Number.isFinite(value)) {
      if (kind === null) throw new IsLabels();
      return 'bad_value';
    }
    return value;
  }

  private labelOf(text: string): number | Reason {
    const known = this.labels.get(text);
    if (known !== undefined) return known;
    if (text.length > MAX_LABEL || CONTROL.test(text)) return 'bad_label';
    if (this.labels.size === MAX_LABELS) throw new FileRefused(`there are more than ${MAX_LABELS} labels`);
    const index = this.labels.size;
    this.labels.set(Buffer.from(text).toString(), index);
    return index;
  }
}

type Reason =
  | 'bad_date'
  | 'before_1962'
  | 'bad_symbol'
  | 'unknown_symbol'
  | 'bad_known_at'
  | 'known_too_early'
  | 'bad_value'
  | 'bad_label'
  | 'ends_before_it_begins';

/** Reasons that are no fault of the line. */
const LEFT_OUT: ReadonlySet<Reason> = new Set<Reason>(['before_1962', 'unknown_symbol']);

function field(fields: readonly string[], at: number | undefined): string {
  return at === undefined ? '' : fields[at].trim();
}

function dayOf(text: string): Day | Reason {
  const day = readDayCached(text);
  if (day >= FIRST_COLUMN_DAY) return day <= LAST_COLUMN_DAY ? day : 'bad_date';
  return day > NO_DAY ? 'before_1962' : 'bad_date';
}
