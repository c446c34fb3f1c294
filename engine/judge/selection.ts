/** Several streams as the trials of a search: how good the best of them is after the choice. */
import { excessOf, type Nights } from '../backtest/rates.ts';
import { type Moments, momentsOf } from '../statistics/moments.ts';
import { type Overfitting, overfittingOf } from '../statistics/overfitting.ts';
import { type RealityCheck, realityCheckOf } from '../statistics/reality-check.ts';
import { sampledColumns } from '../statistics/search.ts';
import { type Haircut, haircutOf, spreadOf } from '../statistics/selection.ts';
import { appraisalMoments } from '../statistics/skill.ts';
import type { Stream } from './streams.ts';

/** Fewer rows in common than this share of those of the longest stream say little of it. */
const LEAST_COMMON = 0.5;

export interface StreamChoice {
  /** Rows that all streams have. */
  readonly periods: number;
  /** The number of the best stream: by its appraisal ratio beside a benchmark, else by its Sharpe ratio. */
  readonly best: number;
  readonly moments: Moments | null;
  readonly spread: number | null;
  /** The moments of what the best earned beyond the benchmark. */
  readonly appraisal: Moments | null;
  readonly appraisalSpread: number | null;
  readonly overfitting: Overfitting | null;
  /** Null without a benchmark, and where nothing is resampled. */
  readonly realityCheck: RealityCheck | null;
  /** The numbers of the streams that beat the benchmark in all tests together. */
  readonly superior: readonly number[] | null;
  readonly haircut: Haircut | null;
}

/** Rows of the record in which every stream has a return. `rows`: how many the record has. */
export function commonRows(streams: readonly Stream[], rows: number): Int32Array {
  const counts = new Int32Array(rows);
  for (const stream of streams) for (let i = 0; i < stream.rows.length; i++) counts[stream.rows[i]]++;
  return Int32Array.from(counts.keys()).filter((row) => counts[row] === streams.length);
}

export const areFew = (common: Int32Array, streams: readonly Stream[]): boolean =>
  common.length < LEAST_COMMON * streams.reduce((most, { rows }) => Math.max(most, rows.length), 0);

/** The returns of a stream in some rows, all of which it has. */
function returnsIn({ rows, returns }: Stream, common: Int32Array): Float64Array {
  if (rows.length === common.length) return returns;
  const out = new Float64Array(common.length);
  for (let i = 0, at = 0; i < common.length; i++) {
    while (rows[at] < common[i]) at++;
    out[i] = returns[at];
  }
  return out;
}

export interface ChoiceOptions {
  readonly streams: readonly Stream[];
  readonly common: Int32Array;
  /** Returns in the common rows of what was held; null: there is no benchmark. */
  readonly held: Float64Array | null;
  readonly riskFree: Nights | null;
  /** Null: nothing is resampled. */
  readonly seed: string | null;
}

function bestOf(ratios: Float64Array): number {
  let best = 0;
  for (let k = 1; k < ratios.length; k++) if (ratios[k] > ratios[best]) best = k;
  return best;
}

export function chooseAmong({ streams, common, held, riskFree, seed }: ChoiceOptions): StreamChoice {
  const columns = streams.map((stream) => returnsIn(stream, common));
  const market = held && excessOf(held, riskFree);
  const moments = columns.map((returns) => momentsOf(returns));
  const appraisals = columns.map((returns) => market && appraisalMoments(excessOf(returns, riskFree), market));
  const sharpes = Float64Array.from(moments, (one) => one?.sharpe ?? 0);
  const ratios = Float64Array.from(appraisals, (one) => one?.sharpe ?? 0);
  const best = bestOf(market === null ? sharpes : ratios);
  const sampled = sampledColumns(columns.length);
  const sample = sampled.map((column) => columns[column]);
  const realityCheck = held && seed !== null ? realityCheckOf(sample, columns[best], held, seed) : null;
  const chosen = moments[best];
  return {
    best,
    realityCheck,
    periods: common.length,
    moments: chosen,
    spread: spreadOf(sharpes),
    appraisal: appraisals[best],
    appraisalSpread: market && spreadOf(Float64Array.from(sampled, (column) => ratios[column])),
    overfitting: overfittingOf(sample),
    superior: realityCheck?.superior.map((column) => sampled[column]) ?? null,
    haircut: chosen && haircutOf(chosen.sharpe, sharpes, common.length),
  };
}
