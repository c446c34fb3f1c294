/** Medians of several rounds, and ratios to a floor of the same round. */
import { fromKeys, keysOf } from '../../engine/util/records.ts';

/** `--quick`: one round on a small market. It shows that every row is produced; its figures mean nothing. */
export const IS_QUICK = process.argv.includes('--quick');

export interface Measurement {
  /** One sample per round, in order. */
  readonly samples: readonly number[];
  readonly median: number;
}

export function summarize(samples: readonly number[]): Measurement {
  return { samples, median: quantile(ascending(samples), 0.5) };
}

function ascending(samples: readonly number[]): number[] {
  return [...samples].sort((a, b) => a - b);
}

/** Returns a quantile of ascending values by the nearest rank. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** Returns the ratio of each round. A temporary slowdown of the machine affects both sides of a ratio. */
export function ratioOf(one: Measurement, other: Measurement): Measurement {
  return summarize(one.samples.map((sample, round) => sample / other.samples[round]));
}

/** Milliseconds in seconds. */
export function inSeconds({ samples }: Measurement): Measurement {
  return summarize(samples.map((ms) => ms / 1000));
}

/** Returns the interquartile range of the samples as a share of their median. */
export function noiseOf({ samples, median }: Measurement): number {
  const sorted = ascending(samples);
  return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median;
}

/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the mean milliseconds of a call over many calls. */
export async function timedEach(calls: number, work: (i: number) => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) await work(i);
  return (performance.now() - start) / calls;
}

/** Returns the milliseconds of each round. */
export async function timedRounds(rounds: number, work: () => Promise<unknown> | unknown): Promise<Measurement> {
  return (await inTurns(rounds, { work: () => timed(work) })).work;
}

/** Returns the median milliseconds of many calls, one after the other. */
export async function medianOf(calls: number, work: () => Promise<unknown> | unknown): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < calls; i++) samples.push(await timed(work));
  return summarize(samples).median;
}

/** Returns the calls per second of concurrent callers that call again as soon as they get an answer. */
export async function rateOfCallers(callers: number, seconds: number, call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let calls = 0;
  const caller = async () => {
    for (; performance.now() < start + 1000 * seconds; calls++) await call();
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (1000 * calls) / (performance.now() - start);
}

/** Runs the candidates in turns, `rounds` times, so that a temporary slowdown of the machine affects all of them. */
export async function inTurns<const N extends string>(
  rounds: number,
  candidates: Readonly<Record<N, () => Promise<number>>>,
): Promise<Record<N, Measurement>> {
  const names = keysOf(candidates);
  const samples = fromKeys(names, (): number[] => []);
  for (let round = 0; round < (IS_QUICK ? 1 : rounds); round++) {
    for (const name of names) samples[name].push(await candidates[name]());
  }
  return fromKeys(names, (name) => summarize(samples[name]));
}
