/** Factors of a universe at each session that is looked at: which values order the returns that follow. */

import { compileValue } from '../rules/compile.ts';
import { evaluateSessions, type Market, type MarketAnswers } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition, Value } from '../rules/program.ts';
import { shortestOf } from './choice.ts';
import type { FormationPanel } from './cohort.ts';
import { Forming } from './forming.ts';
import { ForwardReturns, inSteps } from './forward-returns.ts';
import { type Ranks, rankCorrelation, ranksOf, ranksOfSteps } from './ranks.ts';
import { meanOfAll } from './series-figures.ts';
import type { Horizon, StudySessions } from './sessions.ts';
import { FactorTally, type SessionReturns } from './tally.ts';

/** On the basis of a session, which is as traded then. */
const CLOSE = compileValue(['close']);

export interface StudyPrograms {
  readonly where: readonly Condition[];
  readonly factors: readonly Value[];
  /** The group whose mean returns are told beside; null: the market. */
  readonly neutral: 'asset_type' | 'venue' | Value | null;
  /** Market value, for portfolios; null: no column has it. */
  readonly size?: Value | null;
}

export interface StudyPlan {
  readonly horizons: readonly Horizon[];
  readonly quantiles: number;
  /** Indices in the clock at which portfolios are formed, ascending; absent: none is. */
  readonly formations?: readonly number[];
}

/** A session of a study in memory: every day up to the end of the range, and where the range begins. */
export interface StudyClock {
  readonly sessions: Int32Array;
  readonly first: number;
}

export interface StudiedFactors {
  readonly tallies: readonly FactorTally[];
  /** By factor and month: the ranks at its last session. */
  readonly monthRanks: readonly (readonly Ranks[])[];
  /** Mean return of the eligible by row, at the shortest horizon; NaN where undefined. */
  readonly market: Float64Array;
  /** Null: no portfolio is formed. */
  readonly formed: FormedFactors | null;
}

export interface FormedFactors {
  readonly panel: FormationPanel;
  /** By factor: values formation by formation, member by member. */
  readonly values: readonly Float64Array[];
}

/** `visited`: called after each session that is looked at. */
export async function studyFactors(
  market: Market,
  { sessions: days, first }: StudyClock,
  sessions: StudySessions,
  programs: StudyPrograms,
  { horizons, quantiles, formations = [] }: StudyPlan,
  others?: OtherInstruments,
  visited: () => void = () => {},
): Promise<StudiedFactors> {
  const { looked, monthEnds } = sessions;
  const forward = new ForwardReturns(sessions, horizons, market.members.length, formations);
  const forming = new Forming(market, sessions.clock, formations, programs.factors.length);
  for await (const member of market.visit()) {
    forward.add(member);
    forming.add(member);
  }
  const { where, factors, neutral, size = null } = programs;
  const labels = neutral === null || typeof neutral === 'string' ? null : neutral;
  const own = typeof neutral === 'string' ? numbered(market, neutral) : undefined;
  const shortest = shortestOf(sessions, horizons);
  const tallies = factors.map(() => new FactorTally(looked.length, horizons.length, quantiles));
  const monthRanks = factors.map((): Ranks[] => []);
  const ofMarket = new Float64Array(looked.length).fill(Number.NaN);
  const rowOf = new Map(looked.map((at, row) => [at, row]));
  const isMonthEnd = new Set(monthEnds);
  const times = [...new Set([...looked, ...monthEnds])].sort((a, b) => a - b);
  const more = [
    ...(labels === null ? [] : [labels]),
    ...(formations.length === 0 ? [] : [CLOSE]),
    ...(size ? [size] : []),
  ];
  const take = (index: number, { eligible, values: computed }: MarketAnswers) => {
    const at = times[index];
    const row = rowOf.get(at);
    const values = computed.slice(0, factors.length);
    const besides = computed.slice(factors.length);
    const groups = labels === null ? own : besides.shift();
    forming.take(at, values, besides);
    const ahead = row === undefined ? [] : horizons.map((horizon) => ranked(forward.of(row, horizon)));
    const count = eligible.reduce((sum, flag) => sum + flag, 0);
    if (row !== undefined) ofMarket[row] = meanOfEligible(eligible, ahead[shortest] ?? null);
    const isLast = row === looked.length - 1;
    for (const [k, tally] of tallies.entries()) {
      const ranks =
        row === undefined ? ranksOf(values[k]) : tally.add({ row, isLast, eligible: count, ahead, groups }, values[k]);
      if (isMonthEnd.has(at)) monthRanks[k].push(ranks);
    }
    visited();
  };
  const asked = times.map((at) => first + at);
  await evaluateSessions(market, { where, values: [...factors, ...more] }, { sessions: days, asked }, others, take);
  return { tallies, monthRanks, market: ofMarket, formed: forming.done(forward) };
}

function ranked(returns: Float64Array | null): SessionReturns | null {
  return returns && { returns, ranks: ranksOfSteps(inSteps(returns)) };
}

function meanOfEligible(eligible: Uint8Array, ahead: SessionReturns | null): number {
  return meanOfAll(ahead?.returns.filter((one, i) => eligible[i] === 1 && !Number.isNaN(one)) ?? []);
}

function numbered({ members }: Market, group: 'asset_type' | 'venue'): Float64Array {
  const numbers = new Map<string, number>();
  return Float64Array.from(members, (member) => {
    const known = numbers.get(member[group]) ?? numbers.size;
    numbers.set(member[group], known);
    return known;
  });
}

export interface FactorCorrelation {
  /** Indices of factors, the first before the second. */
  readonly a: number;
  readonly b: number;
  /** Months at whose last session both vary over at least two names. */
  readonly months: number;
  readonly mean: number | null;
}

/** The mean over months of the correlation of ranks, of every pair of factors. */
export function correlationsOf(monthRanks: readonly (readonly Ranks[])[]): FactorCorrelation[] {
  return monthRanks.flatMap((ranks, a) =>
    monthRanks.slice(a + 1).map((others, i) => {
      const each = ranks.map((own, month) => rankCorrelation(own, others[month]));
      const defined = each.filter((one) => !Number.isNaN(one));
      return { a, b: a + 1 + i, months: defined.length, mean: defined.length === 0 ? null : meanOfAll(defined) };
    }),
  );
}
