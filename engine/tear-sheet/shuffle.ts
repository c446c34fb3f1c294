import type { UniformDraws } from '../statistics/draws.ts';

/** Brings figures into a random order, in place, and returns them (Fisher & Yates). */
export function shuffle<T extends Float64Array | Int32Array>(figures: T, draws: UniformDraws): T {
  for (let i = figures.length - 1; i >= 1; i--) {
    const j = Math.floor(draws.next() * (i + 1));
    const figure = figures[i];
    figures[i] = figures[j];
    figures[j] = figure;
  }
  return figures;
}
