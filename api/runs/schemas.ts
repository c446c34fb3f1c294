/** Requests and responses that kinds of runs share: states, parts of results, and what is kept. */
import { KEPT_KINDS } from '../../db/runs/kept-runs.ts';
import { RUN_STATUSES } from '../../db/runs/runs.ts';
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { RANGE_REASONS } from '../../engine/market/time-range.ts';
import { skippedSymbolsSchema } from '../../jobs/contracts/portfolio.ts';
import { NOTE_CODES } from '../../jobs/runs/notes.ts';
import { instant, queryInteger, z } from '../http/input/fields.ts';
import { missingSessionsSchema, PRICE_FORMS } from '../market/schemas.ts';
import { lastVerdictSchema } from './evidence-schemas.ts';

const MAX_WAIT_S = 30;
const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c40';

export const waitQuery = z.object({
  wait: queryInteger(0, MAX_WAIT_S)
    .prefault(0)
    .meta({
      description:
        'Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten ' +
        'calls of the caller are already waiting',
    }),
});

/** The path of a run; `idName`: the name of its id. */
export const runPath = (idName: string) => z.object({ [idName]: z.uuid().meta({ example: EXAMPLE_JOB }) });

const day = z.iso.date();
/** Null when it is not defined, as the introduction of the description says. */
export const figure = z.number().nullable();

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

export const equitySchema = z.object({ ts: day, equity: z.number(), drawdown_pct: z.number(), buy_hold: z.number() });

export const dataRangeSchema = z
  .object({
    actual_start: day,
    actual_end: day,
    bars: z.int(),
    prices: z
      .enum([...PRICE_FORMS, 'mixed'])
      .optional()
      .meta({ description: 'What the prices of its instruments are before `adjust`; absent: they are gone' }),
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
  .object({
    code: z.enum(NOTE_CODES),
    level: z.enum(['info', 'warning']),
    message: z.string(),
    details: z
      .record(
        z.string(),
        z.union([
          ...([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())] as const),
          z.array(z.record(z.string(), z.string())),
        ]),
      )
      .optional()
      .meta({ description: 'The facts in the text, by name' }),
  })
  .meta({
    id: 'BacktestNote',
    description:
      '`incomplete_history`: sessions in the range are not loaded, and the result omits them. `missing_bars`: the ' +
      'instrument has no bar in more than 2% of the loaded sessions',
  });

export const parameterSchema = z.union([z.number(), z.string(), z.boolean()]);
/** The own columns that the rules of a run have read. */
export const usedColumnsSchema = z
  .array(
    z
      .object({
        name: z.string(),
        owner: z.enum(['account', 'everyone']),
        version: z.int(),
        sha256: z.string().meta({ description: 'Of its rows as CSV by instrument, date, and `known_at`' }),
        rows_used: z.int().meta({ description: 'Rows that gave a value at a session of the range' }),
        known_late: z.int().meta({ description: 'Of these, known more than a session after their date' }),
        loaded_late: z
          .int()
          .meta({ description: 'Of these, loaded after they were known: `known_at` is what the sender says' }),
        last_known: z.iso.date().nullable(),
      })
      .meta({ id: 'UsedColumn' }),
  )
  .optional()
  .meta({ description: 'Own columns that the rules name' });

export const paramsSchema = z.record(z.string(), parameterSchema).meta({ id: 'StrategyParams' });

export const identification = {
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
      'The long arrays are cut off, each after a whole row, because they have more bytes than `result_bytes_max` of the plan. ' +
      'The header `X-Truncated: true` and the note `cut_by_plan` say so too; a kept result can be exported in full as CSV.',
  });

/** Symbols that `skip_unknown` skipped. */
export const skippedField = skippedSymbolsSchema.optional().meta({
  description:
    'Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none',
});

export const runErrorSchema = z
  .object({ code: z.int(), key: z.string(), message: z.string() })
  .meta({ id: 'RunError' });

/** The names that a rotation holds. */
export const countSchema = z.union([
  z.object({ top: z.union([z.int(), z.string()]) }),
  z.object({ top_pct: z.number() }),
]);

/** The instruments of a rotation, or of a question about many. */
export const universeSchema = z
  .object({
    symbols: z.array(z.string()).optional(),
    all: z.boolean().optional(),
    asset_type: z.array(z.string()).optional(),
    where: z.string().optional(),
  })
  .meta({ id: 'RotationUniverseResult' });

export const noticeField = z.string().nullable().meta({
  description: 'Why the job does not start, such as that its queue is paused; null if nothing prevents it',
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
    description: 'What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end',
  }),
  notice: noticeField,
};

/** The state of a run with its result. */
export const stateOf = <S extends z.ZodType>(result: S) =>
  z.object({ ...runStateFields, result: z.union([result, z.null()]) });

const { symbol, ...described } = identification;
const listed = {
  id: z.int(),
  name: z.string().nullable().meta({ description: 'The name that its owner gave it' }),
  tags: z.array(z.string()),
  created_at: instant,
  idea: z.string().nullable().meta({
    description: 'The entry of own rules, the score of a rotation, or the condition of outcomes; else null',
  }),
  shared: z.boolean(),
  slug: z.string().nullable(),
  verification: z.union([lastVerdictSchema, z.null()]),
};
const measured = {
  ...listed,
  line: z.array(z.number()).nullable().meta({
    description: 'The equity at equal steps, as multiples of the first; null in what was kept by an earlier version',
  }),
  luck: figure.meta({ description: '1 − `statistics.skill.psr`: the probability of no gain beyond the market' }),
  ...described,
  ...listedFigures,
};
const { time_range, engine_version } = described;
const { start_date, end_date } = listedFigures;
const outcomes = {
  ...listed,
  time_range,
  start_date,
  end_date,
  engine_version,
  hits: z.int(),
  days: z.int().meta({ description: 'Sessions with a hit' }),
  instruments: z.int(),
  horizon: z.int().meta({ description: 'The longest, of which `mean` and `excess` are' }),
  mean: figure,
  excess: figure,
};

export const historyItemSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('backtest'), symbol, ...measured }),
    z.object({ kind: z.literal('portfolio'), symbols_count: z.int(), ...measured }),
    z.object({ kind: z.literal('outcomes'), ...outcomes }),
  ])
  .meta({ id: 'BacktestHistoryItem' });

/** Kinds of what an account keeps; backtests unless another is asked for. */
export const HISTORY_KINDS = [...KEPT_KINDS, 'all'] as const;

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
