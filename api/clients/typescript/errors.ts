/** The errors with which a call can fail. */
import type { ErrorKey } from './operations.ts';

/** A problem of one field of a request. */
export interface FieldProblem {
  /** Where it is, such as `['query', 'days']`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** For rules: the words that are allowed at this position. */
  readonly expected?: readonly string[];
}

/** A failure as the service reports it. */
export interface Failure {
  readonly status: number;
  readonly key: ErrorKey | null;
  readonly message: string;
  /** The value of `X-Request-Id`, for the operators of the service. */
  readonly requestId: string | null;
  readonly detail: readonly FieldProblem[];
  /** Seconds to wait before the next try; null if the service does not say. */
  readonly retryAfter: number | null;
}

/** Every error of the client. */
export class MarketError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The service refused the call, or failed. Subclasses are the kinds that callers distinguish. */
export class ApiError extends MarketError {
  readonly status: number;
  readonly key: ErrorKey | null;
  readonly requestId: string | null;
  readonly detail: readonly FieldProblem[];
  readonly retryAfter: number | null;

  constructor({ status, key, message, requestId, detail, retryAfter }: Failure) {
    super(message);
    this.status = status;
    this.key = key;
    this.requestId = requestId;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** The request is malformed: `detail` names the fields. */
export class InvalidRequest extends ApiError {}
/** A rule of a strategy is invalid: `detail` has the position and what is expected there. */
export class InvalidRule extends InvalidRequest {}
/** The credential is missing or not valid. */
export class LoginRequired extends ApiError {}
/** The caller is not allowed to do this. */
export class Forbidden extends ApiError {}
/** The plan of the account does not include this, or not as much of it. */
export class PlanExceeded extends Forbidden {}
export class NotFound extends ApiError {}
/** No instrument has this symbol. */
export class SymbolNotFound extends NotFound {}
/** The range has no bars of the instrument. */
export class NoBars extends ApiError {}
/** The state of the resource does not allow the call. */
export class Conflict extends ApiError {}
/** It no longer exists. */
export class Gone extends ApiError {}
/** A limit is reached; `retryAfter` says how long to wait. */
export class RateLimited extends ApiError {}
/** The service, its database, or its data is not available now. */
export class Unavailable extends ApiError {}

/** An option of the client or of a call is wrong, so nothing was sent. */
export class InvalidOption extends MarketError {}
/** There was no answer: the connection could not be made, or broke. The service may have received the call. */
export class ConnectionLost extends MarketError {}
/** The time for the call, or for the job, is over. */
export class TimedOut extends MarketError {}
/** The job ended without a result. */
export class JobFailed extends MarketError {
  readonly jobId: string;
  readonly key: string | null;

  constructor(jobId: string, { message, key }: { readonly message: string; readonly key: string | null }) {
    super(message);
    this.jobId = jobId;
    this.key = key;
  }
}
/** A downloaded file is not the file that the service stored. */
export class ChecksumMismatch extends MarketError {}

type ErrorClass = new (failure: Failure) => ApiError;

const BY_KEY: Readonly<Partial<Record<ErrorKey, ErrorClass>>> = {
  'error.symbol_not_found': SymbolNotFound,
  'error.no_bars_in_range': NoBars,
  'error.rule_invalid': InvalidRule,
  'error.plan_capability': PlanExceeded,
  'error.quota_exceeded': PlanExceeded,
  'error.too_many_symbols': PlanExceeded,
  'error.api_keys_max': PlanExceeded,
  // A credential could help, as with 401.
  'error.login_required': LoginRequired,
};

const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: InvalidRequest,
  401: LoginRequired,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Gone,
  413: InvalidRequest,
  415: InvalidRequest,
  422: InvalidRequest,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

export function apiError(failure: Failure): ApiError {
  const ofKey = failure.key === null ? undefined : BY_KEY[failure.key];
  return new (ofKey ?? BY_STATUS[failure.status] ?? ApiError)(failure);
}
