/** Panels of rotations, and scores of their members computed member by member. */
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { clockOf } from '../../engine/portfolio/clock.ts';
import type { MarketValues, Panel, PanelMember } from '../../engine/rotation/panel.ts';

/** `members`: by ticker, each with a bar in its range. */
export function panelOf(members: readonly PanelMember[]): Panel {
  const clock = clockOf(members);
  const sessions = Int32Array.from(new Set(members.flatMap(({ series }) => [...series.day]))).sort();
  return { members, clock, sessions, first: sessions.indexOf(clock[0]) };
}

/** A value of each bar of a member. */
export type ColumnOf = (indicators: IndicatorSet) => ArrayLike<number>;
/** Scores of a session from values of the members with a bar: NaN is undefined. */
export type Combine = (...values: readonly number[][]) => number[];

export interface ScoreRule {
  readonly columns: readonly ColumnOf[];
  readonly combine: Combine;
  /** Which bars are eligible, besides that a member has one. */
  readonly where?: ColumnOf;
}

/** Average rank ÷ number of those that are defined. */
export function ranks(values: readonly number[]): number[] {
  const defined = values.filter((value) => !Number.isNaN(value));
  return values.map((value) => {
    if (Number.isNaN(value)) return Number.NaN;
    const below = defined.filter((other) => other < value).length;
    const equal = defined.filter((other) => other === value).length;
    return (below + (equal + 1) / 2) / defined.length;
  });
}

export function zscores(values: readonly number[]): number[] {
  const defined = values.filter((value) => !Number.isNaN(value));
  const mean = defined.reduce((sum, value) => sum + value, 0) / defined.length;
  const squares = defined.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.map((value) => (value - mean) / Math.sqrt(squares / (defined.length - 1)));
}

/** The values of a rule at each rebalance session. `filter`: one of `FILTER` per session. */
export function valuesOf(
  { members, clock }: Panel,
  sessions: readonly number[],
  { columns, combine, where }: ScoreRule,
  filter: Int8Array | null = null,
): MarketValues {
  const known = members.map(({ series }) => {
    const indicators = new IndicatorSet(series);
    return { columns: columns.map((columnOf) => columnOf(indicators)), where: where?.(indicators) };
  });
  const rebalances = sessions.map((session) => {
    const bars = members.map(({ series, to, isDelisted, lastDay }, i) => {
      const bar = series.day.indexOf(clock[session]);
      const isLastEver = isDelisted && bar === to - 1 && series.day[bar] === (lastDay ?? series.day[bar]);
      const isPeer = bar !== -1 && bar < to && !isLastEver;
      return isPeer && (known[i].where?.[bar] ?? 1) === 1 ? bar : -1;
    });
    const eligible = members.map((_, i) => i).filter((i) => bars[i] !== -1);
    const values = columns.map((_, k) => eligible.map((i) => known[i].columns[k][bars[i]]));
    const score = new Float64Array(members.length).fill(Number.NaN);
    for (const [k, value] of combine(...values).entries()) score[eligible[k]] = value;
    return { session, score, eligible: eligible.length };
  });
  return { rebalances, filter };
}
