import type { Caller } from '../../db/accounts/callers.ts';
import { type ErrorCode, ServiceError } from '../../engine/errors.ts';
import type { Identity } from '../http/request-context.ts';

/**
 * Who may call a route: `anyone`, guests included; a `member`, by API key or access token; the `console`, by access
 * token only; an `admin`, by access token.
 */
export type Access = 'anyone' | 'member' | 'console' | 'admin';

/** Sessions that administrators may use: any of theirs, or only those that began with their password. */
export type AdminSessions = 'any' | 'password';

/** Throws unless the caller may. */
export function authorize(access: Access, { via, caller, loginMethod }: Identity, adminSessions: AdminSessions): void {
  if (access === 'anyone') return;
  if (via === 'guest' || (access !== 'member' && via !== 'session')) throw new ServiceError('login_required');
  if (access === 'admin' && !caller?.isAdmin) throw new ServiceError('admin_required');
  if (access === 'admin' && adminSessions === 'password' && loginMethod !== 'password') {
    throw new ServiceError('admin_login_required');
  }
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['login_required', 'admin_required', 'admin_login_required']);

/** Whether an error says that the caller may not, whatever was asked for. */
export function isNotAuthorized({ code }: ServiceError): boolean {
  return REFUSALS.has(code);
}

/** The account behind a call of a route that guests may not call. */
export function callerOf({ caller }: Identity): Caller {
  if (caller === null) throw new ServiceError('login_required');
  return caller;
}
