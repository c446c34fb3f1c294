/** Webhooks of accounts. */

import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';
import type { DeliveryAnswer, DeliveryRequest } from '../schema/webhooks.ts';

const WEBHOOK = selection('webhooks', {
  id: 'id',
  url: 'url',
  events: 'events',
  isEnabled: 'is_enabled',
  createdAt: 'created_at',
});

export type Webhook = Selected<typeof WEBHOOK>;

export interface NewWebhook {
  readonly userId: number;
  readonly url: string;
  readonly events: readonly string[];
  /** Base64. */
  readonly secret: string;
  readonly createdAt: Date;
}

/** Oldest first. */
export async function selectWebhooks(db: Queryable, userId: number): Promise<Webhook[]> {
  const { rows } = await db.query<Webhook>(`select ${WEBHOOK.sql} from webhooks where user_id = $1 order by id`, [
    userId,
  ]);
  return rows;
}

/** Throws a unique violation when the account has a webhook of that address. */
export async function insertWebhook(
  db: Queryable,
  { userId, url, events, secret, createdAt }: NewWebhook,
): Promise<Webhook> {
  const { rows } = await db.query<Webhook>(
    `insert into webhooks (user_id, url, events, secret, created_at) values ($1, $2, $3, $4, $5) returning ${WEBHOOK.sql}`,
    [userId, url, events, secret, createdAt],
  );
  return rows[0];
}

/** Null when the account has no such webhook. */
export async function updateWebhook(
  db: Queryable,
  userId: number,
  id: number,
  {
    events = null,
    isEnabled = null,
  }: { readonly events?: readonly string[] | null; readonly isEnabled?: boolean | null },
): Promise<Webhook | null> {
  const { rows } = await db.query<Webhook>(
    `update webhooks set events = coalesce($3, events), is_enabled = coalesce($4, is_enabled)
     where user_id = $1 and id = $2 returning ${WEBHOOK.sql}`,
    [userId, id, events, isEnabled],
  );
  return rows[0] ?? null;
}

export async function disableWebhook(db: Queryable, id: number): Promise<void> {
  await db.query('update webhooks set is_enabled = false where id = $1', [id]);
}

export async function deleteWebhook(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from webhooks where user_id = $1 and id = $2', [userId, id]);
  return rowCount === 1;
}

/** Adds a delivery to each webhook of the account that wants the event, in the caller's transaction. */
export async function insertDeliveries(
  db: Queryable,
  {
    userId,
    event,
    at,
    data,
  }: { readonly userId: number; readonly event: string; readonly at: Date; readonly data: object },
): Promise<void> {
  await db.query('select tell_webhooks($1, $2, $3, $4)', [userId, event, at, JSON.stringify(data)]);
}

/** Adds a delivery to one webhook, also for an event that it does not subscribe to. Null when the account has no such webhook. */
export async function insertDelivery(
  db: Queryable,
  { userId, webhookId }: { readonly userId: number; readonly webhookId: number },
  { event, at, data }: { readonly event: string; readonly at: Date; readonly data: object },
): Promise<string | null> {
  const { rows } = await db.query<Pick<Rows['webhook_deliveries'], 'id'>>(
    `insert into webhook_deliveries (webhook_id, event, data, created_at)
     select id, $3, $4, $5 from webhooks where user_id = $1 and id = $2 returning id`,
    [userId, webhookId, event, JSON.stringify(data), at],
  );
  return rows[0]?.id ?? null;
}

export const WEBHOOKS_DUE_CHANNEL = 'webhooks_due';

/** Answers that are kept of one delivery. */
const MAX_ANSWERS = 16;

export interface ListedDelivery {
  readonly id: string;
  readonly event: string;
  readonly data: Rows['webhook_deliveries']['data'];
  readonly status: Rows['webhook_deliveries']['status'];
  readonly attempts: number;
  readonly answers: readonly DeliveryAnswer[];
  readonly sent: DeliveryRequest | null;
  readonly createdAt: Date;
  /** Null: at once, or none follows. */
  readonly dueAt: Date | null;
}

const LISTED = {
  id: 'd.id',
  event: 'd.event',
  data: 'd.data',
  status: 'd.status',
  attempts: 'd.attempts',
  answers: 'd.answers',
  sent: 'd.sent',
  createdAt: 'd.created_at',
} as const;

/** Newest first. Empty when the account has no such webhook. */
export async function selectDeliveries(
  db: Queryable,
  { userId, webhookId }: { readonly userId: number; readonly webhookId: number },
  page: PageRequest,
): Promise<Page<ListedDelivery>> {
  const { raw, rowsOf } = await statements();
  const matching = rowsOf('webhooks')
    .join({ d: 'webhook_deliveries' }, 'd.webhook_id', 'webhooks.id')
    .where({ 'webhooks.user_id': userId, 'webhooks.id': webhookId });
  return selectPage(db, matching, page, (deliveries) =>
    deliveries
      .select(LISTED)
      .select({ dueAt: raw(`nullif(d.due_at, '-infinity')`) })
      .orderBy([{ column: 'd.created_at', order: 'desc' }, { column: 'd.id' }]),
  );
}

/** A delivery that tells of the work of a job. */
export interface JobDelivery extends Pick<ListedDelivery, 'event' | 'status' | 'attempts' | 'createdAt'> {
  readonly lastAt: string | null;
}

/** The deliveries since a moment that tell of a run by the id of its job, or of another record by its own id. */
export async function selectJobDeliveries(
  db: Queryable,
  jobId: string,
  recordId: string | null,
  since: Date,
): Promise<JobDelivery[]> {
  const { rows } = await db.query<JobDelivery>(
    `select event, status, attempts, created_at as "createdAt", answers -> -1 ->> 'at' as "lastAt" from webhook_deliveries
     where created_at >= $3 and (data ->> 'job_id' = $1 or data ->> 'id' = $2) order by created_at, id limit 20`,
    [jobId, recordId, since],
  );
  return rows;
}

/** A delivery that is due, with its address and secret. */
export interface DueDelivery {
  readonly id: string;
  readonly webhookId: number;
  readonly userId: number;
  readonly url: string;
  readonly secret: string;
  readonly event: string;
  readonly data: Rows['webhook_deliveries']['data'];
  readonly createdAt: Date;
  /** Attempts so far. */
  readonly attempts: number;
  readonly answers: readonly DeliveryAnswer[];
}

const IS_WANTED = "w.is_enabled and exists (select from users u where u.id = w.user_id and u.status = 'active')";

export interface DeliveryClaim {
  readonly at: Date;
  readonly until: Date;
  /** How many may be under way, with those that are: in all, of one account, and to one webhook. */
  readonly limit: number;
  readonly perAccount: number;
  readonly perWebhook: number;
  readonly underWay: readonly Pick<DueDelivery, 'webhookId' | 'userId'>[];
}

/**
 * Claims deliveries that are due, in turns by account: first those of accounts with the fewest under way. A claim expires at `until`, in
 * case its process dies.
 */
export async function claimDeliveries(db: Queryable, claim: DeliveryClaim): Promise<DueDelivery[]> {
  const { at, until, limit, perAccount, perWebhook, underWay } = claim;
  const { rows } = await db.query<DueDelivery>(
    `with due as (
       select d.id, d.due_at, d.created_at, w.user_id, cardinality(array_positions($6::bigint[], w.id))
         + row_number() over (partition by w.id order by d.due_at, d.created_at, d.id) as of_webhook
       from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where d.due_at <= $1 and ${IS_WANTED}
     ), turns as (
       select id, due_at, created_at, cardinality(array_positions($7::bigint[], user_id))
         + row_number() over (partition by user_id order by of_webhook, due_at, created_at, id) as turn
       from due where of_webhook <= $5
     ), claimed as (
       select id from webhook_deliveries
       where id in (select id from turns where turn <= $4 order by turn, due_at, created_at limit $3) and due_at <= $1
       for update skip locked
     )
     update webhook_deliveries d set due_at = $2 from claimed, webhooks w
     where d.id = claimed.id and w.id = d.webhook_id
     returning d.id, d.webhook_id as "webhookId", w.user_id as "userId", w.url, w.secret, d.event, d.data,
       d.created_at as "createdAt", d.attempts, d.answers`,
    [
      at,
      until,
      limit - underWay.length,
      perAccount,
      perWebhook,
      underWay.map(({ webhookId }) => webhookId),
      underWay.map(({ userId }) => userId),
    ],
  );
  return rows;
}

/** Receivers to which more than `most` attempts have failed, and none has succeeded since the first of them, with what waits for them. */
export async function selectFailingWebhooks(
  db: Queryable,
  most: number,
): Promise<{ readonly host: string; readonly attempts: number; readonly deliveries: number }[]> {
  const { rows } = await db.query<{ host: string; attempts: number; deliveries: number }>(
    `select substring(w.url from '//([^/?#]+)') as host, sum(d.attempts)::int as attempts, count(*)::int as deliveries
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     where d.due_at is not null and d.attempts > 0 and ${IS_WANTED} and not exists (
       select from webhook_deliveries l where l.webhook_id = w.id and l.created_at > d.created_at and l.status = 'delivered')
     group by w.id, 1 having sum(d.attempts) > $1 order by 3 desc limit 5`,
    [most],
  );
  return rows;
}

export async function hasDueDelivery(db: Queryable, at: Date): Promise<boolean> {
  const { rows } = await db.query<{ due: boolean }>(
    `select exists (select from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where d.due_at <= $1 and ${IS_WANTED}) as due`,
    [at],
  );
  return rows[0].due;
}

export interface AttemptOutcome {
  readonly status: Rows['webhook_deliveries']['status'];
  /** Time of the next attempt; null: none follows. */
  readonly dueAt: Date | null;
  readonly answer: DeliveryAnswer;
  readonly sent: DeliveryRequest;
}

/** Records the result of an attempt; false when the attempt is no longer the newest. */
export async function recordAttempt(
  db: Queryable,
  { id, attempts, answers }: Pick<DueDelivery, 'id' | 'attempts' | 'answers'>,
  { status, dueAt, answer, sent }: AttemptOutcome,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_deliveries set attempts = attempts + 1, status = $3, due_at = $4, answers = $5, sent = $6
     where id = $1 and attempts = $2 and status = 'pending'`,
    [id, attempts, status, dueAt, JSON.stringify([...answers, answer].slice(-MAX_ANSWERS)), JSON.stringify(sent)],
  );
  return rowCount === 1;
}

/** Sends a delivery that has ended again, with its id and all its attempts. False when the account has no such delivery. */
export async function resendDelivery(
  db: Queryable,
  { userId, webhookId, id }: { readonly userId: number; readonly webhookId: number; readonly id: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_deliveries d set status = 'pending', attempts = 0, due_at = '-infinity' from webhooks w
     where w.id = d.webhook_id and w.user_id = $1 and w.id = $2 and d.id = $3`,
    [userId, webhookId, id],
  );
  return rowCount === 1;
}

/** Sends the deliveries of a range of time again, each with its id, that have ended. Returns how many; null: the account has no such webhook. */
export async function resendDeliveries(
  db: Queryable,
  { userId, webhookId }: { readonly userId: number; readonly webhookId: number },
  { from, to, failed }: { readonly from: Date; readonly to: Date; readonly failed: boolean },
): Promise<number | null> {
  const { rows } = await db.query<{ count: number }>(
    `with owned as (select id from webhooks where user_id = $1 and id = $2),
     resent as (
       update webhook_deliveries d set status = 'pending', attempts = 0, due_at = '-infinity' from owned
       where d.webhook_id = owned.id and d.created_at between $3 and $4 and d.status <> 'pending'
         and (not $5 or d.status = 'failed')
       returning 1)
     select (select count(*)::int from resent) as count from owned`,
    [userId, webhookId, from, to, failed],
  );
  return rows[0]?.count ?? null;
}

export async function deleteOldDeliveries(db: Queryable, before: Date): Promise<void> {
  await db.query(`delete from webhook_deliveries where created_at < $1`, [before]);
}
