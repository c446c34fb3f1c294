/** Tells an account, once a minute and counter, that few calls of a category are left. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Queryable } from '../../db/pool.ts';
import { insertEvent } from '../../db/webhooks/account-events.ts';
import type { RateCategory } from './plans.ts';

/** The share of the calls of a window that is told to be few. */
const FEW = 0.2;
const PAUSE_MS = 60_000;
const MAX_COUNTERS = 50_000;

export interface CallsLeft {
  readonly userId: number;
  readonly counter: string;
  readonly category: RateCategory;
  readonly limit: number;
  readonly remaining: number;
}

export class NearLimits {
  private readonly options: { readonly db: Queryable; readonly now: () => number; readonly log: Logger };
  private readonly told = new LRUCache<string, true>({ max: MAX_COUNTERS, ttl: PAUSE_MS });

  constructor(options: NearLimits['options']) {
    this.options = options;
  }

  /** Does not wait for the event to be recorded. */
  tell({ userId, counter, category, limit, remaining }: CallsLeft): void {
    const key = `${counter}:${category}`;
    if (remaining > limit * FEW || this.told.has(key)) return;
    this.told.set(key, true);
    const { db, now, log } = this.options;
    const data = { category, limit, remaining };
    insertEvent(db, { userId, event: 'limit.near', data, createdAt: new Date(now()) }).catch((error) => {
      this.told.delete(key);
      log.debug({ err: error }, 'a limit that is near could not be told');
    });
  }
}
