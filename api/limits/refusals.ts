/** Answers to callers who have no business here: 401, and 404 for paths that do not exist. */
import type { Request } from 'express';
import { ServiceError } from '../../engine/errors.ts';
import { callerAddress } from '../access/caller-address.ts';
import { ERRORS } from '../http/errors/catalogue.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Services } from '../services.ts';

/** Whether the call had no valid credential or no route; a route's own "not found" is something else. */
function isRefusal({ code }: ServiceError, { route }: RequestContext): boolean {
  return ERRORS[code].status === 401 || (code === 'not_found' && route === 'unknown');
}

/**
 * Lets a number of refusals a minute through per address and turns the rest into 429. They are added up by day and leave
 * no record each, so that nobody can fill the database with calls that no limit counts.
 */
export async function limitRefusals(
  { limiter, log }: Services,
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
    // Without the database there is nothing to count in, and the caller is refused anyway.
    log.debug({ err: limited, requestId: context.requestId }, 'a refusal was not counted');
    return error;
  }
}
