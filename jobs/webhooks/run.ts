/**
 * The job of webhooks: sends due deliveries, signed as https://www.standardwebhooks.com describes, to the addresses that users have
 * chosen, if they are reachable ones.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { selectTraceOfJob } from '../../db/queue/queue-jobs.ts';
import { recordDeliveredSessions } from '../../db/queue/session-steps.ts';
import { claimDeliveries, type DueDelivery, disableWebhook, recordAttempt } from '../../db/webhooks/webhooks.ts';
import { codeOf, stringProperty } from '../../engine/util/errors.ts';
import { guardedLookup, privateAddress } from '../contracts/guarded-lookup.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { QUEUE_NAMES } from '../contracts/queues.ts';
import { DELIVERIES, type TraceHeaders, traceHeaders } from '../contracts/traces.ts';
import { type AllowedNetworks, isReachable, literalAddress, PAUSES_S } from '../contracts/webhooks.ts';

const TIMEOUT_MS = 10_000;

export interface Answer {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** Why there was no answer: a code such as ECONNREFUSED. */
  readonly error: string | null;
}

/** Posts without following redirects. Never rejects. */
export async function post(
  url: URL,
  {
    body,
    headers,
    allowed,
    nameServers,
    signal,
  }: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly allowed: AllowedNetworks;
    /** Default: those of the system. */
    readonly nameServers?: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Answer> {
  const literal = literalAddress(url);
  if (literal !== null && !isReachable(literal, allowed)) return failed(privateAddress());
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const call = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup: guardedLookup(allowed, nameServers),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  call.on('error', (error) => resolve(failed(error)));
  // Only the status counts: what a receiver says is neither stored nor waited for.
  call.on('response', (response) => {
    resolve({ status: response.statusCode ?? 0, error: null });
    response.on('error', () => {}).destroy();
  });
  call.end(body);
  return promise;
}

function failed(error: unknown): Answer {
  const code = codeOf(error) ?? 'ECONNFAILED';
  return { status: null, error: code === 'ABORT_ERR' ? 'ETIMEDOUT' : code };
}

/** Deliveries at once: in all, of one account, and to one webhook. */
const PLACES = { limit: 128, perAccount: 4, perWebhook: 2 };
/** Longer than an attempt takes. */
const CLAIM_MS = 60_000;
/** Deliveries that become due meanwhile begin after this time, although no attempt ends. */
const CLAIM_EVERY_MS = 500;
/** Attempts that end together make room for one claim. */
const GATHER_MS = 20;
/** A job ends after this time; another one continues. Less than the queue allows. */
const MAX_RUN_MS = 50 * 60_000;
/** The status of a receiver that wants no more deliveries. */
const GONE = 410;

type DeliveryContext = Pick<JobContext, 'pool' | 'now' | 'webhookNetworks' | 'nameServers' | 'signal'>;

/** Each attempt holds its own place only: when one ends, the account with the fewest under way is next. */
export async function deliverWebhooks(context: DeliveryContext): Promise<void> {
  const { pool, now, signal } = context;
  const end = performance.now() + MAX_RUN_MS;
  const underWay = new Map<DueDelivery, Promise<void>>();
  let failure: unknown = null;
  const begin = (delivery: DueDelivery) => {
    const ended = attempt(context, delivery)
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => underWay.delete(delivery));
    underWay.set(delivery, ended);
  };
  while (performance.now() < end && !signal.aborted && failure === null) {
    for (const delivery of await claim(context, [...underWay.keys()])) begin(delivery);
    if (underWay.size === 0) break;
    await Promise.race([...underWay.values(), sleep(CLAIM_EVERY_MS, undefined, { ref: false })]);
    await sleep(GATHER_MS);
  }
  await Promise.all(underWay.values());
  await recordDeliveredSessions(pool, new Date(now()));
  if (failure !== null) throw failure;
}

async function claim({ pool, now }: DeliveryContext, underWay: readonly DueDelivery[]): Promise<DueDelivery[]> {
  if (underWay.length >= PLACES.limit) return [];
  const at = { at: new Date(now()), until: new Date(now() + CLAIM_MS) };
  return claimDeliveries(pool, { ...PLACES, ...at, underWay });
}

async function attempt(context: DeliveryContext, delivery: DueDelivery): Promise<void> {
  const { pool, now, webhookNetworks: allowed, nameServers, signal } = context;
  const at = now();
  const since = performance.now();
  const body = bodyOf(delivery);
  const url = new URL(delivery.url);
  let sent = { headers: signedHeaders(delivery, body, at), body };
  const send = () => {
    sent = { ...sent, headers: { ...sent.headers, ...traceHeaders() } };
    return post(url, { ...sent, allowed, nameServers, signal });
  };
  const origin = await originOf(context, delivery);
  const answer = await DELIVERIES.tracePromise(send, { event: delivery.event, url, origin });
  // The worker is stopping: the claim expires, and the attempt does not count.
  if (signal.aborted && answer.status === null) return;
  const ms = Math.round(performance.now() - since);
  const outcome = outcomeOf(delivery, answer, at);
  if (answer.status === GONE) await disableWebhook(pool, delivery.webhookId);
  await recordAttempt(pool, delivery, { ...outcome, sent, answer: { ...answer, at: new Date(at).toISOString(), ms } });
}

/** The trace of the call that queued the job of which a delivery tells; empty where nothing is traced. */
async function originOf({ pool }: Pick<JobContext, 'pool'>, { data }: DueDelivery): Promise<TraceHeaders> {
  const jobId = DELIVERIES.hasSubscribers && stringProperty(data, 'job_id');
  return (jobId && (await selectTraceOfJob(pool, QUEUE_NAMES, jobId))) || {};
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
