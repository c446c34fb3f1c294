/** What operators change by the command line, logged as it is for administrators. */
import { userInfo } from 'node:os';
import { errorView } from '../../api/http/errors/catalogue.ts';
import {
  type AuditAction,
  type AuditedAction,
  type AuditedConnection,
  type AuditTarget,
  type AuditTrail,
  auditedTransaction,
  insertAuditEntries,
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
  readonly details?: AuditedAction['details'];
}

type Boss = Awaited<ReturnType<typeof openBoss>>;

/** Who is at the command line, as the audit log names them. */
export const operatorName = () => `ops:${userInfo().username}`;

/** What an act on the command line leaves in the audit log. */
export function operatorTrail(
  { action, target, targetId, details: known = {} }: Act,
  details: AuditedAction['details'] = known,
): AuditTrail {
  return {
    actorId: null,
    actorName: operatorName(),
    requestId: null,
    targetType: target,
    targetId,
    actions: [{ action, details }],
  };
}

/**
 * Does something and logs it, as the API does for administrators; says what is wrong instead of throwing. `work` may
 * tell the trail what it has learned on the way.
 */
export async function act<T>(
  { config, url, pool, log }: Tools,
  what: Act,
  work: (connection: AuditedConnection, boss: Boss, operator: Operator, trail: AuditTrail) => Promise<T>,
): Promise<T | null> {
  const at = new Date(clockOf(config)());
  const name = operatorName();
  const trail = operatorTrail(what);
  const boss = await openBoss({ url, log });
  try {
    return await auditedTransaction(pool, trail, at, (connection) =>
      work(connection, boss, { name, requestId: null, at }, trail),
    );
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
    await insertAuditEntries(pool, operatorTrail(what), 'ok', new Date(clockOf(config)()));
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  }
}
