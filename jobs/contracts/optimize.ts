/** Optimizations of backtests and portfolios, and small sweeps: their queue, and the specifications that define their results. */
import { z } from 'zod';
import type { Objective } from '../../engine/backtest/optimize.ts';
import { keysOf } from '../../engine/util/values.ts';
import { BACKTEST_QUEUE, backtestSpecSchema } from './backtest.ts';
import { portfolioSpecSchema } from './portfolio.ts';
import type { QueueContract } from './queue-contract.ts';
import { rotationSpecSchema } from './rotation.ts';
import { smallSweepSchema } from './sweep.ts';

/** An optimization computes for minutes; its caller polls for the result. */
export const OPTIMIZE_QUEUE = {
  ...BACKTEST_QUEUE,
  name: 'optimize',
  lane: 'compute',
  options: { ...BACKTEST_QUEUE.options, expireInSeconds: 900 },
} as const satisfies QueueContract;

/** Metrics that an optimization may maximize, by their names in the API. */
export const OBJECTIVE_METRICS = {
  sharpe: 'sharpe',
  sortino: 'sortino',
  calmar: 'calmar',
  total_pnl_pct: 'totalPnlPct',
  annualized_pct: 'annualizedPct',
  excess_return_pct: 'excessReturnPct',
  profit_factor: 'profitFactor',
  win_rate: 'winRate',
} as const satisfies Readonly<Record<string, Objective>>;

export const OBJECTIVES = keysOf(OBJECTIVE_METRICS);

/** The fields that every search of a grid has. */
const searchFields = z.object({
  grid: z.record(z.string(), z.array(z.union([z.number(), z.string(), z.boolean()]))),
  objective: z.enum(OBJECTIVES),
  heatmap: z.tuple([z.string(), z.string()]).nullable(),
});
export type SearchFields = z.infer<typeof searchFields>;
const searchShape = searchFields.shape;

/** A backtest whose parameters are a grid. */
export const optimizeSpecSchema = z.object({
  backtest: backtestSpecSchema,
  ...searchShape,
  walkForward: z.object({ trainBars: z.int(), testBars: z.int() }).nullable(),
  /** A look at the neighbors of a backtest, which is no run of its account. */
  isOfNeighbors: z.boolean().optional(),
});
export type OptimizeSpec = z.infer<typeof optimizeSpecSchema>;

/** A portfolio whose parameters are a grid. */
export const portfolioSearchSchema = z.object({
  portfolio: portfolioSpecSchema,
  ...searchShape,
});
export type PortfolioSearch = z.infer<typeof portfolioSearchSchema>;

/** A rotation whose `$parameters` are a grid. */
export const rotationSearchSchema = z.object({ rotation: rotationSpecSchema, ...searchShape });
export type RotationSearch = z.infer<typeof rotationSearchSchema>;

export const searchSpecSchema = z.union([
  optimizeSpecSchema,
  portfolioSearchSchema,
  rotationSearchSchema,
  smallSweepSchema,
]);
