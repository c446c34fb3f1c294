/** What operators change by the command line, logged as it is for administrators. */
import { userInfo } from 'node:os';
import { errorView } from '../../api/http/errors/catalogue.ts';
import {
  type AuditAction,
  type AuditedConnection,
  type AuditIntent,
  type AuditTarget,
  auditedTransaction,
  insertAuditEntries,
  type NewAuditEntry,
} from '../../db/back-office/audit-log.ts';
import { isMissingTable } from '../../db/errors.ts';
import { ServiceError } from '../../engine/errors.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import type { Operator } from '../../jobs/queue/operate.ts';
import { clockOf } from '../config.ts';
import { fail, type Tools } from './tools.ts';

export interface Act {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Null until it is known, or where there is nothing to name. */
  readonly targetId: string | null;
  readonly details?: NewAuditEntry['details'];
}

type Boss = Awaited<ReturnType<typeof openBoss>>;

/** Who is at the command line, as the audit log names them. */
export const operatorName = () => `ops:${userInfo().username}`;

/** What the audit log records of an act on the command line. */
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
 * Does something and logs it, as the API does for administrators. A known error is printed, and the result is null.
 * `targetOf` names a target that is known only afterwards.
 */
export async function act<T>(
  { config, url, pool, log }: Tools,
  what: Act,
  work: (connection: AuditedConnection, boss: Boss, operator: Operator) => Promise<T>,
  targetOf?: (result: T) => string,
): Promise<T | null> {
  const at = new Date(clockOf(config)());
  const name = operatorName();
  const boss = await openBoss({ url, log });
  try {
    return await auditedTransaction(pool, operatorIntent(what), at, async (connection) => {
      const result = await work(connection, boss, { name, requestId: null, at });
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

/** Logs what has been done to the schema, as long as the schema still has an audit log. */
export async function recordSchemaChange({ config, pool }: Tools, what: Act): Promise<void> {
  try {
    await insertAuditEntries(pool, operatorIntent(what), 'ok', new Date(clockOf(config)()));
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  }
}
