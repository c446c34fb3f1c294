/** Returns after the hits of a condition, beside those of the other members on the same days. */
import { percentile } from '../indicators/indicators.ts';
import { civilDate } from '../market/dates.ts';
import { studentP } from '../statistics/student.ts';
import type { Hit } from './hits.ts';
import type { OutcomePanel } from './panel.ts';
import { type Compare, compared, excessIn, type Outcome, type Returns } from './returns.ts';

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

const daysOf = (outcomes: readonly Outcome[]): number => new Set(outcomes.map(({ hit }) => hit.row)).size;
const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** `betas`: by hit; NaN where it has too few returns. */
export function horizonOutcome(
  returns: Returns,
  horizon: number,
  compare: Compare,
  betas: ReadonlyMap<Hit, number>,
  hasBy: boolean,
): HorizonOutcome {
  const { panel, found } = returns;
  const rows = panel.days.length;
  const outcomes = returns.outcomes(horizon);
  const open = found.hits.filter(({ row }) => row + horizon >= rows).length;
  const values = outcomes.map(({ value }) => value);
  const sorted = Float64Array.from(values).sort();
  const at = (q: number) => (sorted.length === 0 ? null : percentile(sorted, q));
  return {
    horizon,
    hits: outcomes.length,
    open,
    no_entry: found.hits.length - open - outcomes.length,
    ended: outcomes.filter(({ hit }) => panel.ends[hit.member] < hit.row + horizon).length,
    days: daysOf(outcomes),
    instruments: new Set(outcomes.map(({ hit }) => hit.member)).size,
    mean: meanOrNull(values),
    median: at(0.5),
    p5: at(0.05),
    p25: at(0.25),
    p75: at(0.75),
    p95: at(0.95),
    positive_share: shareAbove(values),
    excess: compare === 'none' ? null : excessOf(outcomes, panel, horizon, betas),
    by_year: byYear(outcomes, panel),
    by: hasBy ? apartBy(outcomes, panel, horizon, compare) : null,
  };
}

const shareAbove = (values: readonly number[]) =>
  values.length === 0 ? null : values.filter((value) => value > 0).length / values.length;

function excessOf(all: readonly Outcome[], panel: OutcomePanel, horizon: number, betas: ReadonlyMap<Hit, number>) {
  const outcomes = compared(all);
  const excesses = outcomes.map(excessIn);
  const mean = meanOrNull(excesses);
  const alphas = outcomes.flatMap((one) => {
    const beta = betas.get(one.hit) ?? Number.NaN;
    return Number.isNaN(beta) ? [] : [excessIn(one) - (beta - 1) * one.others];
  });
  const { t, p, doubt } = tested(outcomes, excesses, panel, horizon);
  return {
    mean,
    alpha: meanOrNull(alphas),
    others: meanOrNull(outcomes.map(({ others }) => others)),
    t,
    p,
    positive_share: shareAbove(excesses),
    left_out: daysOf(all) - daysOf(outcomes),
    doubt,
  };
}

/** The sums of a session's figures less their mean, over all sessions of the range. */
function sessionSums(outcomes: readonly Outcome[], figures: readonly number[], mean: number, panel: OutcomePanel) {
  const sums = new Float64Array(sessionsIn(panel));
  for (const [i, { hit }] of outcomes.entries()) sums[hit.row - panel.first] += figures[i] - mean;
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
function doubtOf(outcomes: readonly Outcome[]): 'hits' | 'days' | null {
  if (outcomes.length < MIN_HITS) return 'hits';
  return daysOf(outcomes) < MIN_DAYS ? 'days' : null;
}

const sessionsIn = ({ days, first }: OutcomePanel) => days.length - first;
const isLong = (panel: OutcomePanel, horizon: number) => sessionsIn(panel) >= MIN_PERIODS * horizon;

function tested(outcomes: readonly Outcome[], figures: readonly number[], panel: OutcomePanel, horizon: number) {
  const untold = (doubt: Doubt) => ({ t: null, p: null, doubt });
  const few = doubtOf(outcomes);
  if (few !== null) return untold(few);
  if (!isLong(panel, horizon)) return untold('range');
  const mean = meanOrNull(figures) ?? 0;
  const sum = longRunSum(sessionSums(outcomes, figures, mean, panel), horizon);
  if (!(sum > 0)) return untold('equal');
  const t = mean / (Math.sqrt(sum) / outcomes.length);
  return { t, p: studentP(t, (DEGREES * sessionsIn(panel)) / horizon), doubt: null };
}

function tallyOf(outcomes: readonly Outcome[]): Tally {
  return {
    hits: outcomes.length,
    days: daysOf(outcomes),
    mean: meanOrNull(outcomes.map(({ value }) => value)),
    excess: meanOrNull(compared(outcomes).map(excessIn)),
  };
}

function byYear(outcomes: readonly Outcome[], { days }: OutcomePanel) {
  const years = Map.groupBy(outcomes, ({ hit }) => civilDate(days[hit.row]).year);
  return [...years].map(([year, some]) => ({ year, ...tallyOf(some) }));
}

function apartBy(all: readonly Outcome[], panel: OutcomePanel, horizon: number, compare: Compare) {
  const figureOf = compare === 'none' ? ({ value }: Outcome) => value : excessIn;
  const sides = [true, false].map((side) => {
    const told = all.filter(({ hit }) => hit.by === side);
    const outcomes = compare === 'none' ? told : compared(told);
    const figures = outcomes.map(figureOf);
    const mean = meanOrNull(figures) ?? 0;
    const sums = sessionSums(outcomes, figures, mean, panel).map((sum) => sum / outcomes.length);
    return { tally: tallyOf(told), isTold: doubtOf(outcomes) === null, mean, sums };
  });
  const [yes, no] = sides;
  const tallies = { true: yes.tally, false: no.tally };
  if (!(yes.isTold && no.isTold)) return { ...tallies, difference: null, t: null };
  const difference = yes.mean - no.mean;
  const apart = yes.sums.map((sum, t) => sum - no.sums[t]);
  const spread = isLong(panel, horizon) ? longRunSum(apart, horizon) : 0;
  return { ...tallies, difference, t: spread > 0 ? difference / Math.sqrt(spread) : null };
}
