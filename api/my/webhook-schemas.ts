/** Webhooks and their deliveries, in requests and answers. */
import { MAX_WEBHOOKS, TEST_EVENT, WEBHOOK_EVENTS } from '../../jobs/contracts/webhooks.ts';
import { instant, z } from '../http/input/fields.ts';

const eventsField = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .meta({ description: '`export.done` is for administrators' });

export const webhookBody = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .meta({
      description: `https, on the public internet. At most ${MAX_WEBHOOKS} an account`,
      example: 'https://example.com/hooks',
    }),
  events: eventsField,
});

export const WEBHOOK_EXAMPLE: z.input<typeof webhookBody> = {
  url: 'https://example.com/hooks',
  events: ['backtest.finished', 'signals.ready'],
};

export const webhookChangeBody = z.strictObject({ events: eventsField.optional(), enabled: z.boolean().optional() });

export const webhookSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean().meta({ description: 'False also after an answer 410' }),
    created_at: instant,
  })
  .meta({ id: 'Webhook' });

export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries; shown only now' }) })
  .meta({ id: 'NewWebhook' });

export const deliverySchema = z
  .object({
    id: z.uuid().meta({ description: '`webhook-id` of all attempts' }),
    event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    data: z.record(z.string(), z.unknown()),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    next_attempt_at: instant.nullable(),
    created_at: instant,
    answers: z
      .array(
        z.object({
          at: instant,
          ms: z.int(),
          status: z.int().nullable().meta({ description: 'Null: no answer came' }),
          error: z.string().nullable(),
          body: z.string(),
        }),
      )
      .meta({ description: 'Of the attempts, newest last' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryIdSchema = z.object({ id: z.uuid() });
