/**
 * The error type of the service. A code names the failure in domain terms; `api/` maps it to an HTTP status and to texts in
 * three languages.
 */
export const ERROR_CODES = [
  'account_inactive',
  'admin_login_required',
  'admin_required',
  'already_running',
  'api_keys_max',
  'article_exists',
  'article_incomplete',
  'article_untitled',
  'cover_refused',
  'backtest_cancelled',
  'body_not_json',
  'body_too_deep',
  'body_too_large',
  'body_too_many_values',
  'code_invalid',
  'column_deleted',
  'column_refused',
  'record_refused',
  'concurrent_backtests',
  'email_mismatch',
  'example_not_ready',
  'export_expired',
  'export_forbidden',
  'export_not_finished',
  'export_too_soon',
  'figures_overflow',
  'files_refused',
  'files_unavailable',
  'headers_too_large',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'internal',
  'intraday_not_provided',
  'invalid_adjust',
  'invalid_asset_type',
  'invalid_backtest_adjust',
  'invalid_credential',
  'invalid_date',
  'invalid_date_range',
  'invalid_execute_on',
  'invalid_format',
  'invalid_interval',
  'invalid_market',
  'invalid_period',
  'invalid_preset',
  'invalid_request',
  'invalid_screener_field',
  'invalid_screener_operator',
  'invalid_strategy',
  'invalid_symbol',
  'invalid_time_range',
  'job_is_over',
  'job_too_long',
  'last_admin',
  'load_not_kept',
  'login_failed',
  'login_required',
  'market_not_open',
  'method_not_allowed',
  'grant_required',
  'host_refused',
  'origin_refused',
  'name_taken',
  'no_bars_in_range',
  'no_data_on_day',
  'no_quote',
  'not_found',
  'plan_capability',
  'precondition_failed',
  'profile_required',
  'provider_not_configured',
  'quota_exceeded',
  'range_not_satisfiable',
  'rate_limited',
  'refresh_invalid',
  'request_timeout',
  'rotation_invalid',
  'rule_invalid',
  'scope_missing',
  'self_change',
  'server_busy',
  'session_not_distributable',
  'snapshot_unavailable',
  'sql_exceeded',
  'sql_invalid',
  'sql_not_allowed',
  'sql_unavailable',
  'storage_full',
  'sweep_expired',
  'sweep_failed',
  'sweep_not_finished',
  'symbol_not_found',
  'too_many_connections',
  'too_many_streams',
  'unknown_event',
  'too_many_hits',
  'too_many_symbols',
  'trial_budget_spent',
  'unavailable',
  'unsupported_media_type',
  'upstream_unavailable',
  'validation_failed',
  'venue_mode_refused',
  'walk_forward_range',
  'wrong_state',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const CODES: ReadonlySet<unknown> = new Set(ERROR_CODES);

export function isErrorCode(value: unknown): value is ErrorCode {
  return CODES.has(value);
}

/** Values for the placeholders of a localized message, such as `{symbol: 'AAPL.US'}`. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

/** The value that a look-up found. Null, undefined, and false (nothing was there to be deleted) are `not_found`. */
export function found<T>(value: T | null | undefined | false): T {
  if (value === null || value === undefined || value === false) throw new ServiceError('not_found');
  return value;
}

/** The `code` of an error of Node, of PostgreSQL (SQLSTATE), or of a library. */
export function codeOf(thrown: unknown): string | undefined {
  return stringProperty(thrown, 'code');
}

/** A property of an error that has it as text. */
export function stringProperty(thrown: unknown, name: string): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
}

/** The error itself; anything else that was thrown becomes the message of one. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
