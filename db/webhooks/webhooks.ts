/** Webhooks of accounts. */

import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

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
export async function tellWebhooks(
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

/** Adds a delivery to one webhook, whatever events it wants. Null when the account has no such webhook. */
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
