/** How a call of a route is served: who? open? allowed? within the limit? well-formed? then answered, from memory if it can be. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { ServiceError } from '../engine/errors.ts';
import { authorize } from './access/authorize.ts';
import { callerAddress } from './access/caller-address.ts';
import type { Observe } from './app.ts';
import { trailOf } from './audited.ts';
import { inputReader } from './input.ts';
import { BACK_OFFICE_RULE, planRule } from './rate-limit.ts';
import { type Identity, localeOf } from './request-context.ts';
import { sendFile, sendJson, sendJsonStream, sendStoredFile } from './respond.ts';
import { Accepted, type Call, FileReply, JsonStream, JsonText, type Route, StoredFileReply } from './route.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 1024 * 1024;

const parseJson = express.json({ limit: MAX_BODY_BYTES, type: 'application/json' });

/** Refuses what is not JSON before it is read. */
const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  next(hasBody && !request.is('application/json') ? new ServiceError('unsupported_media_type') : undefined);
};

/** Leaves a body that cannot be read unread. */
const parseForgivingly: RequestHandler = (request, response, next) => {
  parseJson(request, response, () => next());
};

/** The language that `locale` asks for is that of errors too. */
function applyLocaleParameter(request: Request): void {
  if (!request.url.includes('locale=')) return;
  const { locale } = request.query;
  if (typeof locale === 'string') request.context.locale = localeOf({ locale }, request.context);
}

/** The Express handlers of a route, in order. */
export function handlersOf(route: Route, services: Services, observe: Observe): RequestHandler[] {
  const readInput = inputReader(route);
  const answer = async (request: Request, response: Response, identity: Identity) => {
    const { context } = request;
    const { path, query, body } = readInput(request);
    const call: Call<unknown, unknown, unknown> = { path, query, body, context, identity, services };
    const reply = route.cacheKey ? await cachedReply(route, call) : await replyOf(route, call);
    observe(request, await sendReply(request, response, reply));
  };
  const guard = async (request: Request): Promise<Identity> => {
    const { context } = request;
    context.route = route.path;
    if (route.access !== 'anyone' || route.method !== 'get') context.headers['Cache-Control'] = 'no-store';
    if (route.querySchema?.shape.locale) applyLocaleParameter(request);
    const identity = await services.identify(request);
    context.identity = identity;
    route.assertOpen?.(services);
    if (route.audit) context.audit = trailOf(route.audit, identity, request);
    if (route.limit === 'back_office') {
      // Counted first: whoever may not come in must not fill the audit log either.
      await services.limiter.enforce(identity.key, BACK_OFFICE_RULE, context);
      authorize(route.access, identity);
      return identity;
    }
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
    ...(route.isForgiving ? [parseForgivingly] : [requireJson, parseJson]),
    async (request, response) => answer(request, response, identities.get(request) as Identity),
  ];
}

interface Reply {
  readonly status: number;
  /** An envelope, or a file without one. */
  readonly body: string | Buffer | JsonStream | FileReply | StoredFileReply;
}

/** Returns the status that was sent. */
async function sendReply(request: Request, response: Response, { status, body }: Reply): Promise<number> {
  if (body instanceof StoredFileReply) return sendStoredFile(request, response, body);
  if (body instanceof JsonStream) await sendJsonStream(request, response, status, body);
  else if (body instanceof FileReply) sendFile(request, response, body);
  else sendJson(request, response, status, body);
  return status;
}

async function replyOf(route: Route, call: Call<unknown, unknown, unknown>): Promise<Reply> {
  const answer = await route.handle(call);
  const status = route.successStatus ?? 200;
  if (answer instanceof FileReply || answer instanceof StoredFileReply) return { status, body: answer };
  if (answer instanceof JsonStream) return { status, body: answer };
  if (answer instanceof JsonText) return { status, body: envelope(answer.text) };
  if (!(answer instanceof Accepted)) return { status, body: envelope(JSON.stringify(answer)) };
  call.context.headers.Location = answer.location;
  return { status: 202, body: envelope(JSON.stringify(answer.data)) };
}

const envelope = (data: string) => `{"code":0,"message":"ok","data":${data}}`;

/** Equal calls on equal data give equal bytes; those of the latest data are kept. */
async function cachedReply(route: Route, call: Call<unknown, unknown, unknown>): Promise<Reply> {
  const { bodies, market } = call.services;
  route.assertCacheable?.(call.services);
  const { stamp } = market;
  const key = `${stamp} ${route.path} ${call.context.locale} ${route.cacheKey?.(call)}`;
  let body = bodies.get(key);
  if (!body) {
    body = Buffer.from((await replyOf(route, call)).body as string);
    if (market.stamp === stamp) bodies.set(key, body);
  }
  return { status: 200, body };
}
