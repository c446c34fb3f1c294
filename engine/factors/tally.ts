/** One factor, session by session: its ranks against forward returns, and the returns of its quantiles. */
import { orderOf, roundedForOrder } from '../indicators/ties.ts';
import { inSteps } from './forward-returns.ts';
import { quantileOf, type Ranks, rankCorrelation, ranksAmong, ranksOf } from './ranks.ts';

/** Largest values of the last session that are named. */
const TOP = 10;

/** A horizon's forward returns of one session, shared by all factors. */
export interface SessionReturns {
  /** NaN where undefined. */
  readonly returns: Float64Array;
  readonly ranks: Ranks;
}

/** What is seen at a session that is looked at. */
export interface Session {
  /** Index in the sessions that are looked at. */
  readonly row: number;
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

export class FactorTally {
  readonly horizons: readonly HorizonTally[];
  /** By session. */
  readonly names: number[] = [];
  readonly shares: number[] = [];
  readonly autocorrelations: number[] = [];
  /** By quantile: the share of new names at each session that has one. */
  readonly turnovers: readonly number[][];
  /** Of the newest session. */
  top: readonly TopValue[] = [];
  private readonly quantiles: number;
  private before: { readonly ranks: Ranks; readonly bins: Uint8Array } | null = null;

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
    const ranks = ranksOf(values);
    const count = ranks.reduce((sum, rank) => sum + Number(rank > 0), 0);
    this.names.push(count);
    if (session.eligible > 0) this.shares.push(count / session.eligible);
    const bins = binsOf(ranks, count, this.quantiles);
    if (this.before !== null) this.compare(this.before, { ranks, bins });
    this.before = { ranks, bins };
    this.top = topOf(values);
    for (const [h, ahead] of session.ahead.entries()) if (ahead !== null) this.addReturns(h, session, ranks, ahead);
    return ranks;
  }

  private compare(before: NonNullable<FactorTally['before']>, now: NonNullable<FactorTally['before']>): void {
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

  private addReturns(
    h: number,
    { row, groups }: Session,
    ranks: Ranks,
    { returns, ranks: ahead }: SessionReturns,
  ): void {
    const isIn = Uint8Array.from(ranks, (rank, i) =>
      Number(rank > 0 && ahead[i] > 0 && !Number.isNaN(groups?.[i] ?? 0)),
    );
    const count = isIn.reduce((sum, flag) => sum + flag, 0);
    const own = ranksAmong(ranks, isIn);
    const beside = lessGroupMean(returns, isIn, groups);
    const { coefficients, quantiles, spreads } = this.horizons[h];
    const ordered = groups === undefined ? ranksAmong(ahead, isIn) : ranksOf(inSteps(beside), true);
    coefficients[row] = rankCorrelation(own, ordered);
    if (count < this.quantiles) return;
    const sums = new Float64Array(this.quantiles);
    const counts = new Int32Array(this.quantiles);
    for (let i = 0; i < own.length; i++) {
      if (own[i] === 0) continue;
      const bin = quantileOf(own[i], count, this.quantiles) - 1;
      sums[bin] += beside[i];
      counts[bin]++;
    }
    for (const [bin, series] of quantiles.entries()) series[row] = sums[bin] / counts[bin];
    spreads[row] = quantiles[this.quantiles - 1][row] - quantiles[0][row];
  }
}

/** The quantile of each member, from 1; 0: none. */
function binsOf(ranks: Ranks, count: number, quantiles: number): Uint8Array {
  const bins = new Uint8Array(ranks.length);
  if (count < quantiles) return bins;
  for (let i = 0; i < ranks.length; i++) if (ranks[i] > 0) bins[i] = quantileOf(ranks[i], count, quantiles);
  return bins;
}

/** Returns less the mean of their group; NaN for those that are not in. Without groups all are one. */
function lessGroupMean(returns: Float64Array, isIn: Uint8Array, groups: Float64Array | undefined): Float64Array {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < returns.length; i++) {
    if (isIn[i] === 0) continue;
    const group = groups?.[i] ?? 0;
    const known = sums.get(group);
    if (known === undefined) sums.set(group, { sum: returns[i], count: 1 });
    else {
      known.sum += returns[i];
      known.count++;
    }
  }
  return returns.map((one, i) => {
    const group = isIn[i] === 0 ? undefined : sums.get(groups?.[i] ?? 0);
    return group === undefined ? Number.NaN : one - group.sum / group.count;
  });
}

/** The largest, equal ones by their order. */
function topOf(values: Float64Array): TopValue[] {
  return Array.from(orderOf(roundedForOrder(values), -1, TOP), (member) => ({ member, value: values[member] }));
}
