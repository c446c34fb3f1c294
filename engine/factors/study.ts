/** Factors of a universe at each session that is looked at: which values order the returns that follow. */
import { evaluateSessions, type Market, type MarketAnswers } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition, Value } from '../rules/program.ts';
import { shortestOf } from './choice.ts';
import { ForwardReturns, inSteps } from './forward-returns.ts';
import { type Ranks, rankCorrelation, ranksOf, ranksOfSteps } from './ranks.ts';
import { meanOfAll } from './series-figures.ts';
import type { Horizon, StudySessions } from './sessions.ts';
import { FactorTally, type SessionReturns } from './tally.ts';

export interface StudyPrograms {
  readonly where: readonly Condition[];
  readonly factors: readonly Value[];
  /** The group whose mean returns are told beside; null: the market. */
  readonly neutral: 'asset_type' | 'venue' | Value | null;
}

export interface StudyPlan {
  readonly horizons: readonly Horizon[];
  readonly quantiles: number;
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
}

/** `visited`: called after each session that is looked at. */
export async function studyFactors(
  market: Market,
  { sessions: days, first }: StudyClock,
  sessions: StudySessions,
  programs: StudyPrograms,
  { horizons, quantiles }: StudyPlan,
  others?: OtherInstruments,
  visited: () => void = () => {},
): Promise<StudiedFactors> {
  const { looked, monthEnds } = sessions;
  const forward = new ForwardReturns(sessions, horizons, market.members.length);
  for await (const member of market.visit()) forward.add(member);
  const { where, factors, neutral } = programs;
  const labels = neutral === null || typeof neutral === 'string' ? [] : [neutral];
  const shortest = shortestOf(sessions, horizons);
  const tallies = factors.map(() => new FactorTally(looked.length, horizons.length, quantiles));
  const monthRanks = factors.map((): Ranks[] => []);
  const ofMarket = new Float64Array(looked.length).fill(Number.NaN);
  const rowOf = new Map(looked.map((at, row) => [at, row]));
  const isMonthEnd = new Set(monthEnds);
  const own = typeof neutral === 'string' ? numbered(market, neutral) : undefined;
  const times = [...new Set([...looked, ...monthEnds])].sort((a, b) => a - b);
  const asked = times.map((at) => first + at);
  const take = (index: number, { eligible, values }: MarketAnswers) => {
    const row = rowOf.get(times[index]);
    const ahead = row === undefined ? [] : horizons.map((horizon) => ranked(forward.of(row, horizon)));
    const count = eligible.reduce((sum, flag) => sum + flag, 0);
    if (row !== undefined) ofMarket[row] = meanOfEligible(eligible, ahead[shortest]);
    const groups = labels.length === 0 ? own : values[factors.length];
    for (const [k, tally] of tallies.entries()) {
      const ranks =
        row === undefined
          ? ranksOf(values[k])
          : tally.add({ row, isLast: row === looked.length - 1, eligible: count, ahead, groups }, values[k]);
      if (isMonthEnd.has(times[index])) monthRanks[k].push(ranks);
    }
    visited();
  };
  await evaluateSessions(market, { where, values: [...factors, ...labels] }, { sessions: days, asked }, others, take);
  return { tallies, monthRanks, market: ofMarket };
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
