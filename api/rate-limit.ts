/** The limiter: one counter per caller and category, shared by all API processes. */
import type { Queryable } from '../db/pool.ts';
import { takeFromWindow } from '../db/rate-limits.ts';
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

/** Counts the call, sets the headers, and throws when the limit is reached. */
export async function enforceLimit(
  db: Queryable,
  identity: Identity,
  rule: LimitRule,
  context: RequestContext,
): Promise<void> {
  const taken = await takeFromWindow(db, `${identity.key}:${rule.category}`, rule);
  const { headers } = context;
  headers['X-RateLimit-Limit'] = rule.limit;
  headers['X-RateLimit-Remaining'] = taken.remaining;
  headers['X-RateLimit-Reset'] = taken.resetAt;
  if (taken.isAllowed) return;
  headers['Retry-After'] = taken.retryAfter;
  throw new ServiceError('rate_limited', { seconds: taken.retryAfter });
}
