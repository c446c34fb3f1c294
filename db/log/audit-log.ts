/**
 * Writes the audit log: who did what, and whether it worked. The log is append-only. The database refuses every change
 * except clearing the reference to a deleted account.
 */
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { TABLES } from '../schema/tables.ts';

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
  'session.release',
  'job.retry',
  'job.cancel',
  'queue.pause',
  'queue.resume',
  'market.replace',
  'market.adopt',
  'market.compare',
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
  'sweep',
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

/** The result of an action, with the entries that tell what was done. */
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
