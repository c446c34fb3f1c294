/**
 * The time of the service, by which sessions are published: that of the database, which all processes share, so that a machine whose
 * clock is wrong publishes nothing early. Between two readings it runs on by the monotonic clock, which no step of a clock moves.
 */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Queryable } from './pool.ts';

const NS_PER_MS = 1_000_000n;

/** The clock of this machine, in epoch milliseconds. Only for judging that clock itself. */
export const machineTime = (): number => Date.now();

/** A process whose clock differs by more from the database's is told. */
const MAX_CLOCK_OFF_S = 2;

/** The time of the service, which a process shares with its threads. */
export interface SharedTime {
  /** Epoch milliseconds that win over the database's clock; null: none. */
  readonly fixedNow: number | null;
  /** One element: nanoseconds from the monotonic clock of this machine to the time of the service. */
  readonly ahead: BigInt64Array;
}

/** Reads the time of the service in epoch milliseconds. */
export function readTime({ fixedNow, ahead }: SharedTime): () => number {
  if (fixedNow !== null) return () => fixedNow;
  return () => Number((Atomics.load(ahead, 0) + process.hrtime.bigint()) / NS_PER_MS);
}

/** Until its first reading it is the clock of this machine. */
export class DatabaseClock {
  readonly shared: SharedTime;
  readonly now: () => number;
  private readonly log: Pick<Logger, 'warn'>;
  /** Seconds by which the clock of this machine is ahead of the database's, if more than may be; else 0. */
  private offS = 0;

  /** `fixedNow`: epoch milliseconds that win over the database's clock; null: none. */
  constructor(fixedNow: number | null, log: Pick<Logger, 'warn'>) {
    this.shared = { fixedNow, ahead: new BigInt64Array(new SharedArrayBuffer(8)) };
    this.now = readTime(this.shared);
    this.log = log;
    this.set(machineTime());
  }

  private set(epochMs: number): void {
    Atomics.store(this.shared.ahead, 0, BigInt(Math.round(epochMs)) * NS_PER_MS - process.hrtime.bigint());
  }

  /** Reads the database's clock. Half a round trip is the most by which it errs. Rejects when the database does not answer. */
  async read(db: Queryable, timeoutMs?: number): Promise<void> {
    const sentAt = performance.now();
    const statement: { text: string; query_timeout?: number } = {
      text: `select (1000 * date_part('epoch', clock_timestamp()))::float8 as now`,
      query_timeout: timeoutMs,
    };
    const { rows } = await db.query<{ now: number }>(statement);
    const halfMs = (performance.now() - sentAt) / 2;
    const now = rows[0].now + halfMs;
    this.set(now);
    const offMs = machineTime() - now;
    this.report(Math.abs(offMs) - halfMs > 1000 * MAX_CLOCK_OFF_S ? Math.round(offMs / 1000) : 0);
  }

  private report(offS: number): void {
    if (offS !== 0 && this.offS === 0) {
      this.log.warn({ seconds: offS }, 'the clock of this machine differs from that of the database, which is used');
    } else if (offS === 0 && this.offS !== 0)
      this.log.warn('the clock of this machine agrees with that of the database again');
    this.offS = offS;
  }

  /** Seconds by which the clock of this process is off, and where it runs; null: it is right. */
  get fault(): string | null {
    if (this.offS === 0) return null;
    return `${this.offS > 0 ? '+' : ''}${this.offS}s ${hostname()} (process ${process.pid})`;
  }
}
