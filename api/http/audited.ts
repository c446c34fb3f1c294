/**
 * What administrators do, and the audit log of it: a success is logged in the transaction that does it, a refusal or a
 * failure on its own, in one place for all routes.
 */
import type { Request } from 'express';
import {
  type AuditedAction,
  type AuditedConnection,
  type AuditTrail,
  auditedTransaction,
  insertAuditEntries,
} from '../../db/back-office/audit-log.ts';
import { addAuditRefusals } from '../../db/back-office/audit-refusals.ts';
import type { ServiceError } from '../../engine/errors.ts';
import { isNotAuthorized } from '../access/authorize.ts';
import { accountOf, type Caller, type SessionCaller } from '../access/caller.ts';
import type { Services } from '../services.ts';
import type { RequestContext } from './request-context.ts';
import type { AuditRule } from './route.ts';

/** The part of a call that an audited action needs. */
export interface AdminCall {
  readonly services: Services;
  readonly context: RequestContext;
  readonly caller: SessionCaller;
}

/** What is known of an action before its input is read; null for a guest, who leaves no trail. */
export function trailOf({ action, target, parameter }: AuditRule, caller: Caller, request: Request): AuditTrail | null {
  const account = accountOf(caller);
  if (!account) return null;
  return {
    actorId: account.userId,
    requestId: request.context.requestId,
    targetType: target,
    targetId: parameter === undefined ? null : plain(String(request.params[parameter])),
    actions: [{ action, details: {} }],
  };
}

const MAX_TARGET_CHARS = 120;

/** What was typed as an id, fit to be stored. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_TARGET_CHARS);
}

/** Does and logs an action in one transaction. `trail` takes what becomes known on the way. */
export function audited<T>(
  { context, services: { pool, now } }: Pick<AdminCall, 'context' | 'services'>,
  work: (connection: AuditedConnection, trail: AuditTrail) => Promise<T>,
): Promise<T> {
  const trail = context.audit;
  if (!trail) throw new Error(`${context.route} has no rule for the audit log`);
  return auditedTransaction(pool, trail, new Date(now()), (connection) => work(connection, trail));
}

/** Says more of the one action of a trail. */
export function detail(trail: AuditTrail, details: AuditedAction['details']): void {
  trail.actions = trail.actions.map((known) => ({ ...known, details: { ...known.details, ...details } }));
}

/**
 * Logs what an account was refused or failed at. Never throws; calls over the limit are not logged, and of an account
 * that is refused again and again only the first ten calls of a minute have entries of their own.
 */
export async function recordFailure(
  { pool, limiter, now, log }: Services,
  { audit: trail, requestId }: RequestContext,
  failure: ServiceError,
): Promise<void> {
  if (!trail || failure.code === 'rate_limited') return;
  detail(trail, { error: failure.code });
  const at = new Date(now());
  try {
    // Whoever waits for a database that does not answer is not kept waiting for it a second time.
    if (failure.code === 'database_unavailable') throw new Error('the database cannot be reached');
    const isSummed =
      isNotAuthorized(failure) &&
      !(await limiter.isWithin({ guard: 'refused_actions', subject: `user:${trail.actorId}` }));
    if (isSummed) await addAuditRefusals(pool, trail, at);
    else await insertAuditEntries(pool, trail, 'failed', at);
  } catch (error) {
    log.error(
      { err: error, requestId, actions: trail.actions },
      'a failed action could not be written to the audit log',
    );
  }
}
