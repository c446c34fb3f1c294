/** Webhooks of an account, and their deliveries. */
import { lockUser } from '../../db/accounts/users.ts';
import { isDuplicate } from '../../db/errors.ts';
import { type Queryable, transaction } from '../../db/pool.ts';
import {
  deleteWebhook,
  insertDelivery,
  insertWebhook,
  type ListedDelivery,
  resendDeliveries,
  resendDelivery,
  selectWebhooks,
  updateWebhook,
  type Webhook,
} from '../../db/webhooks/webhooks.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { RESOLVE_MS, resolveName } from '../../jobs/contracts/resolve-name.ts';
import {
  ADMIN_EVENTS,
  addressProblem,
  isReachable,
  literalAddress,
  MAX_WEBHOOKS,
  newSecret,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from '../../jobs/contracts/webhooks.ts';
import { FairSemaphore } from '../http/fair-semaphore.ts';
import { assertTimeRange, instant, instantField, z } from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import type { AccountCall } from './strategies.ts';

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
      description: `An https address on the public internet. At most ${MAX_WEBHOOKS} per account`,
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
    enabled: z.boolean().meta({ description: 'Set to false also by the answer 410' }),
    created_at: instant,
  })
  .meta({ id: 'Webhook' });

export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries; shown only once' }) })
  .meta({ id: 'NewWebhook' });

export const deliverySchema = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of all attempts' }),
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
          status: z.int().nullable().meta({ description: 'Null: there was no answer' }),
          error: z.string().nullable(),
          body: z.string(),
        }),
      )
      .meta({ description: 'The answers to the attempts, newest last' }),
    request_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Of the newest attempt, as they were sent' }),
    request_body: z.string().nullable().meta({ description: 'Byte by byte' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const replayBody = z.strictObject({
  from: instantField('first').meta({ example: '2026-05-29' }),
  to: instantField('last').meta({ example: '2026-05-30' }),
  failed_only: z.boolean().default(true),
});

export const replaySchema = z.object({ count: z.int().min(0).meta({ description: 'Deliveries that are sent again' }) });

export const deliveryIdSchema = z.object({ id: z.uuid() });

export function webhookView({ id, url, events, isEnabled, createdAt }: Webhook): z.input<typeof webhookSchema> {
  return { id, url, events: [...events], enabled: isEnabled, created_at: createdAt.toISOString() };
}

export function deliveryView(delivery: ListedDelivery): z.input<typeof deliverySchema> {
  const { id, event, data, status, attempts, answers, sent, createdAt, dueAt } = delivery;
  return {
    id,
    event: WEBHOOK_EVENTS.find((known) => known === event) ?? TEST_EVENT,
    data,
    status,
    attempts,
    next_attempt_at: dueAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    answers: answers.map((answer) => ({ ...answer, body: '' })),
    request_headers: sent === null ? null : { ...sent.headers },
    request_body: sent?.body ?? null,
  };
}

export async function createWebhook(
  { services, caller }: AccountCall,
  { url, events }: z.output<typeof webhookBody>,
): Promise<z.input<typeof newWebhookSchema>> {
  const problem = addressProblem(url, services.webhookNetworks);
  if (problem !== null) refuse('url', { code: problem });
  assertMayGet(caller, events);
  const { userId } = caller.account;
  await assertRoom(services.pool, caller);
  if (await resolvesToPrivate(services, caller, new URL(url))) refuse('url', { code: 'webhook_private' });
  const secret = newSecret();
  const webhook = {
    userId,
    url: new URL(url).href,
    events: [...new Set(events)],
    secret,
    createdAt: new Date(services.now()),
  };
  try {
    const created = await transaction(services.pool, async (connection) => {
      await lockUser(connection, userId);
      await assertRoom(connection, caller);
      return insertWebhook(connection, webhook);
    });
    return { ...webhookView(created), secret: `whsec_${secret}` };
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: url });
    throw error;
  }
}

async function assertRoom(db: Queryable, { account, plan }: AccountCall['caller']): Promise<void> {
  const count = (await selectWebhooks(db, account.userId)).length + 1;
  if (count <= MAX_WEBHOOKS) return;
  throw new ServiceError('quota_exceeded', { plan, quota: 'webhooks_max', max: MAX_WEBHOOKS, count });
}

/** Names that are resolved at a time. */
const lookups = new FairSemaphore({ atOnce: 8, maxWaiting: 1_000, maxWaitingPerCaller: MAX_WEBHOOKS });

/** A name that cannot be resolved soon is accepted: each delivery resolves it again. */
async function resolvesToPrivate(
  { webhookNetworks, nameServers }: AccountCall['services'],
  { account }: AccountCall['caller'],
  url: URL,
): Promise<boolean> {
  if (literalAddress(url) !== null) return false;
  const permit = await lookups.acquire(`user:${account.userId}`, AbortSignal.timeout(RESOLVE_MS)).catch(() => null);
  if (permit === null) return false;
  try {
    const found = await resolveName(url.hostname, nameServers);
    return !found.some(({ address }) => isReachable(address, webhookNetworks));
  } catch {
    return false;
  } finally {
    permit.release();
  }
}

function assertMayGet({ account }: AccountCall['caller'], events: readonly (typeof WEBHOOK_EVENTS)[number][]): void {
  const refused = account.isAdmin ? undefined : events.find((event) => ADMIN_EVENTS.includes(event));
  if (refused !== undefined) refuse('events', { code: 'webhook_event_of_administrators', details: { event: refused } });
}

function refuse(field: string, problem: Problem): never {
  throw new ValidationFailure([{ loc: ['body', field], type: 'webhook', problem }]);
}

export async function changeWebhook(
  { services, caller }: AccountCall,
  id: number,
  { events, enabled }: z.output<typeof webhookChangeBody>,
) {
  assertMayGet(caller, events ?? []);
  const changes = { events, isEnabled: enabled };
  return webhookView(found(await updateWebhook(services.pool, caller.account.userId, id, changes)));
}

export async function removeWebhook({ services: { pool }, caller }: AccountCall, id: number) {
  found(await deleteWebhook(pool, caller.account.userId, id));
  return { deleted: true } as const;
}

export async function tryWebhook({ services, caller }: AccountCall, webhookId: number) {
  const event = { event: TEST_EVENT, at: new Date(services.now()), data: { webhook_id: webhookId } };
  const id = found(await insertDelivery(services.pool, { userId: caller.account.userId, webhookId }, event));
  return { id };
}

export async function retryDelivery({ services: { pool }, caller }: AccountCall, webhookId: number, id: string) {
  found(await resendDelivery(pool, { userId: caller.account.userId, webhookId, id }));
  return { id };
}

export async function replayDeliveries(
  { services: { pool }, caller }: AccountCall,
  webhookId: number,
  { from, to, failed_only: failed }: z.output<typeof replayBody>,
): Promise<z.input<typeof replaySchema>> {
  assertTimeRange(from, to);
  return {
    count: found(await resendDeliveries(pool, { userId: caller.account.userId, webhookId }, { from, to, failed })),
  };
}
