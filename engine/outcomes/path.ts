/** How returns around hits went on average, session by session, with the band of resampled sessions. */
import { percentile } from '../indicators/indicators.ts';
import { UniformDraws } from '../statistics/draws.ts';
import { Resampler } from '../statistics/resampler.ts';
import { RESAMPLES } from '../statistics/single-run.ts';
import { BEFORE } from './panel.ts';
import type { Returns } from './returns.ts';

const BLOCK_LENGTH = 20;
const LEAST_AFTER = 60;

/** The last offset of a path. `longest`: the longest horizon. */
export const lastOffset = (longest: number): number => Math.max(LEAST_AFTER, longest);

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

/** `longest`: the longest horizon. */
export function pathOf(returns: Returns, longest: number, seed: string): OutcomePath {
  const { panel } = returns;
  const sessions = panel.days.length - panel.first;
  const offsets = Array.from({ length: BEFORE + lastOffset(longest) + 1 }, (_, i) => i - BEFORE);
  // Sums before each session: a block of a resample is a difference of two.
  const sums = offsets.map((offset) => {
    const excess = new Float64Array(sessions + 1);
    const hits = new Float64Array(sessions + 1);
    returns.eachExcess(offset, (row, one) => {
      excess[row - panel.first + 1] += one;
      hits[row - panel.first + 1]++;
    });
    for (let t = 1; t <= sessions; t++) {
      excess[t] += excess[t - 1];
      hits[t] += hits[t - 1];
    }
    return { excess, hits };
  });
  const drawn = offsets.map((): number[] => []);
  const draws = UniformDraws.fromSeed(seed);
  const resampler = new Resampler(sessions);
  for (let k = 0; k < RESAMPLES; k++) {
    draws.drawBlocks(BLOCK_LENGTH, resampler);
    const { bounds, count } = resampler;
    for (const [i, { excess, hits }] of sums.entries()) {
      let sum = 0;
      let among = 0;
      for (let at = 0; at < count; at += 2) {
        sum += excess[bounds[at + 1]] - excess[bounds[at]];
        among += hits[bounds[at + 1]] - hits[bounds[at]];
      }
      if (among > 0) drawn[i].push(sum / among);
    }
  }
  const points = offsets.map((offset, i) => {
    const count = sums[i].hits[sessions];
    const sorted = Float64Array.from(drawn[i]).sort();
    const at = (q: number) => (sorted.length === 0 ? null : percentile(sorted, q));
    return {
      offset,
      hits: count,
      mean: count === 0 ? null : sums[i].excess[sessions] / count,
      p5: at(0.05),
      p95: at(0.95),
    };
  });
  return { block_length: BLOCK_LENGTH, seed, points };
}
