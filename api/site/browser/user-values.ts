/** Values that an account may have. */
import type { User } from './account-types.ts';

export const PLANS = ['free', 'pro', 'enterprise'] as const satisfies readonly User['plan'][];
export const STATUSES = ['active', 'disabled', 'banned'] as const satisfies readonly User['status'][];
