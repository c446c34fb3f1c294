/** Errors at the edge: the only place that knows HTTP statuses. */
import type { z } from 'zod';
import { isAccountGone, isDatabaseAway, isUnstorableText } from '../../../db/errors.ts';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../../../engine/errors.ts';
import { isOutOfSpace } from '../../../jobs/job-context.ts';
import { ProviderError } from '../../../jobs/providers/provider.ts';
import { MAX_PROBLEMS, type Problem, problemsOf, problemText } from '../input/problems.ts';
import type { Locale } from '../language/locale.ts';
import { errorText } from '../language/texts.ts';

export const ERROR_STATUS = {
  account_inactive: 403,
  admin_login_required: 403,
  admin_required: 403,
  already_running: 409,
  api_keys_max: 403,
  article_exists: 409,
  article_incomplete: 400,
  article_untitled: 400,
  backtest_cancelled: 503,
  body_not_json: 400,
  body_too_deep: 413,
  body_too_large: 413,
  body_too_many_values: 413,
  code_invalid: 400,
  concurrent_backtests: 429,
  database_unavailable: 503,
  email_mismatch: 400,
  export_expired: 410,
  export_forbidden: 403,
  export_not_finished: 409,
  headers_too_large: 431,
  idempotency_in_progress: 409,
  idempotency_mismatch: 409,
  internal: 500,
  intraday_not_provided: 403,
  invalid_adjust: 400,
  invalid_asset_type: 400,
  invalid_backtest_adjust: 400,
  invalid_credential: 401,
  invalid_date: 400,
  invalid_date_range: 400,
  invalid_execute_on: 400,
  invalid_format: 400,
  invalid_interval: 400,
  invalid_market: 400,
  invalid_period: 400,
  invalid_preset: 400,
  invalid_request: 400,
  invalid_screener_field: 400,
  invalid_screener_operator: 400,
  invalid_strategy: 400,
  invalid_symbol: 400,
  invalid_time_range: 400,
  job_is_over: 409,
  last_admin: 400,
  login_failed: 401,
  login_required: 403,
  market_not_open: 400,
  method_not_allowed: 405,
  no_bars_in_range: 400,
  no_quote: 404,
  not_found: 404,
  plan_capability: 403,
  profile_required: 400,
  range_not_satisfiable: 416,
  rate_limited: 429,
  refresh_invalid: 401,
  request_timeout: 408,
  self_change: 400,
  server_busy: 503,
  session_not_distributable: 400,
  snapshot_unavailable: 503,
  storage_full: 507,
  symbol_not_found: 404,
  too_many_connections: 429,
  too_many_symbols: 400,
  unsupported_media_type: 415,
  upstream_unavailable: 502,
  validation_failed: 422,
  venue_mode_refused: 400,
  walk_forward_range: 400,
  wrong_state: 409,
} as const satisfies Record<ErrorCode, number>;

/** One fault of a request; its text is written when it is answered, in the language of the caller. */
export interface ValidationProblem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly problem: Problem;
}

/** An error that names the fields of the request that it comes from. */
export class RequestFailure extends ServiceError {
  readonly problems: readonly ValidationProblem[];

  constructor(code: ErrorCode, problems: readonly ValidationProblem[], details: ErrorDetails = {}) {
    super(code, details);
    this.problems = problems.slice(0, MAX_PROBLEMS);
  }
}

/** A request that does not match its declared schema. */
export class ValidationFailure extends RequestFailure {
  constructor(problems: readonly ValidationProblem[]) {
    super('validation_failed', problems);
  }
}

/**
 * The error of a failed parse. A field that only its market meaning refuses (`period=hour`) carries its own code and is
 * told as such; anything that breaks the declared schema is told first.
 */
export function parseFailure(
  error: z.ZodError,
  part: 'path' | 'query' | 'body',
  schema: z.ZodType,
  alsoKnown: readonly string[] = [],
): ServiceError {
  const schemaIssues = error.issues.filter((issue) => !domainCodeOf(issue));
  if (schemaIssues.length === 0) {
    const [issue] = error.issues;
    const { code, details } = domainCodeOf(issue) as { code: ErrorCode; details: ErrorDetails };
    return new ServiceError(code, details);
  }
  return new ValidationFailure(
    schemaIssues.slice(0, MAX_PROBLEMS).flatMap((issue) =>
      problemsOf(issue, schema, alsoKnown).map(({ path, type, problem }) => ({
        loc: [part, ...path],
        type,
        problem,
      })),
    ),
  );
}

function domainCodeOf(issue: z.core.$ZodIssue): { code: ErrorCode; details: ErrorDetails } | null {
  if (issue.code !== 'custom' || !issue.params?.errorCode) return null;
  return { code: issue.params.errorCode as ErrorCode, details: (issue.params.details ?? {}) as ErrorDetails };
}

/** What Express and its body parser throw, by their own type names. */
const HTTP_ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'body_not_json',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
  'request.aborted': 'invalid_request',
  'request.size.invalid': 'invalid_request',
};

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDatabaseAway(error)) return new ServiceError('database_unavailable', {}, { cause: error });
  if (isAccountGone(error)) return new ServiceError('invalid_credential', {}, { cause: error });
  if (isOutOfSpace(error)) return new ServiceError('storage_full', {}, { cause: error });
  if (isUnstorableText(error)) return new ServiceError('invalid_request', {}, { cause: error });
  if (error instanceof ProviderError) return new ServiceError('upstream_unavailable', {}, { cause: error });
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.too.large') return new ServiceError('body_too_large', { max: `${Number(limit) / 1024} KiB` });
  if (type && HTTP_ERROR_CODES[type]) return new ServiceError(HTTP_ERROR_CODES[type]);
  if (status !== undefined && status >= 400 && status < 500) return new ServiceError('invalid_request');
  return new ServiceError('internal', {}, { cause: error });
}

/** The failure envelope. */
export function errorBody(error: ServiceError, locale: Locale): Record<string, unknown> {
  const detail = error instanceof RequestFailure ? detailOf(error, locale) : undefined;
  const details = detail ? { where: detail[0].loc.join('.'), problem: detail[0].msg, ...error.details } : error.details;
  return {
    code: ERROR_STATUS[error.code],
    message: errorText(error.code, locale, details),
    data: null,
    key: `error.${error.code}`,
    ...(ERROR_STATUS[error.code] === 429 ? { retry_after: error.details.seconds } : {}),
    ...(detail ? { detail } : {}),
  };
}

function detailOf({ problems }: RequestFailure, locale: Locale) {
  return problems.map(({ loc, type, problem }) => ({ loc, msg: problemText(problem, locale), type }));
}
