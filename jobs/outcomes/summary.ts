/** The summary of finished outcomes. */
import { formatDay } from '../../engine/market/dates.ts';
import type { Extreme } from '../../engine/outcomes/extremes.ts';
import type { Outcomes } from '../../engine/outcomes/outcomes.ts';
import type { Compare } from '../../engine/outcomes/returns.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { OutcomesSpec } from '../contracts/outcomes.ts';
import { universeView } from '../contracts/rotation.ts';
import { summaryAs } from '../runs/summary.ts';

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

const asWritten = (condition: string) => condition;

/** The question of a run: it has symbols instead of what the database has for them. `print`: writes its conditions. */
export function questionOf(spec: OutcomesSpec, print = asWritten) {
  const { universe, where, condition, by, wanted, beginnings, horizons, entry, compare, adjust } = spec;
  const { timeRange, start, end } = spec;
  return {
    universe: universeView({ universe, texts: { where: where === null ? undefined : print(where) } }),
    condition: print(condition),
    by: by && print(by),
    for: wanted?.map(({ symbol }) => symbol) ?? null,
    first: beginnings,
    horizons,
    entry,
    compare,
    adjust,
    time_range: start === null ? timeRange : null,
    start: start === null ? null : formatDay(start),
    end: end === null ? null : formatDay(end),
  };
}
