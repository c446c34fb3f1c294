/**
 * Takes units from the rows that all processes share. Concurrent calls share a statement, in order of arrival, so that a busy process
 * does not pay a round trip per call; a single call is sent at once.
 */

import { LRUCache } from 'lru-cache';
import {
  type Return,
  returnToWindows,
  type StoredWindow,
  type Take,
  type Taken,
  takeFromWindows,
  USE_WITHIN_SECONDS,
} from '../../db/accounts/rate-limits.ts';
import { hadNoEffect, isLockTimeout } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { addUnits, bucketSeconds, decide, type RateLimitResult, type Rule, takeUnits } from './decide.ts';
import type { LimiterClock } from './limiter-clock.ts';

const MAX_FALLBACK_KEYS = 10_000;

/** Units granted locally that the shared row does not count yet, less those that it counts and no call has used. */
interface Debt {
  readonly rule: Rule;
  /** Bucket → units. */
  readonly units: Map<number, number>;
}

/**
 * Rate limits while the database is unavailable: a process counts on from the last known state of each window. What it grants is added
 * to the shared rows when the database is back, and what they granted too late to be used is taken off.
 */
class Fallback {
  private readonly windows = new LRUCache<string, StoredWindow>({ max: MAX_FALLBACK_KEYS });
  private debts = new LRUCache<string, Debt>({ max: MAX_FALLBACK_KEYS });

  /** Remembers the shared row of a key. */
  learn(key: string, { bucket, totals }: StoredWindow): void {
    let window: StoredWindow = { bucket, totals };
    for (const [bucket, units] of this.debts.get(key)?.units ?? []) window = addUnits(window, bucket, units);
    this.windows.set(key, window);
  }

  /** Counts a call at `now`, in limiter seconds. */
  take(key: string, rule: Rule, now: number): RateLimitResult {
    const required = Math.floor(now / bucketSeconds(rule));
    const known = this.windows.get(key) ?? { bucket: required, totals: [0] };
    const { granted, window } = takeUnits(known, required, { limit: rule.limit, units: 1 });
    this.windows.set(key, window);
    if (granted > 0) this.owe(key, rule, window.bucket);
    return decide({ now, rule, window, isAllowed: granted > 0 });
  }

  get hasDebts(): boolean {
    return this.debts.size > 0;
  }

  /** Adds the debts to the shared rows: `takes` create or advance them, then negative `returns` add to their buckets. */
  async repay(pay: (takes: readonly Take[], returns: readonly Return[]) => Promise<void>): Promise<void> {
    const { debts } = this;
    this.debts = new LRUCache({ max: MAX_FALLBACK_KEYS });
    const owed = [...debts];
    try {
      await pay(
        owed.map(([key, { rule }]) => ({ key, ...rule, units: 0 })),
        owed.flatMap(([key, { units }]) => [...units].map(([bucket, count]) => ({ key, bucket, units: -count }))),
      );
    } catch (error) {
      for (const [key, { rule, units }] of owed) {
        // Units that may have been taken off are not taken off twice: they leave the window with their bucket.
        for (const [bucket, count] of units) if (count > 0 || hadNoEffect(error)) this.owe(key, rule, bucket, count);
      }
      throw error;
    }
  }

  /** Notes units of a bucket that the shared row does not count; a negative number: that it counts too many. */
  owe(key: string, { limit, windowSeconds }: Rule, bucket: number, count = 1): void {
    const { units } = this.debts.get(key) ?? { units: new Map<number, number>() };
    units.set(bucket, (units.get(bucket) ?? 0) + count);
    this.debts.set(key, { rule: { limit, windowSeconds }, units });
  }
}

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
