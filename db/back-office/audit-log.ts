/**
 * Writes the audit log: who did what, and whether it worked. The log is append-only. The database refuses every change
 * except clearing the reference to a deleted account.
 */
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { TABLES } from '../tables.ts';

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

export const AUDIT_RESULTS = TABLES.audit_log.result.values;
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
      targetType,
      targetId,
      result,
      requestId,
      actorId,
      actorName ?? null,
    ],
  );
}
