/**
 * Rate limits while the database is unavailable: a process counts on from the last known state of each window. What it grants is added
 * to the shared rows when the database is back, and what they granted too late to be used is taken off.
 */
import { LRUCache } from 'lru-cache';
import type { Return, StoredWindow, Take } from '../../db/accounts/rate-limits.ts';
import { hadNoEffect } from '../../db/errors.ts';
import { addUnits, bucketSeconds, decide, type RateLimitResult, type Rule, takeUnits } from './decide.ts';

const MAX_KEYS = 10_000;

/** Units granted locally that the shared row does not count yet, less those that it counts and no call has used. */
interface Debt {
  readonly rule: Rule;
  /** Bucket → units. */
  readonly units: Map<number, number>;
}

export class Fallback {
  private readonly windows = new LRUCache<string, StoredWindow>({ max: MAX_KEYS });
  private debts = new LRUCache<string, Debt>({ max: MAX_KEYS });

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
    this.debts = new LRUCache({ max: MAX_KEYS });
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
