/** What operators change by the command line, logged as it is for administrators. */
import { userInfo } from 'node:os';
import { errorText } from '../api/messages.ts';
import {
  type AuditAction,
  type AuditedAction,
  type AuditedConnection,
  type AuditTarget,
  type AuditTrail,
  auditedTransaction,
} from '../db/audit-log.ts';
import { ServiceError } from '../engine/errors.ts';
import { openBoss } from '../jobs/queue/boss.ts';
import type { Operator } from '../jobs/queue/operate.ts';
import { clockOf } from './config.ts';
import { fail, type Tools } from './tools.ts';

export interface Act {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly targetId: string;
}

type Boss = Awaited<ReturnType<typeof openBoss>>;

export const operatorName = () => `ops:${userInfo().username}`;

/** What an act on the command line leaves in the audit log. */
export function operatorTrail({ action, target, targetId }: Act, details: AuditedAction['details'] = {}): AuditTrail {
  return {
    actorId: null,
    actorName: operatorName(),
    requestId: null,
    targetType: target,
    targetId,
    actions: [{ action, details }],
  };
}

/** Does something and logs it, as the API does for administrators; says what is wrong instead of throwing. */
export async function act<T>(
  { config, url, pool, log }: Tools,
  { action, target, targetId }: Act,
  work: (connection: AuditedConnection, boss: Boss, operator: Operator) => Promise<T>,
): Promise<T | null> {
  const at = new Date(clockOf(config)());
  const name = operatorName();
  const trail = operatorTrail({ action, target, targetId });
  const boss = await openBoss({ url, log });
  try {
    return await auditedTransaction(pool, trail, at, (connection) =>
      work(connection, boss, { name, requestId: null, at }),
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    fail(errorText(error.code, 'en', error.details));
    return null;
  } finally {
    await boss.stop({ graceful: false });
  }
}
