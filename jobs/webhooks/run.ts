/** The job of webhooks: sends due deliveries, signed as https://www.standardwebhooks.com describes. */
import { Webhook } from 'standardwebhooks';
import { claimDeliveries, type DueDelivery, disableWebhook, recordAttempt } from '../../db/webhooks/webhooks.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { PAUSES_S } from '../contracts/webhooks.ts';
import { type Answer, post } from './post.ts';

/** Deliveries at once: in all, and to one webhook. */
const AT_ONCE = 64;
const AT_ONCE_PER_WEBHOOK = 4;
/** Longer than an attempt takes. */
const CLAIM_MS = 60_000;
/** A job ends after this time; another one continues. */
const MAX_RUN_MS = 10 * 60_000;
/** The status of a receiver that wants no more deliveries. */
const GONE = 410;

type DeliveryContext = Pick<JobContext, 'pool' | 'now' | 'webhookNetworks' | 'signal'>;

export async function deliverWebhooks(context: DeliveryContext): Promise<void> {
  const { pool, now, signal } = context;
  const end = performance.now() + MAX_RUN_MS;
  while (performance.now() < end && !signal.aborted) {
    const at = new Date(now());
    const until = new Date(now() + CLAIM_MS);
    const due = await claimDeliveries(pool, { at, until, limit: AT_ONCE, perWebhook: AT_ONCE_PER_WEBHOOK });
    if (due.length === 0) return;
    await Promise.all(due.map((delivery) => attempt(context, delivery)));
  }
}

async function attempt(context: DeliveryContext, delivery: DueDelivery): Promise<void> {
  const { pool, now, webhookNetworks: allowed, signal } = context;
  const at = now();
  const since = performance.now();
  const body = bodyOf(delivery);
  const answer = await post(new URL(delivery.url), {
    body,
    headers: signedHeaders(delivery, body, at),
    allowed,
    signal,
  });
  // The worker is stopping: the claim expires, and the attempt does not count.
  if (signal.aborted && answer.status === null) return;
  const ms = Math.round(performance.now() - since);
  const outcome = outcomeOf(delivery, answer, at);
  if (answer.status === GONE) await disableWebhook(pool, delivery.webhookId);
  await recordAttempt(pool, delivery, { ...outcome, answer: { ...answer, at: new Date(at).toISOString(), ms } });
}

/** Equal in every attempt. */
function bodyOf({ event, data, createdAt }: DueDelivery): string {
  return JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data });
}

function signedHeaders({ id, secret }: DueDelivery, body: string, at: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'market-data-service',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
}

function outcomeOf({ attempts }: DueDelivery, { status }: Answer, at: number) {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered', dueAt: null } as const;
  if (status === GONE || attempts >= PAUSES_S.length) return { status: 'failed', dueAt: null } as const;
  return { status: 'pending', dueAt: new Date(at + PAUSES_S[attempts] * 1000) } as const;
}
