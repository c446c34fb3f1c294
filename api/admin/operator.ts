/** Parts that the routes of queues and jobs share. */
import type { Operator } from '../../jobs/worker/operate.ts';
import type { AdminCall } from './services.ts';

export const COMMON = { tag: 'Back office: queue', access: 'admin', limit: 'back_office' } as const;
export const CHANGE = { ...COMMON, method: 'post', takesIdempotencyKey: true } as const;

export function operatorOf({ services, context, caller }: AdminCall): Operator {
  return { actor: caller.account.userId, requestId: context.requestId, at: new Date(services.now()) };
}
