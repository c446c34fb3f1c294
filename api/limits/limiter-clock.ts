/**
 * The limiter's time. Statements that count read it in the database, so that processes cannot disagree about it. Once a
 * second each process reports how far its own monotonic clock has advanced, so that a change of the database's wall clock
 * neither opens the limits nor locks anybody out.
 */
import type { Logger } from 'pino';
import { advanceLimiterClock } from '../../db/accounts/rate-limits.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';

const SYNC_MS = 1_000;
/** The database continues alone for two seconds after the last report. */
const MAX_AGE_MS = 1_900;

export class LimiterClock {
  private readonly db: Queryable;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  private offset = -Infinity;
  private syncedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  /** Whether the database could not be reached when it was last tried. */
  isAway = false;

  /** `monotonic` returns milliseconds. */
  private constructor(db: Queryable, monotonic: () => number) {
    this.db = db;
    this.monotonic = monotonic;
  }

  static async open(db: Queryable, log: Logger, monotonic = () => performance.now()): Promise<LimiterClock> {
    const clock = new LimiterClock(db, monotonic);
    await clock.sync();
    const sync = () => clock.sync().catch((error) => log.debug({ err: error }, 'the limiter clock was not shared'));
    clock.timer = setInterval(sync, SYNC_MS).unref();
    return clock;
  }

  /** Seconds; never decreases, and is at most a round trip behind the database. */
  now(): number {
    return this.monotonic() / 1000 + this.offset;
  }

  /** Resolves when calls may be counted. A process that was held up first reports the time. */
  async ready(): Promise<void> {
    if (this.monotonic() - this.syncedAt > MAX_AGE_MS) await this.sync();
  }

  /** Reports how far time has advanced here, and catches up with the database. */
  async sync(): Promise<void> {
    const sentAt = this.monotonic();
    const agreed = await advanceLimiterClock(this.db, this.now()).catch((error) => {
      this.isAway = isDatabaseAway(error);
      throw error;
    });
    this.isAway = false;
    this.syncedAt = sentAt;
    // The answer is older than this moment, so that no process runs ahead of the database and pulls it along.
    this.offset = Math.max(this.offset, agreed - this.monotonic() / 1000);
  }

  close(): void {
    clearInterval(this.timer);
  }
}
