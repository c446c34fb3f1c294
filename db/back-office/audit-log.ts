/**
 * The audit log: who did what to what, and whether it worked. Append-only; the database refuses everything else but
 * clearing the reference to an account that is deleted.
 */
import type { Page, PageRequest } from '../page.ts';
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';

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
  'export.create',
  'export.download',
  'export.retry',
  'export.cancel',
  'sync.create',
  'sync.retry',
  'sync.cancel',
  'session.release',
  'job.retry',
  'job.cancel',
  'queue.pause',
  'queue.resume',
  'market.replace',
  'market.adopt',
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
  'export',
  'sync_job',
  'job',
  'queue',
  'session',
  'market',
  'snapshot',
  'database',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

export const AUDIT_RESULTS = ['ok', 'failed'] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

export interface AuditedAction {
  readonly action: AuditAction;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a request will leave in the log: one entry per action, filled in as it becomes known. */
export interface AuditTrail {
  readonly actorId: number | null;
  /** Who acts where no account does: an operator on a machine of the service. */
  readonly actorName?: string;
  readonly requestId: string | null;
  readonly targetType: AuditTarget;
  targetId: string | null;
  actions: readonly AuditedAction[];
}

declare const isAudited: unique symbol;
/** A connection inside a transaction that ends with entries of the audit log: what administrators change needs one. */
export type AuditedConnection = Connection & { readonly [isAudited]: true };

/** Runs an action and logs it as done, both or neither. */
export function auditedTransaction<T>(
  pool: Pool,
  trail: AuditTrail,
  at: Date,
  work: (connection: AuditedConnection) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (connection) => {
    // The only place that grants the brand: the entries of the log are written before the commit.
    const result = await work(connection as AuditedConnection);
    await insertAuditEntries(connection, trail, 'ok', at);
    return result;
  });
}

export async function insertAuditEntries(
  db: Queryable,
  { actorId, actorName, requestId, targetType, targetId, actions }: AuditTrail,
  result: AuditResult,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into audit_log (at, actor_id, actor_email, action, target_type, target_id, result, details, request_id)
     select $1, u.id, coalesce(u.email, $9), a.action, $4, $5, $6, a.details, $7
     from unnest($2::text[], $3::jsonb[]) with ordinality a (action, details, n)
     left join users u on u.id = $8
     order by a.n`,
    [
      at,
      actions.map(({ action }) => action),
      actions.map(({ details }) => JSON.stringify(details)),
      ...[targetType, targetId, result, requestId, actorId, actorName ?? null],
    ],
  );
}

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  /** Null after the account was deleted; the e-mail stays. */
  readonly actorId: number | null;
  readonly actorEmail: string | null;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string | null;
  readonly result: AuditResult;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

export interface AuditFilter {
  readonly action?: string;
  /** Part of the e-mail, or the id of the account. */
  readonly actor?: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly result?: AuditResult;
  /** Both included. */
  readonly from?: Date;
  readonly to?: Date;
}

const MATCHES = `($1::text is null or action = $1)
  and ($2::text is null or position(lower($2) in lower(actor_email)) > 0)
  and ($3::bigint is null or actor_id = $3)
  and ($4::text is null or target_type = $4)
  and ($5::text is null or target_id = $5)
  and ($6::text is null or result = $6)
  and ($7::timestamptz is null or at >= $7)
  and ($8::timestamptz is null or at <= $8)`;

/** Newest first. */
export async function selectAuditEntries(
  db: Queryable,
  filter: AuditFilter,
  { page, size }: PageRequest,
): Promise<Page<AuditEntry>> {
  const { actor } = filter;
  const actorId = actor !== undefined && /^\d{1,15}$/.test(actor) ? Number(actor) : null;
  const values = [
    filter.action ?? null,
    actorId === null ? (actor ?? null) : null,
    actorId,
    ...[filter.targetType ?? null, filter.targetId ?? null, filter.result ?? null],
    ...[filter.from ?? null, filter.to ?? null],
  ];
  const total = await db.query<{ total: number }>(`select count(*) as total from audit_log where ${MATCHES}`, values);
  const { rows } = await db.query<AuditEntry>(
    `select id, at, actor_id as "actorId", actor_email as "actorEmail", action, target_type as "targetType",
       target_id as "targetId", result, details, request_id as "requestId"
     from audit_log where ${MATCHES} order by id desc limit $9 offset $10`,
    [...values, size, (page - 1) * size],
  );
  return { total: total.rows[0].total, items: rows };
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
