/**
 * The limiter's time. The statements that count read it in the database, so processes cannot disagree about it. What a
 * process does is to watch the database's wall clock: once a second it tells how far time has passed by its own monotonic
 * clock, so that setting a wall clock neither opens the limits nor locks anybody out.
 */
import type { Logger } from 'pino';
import { advanceLimiterClock } from '../../db/accounts/rate-limits.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';

const SYNC_MS = 1_000;
/** The database goes on alone for two seconds after it was last told the time. */
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

  /** `monotonic` gives milliseconds. */
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

  /** Seconds that never go back, at most a round trip behind the database. */
  now(): number {
    return this.monotonic() / 1000 + this.offset;
  }

  /** Must have resolved before calls are counted: a process that was held up tells the time before it counts on it. */
  async ready(): Promise<void> {
    if (this.monotonic() - this.syncedAt > MAX_AGE_MS) await this.sync();
  }

  /** Tells how far time has passed here, and catches up with the database. */
  async sync(): Promise<void> {
    const sentAt = this.monotonic();
    const agreed = await advanceLimiterClock(this.db, this.now()).catch((error) => {
      this.isAway = isDatabaseAway(error);
      throw error;
    });
    this.isAway = false;
    this.syncedAt = sentAt;
    // The answer is from before this moment, so no process ever runs ahead of the database and drags it along.
    this.offset = Math.max(this.offset, agreed - this.monotonic() / 1000);
  }

  close(): void {
    clearInterval(this.timer);
  }
}
