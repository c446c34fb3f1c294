/**
 * The limiter's time. Statements that count read it in the database, so that processes cannot disagree about it. Once a
 * second each process reports how far its own monotonic clock has advanced, so that a change of the database's wall
 * clock neither lifts the limits nor locks anybody out. The reports also show whether the database can be reached.
 */
import type { Logger } from 'pino';
import { advanceLimiterClock } from '../../db/accounts/rate-limits.ts';
import { isDatabaseUnreachable, isRefusedInTime, isSilence } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';

const SYNC_MS = 1_000;
/** The clock in the database runs on for two seconds after the last report. */
const MAX_AGE_MS = 1_900;
/** A process whose next report is this late was stalled. */
const STALL_MS = 1_500;

export class LimiterClock {
  private readonly db: Queryable;
  /** Monotonic ms. */
  readonly monotonic: () => number;
  private offset = -Infinity;
  /** Monotonic ms of the last successful report, the last attempt, the end of the last stall, and the last answer. */
  private syncedAt = -Infinity;
  private triedAt = Infinity;
  private stalledAt = -Infinity;
  private answeredAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  /** Whether the database cannot be reached. */
  isUnreachable = false;

  private constructor(db: Queryable, monotonic: () => number) {
    this.db = db;
    this.monotonic = monotonic;
  }

  static async open(db: Queryable, log: Logger, monotonic = () => performance.now()): Promise<LimiterClock> {
    const clock = new LimiterClock(db, monotonic);
    await clock.sync();
    const sync = () =>
      clock.sync().catch((error) => log.debug({ err: error }, 'the limiter clock could not be reported'));
    clock.timer = setInterval(sync, SYNC_MS).unref();
    return clock;
  }

  /** Seconds; never decreases, and is at most a round trip behind the database. */
  now(): number {
    return this.monotonic() / 1000 + this.offset;
  }

  /** Resolves when calls may be counted. A process that was stalled first reports the time. */
  async ready(): Promise<void> {
    if (this.monotonic() - this.syncedAt > MAX_AGE_MS) await this.sync();
  }

  /** Reports how far time has advanced here, and catches up with the database. */
  async sync(): Promise<void> {
    const sentAt = this.monotonic();
    this.noteStall(sentAt);
    this.triedAt = sentAt;
    const agreed = await this.watch(() => advanceLimiterClock(this.db, this.now()));
    this.isUnreachable = false;
    this.syncedAt = sentAt;
    // The answer is older than this moment, so that no process runs ahead of the database and pulls it along.
    this.offset = Math.max(this.offset, agreed - this.monotonic() / 1000);
  }

  /** Runs a statement, and notes from its outcome whether the database can be reached. */
  async watch<T>(run: () => Promise<T>): Promise<T> {
    const sentAt = this.monotonic();
    try {
      const result = await run();
      this.answeredAt = this.monotonic();
      return result;
    } catch (error) {
      if (isRefusedInTime(error)) this.answeredAt = this.monotonic();
      else if (isDatabaseUnreachable(error)) this.noteFailure(error, sentAt);
      throw error;
    }
  }

  /** A timeout says nothing about the database if other statements were answered since, or if this process was stalled. */
  private noteFailure(error: unknown, sentAt: number): void {
    this.noteStall(this.monotonic());
    const isExplained = this.answeredAt > sentAt || this.stalledAt > sentAt;
    if (!isSilence(error) || !isExplained) this.isUnreachable = true;
  }

  private noteStall(now: number): void {
    if (now - this.triedAt > STALL_MS) this.stalledAt = now;
  }

  close(): void {
    clearInterval(this.timer);
  }
}
