/** What a route is: everything that serving, limiting, validating and describing it needs, in one place. */
import type { z } from 'zod';
import type { AuditAction, AuditTarget } from '../../db/back-office/audit-log.ts';
import type { ErrorCode, ErrorDetails } from '../../engine/errors.ts';
import type { Access, CallerFor } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { RateCategory } from '../limits/plans.ts';
import type { Services } from '../services.ts';
import type { Accepted, FileReply, JsonStream, JsonText, StoredFileReply } from './answer/reply.ts';
import type { BodyLimits } from './input/body.ts';
import type { RequestContext } from './request-context.ts';

/** A call of a route with its parsed input. */
export interface Call<P, Q, B, C extends Caller = Caller> {
  readonly path: P;
  readonly query: Q;
  readonly body: B;
  readonly context: RequestContext;
  readonly caller: C;
  readonly services: Services;
}

/** What a handler gives back: `data`, its text (made while it is sent), a file, or word that it will take time. */
export type Answer<D> = D | JsonText | JsonStream | FileReply | StoredFileReply | Accepted;

/** What an administrator's action is called in the audit log, and the path parameter that names its target. */
export interface AuditRule {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly parameter?: string;
}

/** First words of operation ids, each with one meaning over the whole interface. */
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
  'publish',
  'refresh',
  'release',
  'request',
  'reset',
  'resume',
  'retry',
  'run',
  'search',
  'share',
  'unpublish',
  'update',
  'verify',
] as const;

export interface RouteDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  D extends z.ZodType,
  A extends Access,
> {
  /** Unique name for generated clients; begins with one of `OPERATION_VERBS`. */
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path template: `/v1/quote/{symbol}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  /**
   * Rate category of the caller's plan; `public` routes stand behind a guard per address instead, those of the
   * back office behind one per account.
   */
  readonly limit: RateCategory | 'public' | 'back_office';
  /** Routes that need it answer through `audited`, which logs what was done; what fails or is refused is logged too. */
  readonly audit?: AuditRule;
  readonly pathSchema?: P;
  readonly querySchema?: Q;
  /** Further names of query parameters, each with the parameter that it is another name for. */
  readonly queryAliases?: Readonly<Record<string, string>>;
  readonly bodySchema?: B;
  /** A body that works on the sample market; shown in the interface description. */
  readonly bodyExample?: z.input<B>;
  /** Default: `COMMON_BODY`. */
  readonly bodyLimits?: BodyLimits;
  /** Input that cannot be read counts as empty: for a call that always succeeds. */
  readonly isForgiving?: boolean;
  /** Default 200. */
  readonly successStatus?: 200 | 201 | 202;
  /** Schema of `data` when the answer is 202: work was queued and goes on. */
  readonly acceptedSchema?: z.ZodType;
  /** Content types of the file that is answered instead of the envelope. */
  readonly fileTypes?: readonly string[];
  /** Whether a part of the file can be asked for by a Range header. */
  readonly isResumable?: boolean;
  /** Schema of `data` in the success envelope. */
  readonly dataSchema: D;
  /** Whether it may take rights from a credential: it answers when this process knows of that. */
  readonly revokesAccess?: boolean;
  /** Whether it only reads although it has a body; a GET does anyway. */
  readonly isRead?: boolean;
  /** Whether its statements may take longer than a call usually waits, as those of the back office may. */
  readonly isLong?: boolean;
  /** Error codes beyond those that every route can give. */
  readonly errors: readonly ErrorCode[];
  /** What the texts of its errors name, where that differs from other routes; for the interface description. */
  readonly errorDetails?: Partial<Record<ErrorCode, ErrorDetails>>;
  /** Throws when the route is closed in this installation, before anything is counted. */
  readonly assertOpen?: (services: Services) => void;
  /** Whether `Prefer: respond-async` makes the answer 202 at once. */
  readonly takesPrefer?: boolean;
  /**
   * Whether an account may send `Idempotency-Key`: every POST does that creates something, but for those whose answer
   * shows a secret, which is kept nowhere.
   */
  readonly takesIdempotencyKey?: boolean;
  /**
   * Whether callers may keep the answer, with an `ETag`: for some minutes (`for_minutes`, market data and texts that
   * change rarely), or only to ask whether it is still right (`revalidated`). Anything else is not to be stored.
   */
  readonly caching?: 'for_minutes' | 'revalidated';
  /**
   * Names what the answer depends on beyond language and data version, when equal calls may share one; checked by
   * `assertCacheable` each time.
   */
  readonly cacheKey?: (call: Call<z.output<P>, z.output<Q>, z.output<B>, CallerFor[A]>) => string;
  readonly assertCacheable?: (services: Services) => void;
  readonly handle: (
    call: Call<z.output<P>, z.output<Q>, z.output<B>, CallerFor[A]>,
  ) => Promise<Answer<z.input<D>>> | Answer<z.input<D>>;
}

// A list of routes holds every combination of types; each was checked where it was defined.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Route extends RouteDefinition<any, any, any, any, any> {
  readonly access: Access;
}

export function defineRoute<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  D extends z.ZodType = z.ZodType,
  const A extends Access = Access,
>(definition: RouteDefinition<P, Q, B, D, A>): Route {
  return definition;
}
