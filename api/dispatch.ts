/** How a call of a route is served: who? open? allowed? within the limit? well-formed? then answered, from memory if it can be. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { ServiceError } from '../engine/errors.ts';
import { authorize } from './access/authorize.ts';
import { callerAddress } from './access/caller-address.ts';
import type { Observe } from './app.ts';
import { parseFailure } from './errors.ts';
import type { z } from './fields.ts';
import { LOCALE_PARSING } from './parse-locales.ts';
import { planRule } from './rate-limit.ts';
import { type Identity, type RequestContext, sendJson } from './request-context.ts';
import type { Call, Route } from './route.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 1024 * 1024;

const parseJson = express.json({ limit: MAX_BODY_BYTES, type: 'application/json' });

/** Refuses what is not JSON before it is read. */
const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  next(hasBody && !request.is('application/json') ? new ServiceError('unsupported_media_type') : undefined);
};

/** The Express handlers of a route, in order. */
export function handlersOf(route: Route, services: Services, observe: Observe): RequestHandler[] {
  const answer = async (request: Request, response: Response, identity: Identity) => {
    const { context } = request;
    const call: Call<unknown, unknown, unknown> = {
      path: parse(route.pathSchema, request.params, 'path', context),
      query: parse(route.querySchema, request.query, 'query', context),
      body: parse(route.bodySchema, request.body, 'body', context),
      ...{ context, identity, services },
    };
    const body = route.cacheKey ? await cachedBody(route, call) : await envelopeOf(route, call);
    const status = route.successStatus ?? 200;
    sendJson(request, response, status, body);
    observe(request, status);
  };
  const guard = async (request: Request): Promise<Identity> => {
    const { context } = request;
    context.route = route.path;
    if (route.access !== 'anyone' || route.method !== 'get') context.headers['Cache-Control'] = 'no-store';
    const identity = await services.identify(request);
    context.identity = identity;
    route.assertOpen?.(services);
    authorize(route.access, identity);
    if (route.limit === 'public') {
      await services.limiter.enforce(`ip:${callerAddress(context.ip)}`, services.publicRule, context);
    } else {
      await services.limiter.enforce(identity.key, planRule(identity, route.limit), context);
      context.category = route.limit;
    }
    return identity;
  };
  if (!route.bodySchema) {
    return [async (request, response) => answer(request, response, await guard(request))];
  }
  const identities = new WeakMap<Request, Identity>();
  return [
    async (request: Request, _response: Response, next: NextFunction) => {
      identities.set(request, await guard(request));
      next();
    },
    requireJson,
    parseJson,
    async (request, response) => answer(request, response, identities.get(request) as Identity),
  ];
}

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  part: 'path' | 'query' | 'body',
  context: RequestContext,
): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? (part === 'body' ? {} : undefined), LOCALE_PARSING[context.locale]);
  if (!parsed.success) throw parseFailure(parsed.error, part);
  return parsed.data;
}

async function envelopeOf(route: Route, call: Call<unknown, unknown, unknown>): Promise<string> {
  return JSON.stringify({ code: 0, message: 'ok', data: await route.handle(call) });
}

/** Equal calls on equal data give equal bytes; those of the latest data are kept. */
async function cachedBody(route: Route, call: Call<unknown, unknown, unknown>): Promise<Buffer> {
  const { bodies, market } = call.services;
  route.assertCacheable?.(call.services);
  const { stamp } = market;
  const key = `${stamp} ${route.path} ${call.context.locale} ${route.cacheKey?.(call)}`;
  let body = bodies.get(key);
  if (!body) {
    body = Buffer.from(await envelopeOf(route, call));
    if (market.stamp === stamp) bodies.set(key, body);
  }
  return body;
}
