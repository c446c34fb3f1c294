/** How returns around hits went on average, session by session, with the band of resampled sessions. */
import { percentile } from '../indicators/indicators.ts';
import { UniformDraws } from '../statistics/draws.ts';
import { Resampler } from '../statistics/resampler.ts';
import { RESAMPLES } from '../statistics/single-run.ts';
import type { Returns } from './returns.ts';

const BLOCK_LENGTH = 20;

export interface OutcomePath {
  readonly block_length: number;
  readonly seed: string;
  readonly points: readonly {
    readonly offset: number;
    readonly hits: number;
    readonly mean: number | null;
    readonly p5: number | null;
    readonly p95: number | null;
  }[];
}

export function pathOf({ panel, around }: Returns, seed: string): OutcomePath {
  const sessions = panel.days.length - panel.first;
  // Sums before each session: a block of a resample is a difference of two.
  const before = around.map(({ sums, counts }) => ({ excess: runningSums(sums), hits: runningSums(counts) }));
  const drawn = around.map((): number[] => []);
  const draws = UniformDraws.fromSeed(seed);
  const resampler = new Resampler(sessions);
  for (let k = 0; k < RESAMPLES; k++) {
    draws.drawBlocks(BLOCK_LENGTH, resampler);
    const { bounds, count } = resampler;
    for (const [i, { excess, hits }] of before.entries()) {
      let sum = 0;
      let among = 0;
      for (let at = 0; at < count; at += 2) {
        sum += excess[bounds[at + 1]] - excess[bounds[at]];
        among += hits[bounds[at + 1]] - hits[bounds[at]];
      }
      if (among > 0) drawn[i].push(sum / among);
    }
  }
  const points = around.map(({ offset }, i) => {
    const { excess, hits } = before[i];
    const count = hits[sessions];
    const sorted = Float64Array.from(drawn[i]).sort();
    const at = (q: number) => (sorted.length === 0 ? null : percentile(sorted, q));
    return { offset, hits: count, mean: count === 0 ? null : excess[sessions] / count, p5: at(0.05), p95: at(0.95) };
  });
  return { block_length: BLOCK_LENGTH, seed, points };
}

/** The sum of those before each place, and of all. */
function runningSums(figures: Float64Array): Float64Array {
  const sums = new Float64Array(figures.length + 1);
  for (const [t, figure] of figures.entries()) sums[t + 1] = sums[t] + figure;
  return sums;
}
