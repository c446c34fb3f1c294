/** Factors of a universe at each session that is looked at: which values order the returns that follow. */

import { countRanked, RankedNames, type Ranks, ranksOf, ranksOfSteps } from '../indicators/ranks.ts';
import { compileValue } from '../rules/compile.ts';
import { blocksOf, evaluateSessions, type Market, type MarketAnswers, withIndices } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition, Value } from '../rules/program.ts';
import { required } from '../util/values.ts';
import { shortestOf } from './choice.ts';
import type { FormationPanel } from './cohort.ts';
import { Forming } from './forming.ts';
import { ForwardReturns, inSteps } from './forward-returns.ts';
import { meanOfAll } from './series-figures.ts';
import type { Horizon, StudySessions } from './sessions.ts';
import { FactorTally, type Session, type SessionReturns } from './tally.ts';

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
  const forming = new Forming(market, sessions.clock, formations);
  for await (const member of market.visit()) {
    forward.add(member);
    forming.add(member);
  }
  const { where, factors, neutral, size = null } = programs;
  const labels = neutral === null || typeof neutral === 'string' ? [] : [neutral];
  const ofGroups = typeof neutral === 'string' ? numbered(market, neutral) : undefined;
  // Formations need them once.
  const ofPortfolios = [...(formations.length === 0 ? [] : [CLOSE]), ...(size ? [size] : [])];
  const tallies = factors.map(() => new FactorTally(looked.length, horizons.length, quantiles));
  const monthRanks = factors.map((): Ranks[] => []);
  const rowOf = new Map(looked.map((at, row) => [at, row]));
  const isMonthEnd = new Set(monthEnds);
  const times = [...new Set([...looked, ...monthEnds])].sort((a, b) => a - b);
  const when = { sessions: days, asked: times.map((at) => first + at) };
  const named = await withIndices(market, [...where, ...factors, ...labels, ...ofPortfolios], days, others);
  const rows = new StudyRows(forward, sessions, horizons);
  const blocks = blocksOf(factors, { where, values: [...labels, ...ofPortfolios] }, market, times.length);
  for (const { first: offset, values: block } of blocks) {
    const besides = offset === 0 ? ofPortfolios : [];
    const take = (index: number, { eligible, values }: MarketAnswers) => {
      const at = times[index];
      const row = rowOf.get(at);
      const groups = labels.length === 0 ? ofGroups : values[block.length];
      const session = row === undefined ? null : { ...rows.at(row, eligible), groups };
      const own = values.slice(0, block.length);
      forming.take(at, offset, own, values.slice(block.length + labels.length));
      for (const [k, column] of own.entries()) {
        const ranks = session === null ? ranksOf(column) : tallies[offset + k].add(session, column);
        if (isMonthEnd.has(at)) monthRanks[offset + k].push(ranks);
      }
      visited();
    };
    await evaluateSessions(market, { where, values: [...block, ...labels, ...besides] }, when, named, take);
  }
  return { tallies, monthRanks, market: rows.market, formed: forming.done(forward) };
}

/** Facts of each row that all factors share: found for the first of them, and kept but for the returns. */
class StudyRows {
  /** Mean return of the eligible, at the shortest horizon; NaN where undefined. */
  readonly market: Float64Array;
  private readonly forward: ForwardReturns;
  private readonly horizons: readonly Horizon[];
  private readonly shortest: number;
  private readonly known: { readonly eligible: number; readonly ranked: readonly Ranked[] }[] = [];

  constructor(forward: ForwardReturns, sessions: StudySessions, horizons: readonly Horizon[]) {
    this.forward = forward;
    this.horizons = horizons;
    this.shortest = shortestOf(sessions, horizons);
    this.market = new Float64Array(sessions.looked.length).fill(Number.NaN);
  }

  at(row: number, eligible: Uint8Array): Session {
    const returns = this.horizons.map((horizon) => this.forward.of(row, horizon));
    this.known[row] ??= this.first(row, eligible, returns);
    const { ranked, eligible: count } = this.known[row];
    const ahead = ranked.map((one, h) => one && { returns: required(returns[h], 'returns'), ...one });
    return { row, isLast: row === this.market.length - 1, eligible: count, ahead };
  }

  private first(row: number, eligible: Uint8Array, returns: readonly (Float64Array | null)[]) {
    this.market[row] = meanOfEligible(eligible, returns[this.shortest]);
    return { eligible: eligible.reduce((sum, flag) => sum + flag, 0), ranked: returns.map(rankedOrNull) };
  }
}

type Ranked = Omit<SessionReturns, 'returns'> | null;

function rankedOrNull(returns: Float64Array | null): Ranked {
  if (returns === null) return null;
  const ranks = ranksOfSteps(inSteps(returns));
  return { ranks, count: countRanked(ranks) };
}

function meanOfEligible(eligible: Uint8Array, returns: Float64Array | null): number {
  return meanOfAll(returns?.filter((one, i) => eligible[i] === 1 && !Number.isNaN(one)) ?? []);
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

/** Factors whose ranks lie in the cache of the processor beside those of as many others. */
const PAIRED = 8;

/** Every pair, the smaller index first. */
function* pairsInBlocks(count: number): Generator<readonly [number, number]> {
  for (let first = 0; first < count; first += PAIRED) {
    for (let second = first; second < count; second += PAIRED) {
      for (let a = first; a < Math.min(first + PAIRED, count); a++) {
        for (let b = Math.max(a + 1, second); b < Math.min(second + PAIRED, count); b++) yield [a, b];
      }
    }
  }
}

/** The mean over months of the correlation of ranks, of every pair of factors. */
export function correlationsOf(monthRanks: readonly (readonly Ranks[])[]): FactorCorrelation[] {
  const count = monthRanks.length;
  const sums = new Float64Array(count * count);
  const months = new Int32Array(count * count);
  for (const month of monthRanks[0]?.keys() ?? []) {
    const ranked = monthRanks.map((ranks) => new RankedNames(ranks[month]));
    for (const [a, b] of pairsInBlocks(count)) {
      const correlation = ranked[a].correlation(ranked[b]);
      if (Number.isNaN(correlation)) continue;
      sums[a * count + b] += correlation;
      months[a * count + b]++;
    }
  }
  const pairOf = (a: number, b: number): FactorCorrelation => {
    const [sum, defined] = [sums[a * count + b], months[a * count + b]];
    return { a, b, months: defined, mean: defined === 0 ? null : sum / defined };
  };
  const places = [...monthRanks.keys()];
  return places.flatMap((a) => places.slice(a + 1).map((b) => pairOf(a, b)));
}
