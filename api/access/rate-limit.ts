/** The rate limiter. Each caller has a counter per category, which all API processes share. */
import type { Request } from 'express';
import type { Logger } from 'pino';
import { clearWindow, returnToWindows, type StoredWindow, selectWindows } from '../../db/accounts/rate-limits.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { ERRORS } from '../http/errors/catalogue.ts';
import { type Caller, callerAddress } from './caller.ts';
import { newestUsedBucket, type RateLimitResult, type Rule, windowState } from './decide.ts';
import type { LimiterClock } from './limiter-clock.ts';
import { PLANS, type PlanCode, RATE_CATEGORIES, type RateCategory, WINDOW_SECONDS } from './plans.ts';
import type { RequestContext } from './request-context.ts';
import { WindowStore } from './store.ts';

/** Guards against abuse, outside the plans. */
const GUARDS = {
  /** Requests for login codes: per IP and e-mail address together, per IP address, and per e-mail address. */
  code_pause: { limit: 1, windowSeconds: 60 },
  code_hour: { limit: 5, windowSeconds: 3600 },
  code_address: { limit: 20, windowSeconds: 3600 },
  code_account: { limit: 10, windowSeconds: 3600 },
  /** Attempts to enter a login code: the first of its requester, attempts from other IP addresses, and all others per e-mail address. */
  code_first: { limit: 1, windowSeconds: 3600 },
  code_elsewhere: { limit: 5, windowSeconds: 3600 },
  code_tries: { limit: 15, windowSeconds: 3600 },
  password: { limit: 5, windowSeconds: 900 },
  password_address: { limit: 20, windowSeconds: 900 },
  refusals: { limit: 120, windowSeconds: 60 },
  refused_actions: { limit: 10, windowSeconds: 60 },
  /** Clients that register, and authorizations of clients whose document may have to be fetched, per IP address. */
  oauth_clients: { limit: 30, windowSeconds: 3600 },
  /** Calls for tokens per IP address. */
  oauth_tokens: { limit: 120, windowSeconds: 60 },
} as const;
export type GuardName = keyof typeof GUARDS;

/** A guarded counter: `subject` is an IP address, the hash of a name, or an account. */
export interface Guarded {
  readonly guard: GuardName;
  readonly subject: string;
}

const guardKey = ({ guard, subject }: Guarded) => `${subject}:${guard}`;

export interface LimitRule extends Rule {
  /** Name of the counter. */
  readonly category: RateCategory | 'public' | 'back_office' | 'table_reads';
}

/** Calls of one account to the back office: far more than a person makes. */
export const BACK_OFFICE_RULE: LimitRule = { category: 'back_office', limit: 600, windowSeconds: 60 };

/** Reads of the files of tables by one account. An engine reads a file in many parts, so they do not count as calls of the plan. */
export const TABLE_READS_RULE: LimitRule = { category: 'table_reads', limit: 20_000, windowSeconds: 60 };

/** The rule of a category of a plan. */
export type PlanRule = LimitRule & { readonly category: RateCategory };

/** The rule for a category of the caller's plan; throws when the plan does not include it. */
export function planRule({ plan }: Caller, category: RateCategory): PlanRule {
  const limit = PLANS[plan].limits[category];
  if (limit === 0) throw new ServiceError('plan_capability', { plan, category });
  return { category, limit, windowSeconds: WINDOW_SECONDS[category] };
}

/** The calls that are left in a category. */
export interface CategoryState {
  readonly limit: number;
  readonly window_seconds: number;
  readonly remaining: number;
  /** Unix seconds at which the full limit is available again. */
  readonly reset: number;
}

export class Limiter {
  private readonly db: Queryable;
  private readonly clock: LimiterClock;
  private readonly wallNow: () => number;
  private readonly factor: number;
  private readonly store: WindowStore;

  /** @param factor multiplies every limit */
  constructor(db: Queryable, clock: LimiterClock, wallNow: () => number, factor = 1) {
    this.db = db;
    this.clock = clock;
    this.wallNow = wallNow;
    this.factor = factor;
    this.store = new WindowStore(db, clock);
  }

  /** Counts a call of the caller, sets the headers, and throws when the limit is reached. Returns what is left. */
  async enforce(
    { counter }: Pick<Caller, 'counter'>,
    rule: LimitRule,
    context: Pick<RequestContext, 'headers' | 'counted'>,
  ): Promise<{ readonly limit: number; readonly remaining: number }> {
    const key = `${counter}:${rule.category}`;
    const { limit, windowSeconds } = this.scaled(rule);
    const result = await this.store.take(key, { limit, windowSeconds });
    this.setHeaders(context.headers, limit, result);
    if (!result.isAllowed) refuse(result, rule.category);
    context.counted = { key, limit, windowSeconds, bucket: result.bucket };
    return { limit, remaining: result.remaining };
  }

  /** Takes back the count of a call that was refused for another reason, and sets the headers accordingly. */
  async refund(context: RequestContext): Promise<void> {
    const { counted, headers } = context;
    if (!counted) return;
    context.counted = null;
    context.category = null;
    const { key, bucket } = counted;
    const windows = await returnToWindows(this.db, [{ key, bucket, units: 1 }]);
    this.setHeaders(headers, counted.limit, this.stateOf(counted, windows.get(key)));
  }

  /** Counts an attempt against each guard in order. Throws at the first one that is used up, and sets its headers. */
  async pass(guarded: readonly Guarded[], { headers }: Pick<RequestContext, 'headers'>): Promise<void> {
    for (const one of guarded) {
      const result = await this.takeGuarded(one);
      if (result.isAllowed) continue;
      this.setHeaders(headers, this.scaled(GUARDS[one.guard]).limit, result);
      refuse(result);
    }
  }

  /** Counts an attempt. False when the guard is used up. */
  async isWithin(guarded: Guarded): Promise<boolean> {
    return (await this.takeGuarded(guarded)).isAllowed;
  }

  /** Takes back the count of an attempt that succeeded. Attempts are interchangeable, so it takes the newest. */
  async giveBack(guarded: Guarded): Promise<void> {
    const key = guardKey(guarded);
    const window = (await selectWindows(this.db, [key])).get(key);
    const bucket = window && newestUsedBucket(window);
    if (bucket !== undefined) await returnToWindows(this.db, [{ key, bucket, units: 1 }]);
  }

  /** Resets the counter of attempts. */
  async clear(guarded: Guarded): Promise<void> {
    await clearWindow(this.db, guardKey(guarded));
  }

  /** The calls that the caller has left in each category, without counting one. */
  async peek({ counter, plan }: Caller): Promise<Record<RateCategory, CategoryState>> {
    const keyOf = (category: RateCategory) => `${counter}:${category}`;
    const windows = await selectWindows(this.db, RATE_CATEGORIES.map(keyOf));
    return fromKeys(RATE_CATEGORIES, (category): CategoryState => {
      const rule = this.ruleOf(plan, category);
      const { remaining, resetAfter } = this.stateOf(rule, windows.get(keyOf(category)));
      const { limit, windowSeconds } = rule;
      return { limit, window_seconds: windowSeconds, remaining, reset: this.unixSeconds(resetAfter) };
    });
  }

  /** The calls that a plan has in a category here. */
  ruleOf(plan: PlanCode, category: RateCategory): Rule {
    return this.scaled({ limit: PLANS[plan].limits[category], windowSeconds: WINDOW_SECONDS[category] });
  }

  private scaled({ limit, windowSeconds }: Rule): Rule {
    return { limit: limit * this.factor, windowSeconds };
  }

  private stateOf(rule: Rule, window: StoredWindow | undefined) {
    return windowState({ now: this.clock.now(), rule, window });
  }

  private setHeaders(
    headers: RequestContext['headers'],
    limit: number,
    { remaining, resetAfter }: Pick<RateLimitResult, 'remaining' | 'resetAfter'>,
  ): void {
    headers['X-RateLimit-Limit'] = limit;
    headers['X-RateLimit-Remaining'] = remaining;
    headers['X-RateLimit-Reset'] = this.unixSeconds(resetAfter);
  }

  private takeGuarded(one: Guarded): Promise<RateLimitResult> {
    return this.store.take(guardKey(one), this.scaled(GUARDS[one.guard]));
  }

  private unixSeconds(fromNow: number): number {
    return Math.ceil(this.wallNow() / 1000 + fromNow);
  }

  /** Whether this process counts its calls on its own, because the database is unavailable. */
  get isLocal(): boolean {
    return this.clock.isUnreachable;
  }
}

function refuse({ retryAfter }: RateLimitResult, because = ''): never {
  throw new ServiceError('rate_limited', { seconds: retryAfter, because });
}

/** Whether the call had no valid credential or no route. A route's own "not found" does not count. */
function isRefusal({ code }: ServiceError, { route }: RequestContext): boolean {
  return ERRORS[code].status === 401 || (code === 'not_found' && route === 'unknown');
}

/**
 * Lets a number of refusals per minute and address through, and answers further ones with 429. Refusals are only counted by
 * day, without access records, so that nobody can fill the database with calls that no plan limits.
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
