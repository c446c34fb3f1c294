/** Reads the lines of a record: a day, and a value for each stream. Each line goes into the account of the file. */
import type { Day } from '../../engine/market/dates.ts';
import { FIRST_COLUMN_DAY, LAST_COLUMN_DAY } from '../../engine/market/known-at.ts';
import { OverQuota } from '../columns/bounds.ts';
import { FileRefused, type ReadsLines } from '../columns/line-reader.ts';
import { MAX_STREAMS } from '../contracts/judge.ts';
import type { FileAccount } from '../providers/file-account.ts';
import { isNoValue, readDayCached, readNumber } from '../providers/files/values.ts';
import { NO_DAY } from '../providers/provider.ts';

/** Names of the column of days, the last of them those of indexes of data frames. */
const DATE_NAMES: readonly string[] = ['date', 'day', 'ts', 'time', 'timestamp', 'datetime', '', '__index_level_0__'];
const FIRST_CAPACITY = 1_024;
/** Names that a refusal shows. */
const SHOWN_NAMES = 20;

/** Numbers of which there come more. */
class Growing {
  private values = new Float64Array(FIRST_CAPACITY);

  set(at: number, value: number): void {
    if (at === this.values.length) {
      const more = new Float64Array(2 * at);
      more.set(this.values);
      this.values = more;
    }
    this.values[at] = value;
  }

  get(at: number): number {
    return this.values[at];
  }

  /** Those in an order. */
  inOrder(order: Int32Array): Float64Array {
    return Float64Array.from(order, (at) => this.values[at]);
  }
}

export function dayOf(text: string): Day | 'bad_date' | 'before_1962' {
  const day = readDayCached(text);
  if (day >= FIRST_COLUMN_DAY) return day <= LAST_COLUMN_DAY ? day : 'bad_date';
  return day > NO_DAY ? 'before_1962' : 'bad_date';
}

interface RecordRules {
  readonly isEquity: boolean;
  /** The most values. */
  readonly max: number;
}

export class RecordReader implements ReadsLines {
  readonly optionalName = null;
  names: readonly string[] = [];
  private readonly account: FileAccount;
  private readonly rules: RecordRules;
  private dateAt = -1;
  private places: readonly number[] = [];
  private columns: readonly Growing[] = [];
  private values = 0;
  private readonly rowOf = new Map<Day, number>();
  private scratch = new Float64Array();

  constructor(account: FileAccount, rules: RecordRules) {
    this.account = account;
    this.rules = rules;
  }

  readHeader(header: readonly string[]): void {
    const names = header.map((name) => name.trim());
    const lower = names.map((name) => name.toLowerCase());
    this.dateAt = DATE_NAMES.map((name) => lower.indexOf(name)).find((at) => at >= 0) ?? -1;
    if (this.dateAt < 0)
      throw new FileRefused(`date is missing among the columns ${names.slice(0, SHOWN_NAMES).join(', ')}`);
    this.places = [...names.keys()].filter((at) => at !== this.dateAt);
    this.names = this.places.map((at) => names[at]);
    const unnamed = this.places.find((at) => names[at] === '');
    if (unnamed !== undefined) throw new FileRefused(`column ${unnamed + 1} has no name`);
    const twice = this.names.find((name, i) => this.names.indexOf(name) < i);
    if (twice !== undefined) throw new FileRefused(`two columns are called ${twice}`);
    if (this.names.length === 0) throw new FileRefused('there is no column beside that of days');
    if (this.names.length > MAX_STREAMS)
      throw new FileRefused(`there are ${this.names.length} streams; ${MAX_STREAMS} are the most`);
    this.columns = this.names.map(() => new Growing());
    this.scratch = new Float64Array(this.names.length);
  }

  read(fields: readonly string[], line: number, content: string | (() => string)): boolean {
    const { account } = this;
    const found = this.take(fields);
    if (found === 'loaded') account.loaded++;
    else if (found === 'repeated') account.repeated++;
    else if (found === 'before_1962' || found === 'no_value') account.leaveOut(found);
    else account.reject(line, typeof content === 'string' ? content : content(), found);
    return false;
  }

  private take(fields: readonly string[]) {
    const { scratch, places, rowOf, columns, rules } = this;
    const day = dayOf(fields[this.dateAt].trim());
    if (typeof day !== 'number') return day;
    let given = 0;
    for (let k = 0; k < places.length; k++) {
      const text = fields[places[k]];
      const value = readNumber(text);
      const isNumber = Number.isFinite(value);
      // Money that is less than nothing has no return.
      if (isNumber ? rules.isEquity && value < 0 : !isNoValue(text)) return 'bad_value';
      scratch[k] = isNumber ? value : Number.NaN;
      if (isNumber) given++;
    }
    if (given === 0) return 'no_value';
    const known = rowOf.get(day);
    if (known !== undefined)
      return columns.every((column, k) => Object.is(column.get(known), scratch[k])) ? 'repeated' : 'conflict';
    this.values += given;
    if (this.values > rules.max) throw new OverQuota('judge_values_max', rules.max, this.values);
    const row = rowOf.size;
    rowOf.set(day, row);
    for (let k = 0; k < columns.length; k++) columns[k].set(row, scratch[k]);
    return 'loaded';
  }

  /** The rows by day. */
  record() {
    const { names, columns, rowOf } = this;
    const days = Int32Array.from(rowOf.keys()).sort();
    const order = days.map((day) => rowOf.get(day) ?? 0);
    return { days, columns: columns.map((column, k) => ({ name: names[k], values: column.inOrder(order) })) };
  }
}
