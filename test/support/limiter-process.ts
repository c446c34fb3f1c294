/** API processes as the limiter sees them, on one database, in a time that the test moves. */
import pino from 'pino';
import { LimiterClock } from '../../api/access/limiter-clock.ts';
import { Limiter, type LimitRule } from '../../api/access/rate-limit.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError, toError } from '../../engine/util/errors.ts';

/** Time that the test advances, in addition to the little real time that passes. */
export class TestTime {
  private readonly db: Queryable;
  private elapsed = 0;

  constructor(db: Queryable) {
    this.db = db;
  }

  /** Seconds. */
  now(): number {
    return performance.now() / 1000 + this.elapsed;
  }

  /** Passes here and in the database. */
  async pass(seconds: number): Promise<void> {
    this.elapsed += seconds;
    await this.db.query('update limiter_clock set anchor_at = anchor_at - $1::float8', [seconds]);
  }
}

type Query = (text: string, run: () => Promise<unknown>) => Promise<unknown>;

export class LimiterProcess {
  readonly clock: LimiterClock;
  readonly limiter: Limiter;

  private constructor(clock: LimiterClock, limiter: Limiter) {
    this.clock = clock;
    this.limiter = limiter;
  }

  /** A process that started at `zero`. Its clock reports when the test calls `sync`. `around` runs its statements. */
  static async start(
    db: Queryable,
    time: TestTime,
    around: Query = (_, run) => run(),
    zero = 0,
  ): Promise<LimiterProcess> {
    const wrapped = {
      query: (query: { readonly text: string } | string, values?: unknown[]) =>
        around(typeof query === 'string' ? query : query.text, () => db.query(query as string, values)),
    } as unknown as Queryable;
    const clock = await LimiterClock.open(wrapped, pino({ level: 'silent' }), () => 1000 * (time.now() - zero));
    clock.close();
    return new LimiterProcess(clock, new Limiter(wrapped, clock, () => 0));
  }

  /** The outcome of a call; a number of seconds is the time to wait of one that is refused. */
  async call(key: string, rule: LimitRule): Promise<'passed' | number | Error> {
    const context = { headers: {}, counted: null };
    try {
      await this.limiter.enforce({ counter: key }, rule, context);
      return 'passed';
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return Number(error.details.seconds);
      return toError(error);
    }
  }
}
