/** A kept run that was computed again, whatever its kind. */
import type { StoredResult } from '../../db/runs/run-results.ts';
import type { BacktestSummary } from '../backtest/summary.ts';
import type { PortfolioSummary } from '../portfolio/summary.ts';
import type { DataDifferences, PastRun } from './past-data.ts';

export type KeptSummary = BacktestSummary | PortfolioSummary;

export interface Recomputed {
  /** Null when no bar lies in the range any more. */
  readonly result: StoredResult | null;
  /** Digest of the kept specification in the form of an engine's version. */
  readonly specDigest: (engineVersion: string) => string;
  /** Digest of the data that are read now. */
  readonly dataDigest: string;
  readonly differences: (run: PastRun) => Promise<DataDifferences>;
}

export type Figures = Readonly<Record<string, number | null>>;

/** The metrics of a summary, by name. */
export function figuresOf(summary: KeptSummary, names: readonly string[]): Figures {
  const all = new Map<string, unknown>(Object.entries(summary));
  return Object.fromEntries(
    names.map((name) => {
      const value = all.get(name);
      return [name, typeof value === 'number' ? value : null];
    }),
  );
}
