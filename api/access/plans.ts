/** The table of plans. The limiter, `/api/plans`, and the interface description read it. */
import { USER_PLANS } from '../../db/accounts/users.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { FORWARD_MAX } from '../../jobs/contracts/forward.ts';
import { z } from '../http/input/fields.ts';

export const PLAN_CODES = ['guest', ...USER_PLANS] as const;
export type PlanCode = (typeof PLAN_CODES)[number];

export const RATE_CATEGORIES = [
  'quote',
  'kline',
  'intraday',
  'static',
  'symbols',
  'batch',
  'backtest',
  'optimize',
  'account',
] as const;
export type RateCategory = (typeof RATE_CATEGORIES)[number];

/** The sliding window of each category, in seconds. */
export const WINDOW_SECONDS: Readonly<Record<RateCategory, number>> = {
  quote: 60,
  kline: 60,
  intraday: 60,
  static: 60,
  symbols: 60,
  batch: 60,
  backtest: 60,
  optimize: 3600,
  account: 60,
};

const quota = z.int().min(0);

/** The quotas of a plan. Null: unlimited; 0: not included in the plan. */
export const quotasSchema = z
  .object({
    api_keys_max: quota,
    backtest_history_max: quota.nullable(),
    batch_symbols_max: quota,
    /** Files of the whole market. */
    market_files: quota.nullable(),
    /** Rows of the result of a SQL query. */
    sql_rows_max: quota,
    result_bytes_max: quota.meta({
      description:
        'Bytes of the trades, bars, and curves in one answer; longer ones are cut off, with `truncated: true`',
    }),
    /** Instruments of one portfolio. */
    portfolio_symbols_max: quota,
    /** Cells of one sweep. */
    sweep_cells_max: quota,
    factor_cells_max: quota.meta({ description: 'Factors × instruments × sessions of one study' }),
    rotation_members_max: quota.nullable().meta({
      description: 'Instruments that may ever be eligible in one rotation; null: any number',
    }),
    kline_max_days: quota.nullable(),
    concurrent_backtests: quota,
    job_seconds_max: quota.meta({
      description: 'CPU seconds of workers that one run, search, sweep, or query may use',
    }),
    watches_max: quota,
    /** Rows of all own columns. */
    column_rows_max: quota,
    columns_max: quota,
    judge_values_max: quota.meta({ description: 'Values of a record that is judged' }),
    forward_max: quota.meta({ description: 'Sealed runs that go on' }),
  })
  .meta({ id: 'PlanQuotas' });

type PlanQuotas = Readonly<z.infer<typeof quotasSchema>>;

export interface Plan {
  /** Calls per window. 0: the plan does not include the category. */
  readonly limits: Readonly<Record<RateCategory, number>>;
  readonly quotas: PlanQuotas;
}

const MEBIBYTE = 1024 * 1024;

function limits(market: number, rest: Omit<Record<RateCategory, number>, 'quote' | 'kline' | 'static' | 'symbols'>) {
  return { quote: market, kline: market, static: market, symbols: market, ...rest };
}

export const PLANS: Readonly<Record<PlanCode, Plan>> = {
  guest: {
    limits: limits(30, { intraday: 0, batch: 10, backtest: 5, optimize: 0, account: 0 }),
    quotas: {
      api_keys_max: 0,
      backtest_history_max: 0,
      batch_symbols_max: 25,
      kline_max_days: 730,
      market_files: 0,
      sql_rows_max: 0,
      result_bytes_max: 8 * MEBIBYTE,
      portfolio_symbols_max: 0,
      sweep_cells_max: 0,
      factor_cells_max: 0,
      rotation_members_max: 0,
      concurrent_backtests: 1,
      job_seconds_max: 5,
      watches_max: 0,
      column_rows_max: 0,
      columns_max: 0,
      judge_values_max: 0,
      forward_max: FORWARD_MAX.guest,
    },
  },
  free: {
    limits: limits(60, { intraday: 60, batch: 20, backtest: 20, optimize: 0, account: 120 }),
    quotas: {
      api_keys_max: 1,
      backtest_history_max: 20,
      batch_symbols_max: 50,
      kline_max_days: null,
      market_files: 0,
      sql_rows_max: 0,
      result_bytes_max: 16 * MEBIBYTE,
      portfolio_symbols_max: 20,
      sweep_cells_max: 0,
      factor_cells_max: 0,
      rotation_members_max: 500,
      concurrent_backtests: 2,
      job_seconds_max: 30,
      watches_max: 2,
      column_rows_max: 100_000,
      columns_max: 5,
      judge_values_max: 100_000,
      forward_max: FORWARD_MAX.free,
    },
  },
  pro: {
    limits: limits(300, { intraday: 300, batch: 100, backtest: 60, optimize: 10, account: 300 }),
    quotas: {
      api_keys_max: 5,
      backtest_history_max: null,
      batch_symbols_max: 100,
      kline_max_days: null,
      market_files: null,
      sql_rows_max: 100_000,
      result_bytes_max: 64 * MEBIBYTE,
      portfolio_symbols_max: 200,
      sweep_cells_max: 100_000,
      factor_cells_max: 500_000_000,
      rotation_members_max: null,
      concurrent_backtests: 5,
      job_seconds_max: 300,
      watches_max: 20,
      column_rows_max: 10_000_000,
      columns_max: 50,
      judge_values_max: 10_000_000,
      forward_max: FORWARD_MAX.pro,
    },
  },
  enterprise: {
    limits: limits(3000, { intraday: 3000, batch: 1000, backtest: 600, optimize: 200, account: 600 }),
    quotas: {
      api_keys_max: 50,
      backtest_history_max: null,
      batch_symbols_max: 500,
      kline_max_days: null,
      market_files: null,
      sql_rows_max: 100_000,
      result_bytes_max: 256 * MEBIBYTE,
      portfolio_symbols_max: 500,
      sweep_cells_max: 20_000_000,
      factor_cells_max: 10_000_000_000,
      rotation_members_max: null,
      concurrent_backtests: 20,
      job_seconds_max: 3_600,
      watches_max: 20,
      column_rows_max: 200_000_000,
      columns_max: 500,
      judge_values_max: 20_000_000,
      forward_max: FORWARD_MAX.enterprise,
    },
  },
};

/** The bounds that a plan sets to jobs. */
export function boundsOf(plan: PlanCode) {
  return { planRank: PLAN_CODES.indexOf(plan), secondsMax: PLANS[plan].quotas.job_seconds_max };
}

interface WithPlan {
  readonly plan: PlanCode;
}

/** Throws when a quota of the caller's plan is 0. */
export function assertPlanHas({ plan }: WithPlan, quota: keyof PlanQuotas): void {
  if (PLANS[plan].quotas[quota] === 0) throw new ServiceError('plan_capability', { plan, category: quota });
}

/** Throws when a request exceeds a quota of the caller's plan. */
export function assertWithin({ plan }: WithPlan, quota: keyof PlanQuotas, count: number): void {
  const max = PLANS[plan].quotas[quota];
  if (max !== null && count > max) throw new ServiceError('quota_exceeded', { plan, quota, max, count });
}
