/** Measuring: medians of several runs, ratios to a floor of the same run, and how much the machine wavers. */

export interface Measurement {
  readonly median: number;
  /** (largest - smallest) / median of the runs. */
  readonly spread: number;
}

export function summarize(samples: readonly number[]): Measurement {
  const sorted = [...samples].sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  return { median, spread: (sorted[sorted.length - 1] - sorted[0]) / median };
}

/** Quantile of ascending values, by the nearest rank. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs the candidates in turns, `rounds` times, so that a slow moment of the machine hits all of them. */
export async function inTurns<const N extends string>(
  rounds: number,
  candidates: Readonly<Record<N, () => Promise<number>>>,
): Promise<Record<N, Measurement>> {
  const names = Object.keys(candidates) as N[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await candidates[name]());
  }
  return Object.fromEntries(names.map((name) => [name, summarize(samples[name])])) as Record<N, Measurement>;
}

/** One line of the result: a figure, its goal in words, and how it came about. */
export interface Figure {
  readonly key: string;
  readonly value: number;
  readonly goal: string;
  readonly note: string;
}

export function figure(key: string, value: number, goal: string, note: string): Figure {
  return { key, value: Number(value.toPrecision(4)), goal, note };
}
