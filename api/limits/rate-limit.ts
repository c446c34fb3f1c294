/** The rate limiter. Each caller has a counter per category, which all API processes share. */

import {
  clearWindow,
  giveBackReservations,
  giveBackToWindow,
  peekAtWindows,
  type TakeResult,
  takeFromWindows,
  type WindowTake,
} from '../../db/accounts/rate-limits.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { recordOf } from '../../engine/record-of.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestContext } from '../http/request-context.ts';
import { GUARDS, type Guarded, type GuardName, guardKey } from './guards.ts';
import { createLeases, type Leases, type Turn } from './leases.ts';
import type { LimiterClock } from './limiter-clock.ts';
import { createLocalWindows, type LocalWindows } from './local-windows.ts';
import { PLANS, RATE_CATEGORIES, type RateCategory, WINDOW_SECONDS } from './plans.ts';

export interface LimitRule {
  /** Name of the counter. */
  readonly category: RateCategory | 'public' | 'back_office' | GuardName;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Calls of one account to the back office, far more than a person makes. */
export const BACK_OFFICE_RULE: LimitRule = { category: 'back_office', limit: 600, windowSeconds: 60 };

/** The rule of a category of a plan. */
export type PlanRule = LimitRule & { readonly category: RateCategory };

/** The rule for a category of the caller's plan; throws when the plan does not include it. */
export function planRule({ plan }: Caller, category: RateCategory): PlanRule {
  const limit = PLANS[plan].limits[category];
  if (limit === 0) throw new ServiceError('plan_capability', { plan, category });
  return { category, limit, windowSeconds: WINDOW_SECONDS[category] };
}

/** The calls that are left in a category. Reading them consumes nothing. */
export interface CategoryState {
  readonly limit: number;
  readonly window_seconds: number;
  readonly remaining: number;
  /** Unix seconds at which the whole quota is back. */
  readonly reset: number;
}

interface Waiting {
  readonly rule: LimitRule;
  /** Whether units may be taken ahead: guards are always counted attempt by attempt. */
  readonly isLeased: boolean;
  readonly calls: { readonly resolve: (turn: Turn) => void; readonly reject: (error: unknown) => void }[];
}

/** Concurrent statements. Calls that arrive meanwhile share the next one. */
const MAX_IN_FLIGHT = 1;
/** Keys in one statement. */
const MAX_KEYS = 200;

/**
 * Counts calls in the database. Concurrent calls share a statement, in the order of their arrival, so that a busy process
 * does not pay a round trip per call. A lone call is sent at once.
 */
export class Limiter {
  private readonly db: Queryable;
  private readonly clock: LimiterClock;
  private readonly wallNow: () => number;
  private readonly leases: Leases;
  private readonly local: LocalWindows;
  private waiting = new Map<string, Waiting>();
  private inFlight = 0;
  private isScheduled = false;

  constructor(db: Queryable, clock: LimiterClock, wallNow: () => number) {
    this.db = db;
    this.clock = clock;
    this.wallNow = wallNow;
    this.local = createLocalWindows(() => clock.monotonic());
    this.leases = createLeases({
      giveBack: (reservations) => giveBackReservations(db, reservations),
      monotonic: () => clock.monotonic(),
    });
  }

  /** Counts a call of the caller, sets the headers, and throws when the limit is reached. */
  async enforce(
    { counter }: Pick<Caller, 'counter'>,
    rule: LimitRule,
    context: Pick<RequestContext, 'headers' | 'counted'>,
  ): Promise<void> {
    const key = `${counter}:${rule.category}`;
    let turn = this.leases.take(key, rule.limit);
    if (!turn) {
      this.leases.missed(key);
      turn = await this.take(key, rule, true);
    }
    this.tell(context.headers, rule.limit, turn);
    if (!turn.isAllowed) refuse(turn);
    context.counted = { key, limit: rule.limit };
  }

  /** Takes back the count of a call that was refused for another reason, and sets the headers accordingly. */
  async refund(context: RequestContext): Promise<void> {
    const { counted, headers } = context;
    if (!counted) return;
    context.counted = null;
    context.category = null;
    const left = await giveBackToWindow(this.db, this.clock.now(), counted.key);
    this.leases.refunded(counted.key);
    const { used = 0, resetAfter = 0 } = left ?? {};
    const remaining = Math.max(0, counted.limit - used + this.leases.held(counted.key));
    this.tell(headers, counted.limit, { remaining, resetAfter });
  }

  /** Counts an attempt against each guard in order. Throws at the first one that is used up, and sets its headers. */
  async pass(guarded: readonly Guarded[], { headers }: RequestContext): Promise<void> {
    for (const one of guarded) {
      const turn = await this.takeGuarded(one);
      if (turn.isAllowed) continue;
      this.tell(headers, GUARDS[one.guard].limit, turn);
      refuse(turn);
    }
  }

  /** Counts an attempt. False when the guard is used up. */
  async isWithin(guarded: Guarded): Promise<boolean> {
    return (await this.takeGuarded(guarded)).isAllowed;
  }

  /** Takes back the count of an attempt that turned out well. */
  async giveBack(guarded: Guarded): Promise<void> {
    await giveBackToWindow(this.db, this.clock.now(), guardKey(guarded));
  }

  /** Forgets all attempts. */
  async clear(guarded: Guarded): Promise<void> {
    await clearWindow(this.db, guardKey(guarded));
  }

  /** The calls that the caller has left in each category. */
  async peek({ counter, plan }: Caller): Promise<Record<RateCategory, CategoryState>> {
    const limits = PLANS[plan].limits;
    const keyOf = (category: RateCategory) => `${counter}:${category}`;
    const states = await peekAtWindows(this.db, this.clock.now(), RATE_CATEGORIES.map(keyOf));
    const stateOf = (category: RateCategory): CategoryState => {
      const { used = 0, resetAfter = 0 } = states.get(keyOf(category)) ?? {};
      const limit = limits[category];
      return {
        limit,
        window_seconds: WINDOW_SECONDS[category],
        remaining: Math.min(limit, Math.max(0, limit - used) + this.leases.held(keyOf(category))),
        reset: this.unixSeconds(resetAfter),
      };
    };
    return recordOf(RATE_CATEGORIES, stateOf);
  }

  private tell(headers: RequestContext['headers'], limit: number, left: Pick<Turn, 'remaining' | 'resetAfter'>): void {
    headers['X-RateLimit-Limit'] = limit;
    headers['X-RateLimit-Remaining'] = left.remaining;
    headers['X-RateLimit-Reset'] = this.unixSeconds(left.resetAfter);
  }

  private takeGuarded(one: Guarded): Promise<Turn> {
    return this.take(guardKey(one), { category: one.guard, ...GUARDS[one.guard] }, false);
  }

  private unixSeconds(fromNow: number): number {
    return Math.ceil(this.wallNow() / 1000 + fromNow);
  }

  /** Whether this process counts its calls alone, because the database is away. */
  get isLocal(): boolean {
    return this.clock.isAway;
  }

  private take(key: string, rule: LimitRule, isLeased: boolean): Promise<Turn> {
    if (this.isLocal) return Promise.resolve(this.local.take(key, rule));
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(key);
      if (waiting) waiting.calls.push({ resolve, reject });
      else this.waiting.set(key, { rule, isLeased, calls: [{ resolve, reject }] });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.inFlight >= MAX_IN_FLIGHT || this.waiting.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.send();
    });
  }

  private async send(): Promise<void> {
    const entries = [...this.waiting].slice(0, MAX_KEYS);
    for (const [key] of entries) this.waiting.delete(key);
    this.inFlight++;
    try {
      await this.clock.ready();
      const takes = entries.map(([key, waiting]) => this.takeOf(key, waiting, entries.length === 1));
      const sentAt = this.clock.monotonic();
      const results = await takeFromWindows(this.db, this.clock.now(), takes);
      for (const [i, [key, waiting]] of entries.entries()) this.settle(key, waiting, results[i], sentAt);
    } catch (error) {
      const isAway = isDatabaseAway(error);
      const failed = [...entries];
      if (isAway) {
        this.clock.isAway = true;
        // Calls that came meanwhile would wait for the same silence again.
        failed.push(...this.waiting);
        this.waiting.clear();
      }
      for (const [key, { rule, calls }] of failed) {
        for (const { resolve, reject } of calls) {
          if (isAway) resolve(this.local.take(key, rule));
          else reject(error);
        }
      }
    } finally {
      this.inFlight--;
      this.schedule();
    }
  }

  private takeOf(key: string, { rule, isLeased, calls: { length } }: Waiting, isLone: boolean): WindowTake {
    const { limit, windowSeconds } = rule;
    const calls = length + (isLeased ? this.leases.unitsAhead(key) : 0);
    return { key, limit, windowSeconds, calls, lastBucket: isLone ? this.leases.lastBucket(key, calls) : undefined };
  }

  /** Answers the calls of a key, and keeps what was granted beyond them. */
  private settle(key: string, { rule, isLeased, calls }: Waiting, result: TakeResult, sentAt: number): void {
    const { granted, bucket, resetAfter } = result;
    const available = result.available + this.leases.held(key);
    calls.forEach(({ resolve }, turn) => {
      resolve(turnOf({ ...result, available }, turn));
    });
    if (!isLeased) return;
    const units = Math.max(0, granted - calls.length);
    const remaining = Math.max(0, available - calls.length);
    this.leases.keep(key, { limit: rule.limit, units, bucket, sentAt, remaining, resetAfter });
  }

  /** Gives back what was taken ahead. */
  close(): Promise<void> {
    return this.leases.close();
  }
}

/** The outcome of the `turn`-th call (from 0) among those that were counted together. */
function turnOf({ granted, available, resetAfter, retryAfter }: TakeResult, turn: number): Turn {
  const isAllowed = turn < granted;
  return { isAllowed, remaining: isAllowed ? Math.max(0, available - turn - 1) : 0, resetAfter, retryAfter };
}

function refuse({ retryAfter }: Turn): never {
  throw new ServiceError('rate_limited', { seconds: retryAfter });
}
