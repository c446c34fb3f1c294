/**
 * Writes the audit log: who did what, and whether it worked. The log is append-only. The database refuses every change
 * except clearing the reference to a deleted account.
 */

import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { selection, TABLES } from '../schema/tables.ts';

export const AUDIT_ACTIONS = [
  'admin.login',
  'admin.refused',
  'admin.create',
  'admin.set_password',
  'article.create',
  'article.update',
  'article.publish',
  'article.unpublish',
  'article.delete',
  'user.view',
  'user.update',
  'user.ban',
  'user.unban',
  'user.disable',
  'user.plan_change',
  'user.role_change',
  'user.plan_expiry_change',
  'user.key_revoke',
  'grant.create',
  'grant.revoke',
  'export.create',
  'export.download',
  'export.retry',
  'export.cancel',
  'sweep.create',
  'sweep.cancel',
  'sweep.retry',
  'sync.create',
  'sync.retry',
  'sync.cancel',
  'sync.forget',
  'session.release',
  'session.run',
  'finding.decide',
  'files.check',
  'column.update',
  'column.delete',
  'job.retry',
  'job.cancel',
  'job.update',
  'queue.pause',
  'queue.resume',
  'market.replace',
  'market.adopt',
  'market.compare',
  'database.backup',
  'database.drill',
  'database.restore',
  'database.enable_keys',
  'snapshot.rebuild',
  'database.migrate',
  'database.rollback',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = [
  'article',
  'user',
  'grant',
  'export',
  'sweep',
  'sync_job',
  'job',
  'queue',
  'session',
  'finding',
  'column',
  'market',
  'snapshot',
  'database',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

export const AUDIT_RESULTS = TABLES.audit_log.result.values;
type AuditResult = (typeof AUDIT_RESULTS)[number];

/** One action on one target. */
export interface NewAuditEntry {
  readonly action: AuditAction;
  readonly targetType: AuditTarget;
  /** Null where the target is not known, or has no name. */
  readonly targetId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An actor, and the action that they are about to take. */
export interface AuditIntent {
  readonly actorId: number | null;
  /** Names the actor where no account acts: an operator on a machine of the service. */
  readonly actorName?: string;
  readonly requestId: string | null;
  /** The entries to write if the action fails. */
  readonly entries: readonly NewAuditEntry[];
}

/** The result of an action, with the entries that describe it. */
export interface Audited<T> {
  readonly result: T;
  readonly entries: readonly NewAuditEntry[];
}

declare const isAudited: unique symbol;
/** A connection inside a transaction that ends with entries of the audit log: what administrators change needs one. */
export type AuditedConnection = Connection & { readonly [isAudited]: true };

/** Runs an action and logs what it did, both or neither. */
export function auditedTransaction<T>(
  pool: Pool,
  intent: AuditIntent,
  at: Date,
  work: (connection: AuditedConnection) => Promise<Audited<T>>,
): Promise<T> {
  return transaction(pool, async (connection) => {
    // The only place that makes one: it ends with the entries below.
    const { result, entries } = await work(connection as AuditedConnection);
    await insertAuditEntries(connection, { ...intent, entries }, 'ok', at);
    return result;
  });
}

export async function insertAuditEntries(
  db: Queryable,
  { actorId, actorName, requestId, entries }: AuditIntent,
  result: AuditResult,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into audit_log (at, actor_id, actor_email, action, target_type, target_id, result, details, request_id)
     select $1, u.id, coalesce(u.email, $9), e.action, e.target_type, e.target_id, $6, e.details, $7
     from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) with ordinality
       e (action, target_type, target_id, details, n)
     left join users u on u.id = $8
     order by e.n`,
    [
      at,
      entries.map(({ action }) => action),
      entries.map(({ targetType }) => targetType),
      entries.map(({ targetId }) => targetId),
      entries.map(({ details }) => JSON.stringify(details)),
      result,
      requestId,
      actorId,
      actorName ?? null,
    ],
  );
}

export async function addAuditRefusals(db: Queryable, { actorId, entries }: AuditIntent, at: Date): Promise<void> {
  await db.query(
    `insert into audit_refusals as r (actor_id, action, actor_email, calls, first_at, last_at)
     select $1, action, (select email from users where id = $1), 1, $3, $3 from unnest($2::text[]) a (action)
     on conflict (actor_id, action) do update set calls = r.calls + 1, last_at = greatest(r.last_at, excluded.last_at)`,
    [actorId, entries.map(({ action }) => action), at],
  );
}

/**
 * Writes an entry for each account whose refusals began at least a minute ago, and resets their sums. Any number of processes
 * may do this at once: each sum is taken by one of them.
 */
export async function logAuditRefusals(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `with taken as (
       delete from audit_refusals where actor_id in (
         select actor_id from audit_refusals where first_at <= $1::timestamptz - interval '1 minute') returning *)
     insert into audit_log (at, actor_id, actor_email, action, target_type, target_id, result, details)
     select max(t.last_at), u.id, max(t.actor_email), 'admin.refused', 'user', t.actor_id::text, 'failed',
       jsonb_build_object('calls', sum(t.calls), 'from', min(t.first_at), 'to', max(t.last_at),
         'actions', jsonb_object_agg(t.action, t.calls))
     from taken t left join users u on u.id = t.actor_id group by t.actor_id, u.id`,
    [at],
  );
}

const ENTRY = selection('audit_log', {
  id: 'id',
  at: 'at',
  actorId: 'actor_id',
  actorEmail: 'actor_email',
  action: 'action',
  targetType: 'target_type',
  targetId: 'target_id',
  result: 'result',
  details: 'details',
  requestId: 'request_id',
});

export type AuditEntry = Selected<typeof ENTRY>;

export interface AuditFilter {
  readonly action?: string;
  /** Part of the e-mail address, or the id of the account. */
  readonly actor?: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly result?: AuditResult;
  /** First and last moment, both included. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Newest first. */
export async function selectAuditEntries(
  db: Queryable,
  { action, actor, targetType, targetId, result, from, to }: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const { rowsOf } = await statements();
  const matching = rowsOf('audit_log', { action, target_type: targetType, target_id: targetId, result });
  if (actor !== undefined) {
    if (/^\d{1,15}$/.test(actor)) matching.where('actor_id', Number(actor));
    else matching.whereRaw('position(lower(?) in lower(actor_email)) > 0', [actor]);
  }
  if (from !== undefined) matching.where('at', '>=', from);
  if (to !== undefined) matching.where('at', '<=', to);
  return selectPage(db, matching, page, (entries) => entries.select(ENTRY.columns).orderBy('id', 'desc'));
}

/** An entry by its id; null when there is none. */
export async function selectAuditEntry(db: Queryable, id: number): Promise<AuditEntry | null> {
  const { rows } = await db.query<AuditEntry>(`select ${ENTRY.sql} from audit_log where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Actions and target types among the latest `limit` entries, by name. */
export async function selectAuditVocabulary(
  db: Queryable,
  limit: number,
): Promise<{ actions: string[]; targetTypes: string[] }> {
  const { rows } = await db.query<{ actions: string[]; targetTypes: string[] }>(
    `select coalesce(array_agg(distinct action order by action), '{}') as actions,
       coalesce(array_agg(distinct target_type order by target_type), '{}') as "targetTypes"
     from (select action, target_type from audit_log order by id desc limit $1) latest`,
    [limit],
  );
  return rows[0];
}
