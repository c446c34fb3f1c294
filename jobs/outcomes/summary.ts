/** The summary of finished outcomes. */
import type { Extreme } from '../../engine/outcomes/extremes.ts';
import type { Outcomes } from '../../engine/outcomes/outcomes.ts';
import type { Compare } from '../../engine/outcomes/returns.ts';
import type { Receipt } from '../contracts/evidence.ts';
import { summaryAs } from '../runs/summary.ts';
import type { questionOf } from './question.ts';

export interface ComputedOutcomes extends Omit<Outcomes, 'best' | 'worst'> {
  readonly compare: Compare;
  readonly sessions: number;
  readonly first: string;
  readonly last: string;
  readonly instruments: number;
  readonly best: readonly NamedExtreme[];
  readonly worst: readonly NamedExtreme[];
}

export interface NamedExtreme extends Omit<Extreme, 'row' | 'member'> {
  readonly symbol: string;
  readonly ts: string;
}

/** The figures of a run, and what was asked. */
export interface OutcomesSummary extends ComputedOutcomes {
  /** `CUSTOM` when a start was given. */
  readonly time_range: string;
  readonly question: ReturnType<typeof questionOf>;
  readonly receipt: Receipt;
}

/** The outcome at the longest horizon. */
export function longestOf(horizons: OutcomesSummary['horizons']): OutcomesSummary['horizons'][number] {
  return horizons.reduce((longest, one) => (one.horizon > longest.horizon ? one : longest));
}

export const outcomesSummary = (stored: unknown) => summaryAs<OutcomesSummary>(stored);
