/** Returns of hits at a horizon, beside those that they are compared with. */
import { percentile } from '../indicators/indicators.ts';
import { civilDate } from '../market/dates.ts';
import { takenAt } from '../rules/kernels.ts';
import { studentP } from '../statistics/student.ts';
import { required } from '../util/values.ts';
import type { HitReturns, Returns } from './returns.ts';

/** Fewer hits, or fewer days, and no t is told; nor where fewer periods as long as the horizon lie beside each other in the range. */
export const MIN_HITS = 30;
export const MIN_DAYS = 10;
export const MIN_PERIODS = 20;
/** Degrees of freedom for each such period. */
const DEGREES = 0.75;

/** The reason why no t is told. */
export const DOUBTS = ['hits', 'days', 'range', 'equal'] as const;
export type Doubt = (typeof DOUBTS)[number];

export interface Tally {
  readonly hits: number;
  readonly days: number;
  readonly mean: number | null;
  readonly excess: number | null;
}

export interface HorizonOutcome {
  readonly horizon: number;
  readonly hits: number;
  readonly open: number;
  readonly no_entry: number;
  readonly ended: number;
  readonly days: number;
  readonly instruments: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly p5: number | null;
  readonly p25: number | null;
  readonly p75: number | null;
  readonly p95: number | null;
  readonly positive_share: number | null;
  readonly excess: {
    readonly mean: number | null;
    readonly alpha: number | null;
    readonly others: number | null;
    readonly t: number | null;
    readonly p: number | null;
    readonly positive_share: number | null;
    readonly left_out: number;
    /** Null: t is told. */
    readonly doubt: Doubt | null;
  } | null;
  readonly by_year: readonly ({ readonly year: number } & Tally)[];
  readonly by: {
    readonly true: Tally;
    readonly false: Tally;
    readonly difference: number | null;
    readonly t: number | null;
  } | null;
}

/** Some hits at a horizon. */
class Sample {
  readonly returns: Returns;
  private readonly horizon: number;
  /** In their order: by session, then by member. */
  readonly hits: Int32Array;

  constructor(returns: Returns, horizon: number, hits: Int32Array) {
    this.returns = returns;
    this.horizon = horizon;
    this.hits = hits;
  }

  static known(returns: Returns, horizon: number): Sample {
    const all = returns.found.rows.map((_, hit) => hit);
    return new Sample(returns, horizon, all).filter((hit, { values }) => !Number.isNaN(values[hit]));
  }

  get figures(): HitReturns {
    return required(this.returns.horizons.get(this.horizon), 'the returns of a horizon');
  }

  filter(isWanted: (hit: number, figures: HitReturns) => boolean): Sample {
    const { figures } = this;
    const hits = this.hits.filter((hit) => isWanted(hit, figures));
    return new Sample(this.returns, this.horizon, hits);
  }

  /** Those that are compared with something. */
  get compared(): Sample {
    return this.filter((hit, { others }) => !Number.isNaN(others[hit]));
  }

  get values(): Float64Array {
    return takenAt(this.figures.values, this.hits);
  }

  get others(): Float64Array {
    return takenAt(this.figures.others, this.hits);
  }

  get excesses(): Float64Array {
    const { others } = this;
    return this.values.map((value, i) => value - others[i]);
  }

  get days(): number {
    const { rows } = this.returns.found;
    return this.hits.reduce((days, hit, i) => days + Number(i === 0 || rows[hit] !== rows[this.hits[i - 1]]), 0);
  }
}

function meanOrNull(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** `betas`: by hit; NaN where it has too few returns. */
export function horizonOutcome(
  returns: Returns,
  horizon: number,
  betas: Float64Array | null,
  hasBy: boolean,
): HorizonOutcome {
  const { panel, found, compare } = returns;
  const { rows, members } = found;
  const sample = Sample.known(returns, horizon);
  const { values, hits } = sample;
  const open = rows.reduce((count, row) => count + Number(row + horizon >= panel.days.length), 0);
  const sorted = values.slice().sort();
  const at = (q: number) => (sorted.length === 0 ? null : percentile(sorted, q));
  return {
    horizon,
    hits: hits.length,
    open,
    no_entry: rows.length - open - hits.length,
    ended: hits.reduce((count, hit) => count + Number(panel.ends[members[hit]] < rows[hit] + horizon), 0),
    days: sample.days,
    instruments: new Set(hits.map((hit) => members[hit])).size,
    mean: meanOrNull(values),
    median: at(0.5),
    p5: at(0.05),
    p25: at(0.25),
    p75: at(0.75),
    p95: at(0.95),
    positive_share: shareAbove(values),
    excess: compare === 'none' ? null : excessOf(sample, horizon, betas),
    by_year: byYear(sample),
    by: hasBy ? apartBy(sample, horizon) : null,
  };
}

const shareAbove = (values: Float64Array) =>
  values.length === 0 ? null : values.reduce((count, value) => count + Number(value > 0), 0) / values.length;

function excessOf(all: Sample, horizon: number, betas: Float64Array | null) {
  const sample = all.compared;
  const { excesses, others, hits } = sample;
  const alphas = excesses
    .map((excess, i) => excess - ((betas?.[hits[i]] ?? Number.NaN) - 1) * others[i])
    .filter((alpha) => !Number.isNaN(alpha));
  const { t, p, doubt } = tested(sample, excesses, horizon);
  return {
    mean: meanOrNull(excesses),
    alpha: meanOrNull(alphas),
    others: meanOrNull(others),
    t,
    p,
    positive_share: shareAbove(excesses),
    left_out: all.days - sample.days,
    doubt,
  };
}

/** The sums of a session's figures less their mean, over all sessions of the range. */
function sessionSums({ hits, returns: { panel, found } }: Sample, figures: Float64Array, mean: number): Float64Array {
  const sums = new Float64Array(sessionsIn(panel));
  for (const [i, hit] of hits.entries()) sums[found.rows[hit] - panel.first] += figures[i] - mean;
  return sums;
}

/** The larger of the long-run sums with falling and with equal weights. */
function longRunSum(sums: Float64Array, horizon: number): number {
  let [falling, equal] = [0, 0];
  for (let lag = 0; lag < horizon; lag++) {
    let products = 0;
    for (let t = lag; t < sums.length; t++) products += sums[t] * sums[t - lag];
    falling += (lag === 0 ? 1 : 2 * (1 - lag / horizon)) * products;
    equal += (lag === 0 ? 1 : 2) * products;
  }
  return Math.max(falling, equal);
}

/** Null: there are enough. */
function doubtOf({ hits, days }: Sample): 'hits' | 'days' | null {
  if (hits.length < MIN_HITS) return 'hits';
  return days < MIN_DAYS ? 'days' : null;
}

const sessionsIn = ({ days, first }: Returns['panel']) => days.length - first;
const isLong = (panel: Returns['panel'], horizon: number) => sessionsIn(panel) >= MIN_PERIODS * horizon;

function tested(sample: Sample, figures: Float64Array, horizon: number) {
  const { panel } = sample.returns;
  const untold = (doubt: Doubt) => ({ t: null, p: null, doubt });
  const few = doubtOf(sample);
  if (few !== null) return untold(few);
  if (!isLong(panel, horizon)) return untold('range');
  const mean = meanOrNull(figures) ?? 0;
  const sum = longRunSum(sessionSums(sample, figures, mean), horizon);
  if (!(sum > 0)) return untold('equal');
  const t = mean / (Math.sqrt(sum) / figures.length);
  return { t, p: studentP(t, (DEGREES * sessionsIn(panel)) / horizon), doubt: null };
}

function tallyOf(sample: Sample): Tally {
  return {
    hits: sample.hits.length,
    days: sample.days,
    mean: meanOrNull(sample.values),
    excess: meanOrNull(sample.compared.excesses),
  };
}

function byYear(sample: Sample) {
  const { panel, found } = sample.returns;
  const yearOf = Array.from(panel.days, (day) => civilDate(day).year);
  const years = [...new Set(Array.from(sample.hits, (hit) => yearOf[found.rows[hit]]))];
  return years.map((year) => ({ year, ...tallyOf(sample.filter((hit) => yearOf[found.rows[hit]] === year)) }));
}

function apartBy(all: Sample, horizon: number) {
  const { panel, found, compare } = all.returns;
  const sides = [1, 0].map((side) => {
    const told = all.filter((hit) => found.by[hit] === side);
    const sample = compare === 'none' ? told : told.compared;
    const figures = compare === 'none' ? sample.values : sample.excesses;
    const mean = meanOrNull(figures) ?? 0;
    const sums = sessionSums(sample, figures, mean).map((sum) => sum / figures.length);
    return { tally: tallyOf(told), isTold: doubtOf(sample) === null, mean, sums };
  });
  const [yes, no] = sides;
  const tallies = { true: yes.tally, false: no.tally };
  if (!(yes.isTold && no.isTold)) return { ...tallies, difference: null, t: null };
  const difference = yes.mean - no.mean;
  const apart = yes.sums.map((sum, t) => sum - no.sums[t]);
  const spread = isLong(panel, horizon) ? longRunSum(apart, horizon) : 0;
  return { ...tallies, difference, t: spread > 0 ? difference / Math.sqrt(spread) : null };
}
