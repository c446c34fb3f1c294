/** Resamples by their indices, which other programs are given. */
import { UniformDraws } from '../../../../engine/statistics/draws.ts';
import { RESAMPLES } from '../../../../engine/statistics/single-run.ts';
import { drawResample } from '../../../support/resample.ts';

export const SEED = '0123456789abcdef';

export type Rows = readonly (readonly number[])[];

/** The indices of every resample, from a new generator, as each of our statistics has. */
export function rowsOf(bars: number, blockLength: number): Rows {
  const draws = UniformDraws.fromSeed(SEED);
  const indices = new Int32Array(bars);
  return Array.from({ length: RESAMPLES }, () => {
    drawResample(draws, blockLength, indices);
    return [...indices];
  });
}
