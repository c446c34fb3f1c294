import { type ErrorCode, ServiceError } from '../../engine/util/errors.ts';
import type { AccountCaller, Caller, SessionCaller } from './caller.ts';

/** The callers that each kind of access admits; their handlers get no other type of caller. */
export interface CallerFor {
  /** Everyone, guests included. */
  readonly anyone: Caller;
  /** An account, by API key or access token. */
  readonly member: AccountCaller;
  /** An account, by access token only. */
  readonly console: SessionCaller;
  /** An administrator, by access token only. */
  readonly admin: SessionCaller;
}

export type Access = keyof CallerFor;

/** Login sessions that administrators may use: any, or only those that began with their password. */
export type AdminSessions = 'any' | 'password';

/** Throws unless `access` admits the caller. */
export function authorize(access: Access, caller: Caller, adminSessions: AdminSessions): void {
  if (access === 'anyone') return;
  if (caller.kind === 'guest') throw new ServiceError('login_required');
  if (access === 'member') return;
  if (caller.kind !== 'session') throw new ServiceError('login_required');
  if (access === 'console') return;
  if (!caller.account.isAdmin) throw new ServiceError('admin_required');
  if (adminSessions === 'password' && caller.loginMethod !== 'password') throw new ServiceError('admin_login_required');
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['login_required', 'admin_required', 'admin_login_required']);

/** Whether an error says that the caller has no access. */
export function isNotAuthorized({ code }: ServiceError): boolean {
  return REFUSALS.has(code);
}
