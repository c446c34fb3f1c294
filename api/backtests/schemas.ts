/** Responses of backtests. */

import { RUN_STATUSES } from '../../db/runs/runs.ts';
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { RANGE_REASONS, TIME_RANGES } from '../../engine/market/time-range.ts';
import { NOTE_CODES } from '../../jobs/backtest/notes.ts';
import { skippedSymbolsSchema } from '../../jobs/contracts/portfolio.ts';
import { instant, z } from '../http/input/fields.ts';
import { missingSessionsSchema } from '../market/schemas.ts';
import { rulesTextsField, savedStrategySchema } from '../rules/fields.ts';
import {
  lastVerdictSchema,
  lookAheadSchema,
  receiptSchema,
  selectionSchema,
  statisticsSchema,
} from './evidence-schemas.ts';

const day = z.iso.date();
export const figure = z.number().nullable().meta({ description: 'Null when it is not defined' });

export const tradeSchema = z
  .object({
    seq: z.int().min(1),
    entry_date: day,
    entry_price: z.number(),
    exit_date: day,
    exit_price: z.number(),
    shares: z.number(),
    pnl: z.number(),
    pnl_pct: z.number(),
    bars_held: z.int(),
    commission: z.number(),
    mae_pct: z.number().max(0),
    mfe_pct: z.number().min(0),
    entry_reason: z.literal('signal'),
    exit_reason: z.enum(EXIT_REASONS),
  })
  .meta({ id: 'BacktestTrade', description: 'Prices are fill prices, slippage included, adjusted as the run is' });

const barSchema = z.object({
  ts: day,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
export const equitySchema = z.object({ ts: day, equity: z.number(), drawdown_pct: z.number(), buy_hold: z.number() });

export const dataRangeSchema = z
  .object({
    actual_start: day,
    actual_end: day,
    bars: z.int(),
    truncated: z.boolean().meta({ description: 'Whether the bars begin or end within the requested range' }),
    reason_codes: z
      .array(z.enum(RANGE_REASONS))
      .optional()
      .meta({ description: 'Why it is truncated. `not_loaded`: sessions at one end of the range are missing' }),
    hints: z.array(z.string()).optional().meta({ description: 'One localized text per reason' }),
    missing_sessions: missingSessionsSchema.optional(),
    missing_bars: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Loaded sessions between the first and the last bar in which the instrument has no bar. Absent, like ' +
          '`missing_sessions`, in results of older versions',
      }),
  })
  .meta({ id: 'BacktestDataRange' });

export const noteSchema = z
  .object({ code: z.enum(NOTE_CODES), level: z.enum(['info', 'warning']), message: z.string() })
  .meta({
    id: 'BacktestNote',
    description:
      '`incomplete_history`: sessions in the range are not loaded, and the result omits them. `missing_bars`: the ' +
      'instrument has no bar in more than 2 % of the loaded sessions',
  });

export const parameterSchema = z.union([z.number(), z.string(), z.boolean()]);
export const paramsSchema = z.record(z.string(), parameterSchema).meta({ id: 'StrategyParams' });

const identification = {
  symbol: z.string(),
  time_range: z.string().meta({ description: '`CUSTOM` when `start` was given' }),
  strategy: z.string(),
  engine_version: z.string(),
};
export const listedFigures = {
  start_date: day,
  end_date: day,
  num_trades: z.int(),
  win_rate: figure,
  total_pnl_pct: z.number(),
  annualized_pct: figure,
  max_drawdown_pct: z.number(),
  sharpe: figure,
  profit_factor: figure,
  buy_hold_pnl_pct: z.number(),
  excess_return_pct: z.number(),
};

export const otherFigures = {
  max_drawdown_days: z.int(),
  sortino: figure,
  calmar: figure,
  exposure_pct: z.number(),
  avg_trade_pct: figure,
  best_trade_pct: figure,
  worst_trade_pct: figure,
  avg_bars_held: figure,
  final_equity: z.number(),
};

export const runCostSchema = z
  .object({
    commission_rate: z.number(),
    min_commission: z.number(),
    slippage_bps: z.number(),
    initial_capital: z.number(),
    execute_on: z.string(),
  })
  .meta({ id: 'RunCost' });

export const truncatedField = z
  .literal(true)
  .optional()
  .meta({
    description:
      'The long arrays end early, each after a whole row, because they have more bytes than `result_bytes_max` of the plan. ' +
      'The header `X-Truncated: true` and the note `cut_by_plan` say so too; a kept result is exported whole as CSV.',
  });

export const resultSchema = z
  .object({
    id: z.int().nullable().meta({ description: 'Null when the result is not kept' }),
    created_at: instant,
    ...identification,
    rules: rulesTextsField.optional().meta({ description: 'Of the strategy `rules`' }),
    saved: savedStrategySchema.optional(),
    venue_mode: z.string(),
    adjust: z.string(),
    ...listedFigures,
    ...otherFigures,
    params: paramsSchema,
    cost: runCostSchema,
    data_range: dataRangeSchema,
    data_freshness: z.object({ distribution_mode: z.string(), as_of: day.nullable(), delayed: z.boolean() }),
    notes: z.array(noteSchema),
    statistics: statisticsSchema.optional(),
    selection: selectionSchema.optional(),
    receipt: receiptSchema.optional().meta({ description: 'Absent in results kept before there were receipts' }),
    verification: lastVerdictSchema.optional(),
    look_ahead: lookAheadSchema.optional(),
    disclaimer: z.string(),
    cached: z.boolean().meta({ description: 'Whether an earlier run computed the figures over the same data' }),
    trades: z.array(tradeSchema).optional(),
    klines: z.array(barSchema).optional(),
    equity: z.array(equitySchema).optional(),
    truncated: truncatedField,
  })
  .meta({ id: 'BacktestResult' });

/** Symbols that `skip_unknown` left out. */
export const skippedField = skippedSymbolsSchema.optional().meta({
  description:
    'Symbols that were not found and left out by `skip_unknown`, the first 100 of them; absent where there are none',
});

export const runErrorSchema = z
  .object({ code: z.int(), key: z.string(), message: z.string() })
  .meta({ id: 'RunError' });

export const noticeField = z.string().nullable().meta({
  description: 'What holds the job up, such as that its queue is paused; null: nothing',
});

export const jobSchema = z
  .object({
    job_id: z.uuid(),
    status: z.enum(RUN_STATUSES),
    location: z.string(),
    notice: noticeField,
  })
  .meta({ id: 'BacktestJob' });

/** The fields that the state of every kind of run has. */
export const runStateFields = {
  job_id: z.uuid(),
  status: z.enum(RUN_STATUSES),
  error: z.union([runErrorSchema, z.null()]),
  worker_seconds: z.number().min(0).nullable().meta({
    description: 'What the run has cost: processor seconds of a worker, and seconds of a query. Null before its end',
  }),
  notice: noticeField,
};

export const jobStateSchema = z
  .object({ ...runStateFields, result: z.union([resultSchema, z.null()]) })
  .meta({ id: 'GetBacktestJobData' });

const { symbol, ...described } = identification;
const listed = {
  id: z.int(),
  created_at: instant,
  ...described,
  ...listedFigures,
  shared: z.boolean(),
  slug: z.string().nullable(),
  verification: z.union([lastVerdictSchema, z.null()]),
};

export const historyItemSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('backtest'), symbol, ...listed }),
    z.object({ kind: z.literal('portfolio'), symbols_count: z.int(), ...listed }),
  ])
  .meta({ id: 'BacktestHistoryItem' });

/** Kinds of what an account keeps; backtests unless another is asked for. */
export const HISTORY_KINDS = ['backtest', 'portfolio', 'all'] as const;

export const historySchema = z.object({
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
  items: z.array(historyItemSchema),
});

export const sharingSchema = z.object({
  slug: z.string().nullable(),
  shared: z.boolean(),
  url: z.string().nullable().meta({ description: 'The page of the run; null where it is not shared' }),
  api_url: z.string().nullable().meta({ description: 'The run as JSON' }),
});

const costSchema = z.object({ commission_rate: z.number(), min_commission: z.number(), slippage_bps: z.number() });
export const strategiesSchema = z.object({
  strategies: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      description: z.string(),
      params_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12 with `x-labels`' }),
      look_ahead_proof: z
        .object({ engine_version: z.string(), symbol: z.string(), prefixes: z.int(), proved_at: instant })
        .nullable()
        .meta({ description: 'The newest run of it that was found free of look-ahead on every prefix' }),
      rules: rulesTextsField
        .nullable()
        .meta({ description: 'The same as rules over these parameters, in the default modes' }),
    }),
  ),
  time_ranges: z.array(z.enum(TIME_RANGES)),
  execute_on: z.array(z.string()),
  defaults: z.object({
    strategy: z.string(),
    time_range: z.string(),
    execute_on: z.string(),
    adjust: z.string(),
    initial_capital: z.number(),
    cost: costSchema,
  }),
});
