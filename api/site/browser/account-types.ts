/** The shapes of what the API answers about an account. */
import type { z } from 'zod';
import type {
  accountPlanSchema,
  apiKeySchema,
  newApiKeySchema,
  usageSchema,
  userSchema,
} from '../../accounts/schemas.ts';
import type { deliverySchema, newWebhookSchema, webhookBody, webhookSchema } from '../../my/webhook-schemas.ts';

export type Delivery = z.output<typeof deliverySchema>;
export type Webhook = z.output<typeof webhookSchema>;
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type WebhookEvent = z.output<typeof webhookBody>['events'][number];
export type AccountPlan = z.output<typeof accountPlanSchema>;
export type ApiKey = z.output<typeof apiKeySchema>;
export type NewApiKey = z.output<typeof newApiKeySchema>;
export type Usage = z.output<typeof usageSchema>;
export type User = z.output<typeof userSchema>;
export interface KeyList {
  readonly items: readonly ApiKey[];
}
