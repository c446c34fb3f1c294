/**
 * The limiter's time. Each process lets it pass by its own monotonic clock, so setting a wall clock neither opens the
 * limits nor locks anybody out; a row in the database keeps the processes together and outlives them.
 */
import type { Logger } from 'pino';
import type { Queryable } from '../db/pool.ts';
import { advanceLimiterClock } from '../db/rate-limits.ts';

const SYNC_MS = 1_000;

export class LimiterClock {
  private readonly db: Queryable;
  private readonly monotonic: () => number;
  private offset = -Infinity;
  private timer: NodeJS.Timeout | undefined;

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

  /** Seconds that never go back. */
  now(): number {
    return this.monotonic() / 1000 + this.offset;
  }

  /** Tells the others how far time has passed here, and catches up with whoever is ahead. */
  async sync(): Promise<void> {
    const mine = this.now();
    const agreed = await advanceLimiterClock(this.db, mine);
    if (agreed > mine)
      this.offset = this.offset === -Infinity ? agreed - this.monotonic() / 1000 : this.offset + agreed - mine;
  }

  close(): void {
    clearInterval(this.timer);
  }
}
