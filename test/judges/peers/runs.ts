/** The runs of every side: strategies with their parameters, with and without costs; and the questions that a side answers. */
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import type { SeriesJson } from '../truth/sample-series.ts';

/** Orders are filled at the close of the signal's bar, or at the open of the next. */
export type Fill = 'close' | 'next_open';

/** A run on any instrument. */
export interface Run {
  readonly strategy: string;
  readonly params: ParameterValues;
  /** Share of the notional, for each purchase and sale. */
  readonly commission: number;
  readonly fill: Fill;
}

const STRATEGIES: Readonly<Record<string, ParameterValues>> = {
  sma_cross: { fast_period: 20, slow_period: 50 },
  donchian: { entry_period: 20, exit_period: 10 },
  rsi_reversion: { rsi_period: 14, entry_below: 30, exit_above: 55, trend_period: 0 },
  buy_hold: {},
};
const COMMISSIONS = [0, 0.001];

/** Every strategy, without costs and with them. */
export function allRuns(fill: Fill): Run[] {
  return Object.entries(STRATEGIES).flatMap(([strategy, params]) =>
    COMMISSIONS.map((commission) => ({ strategy, params, commission, fill })),
  );
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

/** 1,000 combinations for the first strategy. */
export const GRID: readonly ParameterValues[] = range(5, 25).flatMap((fast_period) =>
  range(40, 40).map((slow_period) => ({ fast_period, slow_period })),
);

/** Bars of entry and exit, counted from 0, and their prices. */
export type Trade = readonly [entry: number, exit: number, entryPrice: number, exitPrice: number];

/** The result of a run on one instrument. */
export interface Result {
  readonly trades: readonly Trade[];
  /** As a fraction, after costs. */
  readonly totalReturn: number;
}

/** Work that is timed: one run on the first instrument several times, combinations on it, or runs on each of the first instruments. */
export type Work =
  | { readonly what: 'run'; readonly run: Run; readonly times: number }
  | { readonly what: 'grid'; readonly run: Run; readonly combinations: readonly ParameterValues[] }
  | { readonly what: 'sweep'; readonly runs: readonly Run[]; readonly instruments: number };

export type Question =
  | { readonly ask: 'load'; readonly instruments: readonly SeriesJson[] }
  | { readonly ask: 'trades'; readonly run: Run }
  | ({ readonly ask: 'time' } & Work)
  | { readonly ask: 'memory' };

/** The number of runs that a work consists of. */
export function countRuns(work: Work): number {
  if (work.what === 'run') return work.times;
  return work.what === 'grid' ? work.combinations.length : work.runs.length * work.instruments;
}
