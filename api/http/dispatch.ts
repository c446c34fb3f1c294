/** Serves the calls of a route: identifies the caller, checks access and limits, reads the input, and answers. */
import type { Request, RequestHandler, Response } from 'express';
import { authorize } from '../access/authorize.ts';
import { accountOf, type Caller } from '../access/caller.ts';
import { callerAddress } from '../access/caller-address.ts';
import { BACK_OFFICE_RULE, planRule } from '../limits/rate-limit.ts';
import type { Services } from '../services.ts';
import { compress } from './answer/compression.ts';
import { deprecationHeaders } from './answer/deprecation.ts';
import {
  Accepted,
  envelope,
  FileReply,
  FileStream,
  JsonStream,
  JsonText,
  type Reply,
  StoredFileReply,
} from './answer/reply.ts';
import {
  type Compress,
  type KeptBody,
  keptBody,
  sendFile,
  sendFileStream,
  sendJson,
  sendJsonStream,
  sendKept,
  sendKeptStream,
  sendStoredFile,
} from './answer/respond.ts';
import { intentOf } from './audited.ts';
import { bodyReader, COMMON_BODY } from './input/body.ts';
import { inputReader, type RawInput } from './input/read-input.ts';
import { encodedKey, type KeptAnswers, keptKey, maxAgeOf } from './kept-answers.ts';
import { localeOf, type Observe } from './request-context.ts';
import type { AnyCall, Route } from './route.ts';

/** Makes `locale` the language of errors too. */
function applyLocaleParameter(request: Request): void {
  if (!request.url.includes('locale=')) return;
  const { locale } = request.query;
  if (typeof locale === 'string') request.context.locale = localeOf({ locale }, request.context);
}

/** The Express handler of a route. */
export function handlerOf(
  route: Route,
  services: Services,
  observe: Observe,
  keptAnswers: KeptAnswers,
): RequestHandler {
  const readInput = inputReader(route);
  const readBody = route.bodySchema && bodyReader(route.bodyLimits ?? COMMON_BODY, route.isForgiving ?? false);
  const isLong = route.isLong || route.limit === 'back_office';
  const forHandler = isLong ? { ...services, pool: services.longPool } : services;
  const notice = route.deprecated && deprecationHeaders(route.deprecated);
  return async (request, response) => {
    const { context } = request;
    // Set before anything can fail, so that refusals carry it too.
    if (notice) Object.assign(context.headers, notice);
    const caller = await admit(route, services, request);
    if (readBody) await readBody(request, response);
    const { path, query, body } = readInput(request);
    const call: AnyCall = { path, query, body, context, caller, services: forHandler };
    observe(request, await (route.caching ? sendCacheable : sendReply)(request, response, route, call));
    keptAnswers.remember(request, route, call);
  };
}

/**
 * The answer of a route to a call that came by another way than its own path, such as a tool of an assistant: with the same
 * access, limits, and checks of the input.
 */
export function answererOf(route: Route, services: Services): (request: Request, input: RawInput) => Promise<Reply> {
  const readInput = inputReader(route);
  return async (request, input) => {
    const caller = await admit(route, services, request);
    const { path, query, body } = readInput(input);
    return replyOf(route, { path, query, body, context: request.context, caller, services });
  };
}

/** The caller of a route, once it is known to have access and calls left. Throws otherwise. */
async function admit(route: Route, services: Services, request: Request): Promise<Caller> {
  const { context } = request;
  const { limiter, adminSessions, publicRule } = services;
  context.route = route.path;
  if (route.querySchema?.shape.locale) applyLocaleParameter(request);
  const caller = await services.identify(request);
  context.caller = caller;
  route.assertOpen?.(services);
  if (route.audit) context.intent = intentOf(route.audit, caller, request);
  if (route.limit === 'back_office') {
    // Counted before access is checked, so that callers without access cannot fill the audit log.
    await limiter.enforce(caller, BACK_OFFICE_RULE, context);
    authorize(route.access, caller, adminSessions);
    return caller;
  }
  authorize(route.access, caller, adminSessions);
  if (route.limit === 'public') {
    await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  } else {
    await limiter.enforce(caller, planRule(caller, route.limit), context);
    context.category = route.limit;
  }
  return caller;
}

/** Sends the answer of a call, and returns its status. */
async function sendReply(request: Request, response: Response, route: Route, call: AnyCall): Promise<number> {
  const { services, caller } = call;
  const account = route.takesIdempotencyKey ? accountOf(caller) : null;
  const { status, body } = account
    ? await services.idempotency.answerOnce(request, account.userId, () => replyOf(route, call))
    : await replyOf(route, call);
  if (body instanceof StoredFileReply) return sendStoredFile(request, response, body);
  if (body instanceof JsonStream) await sendJsonStream(request, response, status, body);
  else if (body instanceof FileStream) await sendFileStream(request, response, body);
  else if (body instanceof FileReply) sendFile(request, response, body);
  else await sendJson(request, response, status, body);
  return status;
}

async function replyOf(route: Route, call: AnyCall): Promise<Reply> {
  const answer = await route.handle(call);
  if (route.revokesAccess) await call.services.knownCallers.caughtUp();
  const status = route.successStatus ?? 200;
  if (answer instanceof FileReply || answer instanceof StoredFileReply) return { status, body: answer };
  if (answer instanceof JsonStream || answer instanceof FileStream) return { status, body: answer };
  if (answer instanceof JsonText) return { status, body: envelope(answer.text) };
  if (!(answer instanceof Accepted)) return { status, body: envelope(JSON.stringify(answer)) };
  call.context.headers.Location = answer.location;
  return { status: 202, body: envelope(JSON.stringify(answer.data)) };
}

/**
 * Sends an answer that the caller may cache. Equal calls over equal data have equal bytes; those of the latest data are
 * cached here too, in each encoding.
 */
async function sendCacheable(request: Request, response: Response, route: Route, call: AnyCall): Promise<number> {
  const { bodies, market } = call.services;
  route.assertCacheable?.(call.services);
  const { stamp } = market;
  const key = keptKey(route, call);
  const keep = (as: string, body: KeptBody) => {
    if (market.stamp === stamp) bodies.set(as, body);
    return body;
  };
  let body = key === undefined ? undefined : bodies.get(key);
  if (!body) {
    const { body: made } = await replyOf(route, call);
    if (made instanceof JsonStream && made.tag !== null) {
      return sendKeptStream(request, response, made, maxAgeOf(route, market));
    }
    if (typeof made !== 'string') throw new Error(`${route.operationId} has an answer that cannot be kept`);
    body = keptBody(made);
    if (key !== undefined) keep(key, body);
  }
  const { etag } = body;
  const compressOnce: Compress = async (bytes, encoding) => {
    const as = encodedKey(String(key), encoding);
    return (bodies.get(as) ?? keep(as, { bytes: await compress(bytes, encoding), latin1: null, etag })).bytes;
  };
  return sendKept(request, response, body, maxAgeOf(route, market), key === undefined ? undefined : compressOnce);
}
