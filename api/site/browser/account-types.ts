/** The shapes of what the API answers about an account. */
import type { Schema } from '../../clients/typescript/types.ts';

export type Deliveries = Schema<'WebhookDeliveryList'>;
export type Delivery = Schema<'WebhookDelivery'>;
export type Webhook = Schema<'Webhook'>;
export type WebhookList = Schema<'WebhookList'>;
export type NewWebhook = Schema<'NewWebhook'>;
export type WebhookEvent = Schema<'CreateWebhookRequest'>['events'][number];
export type AccountPlan = Schema<'AccountPlan'>;
export type ApiKey = Schema<'ApiKey'>;
export type NewApiKey = Schema<'NewApiKey'>;
export type Usage = Schema<'Usage'>;
export type User = Schema<'User'>;
export type KeyList = Schema<'ApiKeyList'>;
