/** Portfolios: their queue, and the specification that defines a result. */
import { z } from 'zod';
import { REBALANCE_PERIODS } from '../../engine/portfolio/clock.ts';
import { SIZINGS } from '../../engine/portfolio/portfolio.ts';
import { BACKTEST_QUEUE, backtestSpecSchema, instrumentSchema } from './backtest.ts';
import type { QueueContract } from './queue-contract.ts';

export const PORTFOLIO_QUEUE = { ...BACKTEST_QUEUE, name: 'portfolio' } as const satisfies QueueContract;

/** Large parts of a result. Each is a stored object of a kept portfolio; only rotations have rebalances. */
export const PORTFOLIO_PARTS = ['trades', 'equity', 'positions', 'contributions', 'rebalances'] as const;

/** Instruments of one portfolio. */
export const MAX_PORTFOLIO_SYMBOLS = 500;

const common = backtestSpecSchema.omit({
  instrumentId: true,
  symbol: true,
  listedOn: true,
  delistedOn: true,
  isEtf: true,
}).shape;

/** Requested symbols that were not found and are skipped: how many, and the first of them. */
export const skippedSymbolsSchema = z.object({ count: z.int(), symbols: z.array(z.string()) });
export type SkippedSymbols = z.infer<typeof skippedSymbolsSchema>;

export const portfolioSpecSchema = z.object({
  ...common,
  /** By symbol, each once. */
  instruments: z.array(instrumentSchema),
  allocation: z.object({
    maxPositions: z.int(),
    sizing: z.enum(SIZINGS),
    volatilityPeriod: z.int(),
    rankBy: z.object({ field: z.string(), period: z.int().nullable(), order: z.enum(['asc', 'desc']) }).nullable(),
    rebalance: z.enum(REBALANCE_PERIODS),
    cashBufferPct: z.number(),
  }),
  /** Null: equal weights. */
  benchmark: instrumentSchema.nullable(),
  /** Whether a screen as of the start of the range chose the instruments. */
  isPointInTime: z.boolean(),
  /** The session by whose figures a screen chose the instruments; null: the caller listed them. */
  screenedOn: z.int().nullable().default(null),
  skipped: skippedSymbolsSchema.nullable().default(null),
});
export type PortfolioSpec = z.infer<typeof portfolioSpecSchema>;

/** The part that portfolios of a strategy and of target weights share. */
export type ListedSpec = Omit<PortfolioSpec, 'allocation' | 'isPointInTime' | 'screenedOn' | 'skipped'>;
