/** Responses of portfolios. */
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { instant, z } from '../http/input/fields.ts';
import { rulesTextsField, savedStrategySchema } from '../rules/fields.ts';
import {
  lastVerdictSchema,
  lookAheadSchema,
  receiptSchema,
  selectionSchema,
  statisticsSchema,
} from '../runs/evidence-schemas.ts';
import {
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
} from '../runs/schemas.ts';
import { tearSheetSchema } from '../runs/tear-sheet-schema.ts';

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
};

const portfolioTradeSchema = z
  .object({ symbol: z.string(), ...tradeSchema.shape, exit_reason: z.enum([...EXIT_REASONS, 'rebalance']) })
  .meta({
    id: 'PortfolioTrade',
    description:
      'A sale with the part of the purchases that it closes, in the order of the sales. `rebalance`: a part of a position was ' +
      'sold to bring it back to its target',
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
};

/** The fields that identify the portfolio of a result. */
const portfolioIdentification = {
  symbols: z.array(z.string()),
  symbols_without_bars: z.array(z.string()).meta({ description: 'Those that have no bar in the range' }),
  allocation: allocationSchema,
  benchmark: z.string(),
};

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
    cost: runCostSchema,
    data_range: dataRangeSchema,
    data_freshness: z.object({ distribution_mode: z.string(), as_of: day.nullable(), delayed: z.boolean() }),
    notes: z.array(noteSchema),
    statistics: statisticsSchema.optional(),
    selection: selectionSchema.optional(),
    receipt: receiptSchema.optional(),
    verification: lastVerdictSchema.optional(),
    look_ahead: lookAheadSchema.optional(),
    disclaimer: z.string(),
    cached: z.boolean().meta({ description: 'Whether an earlier run computed the figures over the same data' }),
    trades: z.array(portfolioTradeSchema).optional(),
    equity: z.array(equitySchema).optional().meta({ description: '`buy_hold` is the benchmark' }),
    positions: z.array(positionsSchema).optional().meta({ description: 'At the end of each session' }),
    contributions: z.array(contributionSchema).meta({ description: 'Largest gain first' }),
    tear_sheet: tearSheetSchema.optional().meta({ description: 'Only if the request asked for it' }),
    truncated: truncatedField,
  })
  .meta({
    id: 'PortfolioResult',
    description:
      'Figures are those of a backtest on the equity of the whole portfolio; `num_trades` and `win_rate` count partial sales, ' +
      '`buy_hold_pnl_pct` is that of the benchmark, `bars` of the range counts sessions',
  });

export const portfolioStateSchema = stateOf(portfolioSchema);
