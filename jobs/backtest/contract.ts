/** The order of a backtest, as the queue carries it: everything decided, nothing left to a default or a clock. */
import { z } from 'zod';
import { BACKTEST_ADJUSTMENTS } from '../../engine/backtest/backtest.ts';
import { OBJECTIVES } from '../../engine/backtest/optimize.ts';
import { EXECUTE_ON } from '../../engine/backtest/simulate.ts';
import { TIME_RANGES } from '../../engine/market/time-range.ts';

const day = z.int();

export const orderSchema = z.object({
  instrumentId: z.int(),
  /** `<TICKER>.US` */
  symbol: z.string(),
  listedOn: day.nullable(),
  delistedOn: day.nullable(),
  strategy: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  timeRange: z.enum(TIME_RANGES),
  start: day.nullable(),
  end: day.nullable(),
  adjust: z.enum(BACKTEST_ADJUSTMENTS),
  execution: z.object({
    executeOn: z.enum(EXECUTE_ON),
    commissionRate: z.number(),
    minCommission: z.number(),
    slippageBps: z.number(),
    initialCapital: z.number(),
  }),
  /** Whether the caller named no costs. */
  isCostless: z.boolean(),
  /** The newest day that may be distributed, and the newest session of it that is loaded. */
  asOf: day,
  dataAsOf: day.nullable(),
  distributionMode: z.string(),
});
export type BacktestOrder = z.infer<typeof orderSchema>;

/** The order of an optimisation: a backtest whose parameters are a grid. */
export const optimizeOrderSchema = z.object({
  backtest: orderSchema,
  grid: z.record(z.string(), z.array(z.union([z.number(), z.string(), z.boolean()]))),
  objective: z.enum(OBJECTIVES),
  heatmap: z.tuple([z.string(), z.string()]).nullable(),
  walkForward: z.object({ trainBars: z.int(), testBars: z.int() }).nullable(),
});
export type OptimizeOrder = z.infer<typeof optimizeOrderSchema>;

/** Notes that a result carries, by code; texts come from the API. */
export const NOTE_LEVELS = {
  no_cost_model: 'info',
  mixed_session_source: 'warning',
  incomplete_history: 'warning',
  missing_bars: 'info',
} as const;
export type NoteCode = keyof typeof NOTE_LEVELS;
export const NOTE_CODES = Object.keys(NOTE_LEVELS) as [NoteCode, ...NoteCode[]];
