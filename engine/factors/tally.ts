/** One factor, session by session: its ranks against forward returns, and the returns of its quantiles. */

import {
  countRanked,
  quantileOf,
  type Ranks,
  rankCorrelation,
  ranksAmong,
  ranksOf,
  ranksOfSteps,
} from '../indicators/ranks.ts';
import { orderOf, roundedForOrder } from '../indicators/ties.ts';
import { inSteps } from './forward-returns.ts';
import { meanOfAll } from './series-figures.ts';

/** Largest values of the last session that are named. */
const TOP = 10;

/** A horizon's forward returns of one session, shared by all factors. */
export interface SessionReturns {
  /** NaN where undefined. */
  readonly returns: Float64Array;
  readonly ranks: Ranks;
  /** How many are defined. */
  readonly count: number;
}

/** A session that is looked at, as all factors see it. */
export interface Session {
  /** Index in the sessions that are looked at. */
  readonly row: number;
  readonly isLast: boolean;
  /** How many members may have a value. */
  readonly eligible: number;
  /** By horizon; null: it ends after the range. */
  readonly ahead: readonly (SessionReturns | null)[];
  /** The group of each member, whose mean its returns are told beside; NaN: none. Absent: the market. */
  readonly groups?: Float64Array | undefined;
}

/** Series by the rows that are looked at; NaN where undefined. */
export interface HorizonTally {
  readonly coefficients: Float64Array;
  /** By quantile: the mean return less that of the group. */
  readonly quantiles: readonly Float64Array[];
  readonly spreads: Float64Array;
}

export interface TopValue {
  readonly member: number;
  readonly value: number;
}

/** The values of a session in order. */
interface RankedValues {
  readonly ranks: Ranks;
  /** The quantile of each member, from 1; 0: none. */
  readonly bins: Uint8Array;
  /** How many are defined. */
  readonly count: number;
}

export class FactorTally {
  readonly horizons: readonly HorizonTally[];
  /** By session. */
  readonly names: number[] = [];
  readonly shares: number[] = [];
  readonly autocorrelations: number[] = [];
  /** By quantile: the share of new names at each session that has one. */
  readonly turnovers: readonly number[][];
  /** The largest values at the last session. */
  top: readonly TopValue[] = [];
  private readonly quantiles: number;
  private before: RankedValues | null = null;

  constructor(rows: number, horizons: number, quantiles: number) {
    const series = () => new Float64Array(rows).fill(Number.NaN);
    this.quantiles = quantiles;
    this.horizons = Array.from({ length: horizons }, () => ({
      coefficients: series(),
      quantiles: Array.from({ length: quantiles }, series),
      spreads: series(),
    }));
    this.turnovers = Array.from({ length: quantiles }, () => []);
  }

  /** `values`: NaN where a member is not eligible or its value is undefined; their ranks are returned. */
  add(session: Session, values: Float64Array): Ranks {
    const ranked = inQuantiles(ranksOf(values), this.quantiles);
    this.names.push(ranked.count);
    if (session.eligible > 0) this.shares.push(ranked.count / session.eligible);
    if (this.before !== null) this.compare(this.before, ranked);
    this.before = ranked;
    if (session.isLast) this.top = topOf(values);
    for (const [h, ahead] of session.ahead.entries()) if (ahead !== null) this.addReturns(h, session, ranked, ahead);
    return ranked.ranks;
  }

  private compare(before: RankedValues, now: RankedValues): void {
    const correlation = rankCorrelation(before.ranks, now.ranks);
    if (!Number.isNaN(correlation)) this.autocorrelations.push(correlation);
    const was = new Int32Array(this.quantiles + 1);
    const is = new Int32Array(this.quantiles + 1);
    const entered = new Int32Array(this.quantiles + 1);
    for (let i = 0; i < now.bins.length; i++) {
      const bin = now.bins[i];
      was[before.bins[i]]++;
      is[bin]++;
      if (before.bins[i] !== bin) entered[bin]++;
    }
    for (const [i, shares] of this.turnovers.entries()) {
      if (was[i + 1] > 0 && is[i + 1] > 0) shares.push(entered[i + 1] / is[i + 1]);
    }
  }

  private addReturns(h: number, { row, groups }: Session, all: RankedValues, ahead: SessionReturns): void {
    const { coefficients, quantiles, spreads } = this.horizons[h];
    const { returns } = ahead;
    const isIn = new Uint8Array(returns.length);
    let count = 0;
    for (let i = 0; i < isIn.length; i++) {
      if (all.ranks[i] === 0 || ahead.ranks[i] === 0 || (groups !== undefined && Number.isNaN(groups[i]))) continue;
      isIn[i] = 1;
      count++;
    }
    const { ranks, bins } = count === all.count ? all : inQuantiles(ranksAmong(all.ranks, isIn), this.quantiles);
    const beside = groups === undefined ? returns : lessGroupMean(returns, isIn, groups);
    coefficients[row] = rankCorrelation(
      ranks,
      groups === undefined
        ? count === ahead.count
          ? ahead.ranks
          : ranksAmong(ahead.ranks, isIn)
        : ranksOfSteps(inSteps(beside)),
    );
    if (count < this.quantiles) return;
    const sums = new Float64Array(this.quantiles + 1);
    const counts = new Int32Array(this.quantiles + 1);
    let total = 0;
    for (let i = 0; i < bins.length; i++) {
      if (bins[i] === 0) continue;
      sums[bins[i]] += beside[i];
      total += beside[i];
      counts[bins[i]]++;
    }
    // Less the mean of all, which is 0 already beside groups.
    for (const [bin, series] of quantiles.entries()) series[row] = sums[bin + 1] / counts[bin + 1] - total / count;
    spreads[row] = quantiles[this.quantiles - 1][row] - quantiles[0][row];
  }
}

function inQuantiles(ranks: Ranks, quantiles: number): RankedValues {
  const bins = new Uint8Array(ranks.length);
  const count = countRanked(ranks);
  if (count < quantiles) return { ranks, bins, count };
  for (let i = 0; i < ranks.length; i++) if (ranks[i] > 0) bins[i] = quantileOf(ranks[i], count, quantiles);
  return { ranks, bins, count };
}

/** Returns less the mean of their group; NaN for those that are not in. */
function lessGroupMean(returns: Float64Array, isIn: Uint8Array, groups: Float64Array): Float64Array {
  const members = Map.groupBy(
    [...returns.keys()].filter((i) => isIn[i] === 1),
    (i) => groups[i],
  );
  const beside = new Float64Array(returns.length).fill(Number.NaN);
  for (const places of members.values()) {
    const mean = meanOfAll(places.map((i) => returns[i]));
    for (const i of places) beside[i] = returns[i] - mean;
  }
  return beside;
}

/** The largest, equal ones by their order. */
function topOf(values: Float64Array): TopValue[] {
  return Array.from(orderOf(roundedForOrder(values), -1, TOP), (member) => ({ member, value: values[member] }));
}
