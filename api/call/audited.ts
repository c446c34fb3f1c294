/**
 * The audit log of administrators: a success is logged in the transaction that does it, a refusal or a failure on its
 * own, in one place for all routes.
 */
import type { Request } from 'express';
import type { Logger } from 'pino';
import {
  type Audited,
  type AuditedConnection,
  type AuditIntent,
  addAuditRefusals,
  auditedTransaction,
  insertAuditEntries,
  type NewAuditEntry,
} from '../../db/log/audit-log.ts';
import type { Pool } from '../../db/pool.ts';
import { found, type ServiceError } from '../../engine/util/errors.ts';
import { accountOf, type Caller, isNotAuthorized, type SessionCaller } from '../access/caller.ts';
import type { Limiter } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { AuditRule } from './route.ts';

/** Services that an audited action uses. */
interface AuditServices {
  readonly pool: Pool;
  readonly now: () => number;
}

/** The part of a call that an audited action needs. */
export interface AuditedCall<S extends AuditServices = AuditServices> {
  readonly services: S;
  readonly context: RequestContext;
  readonly caller: SessionCaller;
}

/** The intent of a call before its input is read. Null for a guest, who is not logged. */
export function intentOf(
  { action, target, parameter }: AuditRule,
  caller: Caller,
  request: Request,
): AuditIntent | null {
  const account = accountOf(caller);
  if (!account) return null;
  const targetId = parameter === undefined ? null : toPlainText(String(request.params[parameter]));
  return {
    actorId: account.userId,
    requestId: request.context.requestId,
    entries: [{ action, targetType: target, targetId, details: {} }],
  };
}

const MAX_TARGET_CHARS = 120;

/** The id in a path without control characters, cut to a length that can be stored. */
function toPlainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_TARGET_CHARS);
}

/** The intent of a call of a route with an `audit` rule; `known` adds details from the input. */
export function auditIntent(
  { context: { intent, route } }: AuditedCall,
  known: Partial<NewAuditEntry> = {},
): AuditIntent {
  if (!intent) throw new Error(`${route} has no rule for the audit log`);
  return { ...intent, entries: entriesWith(intent, known) };
}

/** The entries of an intent, with more about them. */
export function entriesWith({ entries }: AuditIntent, more: Partial<NewAuditEntry>): NewAuditEntry[] {
  return entries.map((entry) => ({ ...entry, ...more, details: { ...entry.details, ...more.details } }));
}

/** The failure of an action, with the intent that the audit log records for it. */
export class ActionFailure extends Error {
  readonly intent: AuditIntent;

  constructor(intent: AuditIntent, cause: unknown) {
    super('an audited action failed', { cause });
    this.intent = intent;
  }
}

/** Runs `work`; when it fails, the audit log records the intent as failed. */
export async function auditFailure<T>(intent: AuditIntent, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ActionFailure ? error : new ActionFailure(intent, error);
  }
}

/** Does and logs an action in one transaction. `work` returns the result and the entries that describe what it did. */
export function audited<T>(
  { services: { pool, now } }: Pick<AuditedCall, 'services'>,
  intent: AuditIntent,
  work: (connection: AuditedConnection) => Promise<Audited<T>>,
): Promise<T> {
  return auditFailure(intent, () => auditedTransaction(pool, intent, new Date(now()), work));
}

/** Changes and logs a record that `select` reads, and resolves with its new state. */
export function changeRecord<R>(
  call: AuditedCall,
  select: (connection: AuditedConnection) => Promise<R | null>,
  change: (connection: AuditedConnection, record: R) => Promise<unknown>,
): Promise<R> {
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    await change(connection, found(await select(connection)));
    return { result: found(await select(connection)), entries: intent.entries };
  });
}

/**
 * Logs a refusal or failure of an account's action. Never throws. Calls over a rate limit are not logged. Repeated refusals
 * of an account get their own entries for the first ten calls of a minute only, and are summed after that.
 */
export async function recordFailure(
  { pool, limiter, now, log }: AuditServices & { readonly limiter: Limiter; readonly log: Logger },
  intent: AuditIntent | null,
  failure: ServiceError,
): Promise<void> {
  if (!intent || failure.code === 'rate_limited') return;
  const failed = { ...intent, entries: entriesWith(intent, { details: { error: failure.code } }) };
  const at = new Date(now());
  try {
    // The caller has already waited for a database that does not answer.
    if (failure.code === 'unavailable') throw new Error('the database cannot be reached');
    const isSummed =
      isNotAuthorized(failure) &&
      !(await limiter.isWithin({ guard: 'refused_actions', subject: `user:${intent.actorId}` }));
    if (isSummed) await addAuditRefusals(pool, failed, at);
    else await insertAuditEntries(pool, failed, 'failed', at);
  } catch (error) {
    const { requestId, entries } = failed;
    log.error({ err: error, requestId, entries }, 'a failed action could not be written to the audit log');
  }
}
