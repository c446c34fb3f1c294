import { z } from '../http/input/fields.ts';

const quota = z.int().min(0);

/** The quotas of a plan. Null: unlimited. */
export const quotasSchema = z
  .object({
    api_keys_max: quota,
    backtest_history_max: quota.nullable(),
    batch_symbols_max: quota,
    market_files: quota.nullable(),
    sql_rows_max: quota,
    result_bytes_max: quota.meta({
      description: 'Bytes of the trades, bars, and curves in one answer; longer ones end with `truncated: true`',
    }),
    portfolio_symbols_max: quota,
    sweep_cells_max: quota,
    kline_max_days: quota.nullable(),
    concurrent_backtests: quota,
    job_seconds_max: quota.meta({
      description: 'Processor seconds of workers that one run, search, sweep, or query may cost',
    }),
    watches_max: quota,
  })
  .meta({ id: 'PlanQuotas' });
