/** Reads the lines of trades, the columns of our own files, and makes an equity curve of them that knows only what was realized. */
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { sessionAt, sessionsUpTo } from '../../engine/market/session-index.ts';
import { OverQuota } from '../columns/bounds.ts';
import { FileRefused, type ReadsLines } from '../columns/line-reader.ts';
import type { FileAccount } from '../providers/file-account.ts';
import { readNumber } from '../providers/files/values.ts';
import { dayOf } from './record-reader.ts';
import { ToldTrades } from './told-trades.ts';

const CAPITAL = 100_000;
const STREAM = 'trades';

/** The number of the session of a day, or of the next one where it is none. */
const sessionOn = (day: Day) => sessionsUpTo(day - 1);

export class TradesReader implements ReadsLines {
  readonly optionalName = 'entry_date';
  /** Lines whose exit is on no session. */
  closed = 0;
  private readonly account: FileAccount;
  private readonly max: number;
  private at = { entry: -1, exit: -1, pnl: -1 };
  private first = Number.POSITIVE_INFINITY;
  private trades = 0;
  private told = new ToldTrades([]);
  /** Money by the number of the session in which it was realized. */
  private readonly realized = new Map<number, number>();

  /** `max`: the most trades. */
  constructor(account: FileAccount, max: number) {
    this.account = account;
    this.max = max;
  }

  readHeader(header: readonly string[]): void {
    const names = header.map((name) => name.trim().toLowerCase());
    const [entry, exit, pnl] = ['entry_date', 'exit_date', 'pnl'].map((name) => names.indexOf(name));
    if (exit < 0 || pnl < 0)
      throw new FileRefused(`${exit < 0 ? 'exit_date' : 'pnl'} is missing among the columns ${names.join(', ')}`);
    this.at = { entry, exit, pnl };
    this.told = new ToldTrades(names);
  }

  read(fields: readonly string[], line: number, content: string | (() => string)): boolean {
    const fault = this.take(fields);
    if (fault === null) this.account.loaded++;
    else if (fault === 'before_1962') this.account.leaveOut(fault);
    else this.account.reject(line, typeof content === 'string' ? content : content(), fault);
    return false;
  }

  private take(fields: readonly string[]): string | null {
    const { at, realized } = this;
    const exit = dayOf(fields[at.exit].trim());
    if (typeof exit !== 'number') return exit;
    const text = at.entry < 0 ? '' : fields[at.entry].trim();
    const entry = text === '' ? exit : dayOf(text);
    if (typeof entry !== 'number') return entry;
    if (entry > exit) return 'ends_before_it_begins';
    const pnl = readNumber(fields[at.pnl]);
    if (!Number.isFinite(pnl)) return 'bad_value';
    if (++this.trades > this.max) throw new OverQuota('judge_values_max', this.max, this.trades);
    if (sessionsUpTo(exit) === sessionsUpTo(exit - 1)) this.closed++;
    const session = sessionOn(exit);
    realized.set(session, (realized.get(session) ?? 0) + pnl);
    this.first = Math.min(this.first, sessionOn(entry));
    this.told.add(fields, { entry, exit, pnl });
    return null;
  }

  /** The curve on each session from the one before the first trade to the last exit. */
  record() {
    const base = this.first - 1;
    const last = Math.max(...this.realized.keys());
    const days = Int32Array.from({ length: last - base + 1 }, (_, i) => sessionAt(base + i));
    let money = CAPITAL;
    const values = Float64Array.from(days, (day, i) => {
      money += this.realized.get(base + i) ?? 0;
      if (money < 0) throw new FileRefused(`by ${formatDay(day)} the trades have lost more than ${CAPITAL}`);
      return money;
    });
    return { days, columns: [{ name: STREAM, values }], trades: this.told.figures() };
  }
}
