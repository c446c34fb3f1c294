/** Resamples as indices, for loops that follow definitions. */
import type { UniformDraws } from '../../engine/statistics/draws.ts';
import { Resampler } from '../../engine/statistics/resampler.ts';

/** Writes the indices of the next resample of `indices.length` observations; a block that passes the last one continues at the first. */
export function drawResample(draws: UniformDraws, blockLength: number, indices: Int32Array): void {
  const resampler = new Resampler(indices.length);
  draws.drawBlocks(blockLength, resampler);
  resampler.list();
  indices.set(resampler.indices);
}
