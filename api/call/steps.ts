/** The steps that every call of a route goes through, whether it comes over HTTP or from a tool of an assistant (MCP). */
import { Readable } from 'node:stream';
import type { Request } from 'express';
import type { Scope } from '../../db/accounts/api-keys.ts';
import type { Pool } from '../../db/pool.ts';
import {
  type AdminSessions,
  accountOf,
  authorize as assertAccess,
  assertScope,
  type Caller,
  callerAddress,
} from '../access/caller.ts';
import type { Identify, KnownCallers } from '../access/identify.ts';
import type { NearLimits } from '../access/near-limits.ts';
import { BACK_OFFICE_RULE, type Limiter, type LimitRule, planRule, TABLE_READS_RULE } from '../access/rate-limit.ts';
import { localeOf, type Observe } from '../access/request-context.ts';
import {
  Accepted,
  CacheableJson,
  cacheableAnswer,
  EventStream,
  envelope,
  FileReply,
  FileStream,
  JsonStream,
  JsonText,
  type Reply,
  type ResponseCache,
  StoredFileReply,
} from '../http/answer/reply.ts';
import { intentOf } from './audited.ts';
import { HashedFile } from './hashed-file.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import { type CallInput, inputReader, type RawInput } from './read-input.ts';
import type { AnyCall, Deprecation, Route } from './route.ts';

const MS_PER_S = 1_000;

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), with a link to the page that says what to use instead. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / MS_PER_S}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}

/** The longest time for which a caller may use an answer without revalidation. */
const MAX_AGE_S = 300;

/** How calls come in: over HTTP, or over MCP. */
export interface Entrance {
  /** Reads the input, after the call is counted. */
  readonly receive: () => RawInput | Promise<RawInput>;
  /** Sends the reply to the caller. Returns its status. */
  readonly send: (reply: Reply) => number | Promise<number>;
}

/** Services that the steps use. */
export interface StepServices {
  readonly pool: Pool;
  /** Routes of the back office, and those with `isLong`, get it as `pool`. */
  readonly longPool: Pool;
  readonly identify: Identify;
  readonly knownCallers: KnownCallers;
  readonly adminSessions: AdminSessions;
  readonly limiter: Limiter;
  readonly nearLimits: NearLimits;
  readonly publicRule: LimitRule;
  readonly idempotency: IdempotencyKeys;
  readonly responseCache: ResponseCache;
  /** `cacheVersion` changes with the data; `msToMidnight` is the rest of the market's day. */
  readonly market: { readonly cacheVersion: string; readonly msToMidnight: number };
}

/** A call in progress. Each step adds its result, or throws. */
interface CallUnderWay<S = never> {
  readonly route: Route<S>;
  readonly parseInput: (raw: RawInput) => CallInput;
  readonly entrance: Entrance;
  readonly services: S & StepServices;
  readonly observe: Observe;
  readonly request: Request;
  caller: Caller;
  input: CallInput;
  reply: Reply;
}

const steps = <S extends StepServices>(): ((call: CallUnderWay<S>) => void | Promise<void>)[] => [
  authenticate,
  authorize,
  enforceRateLimit,
  readInput,
  handle,
  send,
];

/** Serves the calls of a route. Errors of the steps are thrown to the entrance, which answers them. */
export function createResponder<S extends StepServices>(
  route: Route<S>,
  services: S,
  observe: Observe,
): (request: Request, entrance: Entrance) => Promise<void> {
  const parseInput = inputReader(route);
  const isLong = route.isLong || route.limit === 'back_office';
  const forRoute = isLong ? { ...services, pool: services.longPool } : services;
  const deprecation = route.deprecated && deprecationHeaders(route.deprecated);
  return async (request, entrance) => {
    // Set before anything can fail, so that refusals carry it too.
    if (deprecation) Object.assign(request.context.headers, deprecation);
    // Each step sets what later steps need.
    const call = { route, parseInput, entrance, services: forRoute, observe, request } as CallUnderWay<S>;
    for (const step of steps<S>()) await step(call);
  };
}

async function authenticate<S extends StepServices>(call: CallUnderWay<S>): Promise<void> {
  const { route, services, request } = call;
  const { context } = request;
  context.route = route.path;
  if (route.querySchema?.shape.locale) applyLocaleParameter(request);
  call.caller = await services.identify(request);
  context.caller = call.caller;
}

/** Makes `locale` the language of errors too. */
function applyLocaleParameter(request: Request): void {
  if (!request.url.includes('locale=')) return;
  const { locale } = request.query;
  if (typeof locale === 'string') request.context.locale = localeOf({ locale }, request.context);
}

/** Calls in the categories of runs look for something, whatever they are of. */
function scopeOf({ method, limit, scope }: Pick<Route, 'method' | 'limit' | 'scope'>): Scope {
  if (scope !== undefined) return scope;
  if (method === 'get' || limit === 'batch' || limit === 'public') return 'read';
  return limit === 'account' ? 'account' : 'research';
}

function authorize<S extends StepServices>({ route, services, request, caller }: CallUnderWay<S>): void {
  route.assertOpen?.(services);
  if (route.audit) request.context.intent = intentOf(route.audit, caller, request);
  assertAccess(route.access, caller, services.adminSessions);
  assertScope(scopeOf(route), caller);
}

async function enforceRateLimit<S extends StepServices>({
  route: { limit },
  services,
  request,
  caller,
}: CallUnderWay<S>): Promise<void> {
  const { limiter, publicRule } = services;
  const { context } = request;
  if (limit === 'back_office') return void (await limiter.enforce(caller, BACK_OFFICE_RULE, context));
  if (limit === 'table_reads') return void (await limiter.enforce(caller, TABLE_READS_RULE, context));
  if (limit === 'public')
    return void (await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context));
  const left = await limiter.enforce(caller, planRule(caller, limit), context);
  context.category = limit;
  const account = accountOf(caller);
  if (account) services.nearLimits.tell({ userId: account.userId, counter: caller.counter, category: limit, ...left });
}

async function readInput<S extends StepServices>(call: CallUnderWay<S>): Promise<void> {
  call.input = call.parseInput(await call.entrance.receive());
}

async function handle<S extends StepServices>(call: CallUnderWay<S>): Promise<void> {
  const { route, services, request, caller, input } = call;
  const account = route.takesIdempotencyKey ? accountOf(caller) : null;
  const file =
    account && request.headers['idempotency-key'] !== undefined && input.body instanceof Readable
      ? new HashedFile(input.body, request.url)
      : null;
  const given = file ? { ...input, body: file.stream } : input;
  const routeCall: AnyCall<S & StepServices> = { ...given, caller, services, context: request.context };
  const reply = () => replyOf(route, routeCall);
  if (route.caching) call.reply = await cachedReply(route, routeCall, reply);
  else if (account) call.reply = await services.idempotency.answerOnce(request, account.userId, reply, file);
  else call.reply = await reply();
}

/** The answer of a route whose callers may cache it. With a `cacheKey`, it is also cached here for other calls. */
async function cachedReply<S extends StepServices>(
  route: Route<S>,
  call: AnyCall<S>,
  makeReply: () => Promise<Reply>,
): Promise<Reply> {
  const { responseCache, market } = call.services;
  route.assertCacheable?.(call.services);
  const { cacheVersion } = market;
  const key = route.cacheKey && `${cacheVersion} ${route.path} ${call.context.locale} ${route.cacheKey(call)}`;
  let answer = key === undefined ? undefined : responseCache.get(key);
  const maxAge = route.caching === 'for_minutes' ? Math.min(MAX_AGE_S, Math.floor(market.msToMidnight / 1000)) : 0;
  if (!answer) {
    const { body } = await makeReply();
    if (body instanceof FileReply || body instanceof FileStream) return { status: 200, body };
    if (body instanceof JsonStream && body.tag !== null) {
      return { status: 200, body: new CacheableJson(body, `W/"${body.tag}"`, maxAge) };
    }
    if (typeof body !== 'string') throw new Error(`${route.operationId} has an answer that cannot be cached`);
    answer = cacheableAnswer(body);
    // Not if the data changed while the answer was made.
    if (key !== undefined && market.cacheVersion === cacheVersion) responseCache.set(key, answer);
  }
  return { status: 200, body: new CacheableJson(answer.bytes, answer.etag, maxAge) };
}

async function replyOf<S extends StepServices>(route: Route<S>, call: AnyCall<S>): Promise<Reply> {
  const answer = await route.handle(call);
  if (route.revokesAccess) await call.services.knownCallers.caughtUp();
  const status = route.successStatus ?? 200;
  if (answer instanceof FileReply || answer instanceof StoredFileReply) return { status, body: answer };
  if (answer instanceof JsonStream || answer instanceof FileStream || answer instanceof EventStream)
    return { status, body: answer };
  if (route.isBare) return { status, body: JSON.stringify(answer) };
  if (answer instanceof JsonText) return { status, body: envelope(answer.text) };
  if (!(answer instanceof Accepted)) return { status, body: envelope(JSON.stringify(answer)) };
  call.context.headers.Location = answer.location;
  return { status: 202, body: envelope(JSON.stringify(answer.data)) };
}

async function send<S extends StepServices>({ entrance, observe, request, reply }: CallUnderWay<S>): Promise<void> {
  observe(request, await entrance.send(reply));
}
