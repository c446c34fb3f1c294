/** Quotas of plans. */
import { ServiceError } from '../../engine/errors.ts';
import type { Caller } from '../access/caller.ts';
import { PLANS, type PlanQuotas } from './plans.ts';

/** Throws where the caller's plan has none of something. */
export function assertPlanHas({ plan }: Caller, quota: keyof PlanQuotas): void {
  if (PLANS[plan].quotas[quota] === 0) throw new ServiceError('plan_capability', { plan, category: quota });
}

/** Throws where a request asks for more than the caller's plan has. */
export function assertWithin({ plan }: Caller, quota: keyof PlanQuotas, count: number): void {
  const max = PLANS[plan].quotas[quota];
  if (max !== null && count > max) throw new ServiceError('quota_exceeded', { plan, quota, max, count });
}
