/** Changes by operators on the command line, which are logged like those of administrators. */
import { userInfo } from 'node:os';
import { errorView } from '../../api/http/errors/catalogue.ts';
import { isMissingTable } from '../../db/errors.ts';
import {
  type AuditAction,
  type AuditedConnection,
  type AuditIntent,
  type AuditTarget,
  auditedTransaction,
  insertAuditEntries,
  type NewAuditEntry,
} from '../../db/log/audit-log.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import type { Operator } from '../../jobs/worker/operate.ts';
import { fail, type Tools } from './tools.ts';

export interface Act {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Null: not known yet, or there is none. */
  readonly targetId: string | null;
  readonly details?: NewAuditEntry['details'];
}

export type Boss = Awaited<ReturnType<typeof openBoss>>;

/** The name of the operator in the audit log. */
export const operatorName = () => `ops:${userInfo().username}`;

/** The audit entry of a command. */
export function operatorIntent(
  { action, target, targetId, details: known = {} }: Act,
  details: NewAuditEntry['details'] = known,
): AuditIntent {
  return {
    actorId: null,
    actorName: operatorName(),
    requestId: null,
    entries: [{ action, targetType: target, targetId, details }],
  };
}

/**
 * Runs an action and logs it, as the API does for administrators. If it fails with a `ServiceError`, prints it and returns null.
 * `targetOf`: gets a target id that is known only afterwards.
 */
export async function act<T>(
  { url, pool, log, now }: Tools,
  what: Act,
  work: (connection: AuditedConnection, boss: Boss, operator: Operator) => Promise<T>,
  targetOf?: (result: T) => string,
): Promise<T | null> {
  const at = new Date(now());
  const name = operatorName();
  const boss = await openBoss({ url, log });
  try {
    return await auditedTransaction(pool, operatorIntent(what), at, async (connection) => {
      const result = await work(connection, boss, { actor: name, requestId: null, at });
      const { entries } = operatorIntent(targetOf ? { ...what, targetId: targetOf(result) } : what);
      return { result, entries };
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    fail(errorView(error.code, error.details, 'en').message);
    return null;
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Logs a change of the schema, if the schema still has an audit log. */
export async function recordSchemaChange({ pool, now }: Tools, what: Act): Promise<void> {
  try {
    await insertAuditEntries(pool, operatorIntent(what), 'ok', new Date(now()));
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  }
}
