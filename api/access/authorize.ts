import type { Caller } from '../../db/callers.ts';
import { ServiceError } from '../../engine/errors.ts';
import type { Identity } from '../request-context.ts';

/**
 * Who may call a route: `anyone`, guests included; a `member`, by API key or access token; the `console`, by access
 * token only; an `admin`, by access token.
 */
export type Access = 'anyone' | 'member' | 'console' | 'admin';

/** Throws unless the caller may. */
export function authorize(access: Access, { via, caller }: Identity): void {
  if (access === 'anyone') return;
  if (via === 'guest' || (access !== 'member' && via !== 'session')) throw new ServiceError('login_required');
  if (access === 'admin' && !caller?.isAdmin) throw new ServiceError('admin_required');
}

/** The account behind a call of a route that guests may not call. */
export function callerOf({ caller }: Identity): Caller {
  if (caller === null) throw new ServiceError('login_required');
  return caller;
}
