/** Webhooks: `/v1/my/webhooks`. */
import { selectDeliveries, selectWebhooks } from '../../db/webhooks/webhooks.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, idField, listSchema, onePage, pageQuery, z } from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';
import {
  changeWebhook,
  createWebhook,
  deliveryIdSchema,
  deliverySchema,
  deliveryView,
  newWebhookSchema,
  removeWebhook,
  replayBody,
  replayDeliveries,
  replaySchema,
  retryDelivery,
  tryWebhook,
  WEBHOOK_EXAMPLE,
  webhookBody,
  webhookChangeBody,
  webhookSchema,
  webhookView,
} from './webhooks.ts';

const COMMON = { tag: 'Webhooks', access: 'member', limit: 'account' } as const;
const webhookPath = z.object({ webhook_id: idField });

export const WEBHOOK_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listWebhooks',
    ...COMMON,
    method: 'get',
    path: '/v1/my/webhooks',
    summary: 'List webhooks of the account',
    dataSchema: listSchema(webhookSchema),
    errors: [],
    handle: async ({ caller, services: { pool } }) => {
      const webhooks = await selectWebhooks(pool, caller.account.userId);
      return onePage(webhooks.map(webhookView));
    },
  }),
  defineRoute({
    operationId: 'createWebhook',
    ...COMMON,
    method: 'post',
    path: '/v1/my/webhooks',
    summary: 'Create a webhook, which posts events to an address',
    description:
      'Each delivery is `{type, timestamp, data}`, signed as standardwebhooks.com describes, and tried up to eight times within a day ' +
      'until the answer is 2xx. Redirects are not followed.',
    successStatus: 201,
    bodySchema: webhookBody,
    bodyExample: WEBHOOK_EXAMPLE,
    dataSchema: newWebhookSchema,
    errors: ['name_taken', 'quota_exceeded'],
    handle: ({ body, ...call }) => createWebhook(call, body),
  }),
  defineRoute({
    operationId: 'updateWebhook',
    ...COMMON,
    method: 'patch',
    path: '/v1/my/webhooks/{webhook_id}',
    summary: 'Change the events of a webhook, or switch it on or off',
    pathSchema: webhookPath,
    bodySchema: webhookChangeBody,
    bodyExample: { enabled: true },
    dataSchema: webhookSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => changeWebhook(call, path.webhook_id, body),
  }),
  defineRoute({
    operationId: 'deleteWebhook',
    ...COMMON,
    method: 'delete',
    path: '/v1/my/webhooks/{webhook_id}',
    summary: 'Delete a webhook with its deliveries',
    pathSchema: webhookPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => removeWebhook(call, path.webhook_id),
  }),
  defineRoute({
    operationId: 'listDeliveries',
    ...COMMON,
    method: 'get',
    path: '/v1/my/webhooks/{webhook_id}/deliveries',
    summary: 'List deliveries of the last 30 days, newest first',
    pathSchema: webhookPath,
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(deliverySchema),
    errors: [],
    handle: async ({ path, query, caller, services: { pool } }) => {
      const key = { userId: caller.account.userId, webhookId: path.webhook_id };
      const { total, items } = await selectDeliveries(pool, key, query);
      return { total, page: query.page, size: query.size, items: items.map(deliveryView) };
    },
  }),
  defineRoute({
    operationId: 'createTestDelivery',
    ...COMMON,
    method: 'post',
    path: '/v1/my/webhooks/{webhook_id}/deliveries',
    summary: 'Send a test delivery (`webhook.test`)',
    takesIdempotencyKey: true,
    successStatus: 201,
    pathSchema: webhookPath,
    dataSchema: deliveryIdSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => tryWebhook(call, path.webhook_id),
  }),
  defineRoute({
    operationId: 'retryDelivery',
    ...COMMON,
    method: 'post',
    path: '/v1/my/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    summary: 'Send a delivery again, with the same id',
    takesIdempotencyKey: true,
    pathSchema: webhookPath.extend({
      delivery_id: z.uuid().meta({ example: '8f14e45f-ceea-467f-a9c1-5f0e6c1d2b7a' }),
    }),
    dataSchema: deliveryIdSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => retryDelivery(call, path.webhook_id, path.delivery_id),
  }),
  defineRoute({
    operationId: 'retryDeliveries',
    ...COMMON,
    method: 'post',
    path: '/v1/my/webhooks/{webhook_id}/replay',
    summary: 'Send the deliveries of a range of time again, with the same ids',
    takesIdempotencyKey: true,
    pathSchema: webhookPath,
    bodySchema: replayBody,
    bodyExample: { from: '2026-05-29', to: '2026-06-03' },
    dataSchema: replaySchema,
    errors: ['not_found', 'invalid_date_range'],
    handle: ({ path, body, ...call }) => replayDeliveries(call, path.webhook_id, body),
  }),
];
