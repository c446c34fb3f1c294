/** Failures in the interface description, with the keys and texts of each route. */
import { ruleProblem } from '../../engine/rules/problems.ts';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../../engine/util/errors.ts';
import { PLAN_CODES, PLANS } from '../access/plans.ts';
import { adjustMode, strategyName, timeRangeName } from '../backtests/request.ts';
import { inputReader } from '../call/read-input.ts';
import type { Route } from '../call/route.ts';
import { ERRORS } from '../http/errors/catalogue.ts';
import { type ErrorBody, errorBody } from '../http/errors/error-body.ts';
import { COMMON_BODY, MAX_BODY_DEPTH } from '../http/input/body.ts';
import type { z } from '../http/input/fields.ts';
import { refusalOf } from '../http/input/request-failure.ts';
import { ruleFailure, type WrongRule } from '../rules/failures.ts';
import { comparisonName, fieldName, presetName } from '../screener/request.ts';

/** Errors of every route. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_credential',
  'rate_limited',
  'internal',
  'unavailable',
];

const BODY_ERRORS: readonly ErrorCode[] = [
  'body_not_json',
  'body_too_deep',
  'body_too_large',
  'body_too_many_values',
  'unsupported_media_type',
];

const EXAMPLE_SYMBOL = 'ZZZZ.US';

const WRONG_RULE: WrongRule = {
  loc: ['body', 'rules', 'entry'],
  text: 'close > smaa(20)',
  problem: ruleProblem('rule_unknown_name', { from: 8, to: 12 }, { name: 'smaa' }),
};

/** The details with which a field refuses an unknown word. */
function detailsOfRefusal(field: z.ZodType, value: string): ErrorDetails {
  const [issue] = field.safeParse(value).error?.issues ?? [];
  const refusal = issue && refusalOf(issue);
  if (!refusal) throw new Error(`"${value}" is not refused as a word`);
  return refusal.details;
}

/** Example details of errors. Those that depend on the route are in `detailsOfRoute`. */
const DETAILS: Partial<Record<ErrorCode, ErrorDetails>> = {
  api_keys_max: { plan: 'free', max: PLANS.free.quotas.api_keys_max },
  article_exists: { slug: 'what-is-a-trailing-stop' },
  article_incomplete: { missing: 'zh-CN.body_md' },
  body_too_deep: { max: MAX_BODY_DEPTH },
  body_too_large: { max: `${COMMON_BODY.maxBytes / 1024} KiB` },
  body_too_many_values: { max: COMMON_BODY.maxValues },
  concurrent_backtests: { plan: 'guest', max: PLANS.guest.quotas.concurrent_backtests, seconds: 1 },
  export_not_finished: { status: 'running' },
  export_too_soon: { after: '2026-06-03T17:00:00.000Z' },
  files_refused: { reason: 'market.json is not JSON' },
  invalid_adjust: { value: 'forward' },
  invalid_asset_type: { value: 'bond', allowed: 'etf, preferred, stock, unit, warrant' },
  invalid_backtest_adjust: detailsOfRefusal(adjustMode, 'forward'),
  invalid_date: { value: '2026-02-30', expected: 'YYYY-MM-DD' },
  invalid_date_range: { start: '2026-05-29', end: '2026-05-01' },
  invalid_execute_on: { value: 'open' },
  invalid_format: { value: 'xlsx' },
  invalid_interval: { value: '2m' },
  invalid_market: { value: 'UK' },
  invalid_period: { value: 'hour' },
  invalid_preset: detailsOfRefusal(presetName, 'winners'),
  invalid_screener_field: detailsOfRefusal(fieldName, 'price'),
  invalid_screener_operator: detailsOfRefusal(comparisonName, 'above'),
  invalid_strategy: detailsOfRefusal(strategyName, 'moving_average'),
  invalid_symbol: { symbol: '?' },
  invalid_time_range: detailsOfRefusal(timeRangeName, '2W'),
  cover_refused: { bytes: 1_048_576, pixels: 4_096 },
  load_not_kept: {
    value: 'adjustments=3,bars=7,provider=1,symbols=2',
    first: '2026-03-02T05:00:04.120Z',
    last: '2026-06-01T05:00:03.871Z',
  },
  market_not_open: { market: 'HK' },
  no_bars_in_range: { symbol: EXAMPLE_SYMBOL },
  column_refused: { problem: 'value is missing among the columns symbol, date (form: rows)' },
  record_refused: { problem: 'date is missing among the columns day_of, fund' },
  sql_exceeded: { limit: '30 s' },
  sql_invalid: { problem: 'Parser Error: syntax error at end of input' },
  sql_not_allowed: { value: 'read_csv()' },
  no_data_on_day: { date: '2026-05-30', nearest: '2026-05-29' },
  no_quote: { symbol: EXAMPLE_SYMBOL },
  provider_not_configured: { provider: 'databento', allowed: 'massive' },
  name_taken: { name: 'Breakout on volume' },
  quota_exceeded: { plan: 'free', quota: 'watches_max', max: 2, count: 3 },
  precondition_failed: { etag: `"${'0a1b2c3d'.repeat(8)}"` },
  range_not_satisfiable: { size: 48_213 },
  rate_limited: { seconds: 12 },
  scope_missing: { scope: 'research' },
  trial_budget_spent: { lacking: 6 },
  session_not_distributable: { date: '2026-06-03', latest: '2026-06-02' },
  sweep_not_finished: { status: 'running' },
  symbol_not_found: { symbol: EXAMPLE_SYMBOL },
  too_many_streams: { max: 32, seconds: 5 },
  unknown_event: { id: '57' },
  too_many_symbols: { count: 40, plan: 'guest', max: PLANS.guest.quotas.batch_symbols_max },
  venue_mode_refused: { value: 'single_venue' },
  walk_forward_range: { needed: 315, bars: 251 },
  wrong_state: { needed: 'failed', status: 'running' },
};

/** A plan that may call a route but does not include its category; null if every plan includes it. */
function planWithout({ access, limit }: Route): ErrorDetails | null {
  if (limit === 'public' || limit === 'back_office' || limit === 'table_reads') return null;
  const plan = PLAN_CODES.find((code) => (access === 'anyone' || code !== 'guest') && PLANS[code].limits[limit] === 0);
  return plan === undefined ? null : { plan, category: limit };
}

/** The error codes of a route, sorted. */
function errorsOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [...COMMON_ERRORS, ...route.errors];
  if (!route.isForgiving) codes.push('validation_failed');
  if (route.access !== 'anyone') codes.push('login_required');
  if (route.access === 'member' || (route.access === 'anyone' && route.limit !== 'public')) codes.push('scope_missing');
  if (route.access === 'admin') codes.push('admin_required', 'admin_login_required');
  if (planWithout(route)) codes.push('plan_capability');
  if (route.isResumable) codes.push('precondition_failed', 'range_not_satisfiable');
  if (route.takesIdempotencyKey) codes.push('idempotency_in_progress', 'idempotency_mismatch');
  if (route.bodySchema && !route.isForgiving && !route.bodyTypes) codes.push(...BODY_ERRORS);
  return [...new Set(codes)].sort();
}

/** The error of a misspelled query parameter, as an example that every route with checked input can answer. */
function schemaViolation(route: Route): ServiceError {
  try {
    inputReader({ ...route, pathSchema: undefined })({ url: '/?lnag=en', query: { lnag: 'en' } });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_failed') return error;
    throw error;
  }
  throw new Error(`${route.operationId} accepts an unknown parameter`);
}

/** Details of errors that differ from those of other routes. */
function detailsOfRoute(route: Route): Partial<Record<ErrorCode, ErrorDetails>> {
  const { bodyLimits } = route;
  const without = planWithout(route);
  return {
    ...(bodyLimits && {
      body_too_large: { max: `${bodyLimits.maxBytes / 1024} KiB` },
      body_too_many_values: { max: bodyLimits.maxValues },
    }),
    ...(without && { plan_capability: without }),
    ...route.errorDetails,
  };
}

/** Whether the text of the failure is specific to the route. */
export function hasDetailsOfRoute(route: Route, code: ErrorCode): boolean {
  return code === 'validation_failed' || code in detailsOfRoute(route);
}

/** The English body of a failure of the route. */
export function failureExample(route: Route, code: ErrorCode): ErrorBody {
  if (code === 'validation_failed') return errorBody(schemaViolation(route), 'en');
  if (code === 'rule_invalid') return errorBody(ruleFailure([WRONG_RULE]), 'en');
  return errorBody(new ServiceError(code, detailsOfRoute(route)[code] ?? DETAILS[code]), 'en');
}

/** The error codes of a route by HTTP status. */
export function errorsByStatus(route: Route): Map<number, ErrorCode[]> {
  return Map.groupBy(errorsOf(route), (code) => ERRORS[code].status);
}
