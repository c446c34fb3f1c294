/**
 * `/iceberg`: the market, and kept runs of the caller, as Iceberg tables. `/iceberg/v1` is a read-only Iceberg REST catalog, in its own words
 * and errors; `/iceberg/objects` serves the files of tables in the protocol of S3, for readers of an installation without a bucket.
 */
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { z } from 'zod';
import { callerAddress } from '../access/caller.ts';
import { limitRefusals } from '../access/rate-limit.ts';
import type { Observe } from '../access/request-context.ts';
import type { RawInput } from '../call/read-input.ts';
import type { Route } from '../call/route.ts';
import { createResponder } from '../call/steps.ts';
import { CacheableJson, type Reply } from '../http/answer/reply.ts';
import { beginResponse, sendCacheable, sendJson, sendReply } from '../http/answer/respond.ts';
import { errorBody, isFailure, toServiceError } from '../http/errors/error-body.ts';
import { toExpressPath } from '../http/path-template.ts';
import { CatalogError, typeOfStatus } from './catalog.ts';
import { ANY_CALL, CATALOG, CATALOG_ROUTES, TOKEN_ROUTE } from './catalog-routes.ts';
import { credentialOf, OBJECT_ROUTE, OBJECTS, type Services, sendObjectError, takeSessionToken } from './objects.ts';

export function mountTables(app: Express, services: Services, observe: Observe): void {
  const createHandler = (route: Route<Services>, send = sendAnswer): RequestHandler => {
    const respond = createResponder(route, services, observe);
    const known = Object.keys(route.querySchema?.shape ?? {});
    return (request, response) =>
      respond(request, {
        receive: () => knownInput(request, known),
        send: (reply) => send(request, response, reply),
      });
  };
  const readForm = express.urlencoded({ extended: false, limit: '4kb' });
  app.post(TOKEN_ROUTE.path, readForm, takeSecret(services), createHandler(TOKEN_ROUTE));
  for (const route of CATALOG_ROUTES) app[route.method](toExpressPath(route.path), createHandler(route));
  app.all(`${CATALOG}/*rest`, createHandler(ANY_CALL));
  app.get(`${OBJECTS}/:bucket/*key`, takeSessionToken, createHandler(OBJECT_ROUTE, sendReply));
  app.use(CATALOG, catalogErrors(services, observe, sendCatalogError));
  app.use(OBJECTS, catalogErrors(services, observe, sendObjectError));
}

/** The input without names that only other catalogs know: clients send them to all. */
function knownInput({ method, path, url, params, query, headers }: Request, known: readonly string[]): RawInput {
  const given = Object.fromEntries(
    known.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
  );
  return { url, params: { ...params, target: `${method} ${path}`, credential: credentialOf(headers) }, query: given };
}

/** Sends an answer as JSON, or 204 for none. HEAD asks only whether there is one. */
async function sendAnswer(request: Request, response: Response, { body }: Reply): Promise<number> {
  // Express would send the whole answer when the client asks proxies for a fresh one, as those of catalogs do.
  delete request.headers['cache-control'];
  if (request.method === 'HEAD' || body === 'null') beginResponse(request, response, 204).end();
  else if (body instanceof CacheableJson) await sendCacheable(request, response, body);
  else sendJson(request, response, 200, String(body));
  return response.statusCode;
}

const tokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().max(200).optional(),
  client_secret: z.string().max(200),
});

/** An API key is the secret of a client, and its token too: clients send it as they would send any other token. */
function takeSecret({ limiter, publicRule }: Services): RequestHandler {
  return async ({ body, headers, context }, _response, next) => {
    const parsed = tokenRequest.safeParse(body);
    if (!parsed.success) {
      context.route = TOKEN_ROUTE.path;
      await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
      throw new CatalogError(400, 'BadRequestException', 'unsupported_grant_type');
    }
    headers['x-api-key'] = parsed.data.client_secret;
    delete headers.authorization;
    next();
  };
}

type SendError = (request: Request, response: Response, error: CatalogError) => void;

function catalogErrors(services: Services, observe: Observe, send: SendError): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const { context } = request;
    const error = thrown instanceof CatalogError ? thrown : await refusalOf(services, request, thrown);
    if (!(thrown instanceof CatalogError) && isFailure(toServiceError(thrown))) {
      services.log.error(
        { err: thrown, requestId: context.requestId, route: context.route },
        `answered ${error.status}`,
      );
    }
    context.headers['Cache-Control'] = 'no-store';
    delete context.headers.ETag;
    response.removeHeader('ETag');
    if (response.headersSent) return void response.destroy();
    send(request, response, error);
    observe(request, error.status);
  };
}

async function refusalOf(services: Services, request: Request, thrown: unknown): Promise<CatalogError> {
  const { context } = request;
  const error = await limitRefusals(services, request, toServiceError(thrown));
  const { code: status, message, detail: [problem] = [] } = errorBody(error, context.locale);
  const code = statusOf(error.code, status);
  if (code === 401) context.headers['WWW-Authenticate'] = 'Bearer realm="market data"';
  if (code === 429) context.headers['Retry-After'] = error.details.seconds;
  const where = problem ? ` ${problem.loc.join('.')}: ${problem.msg}` : '';
  return new CatalogError(code, typeOfStatus(code), `${message}${where}`);
}

/** Clients of catalogs send their credential only after 401, and know no 422. */
function statusOf(error: string, status: number): number {
  if (error === 'login_required') return 401;
  return status === 422 ? 400 : status;
}

function sendCatalogError(request: Request, response: Response, { status, type, message }: CatalogError): void {
  const body = { error: { message, type, code: status } };
  beginResponse(request, response, status).type('json').send(JSON.stringify(body));
}
