/** Responses of portfolios. */

import { FLOW_PERIODS } from '../../engine/portfolio/flows.ts';
import { PORTFOLIO_EXIT_REASONS } from '../../engine/portfolio/portfolio.ts';
import { instant, z } from '../http/input/fields.ts';
import { revisedSchema } from '../market/impact-view.ts';
import { rulesTextsField, savedStrategySchema } from '../rules/fields.ts';
import { ratesAnswer } from '../runs/cost-fields.ts';
import {
  lastVerdictSchema,
  lookAheadSchema,
  receiptSchema,
  selectionSchema,
  statisticsSchema,
} from '../runs/evidence-schemas.ts';
import {
  countSchema,
  dataRangeSchema,
  equitySchema,
  figure,
  listedFigures,
  noteSchema,
  otherFigures,
  paramsSchema,
  runCostSchema,
  skippedField,
  stateOf,
  tradeSchema,
  truncatedField,
  universeSchema,
  usedColumnsSchema,
} from '../runs/schemas.ts';
import { positionSummarySchema, tearSheetSchema } from '../runs/tear-sheet-schema.ts';

const day = z.iso.date();

/** How a portfolio allocates its capital. */
const allocationSchema = z.object({
  max_positions: z.int(),
  sizing: z.string(),
  volatility_period: z.int(),
  rank_by: z.object({ field: z.string(), period: z.int().nullable(), order: z.string() }).nullable(),
  rebalance: z.string(),
  cash_buffer_pct: z.number(),
});

/** The fields of a search on a portfolio in place of one instrument. */
export const searchedPortfolio = {
  symbols: z.array(z.string()).optional(),
  allocation: allocationSchema.optional(),
  benchmark: z.string().optional(),
  universe: universeSchema.optional(),
  get rotation() {
    return rotationSchema.optional();
  },
};

/** How a portfolio of a strategy or of target weights allocates its capital. */
const anyAllocationSchema = z.object({
  ...allocationSchema.partial().shape,
  targets: z.array(z.object({ symbol: z.string(), weight: z.number() })).optional(),
  rebalance: z.union([z.string(), z.object({ band_pct: z.number() })]),
  flows: z.array(z.object({ amount: z.number(), every: z.enum(FLOW_PERIODS) })).optional(),
});

const portfolioTradeSchema = z
  .object({ symbol: z.string(), ...tradeSchema.shape, exit_reason: z.enum(PORTFOLIO_EXIT_REASONS) })
  .meta({
    id: 'PortfolioTrade',
    description:
      'A sale with the part of the purchases that it closes, in the order of the sales. `rebalance`: a part of a position was ' +
      'sold to bring it back to its target; `withdrawal`: for money that was taken out',
  });

const positionsSchema = z.object({ ts: day, count: z.int(), invested_pct: figure });
const contributionSchema = z.object({
  symbol: z.string(),
  trades: z.int(),
  pnl: z.number(),
  pnl_share_pct: figure.meta({ description: 'Of the summed profit and loss; null where that is 0' }),
});

const portfolioFigures = {
  ...listedFigures,
  ...otherFigures,
  turnover_pct: figure.meta({
    description: 'The smaller of purchases and sales ÷ mean equity, a year; null for a single session',
  }),
  avg_positions: z.number(),
  position_summary: positionSummarySchema.optional(),
  contributed: z
    .number()
    .optional()
    .meta({ description: 'Of target weights: the initial capital and what went in, less what went out' }),
  money_weighted_pct: figure.optional().meta({
    description:
      'Of target weights: the yearly rate of the money itself (IRR, calendar days ÷ 365); null where there is none',
  }),
};

const rotationSchema = z
  .object({
    every: z.union([z.string(), z.object({ sessions: z.union([z.int(), z.string()]) })]),
    offset: z.int(),
    score: z.string(),
    order: z.string(),
    hold: countSchema,
    keep: countSchema.optional(),
    weights: z.object({
      method: z.string(),
      lookback: z.int(),
      covariance: z.string(),
      max_weight: z.number(),
      min_weight: z.number(),
      fixed: z.record(z.string(), z.number()).optional(),
    }),
    target_volatility_pct: z.number().optional(),
    market_filter: z.string().optional(),
    exits: z
      .object({
        stop_loss_pct: z.number(),
        take_profit_pct: z.number(),
        stop: z.string().optional(),
        trail: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'RotationResult' });

const rebalanceSchema = z
  .object({
    ts: day,
    eligible: z.int().meta({ description: 'Members with a bar that meet `where`' }),
    scored: z.int().meta({ description: 'Those whose score is defined' }),
    entered: z.array(z.string()),
    left: z.array(z.string()),
    turnover_pct: figure.meta({ description: 'Half the ordered amounts ÷ equity' }),
    weights: z.record(z.string(), z.number()).meta({
      description: 'After the volatility target, before the cash buffer',
    }),
    filter: z.boolean().meta({ description: 'Whether the market filter is true; true without one' }),
  })
  .meta({ id: 'Rebalance' });

export const rebalancesSchema = z.object({
  total: z.int(),
  page: z.int(),
  size: z.int(),
  items: z.array(rebalanceSchema),
});

/** The fields that identify the portfolio of a result. */
const portfolioIdentification = {
  symbols: z.array(z.string()).meta({ description: 'Of a rotation of every instrument: those that it held' }),
  symbols_without_bars: z.array(z.string()).meta({ description: 'Those that have no bar in the range' }),
  allocation: anyAllocationSchema.optional().meta({ description: 'Absent in a rotation' }),
  benchmark: z.string(),
  members: z.int().optional().meta({ description: 'Of a rotation: instruments with a bar in the range' }),
  universe: universeSchema.optional().meta({ description: 'Of a rotation' }),
  rotation: rotationSchema
    .optional()
    .meta({ description: 'Of a rotation: schedule, ranking, and weights with their defaults' }),
  cash_buffer_pct: z.number().optional().meta({ description: 'Of a rotation' }),
  rebalance_count: z.int().optional().meta({ description: 'Of a rotation' }),
  survivorship_gap: z.record(z.string(), figure).optional().meta({
    description:
      'With `survivors`: each metric of the same rotation on the members that have a bar on the last session, less that of the run',
  }),
};

const valueSchema = equitySchema.extend({ survivors: z.number().optional() }).meta({
  id: 'PortfolioEquity',
  description: '`buy_hold` is the benchmark, `survivors` the rotation on those that have a bar on the last session',
});

export const portfolioSchema = z
  .object({
    id: z.int().nullable().meta({ description: 'Null if the result is not kept' }),
    kind: z.literal('portfolio'),
    created_at: instant,
    ...portfolioIdentification,
    skipped_symbols: skippedField,
    screened_on: day.nullable().optional().meta({ description: 'The session at which a screen chose the instruments' }),
    time_range: z.string().meta({ description: '`CUSTOM` when `start` was given' }),
    strategy: z.string(),
    rules: rulesTextsField.optional().meta({ description: 'Of the strategy `rules`' }),
    saved: savedStrategySchema.optional(),
    engine_version: z.string(),
    venue_mode: z.string(),
    adjust: z.string(),
    ...portfolioFigures,
    params: paramsSchema,
    columns: usedColumnsSchema,
    cost: runCostSchema,
    ...ratesAnswer,
    data_range: dataRangeSchema,
    data_freshness: z.object({ distribution_mode: z.string(), as_of: day.nullable(), delayed: z.boolean() }),
    notes: z.array(noteSchema),
    statistics: statisticsSchema.optional(),
    selection: selectionSchema.optional(),
    receipt: receiptSchema.optional(),
    verification: lastVerdictSchema.optional(),
    look_ahead: lookAheadSchema.optional(),
    revised: revisedSchema.optional(),
    disclaimer: z.string(),
    cached: z.boolean().meta({ description: 'Whether an earlier run computed the figures over the same data' }),
    trades: z.array(portfolioTradeSchema).optional(),
    equity: z.array(valueSchema).optional(),
    positions: z.array(positionsSchema).optional().meta({ description: 'At the end of each session' }),
    contributions: z.array(contributionSchema).meta({ description: 'Largest gain first' }),
    rebalances: z.array(rebalanceSchema).optional().meta({ description: 'Of a rotation: the first 500' }),
    tear_sheet: tearSheetSchema
      .optional()
      .meta({ description: 'Only if the request asked for it, and of a shared run if it is kept' }),
    truncated: truncatedField,
  })
  .meta({
    id: 'PortfolioResult',
    description:
      'Figures are those of a backtest on the equity of the whole portfolio; `num_trades` and `win_rate` count partial sales, ' +
      '`buy_hold_pnl_pct` is that of the benchmark, `bars` of the range counts sessions',
  });

/** The answer of a run: one result, or those of what was compared. */
export const portfolioAnswerSchema = z.union([
  portfolioSchema,
  z
    .object({ runs: z.array(z.object({ name: z.string(), result: portfolioSchema })) })
    .meta({ id: 'ComparedPortfolios', description: 'With `compare`, in its order' }),
]);

export const portfolioStateSchema = stateOf(portfolioAnswerSchema);
