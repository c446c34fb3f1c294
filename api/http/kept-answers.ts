/**
 * Answers calls from memory, ahead of Express and all routes: of a target that was read before, by a caller who is known, with a
 * body that is kept, or of a route whose answers are made from memory (`isInMemory`). Such an answer makes the same checks as the
 * route's handler, by the same functions, and takes no statement but that of the limiter (and none within allowance that was taken
 * ahead). Every other call goes on to its route.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import proxyAddress from 'proxy-addr';
import { authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type PlanRule, planRule } from '../limits/rate-limit.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Services } from '../services.ts';
import { type Encoding, encodingFor } from './answer/compression.ts';
import { envelope } from './answer/reply.ts';
import { type KeptBody, keptBody, sendKeptAsIs } from './answer/respond.ts';
import { chooseLocale } from './language/choose-locale.ts';
import type { Locale } from './language/locale.ts';
import { contextOf, type Observe, type RequestContext } from './request-context.ts';
import type { AnyCall, Route } from './route.ts';
import { Targets } from './targets.ts';

const MAX_AGE_S = 300;

/** The name of a call's answer in `Services.bodies`; undefined: answers of the route are not kept. */
export function keptKey(route: Route, call: AnyCall): string | undefined {
  return route.cacheKey && `${call.services.market.stamp} ${route.path} ${call.context.locale} ${route.cacheKey(call)}`;
}

/** The name of the same answer in an encoding. */
export const encodedKey = (key: string, encoding: Encoding) => `${encoding} ${key}`;

/** Seconds for which a caller may use an answer without asking again. */
export function maxAgeOf({ caching }: Route, market: MarketView): number {
  return caching === 'for_minutes' ? Math.min(MAX_AGE_S, Math.floor(market.msToMidnight / 1000)) : 0;
}

export interface KeptAnswersOptions {
  readonly routes: readonly Route[];
  readonly observe: Observe;
  readonly defaultLocale: Locale;
  /** Whether the address is that of a proxy whose X-Forwarded-For is trusted; `hops` counts from the connection. */
  readonly isProxy: (address: string, hops: number) => boolean;
}

/** A call that was refused ahead of its route. */
interface Refusal {
  readonly context: RequestContext;
  readonly error: unknown;
}

interface Answer {
  readonly send: () => void;
  /** Passes the call on with an error. */
  readonly refuse: (error: unknown) => void;
}

export class KeptAnswers {
  private readonly services: Services;
  private readonly options: KeptAnswersOptions;
  private readonly targets: Targets;
  private answers: Answer[] = [];
  private readonly refusals = new WeakMap<IncomingMessage, Refusal>();

  constructor(services: Services, options: KeptAnswersOptions) {
    this.services = services;
    this.options = options;
    this.targets = new Targets(options.routes);
  }

  /** Remembers how the target of a call was read, once it was answered. */
  remember(request: Request, route: Route, call: AnyCall): void {
    this.targets.remember(request, route, call);
  }

  /** Why the request was passed on, when it was refused ahead of its route. */
  refusalOf(request: IncomingMessage): Refusal | undefined {
    return this.refusals.get(request);
  }

  /** Answers the call from memory, once it is counted. False: it is for its route. Passes on a call that has no allowance left. */
  answer(request: IncomingMessage, response: ServerResponse, pass: () => void): boolean {
    const { headers, url = '' } = request;
    const target = request.method === 'GET' && isPlain(request) ? this.targets.get(url) : undefined;
    if (!target) return false;
    const ip = this.addressOf(request);
    const caller = this.services.knownCaller(headers, ip);
    if (!caller) return false;
    const { services } = this;
    const { observe, defaultLocale } = this.options;
    const { route, path, query } = target;
    const locale = chooseLocale(undefined, headers['accept-language'], defaultLocale);
    const context = contextOf(headers, response, { locale, defaultLocale, ip, webClient: null });
    const rule = this.ruleOf(route, caller);
    const call = { path, query, body: undefined, context, caller, services };
    const kept = rule && this.keptBody(request, route, call);
    if (!kept) return false;
    this.targets.keep(url, target);
    context.route = route.path;
    context.caller = caller;
    const send = () => {
      context.category = rule.category;
      sendKeptAsIs(context, response, kept.body, kept.encoding, maxAgeOf(route, services.market));
      observe({ method: 'GET', headers, context }, 200);
    };
    const refuse = (error: unknown) => {
      this.refusals.set(request, { context, error });
      pass();
    };
    const answer = { send, refuse };
    if (services.limiter.enforceAhead(caller, rule, context)) this.together(answer);
    else services.limiter.enforce(caller, rule, context).then(() => this.together(answer), refuse);
    return true;
  }

  /** Sends with the other answers of this turn of the event loop. Clients that are woken one by one take more time than answers. */
  private together(answer: Answer): void {
    this.answers.push(answer);
    if (this.answers.length > 1) return;
    setImmediate(() => {
      const { answers } = this;
      this.answers = [];
      for (const { send, refuse } of answers) {
        try {
          send();
        } catch (error) {
          refuse(error);
        }
      }
    });
  }

  /** The address of the caller, as Express would tell it. */
  private addressOf(request: IncomingMessage): string | undefined {
    const { isProxy } = this.options;
    const { remoteAddress } = request.socket;
    if (request.headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return remoteAddress;
    return proxyAddress(request, isProxy);
  }

  private keptBody(
    request: IncomingMessage,
    route: Route,
    call: AnyCall,
  ): { readonly body: KeptBody; readonly encoding: Encoding | null } | null {
    const { bodies } = this.services;
    const key = keptKey(route, call);
    const body = key === undefined ? undefined : (bodies.get(key) ?? this.made(route, call, key));
    if (key === undefined || !body) return null;
    const encoding = encodingFor(request, body.bytes.length);
    if (!encoding) return { body, encoding };
    const encoded = bodies.get(encodedKey(key, encoding));
    return encoded ? { body: encoded, encoding } : null;
  }

  /** The answer of a route that has it in memory. Undefined: it must be read after all, or is an error. */
  private made(route: Route, call: AnyCall, key: string): KeptBody | undefined {
    if (!route.isInMemory) return undefined;
    try {
      const data = route.handle(call);
      if (!(data instanceof Promise)) {
        const body = keptBody(envelope(JSON.stringify(data)));
        this.services.bodies.set(key, body);
        return body;
      }
      // The route waits for it.
      data.catch(() => {});
    } catch {
      // The route answers with the same error.
    }
    return undefined;
  }

  /** The rule by which the call counts; null if the route would not answer it. */
  private ruleOf(route: Route, caller: Caller): PlanRule | null {
    const { services } = this;
    if (route.limit === 'public' || route.limit === 'back_office') return null;
    try {
      route.assertOpen?.(services);
      route.assertCacheable?.(services);
      authorize(route.access, caller, services.adminSessions);
      return planRule(caller, route.limit);
    } catch {
      // The route answers with the same error.
      return null;
    }
  }
}

/** Whether the answer depends on no header but the credential, the language, and the encoding. */
function isPlain({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && headers['if-none-match'] === undefined;
}
