/** The definition of a route: everything that is needed to serve, limit, validate, and describe it. */
import type { z } from 'zod';
import type { Scope } from '../../db/accounts/api-keys.ts';
import type { AuditAction, AuditTarget } from '../../db/log/audit-log.ts';
import type { ErrorCode, ErrorDetails } from '../../engine/util/errors.ts';
import type { Access, Caller, CallerFor } from '../access/caller.ts';
import type { RateCategory } from '../access/plans.ts';
import type { RequestContext } from '../access/request-context.ts';
import type {
  Accepted,
  EventStream,
  FileReply,
  FileStream,
  JsonStream,
  JsonText,
  StoredFileReply,
} from '../http/answer/reply.ts';
import type { BodyLimits } from '../http/input/body.ts';

/** A call of a route: its parsed input, its caller, and the services that the handler needs. */
export interface Call<P, Q, B, S, C extends Caller = Caller> {
  readonly path: P;
  readonly query: Q;
  readonly body: B;
  readonly context: RequestContext;
  readonly caller: C;
  readonly services: S;
}

/** A call with untyped input. */
export type AnyCall<S> = Call<unknown, unknown, unknown, S>;

/** A handler returns `data`, its JSON text (or a stream of it), events, a file, or `Accepted`. */
export type Answer<D> = D | JsonText | JsonStream | EventStream | FileReply | FileStream | StoredFileReply | Accepted;

/** The name of an administrator's action in the audit log, and the path parameter with its target. */
export interface AuditRule {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly parameter?: string;
}

/** The first words of operation ids, each with one meaning in the whole API. */
export const OPERATION_VERBS = [
  'cancel',
  'create',
  'delete',
  'download',
  'export',
  'get',
  'list',
  'login',
  'logout',
  'pause',
  'preview',
  'publish',
  'refresh',
  'release',
  'request',
  'reset',
  'resume',
  'retry',
  'run',
  'seal',
  'search',
  'share',
  'stop',
  'unpublish',
  'update',
  'verify',
] as const;

/** The deprecation of a route. Every answer states it (RFC 9745, RFC 8594), as do the interface description and the clients. */
export interface Deprecation {
  /** The first day of the deprecation, YYYY-MM-DD (UTC). */
  readonly since: string;
  /** The first day on which it may be removed, YYYY-MM-DD (UTC). */
  readonly sunset: string;
  /** A page that says what to use instead. */
  readonly link: string;
}

export interface RouteDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  D extends z.ZodType,
  A extends Access,
  S,
> {
  /** A unique name for generated clients that begins with one of `OPERATION_VERBS`. */
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** A path template such as `/v1/quote/{symbol}`. */
  readonly path: string;
  /** Whether the last parameter of the path takes all segments that follow. */
  readonly hasDeepPath?: boolean;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: Deprecation;
  readonly access: A;
  /** The rate category of the caller's plan. `public` routes have a limit per address, the others one per account. */
  readonly limit: RateCategory | 'public' | 'back_office' | 'table_reads';
  /** Handlers of routes with a rule act through `audited`, which logs what was done. Refusals and failures are logged too. */
  readonly audit?: AuditRule;
  /** The scope that a key needs for it. Default: by the method and the category. */
  readonly scope?: Scope;
  readonly pathSchema?: P;
  readonly querySchema?: Q;
  /** Other names of query parameters: alias → parameter. */
  readonly queryAliases?: Readonly<Record<string, string>>;
  readonly bodySchema?: B;
  /** A body that works on the sample market, for the interface description. */
  readonly bodyExample?: z.input<B>;
  /** Default: `COMMON_BODY`. */
  readonly bodyLimits?: BodyLimits;
  /** Content types of a file that is sent in place of JSON. `bodySchema` is then `fileBody`: the handler reads the stream. */
  readonly bodyTypes?: readonly string[];
  /** Whether invalid input counts as empty, for a call that must always succeed. */
  readonly isForgiving?: boolean;
  /** Default 200. */
  readonly successStatus?: 200 | 201 | 202;
  /** The schema of `data` of the answer 202, when work was queued. */
  readonly acceptedSchema?: z.ZodType;
  /** Content types of the file that is sent instead of the envelope. */
  readonly fileTypes?: readonly string[];
  /** Content types of files that a caller may request instead of the envelope. */
  readonly alsoAnswers?: readonly string[];
  /** Whether the answer is a stream of events, which `Last-Event-ID` resumes. */
  readonly isStream?: boolean;
  /** Whether a Range header may request a part of the file. */
  readonly isResumable?: boolean;
  /** The schema of `data` in the success envelope. */
  readonly dataSchema: D;
  /** Whether the answer is `data` alone, as the protocol of others has it. */
  readonly isBare?: boolean;
  /** Whether it may revoke access. It then answers only when this process no longer caches the access that was revoked. */
  readonly revokesAccess?: boolean;
  /** Whether its statements may take as long as those of the back office. */
  readonly isLong?: boolean;
  /** Error codes besides those of every route. */
  readonly errors: readonly ErrorCode[];
  /** Details of its errors in the interface description, where they differ from other routes. */
  readonly errorDetails?: Partial<Record<ErrorCode, ErrorDetails>>;
  /** Throws when this installation does not offer the route. Runs before the call is counted. */
  readonly assertOpen?: (services: S) => void;
  /** Whether `Prefer: respond-async` makes the answer 202 at once. */
  readonly takesPrefer?: boolean;
  /**
   * Whether an account may send `Idempotency-Key`. True for every POST that creates something, except those whose answer
   * contains a secret, because answers are stored.
   */
  readonly takesIdempotencyKey?: boolean;
  /**
   * Whether callers may cache the answer, with an `ETag`: for some minutes (`for_minutes`: market data, and texts that
   * rarely change), or with revalidation each time (`revalidated`). Other answers must not be stored.
   */
  readonly caching?: 'for_minutes' | 'revalidated';
  /**
   * A key of everything that the answer depends on besides the language and the data version. Calls with equal keys share
   * an answer, after `assertCacheable`.
   */
  readonly cacheKey?: (call: Call<z.output<P>, z.output<Q>, z.output<B>, S, CallerFor[A]>) => string;
  readonly assertCacheable?: (services: S) => void;
  readonly handle: (
    call: Call<z.output<P>, z.output<Q>, z.output<B>, S, CallerFor[A]>,
  ) => Promise<Answer<z.input<D>>> | Answer<z.input<D>>;
}

/**
 * A route whose handler needs the services `S`. A list of routes has every combination of the other types; each was checked by
 * `defineRoute`.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Route<S = never> extends RouteDefinition<any, any, any, any, any, S> {
  readonly access: Access;
}

/** The function that defines routes whose handlers need the services `S`. */
export function routesWith<S>() {
  return function defineRoute<
    P extends z.ZodType = z.ZodUndefined,
    Q extends z.ZodType = z.ZodUndefined,
    B extends z.ZodType = z.ZodUndefined,
    D extends z.ZodType = z.ZodType,
    const A extends Access = Access,
  >(definition: RouteDefinition<P, Q, B, D, A, S>): Route<S> {
    return definition;
  };
}
