/** The shapes of what the API answers about an account. */
import type { z } from 'zod';
import type {
  accountPlanSchema,
  apiKeySchema,
  newApiKeySchema,
  usageSchema,
  userSchema,
} from '../../accounts/schemas.ts';

export type AccountPlan = z.output<typeof accountPlanSchema>;
export type ApiKey = z.output<typeof apiKeySchema>;
export type NewApiKey = z.output<typeof newApiKeySchema>;
export type Usage = z.output<typeof usageSchema>;
export type User = z.output<typeof userSchema>;
export interface KeyList {
  readonly items: readonly ApiKey[];
}
