/** The entrance for calls over HTTP: Express routes. */
import type { RequestHandler } from 'express';
import type { Observe } from '../access/request-context.ts';
import { sendReply } from '../http/answer/respond.ts';
import { bodyReader, COMMON_BODY } from '../http/input/body.ts';
import type { Route } from './route.ts';
import { createResponder, type StepServices } from './steps.ts';

/** The Express handler of a route. */
export function createHandler<S extends StepServices>(route: Route<S>, services: S, observe: Observe): RequestHandler {
  const respond = createResponder(route, services, observe);
  const readBody = route.bodySchema && bodyReader(route.bodyLimits ?? COMMON_BODY, route.isForgiving ?? false);
  return (request, response) =>
    respond(request, {
      receive: async () => {
        await readBody?.(request, response);
        return request;
      },
      send: (reply) => sendReply(request, response, reply),
    });
}
