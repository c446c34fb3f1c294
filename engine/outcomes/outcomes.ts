/** Returns after the hits of a condition, beside those of the other members on the same days. */
import { percentile } from '../indicators/indicators.ts';
import { civilDate } from '../market/dates.ts';
import { studentP } from '../statistics/student.ts';
import type { Hit } from './hits.ts';
import type { OutcomePanel } from './panel.ts';
import { type Compare, compared, excessIn, type Outcome, type Returns } from './returns.ts';

/** Fewer hits, or fewer days, and no t is told; nor for fewer horizons that lie beside each other in the range. */
const MIN_HITS = 30;
const MIN_DAYS = 10;
const MIN_HORIZONS = 20;
const DEGREES = 0.75;

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
  } | null;
  readonly by_year: readonly ({ readonly year: number } & Tally)[];
  readonly by: {
    readonly true: Tally;
    readonly false: Tally;
    readonly difference: number | null;
    readonly t: number | null;
  } | null;
}

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
    days: new Set(outcomes.map(({ hit }) => hit.row)).size,
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
  const rows = new Set(all.map(({ hit }) => hit.row));
  const told = new Set(outcomes.map(({ hit }) => hit.row));
  const { t, p } = tested(outcomes, excesses, panel, horizon);
  return {
    mean,
    alpha: meanOrNull(alphas),
    others: meanOrNull(outcomes.map(({ others }) => others)),
    t,
    p,
    positive_share: shareAbove(excesses),
    left_out: rows.size - told.size,
  };
}

/** The sums of a session's figures less their mean, over all sessions of the range. */
function sessionSums(outcomes: readonly Outcome[], figures: readonly number[], mean: number, panel: OutcomePanel) {
  const sums = new Float64Array(panel.days.length - panel.first);
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

function tested(outcomes: readonly Outcome[], figures: readonly number[], panel: OutcomePanel, horizon: number) {
  const sessions = panel.days.length - panel.first;
  const days = new Set(outcomes.map(({ hit }) => hit.row)).size;
  if (outcomes.length < MIN_HITS || days < MIN_DAYS || sessions < MIN_HORIZONS * horizon) return { t: null, p: null };
  const mean = meanOrNull(figures) ?? 0;
  const sum = longRunSum(sessionSums(outcomes, figures, mean, panel), horizon);
  if (!(sum > 0)) return { t: null, p: null };
  const t = mean / (Math.sqrt(sum) / outcomes.length);
  return { t, p: studentP(t, (DEGREES * sessions) / horizon) };
}

function tallyOf(outcomes: readonly Outcome[]): Tally {
  return {
    hits: outcomes.length,
    days: new Set(outcomes.map(({ hit }) => hit.row)).size,
    mean: meanOrNull(outcomes.map(({ value }) => value)),
    excess: meanOrNull(compared(outcomes).map(excessIn)),
  };
}

function byYear(outcomes: readonly Outcome[], { days }: OutcomePanel) {
  const years = Map.groupBy(outcomes, ({ hit }) => civilDate(days[hit.row]).year);
  return [...years].map(([year, some]) => ({ year, ...tallyOf(some) }));
}

function apartBy(all: readonly Outcome[], panel: OutcomePanel, horizon: number, compare: Compare) {
  const outcomes = compare === 'none' ? all : compared(all);
  const figureOf = compare === 'none' ? ({ value }: Outcome) => value : excessIn;
  const sides = [true, false].map((side) => outcomes.filter(({ hit }) => hit.by === side));
  const [yes, no] = sides;
  const tallies = [true, false].map((side) => tallyOf(all.filter(({ hit }) => hit.by === side)));
  const isTold = sides.every(
    (side) => side.length >= MIN_HITS && new Set(side.map(({ hit }) => hit.row)).size >= MIN_DAYS,
  );
  const [a, b] = sides.map((side) => meanOrNull(side.map(figureOf)) ?? 0);
  const sums = [yes, no].map((side, i) =>
    sessionSums(side, side.map(figureOf), [a, b][i], panel).map((sum) => sum / side.length),
  );
  const difference = isTold ? a - b : null;
  const isLong = panel.days.length - panel.first >= MIN_HORIZONS * horizon;
  const spread =
    isTold && isLong
      ? longRunSum(
          sums[0].map((sum, t) => sum - sums[1][t]),
          horizon,
        )
      : 0;
  return {
    true: tallies[0],
    false: tallies[1],
    difference,
    t: difference === null || !(spread > 0) ? null : difference / Math.sqrt(spread),
  };
}
