/**
 * Takes units from the rows that all processes share. Concurrent calls share a statement, in order of arrival, so that a busy process
 * does not pay a round trip per call; a single call is sent at once.
 */
import {
  type Return,
  returnToWindows,
  type Take,
  type Taken,
  takeFromWindows,
  USE_WITHIN_SECONDS,
} from '../../db/accounts/rate-limits.ts';
import { isLockTimeout } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { decide, type RateLimitResult, type Rule } from './decide.ts';
import { Fallback } from './fallback.ts';
import type { LimiterClock } from './limiter-clock.ts';

/** One fewer than the connections, so that one is always free for the clock. */
const MAX_IN_FLIGHT = 2;
const MAX_KEYS = 200;
/** How often units that arrived too late are taken again. */
const MAX_ATTEMPTS = 3;

interface Waiting {
  readonly rule: Rule;
  readonly calls: { readonly resolve: (result: RateLimitResult) => void; readonly reject: (error: unknown) => void }[];
  /** Whether the key gets its own statement, because its row may be the locked one. */
  isSuspect: boolean;
}

type Batch = ReadonlyMap<string, Waiting>;

export class WindowStore {
  private readonly db: Queryable;
  private readonly clock: LimiterClock;
  private readonly fallback = new Fallback();
  private readonly waiting = new Map<string, Waiting>();
  private readonly inFlight = new Set<Batch>();
  private isScheduled = false;
  private repayment: Promise<void> | undefined;

  constructor(db: Queryable, clock: LimiterClock) {
    this.db = db;
    this.clock = clock;
  }

  /** Counts a call. */
  async take(key: string, rule: Rule): Promise<RateLimitResult> {
    if (this.clock.isUnreachable) return this.takeLocally(key, rule);
    const { promise, resolve, reject } = Promise.withResolvers<RateLimitResult>();
    const waiting = this.waiting.get(key) ?? { rule, calls: [], isSuspect: false };
    waiting.calls.push({ resolve, reject });
    this.waiting.set(key, waiting);
    this.schedule();
    return promise;
  }

  private takeLocally(key: string, rule: Rule): RateLimitResult {
    return this.fallback.take(key, rule, this.clock.now());
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    // After the other calls of this turn of the event loop, which join the statement.
    setImmediate(() => {
      this.isScheduled = false;
      while (this.inFlight.size < MAX_IN_FLIGHT) {
        const batch = this.nextBatch();
        if (batch.size === 0) return;
        void this.send(batch);
      }
    });
  }

  /** Keys without a statement in flight, so that calls keep their order and a locked row blocks only one connection. */
  private nextBatch(): Batch {
    const isIdle = ([key]: [string, Waiting]) => ![...this.inFlight].some((batch) => batch.has(key));
    const idle = [...this.waiting].filter(isIdle);
    const suspect = idle.find(([, { isSuspect }]) => isSuspect);
    const batch = new Map(suspect ? [suspect] : idle.slice(0, MAX_KEYS));
    for (const key of batch.keys()) this.waiting.delete(key);
    return batch;
  }

  private async send(batch: Batch): Promise<void> {
    this.inFlight.add(batch);
    try {
      const taken = await this.takeInTime(batch);
      for (const row of taken) this.settle(row, required(batch.get(row.key)));
    } catch (error) {
      if (isLockTimeout(error) && batch.size > 1) this.retrySeparately(batch);
      else this.fail(batch, error);
    } finally {
      this.inFlight.delete(batch);
      this.schedule();
    }
  }

  /**
   * Takes units that can be used at once. If the process stalls in between, its units are of a bucket that others may no longer
   * count: it returns them and takes new ones.
   */
  private async takeInTime(batch: Batch): Promise<readonly Taken[]> {
    const takes = [...batch].map(([key, { rule, calls }]): Take => ({ key, ...rule, units: calls.length }));
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.repay();
      // Last, so that the database's clock is not behind.
      await this.clock.ready();
      const sentAt = this.clock.monotonic();
      const taken = await this.clock.watch(() => takeFromWindows(this.db, takes));
      if (this.clock.monotonic() - sentAt <= 1000 * USE_WITHIN_SECONDS) return taken;
      for (const { key, bucket, granted } of taken)
        this.fallback.owe(key, required(batch.get(key)).rule, bucket, -granted);
    }
    throw new ServiceError('unavailable');
  }

  /** Corrects the shared rows by what was granted while the database was unavailable, or too late, before anything is taken from them. */
  private async repay(): Promise<void> {
    if (!this.repayment && !this.fallback.hasDebts) return;
    const pay = async (takes: readonly Take[], returns: readonly Return[]) => {
      await this.clock.ready();
      await this.clock.watch(() => takeFromWindows(this.db, takes));
      await this.clock.watch(() => returnToWindows(this.db, returns));
    };
    this.repayment ??= this.fallback.repay(pay).finally(() => {
      this.repayment = undefined;
    });
    await this.repayment;
  }

  private settle(row: Taken, { rule, calls }: Waiting): void {
    const now = this.clock.now();
    this.fallback.learn(row.key, row);
    for (const [i, { resolve }] of calls.entries()) {
      const unspent = Math.max(0, row.granted - 1 - i);
      resolve(decide({ now, rule, window: row, isAllowed: i < row.granted, unspent }));
    }
  }

  /** The error does not say whose row is locked: each key is retried with its own statement, before later calls. */
  private retrySeparately(batch: Batch): void {
    for (const [key, { rule, calls }] of batch) {
      calls.push(...(this.waiting.get(key)?.calls ?? []));
      this.waiting.set(key, { rule, calls, isSuspect: true });
    }
  }

  private fail(batch: Batch, error: unknown): void {
    if (!this.clock.isUnreachable) {
      for (const { calls } of batch.values()) for (const { reject } of calls) reject(error);
      return;
    }
    // Waiting calls would only time out in the same way.
    for (const [key, { rule, calls }] of [...batch, ...this.waiting]) {
      for (const { resolve } of calls) resolve(this.takeLocally(key, rule));
    }
    this.waiting.clear();
  }
}
