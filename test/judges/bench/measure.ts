/** The harness of all rows: measures the sides of a row in turns, round by round, and makes figures of their samples. */
import { Writable } from 'node:stream';
import { fromKeys, keysOf } from '../../../engine/util/values.ts';

/** `--quick`: one round on a small market. It shows that every row is produced; its figures mean nothing. */
export const IS_QUICK = process.argv.includes('--quick');

const ROUNDS = 5;

/** Measures one sample. */
type Side = () => Promise<number>;

/** One sample per round, in order. */
export type Samples = readonly number[];

/** The figure of a row, and a note about its measurement. */
export interface Figure {
  readonly value: number;
  /** Spread of the rounds; null: one round only. */
  readonly noise: number | null;
  readonly note: string;
}

export function figure(measured: Samples | number, note: string): Figure {
  const isOne = typeof measured === 'number';
  const value = isOne ? measured : median(measured);
  return { value: short(value), noise: isOne ? null : noiseOf(measured), note };
}

const short = (value: number) => Number(value.toPrecision(4));

/** Returns a quantile by the nearest rank. */
export function quantile(samples: Samples, q: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

export const median = (samples: Samples) => quantile(samples, 0.5);

/** The ratio of each round. A temporary slowdown of the machine affects both sides of a ratio. */
export function ratioOf(one: Samples, other: Samples): number[] {
  return one.map((sample, round) => sample / other[round]);
}

/** The interquartile range of the samples as a share of their median. */
export function noiseOf(samples: Samples): number {
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / median(samples);
}

/** Measures the sides in turns, round by round, so that a temporary slowdown of the machine affects all of them. */
export async function inTurns<const N extends string>(
  sides: Readonly<Record<N, Side>>,
  rounds = ROUNDS,
): Promise<Record<N, number[]>> {
  const names = keysOf(sides);
  const samples = fromKeys(names, (): number[] => []);
  for (let round = 0; round < (IS_QUICK ? 1 : rounds); round++) {
    for (const name of names) samples[name].push(await sides[name]());
  }
  return samples;
}

/** The figure of one side alone. */
export async function alone(what: string, side: Side, rounds = ROUNDS): Promise<Figure> {
  return figure((await inTurns({ side }, rounds)).side, what);
}

/** The figure ours ÷ floor (or a peer), both of which give samples in `unit`. */
export async function compare(
  what: string,
  unit: string,
  sides: Readonly<Record<'ours' | 'floor', Side>>,
  rounds = ROUNDS,
): Promise<Figure> {
  const { ours, floor } = await inTurns(sides, rounds);
  return ratioFigure(ours, floor, unit, what);
}

/** The figure one ÷ other of what was measured together. */
export function ratioFigure(one: Samples, other: Samples, unit: string, what: string): Figure {
  const [first, second] = [one, other].map((samples) => Number(median(samples).toPrecision(3)));
  return figure(ratioOf(one, other), `${first} against ${second} ${unit}, ${what}`);
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

/** Returns the median milliseconds of many calls, one after the other. */
export async function medianOf(calls: number, work: () => Promise<unknown> | unknown): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < calls; i++) samples.push(await timed(work));
  return median(samples);
}

/** Throws unless both sides have computed the same. */
export function assertEqual(what: string, ours: number, floor: number): void {
  if (Math.abs(ours / floor - 1) > 1e-9) throw new Error(`${what}: ${ours} is not ${floor}`);
}

/** A stream that discards what is written to it. */
export const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
