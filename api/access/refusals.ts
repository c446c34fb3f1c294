/** Limits answers of 401, and of 404 for paths that do not exist. */
import type { Request } from 'express';
import type { Logger } from 'pino';
import { ServiceError } from '../../engine/util/errors.ts';
import { ERRORS } from '../http/errors/catalogue.ts';
import { callerAddress } from './caller-address.ts';
import type { Limiter } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';

/** Whether the call had no valid credential or no route. A route's own "not found" does not count. */
function isRefusal({ code }: ServiceError, { route }: RequestContext): boolean {
  return ERRORS[code].status === 401 || (code === 'not_found' && route === 'unknown');
}

/**
 * Answers a number of refusals per minute and address as they are, and more of them with 429. Refusals are counted by day
 * and leave no access record, so that nobody can fill the database with calls that no plan limits.
 */
export async function limitRefusals(
  { limiter, log }: { readonly limiter: Limiter; readonly log: Logger },
  { context }: Request,
  error: ServiceError,
): Promise<ServiceError> {
  if (!isRefusal(error, context)) return error;
  context.isOnlyCounted = true;
  try {
    await limiter.pass([{ guard: 'refusals', subject: `ip:${callerAddress(context.ip)}` }], context);
    return error;
  } catch (limited) {
    if (limited instanceof ServiceError) return limited;
    // Without the database nothing can be counted, and the caller is refused anyway.
    log.debug({ err: limited, requestId: context.requestId }, 'a refusal was not counted');
    return error;
  }
}
