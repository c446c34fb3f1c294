/** The limiter: one counter per caller and category, shared by all API processes. */
import type { Queryable } from '../db/pool.ts';
import { type TakeResult, takeFromWindows } from '../db/rate-limits.ts';
import { ServiceError } from '../engine/errors.ts';
import { PLANS, type RateCategory, WINDOW_SECONDS } from './plans.ts';
import type { Identity, RequestContext } from './request-context.ts';

export interface LimitRule {
  /** Name of the counter. */
  readonly category: RateCategory | 'public';
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The rule for a category of the caller's plan; throws when the plan does not include it. */
export function planRule(identity: Identity, category: RateCategory): LimitRule {
  const limit = PLANS[identity.plan].limits[category];
  if (limit === 0) throw new ServiceError('plan_capability', { plan: identity.plan, category });
  return { category, limit, windowSeconds: WINDOW_SECONDS[category] };
}

/** One call's share of a result: whether it passes, and what was left after it. */
interface Turn {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
  readonly retryAfter: number;
}

interface Waiting {
  readonly rule: LimitRule;
  readonly calls: { readonly resolve: (turn: Turn) => void; readonly reject: (error: unknown) => void }[];
}

/** Statements under way at once; calls that arrive meanwhile share the next one. */
const MAX_IN_FLIGHT = 1;
/** Keys in one statement. */
const MAX_KEYS = 200;

/**
 * Counts calls in the shared store. Calls of one moment go in one statement, in the order of their arrival, so that a
 * busy process pays for a round trip once and not per call; a lone call goes at once.
 */
export class Limiter {
  private readonly db: Queryable;
  private waiting = new Map<string, Waiting>();
  private inFlight = 0;
  private isScheduled = false;

  constructor(db: Queryable) {
    this.db = db;
  }

  /** Counts the call, sets the headers, and throws when the limit is reached. */
  async enforce(identity: Identity, rule: LimitRule, { headers }: RequestContext): Promise<void> {
    const turn = await this.take(`${identity.key}:${rule.category}`, rule);
    headers['X-RateLimit-Limit'] = rule.limit;
    headers['X-RateLimit-Remaining'] = turn.remaining;
    headers['X-RateLimit-Reset'] = turn.resetAt;
    if (turn.isAllowed) return;
    headers['Retry-After'] = turn.retryAfter;
    throw new ServiceError('rate_limited', { seconds: turn.retryAfter });
  }

  private take(key: string, rule: LimitRule): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(key);
      if (waiting) waiting.calls.push({ resolve, reject });
      else this.waiting.set(key, { rule, calls: [{ resolve, reject }] });
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
      const takes = entries.map(([key, { rule, calls }]) => ({ key, ...rule, calls: calls.length }));
      const results = await takeFromWindows(this.db, takes);
      entries.forEach(([, { calls }], i) => {
        calls.forEach(({ resolve }, turn) => {
          resolve(turnOf(results[i], turn));
        });
      });
    } catch (error) {
      for (const [, { calls }] of entries) for (const { reject } of calls) reject(error);
    } finally {
      this.inFlight--;
      this.schedule();
    }
  }
}

/** What the `turn`-th call (from 0) of those counted together is told. */
function turnOf({ granted, available, resetAt, retryAfter }: TakeResult, turn: number): Turn {
  return { isAllowed: turn < granted, remaining: Math.max(0, available - turn - 1), resetAt, retryAfter };
}
