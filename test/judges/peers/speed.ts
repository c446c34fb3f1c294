/** How long the runs of a peer take beside ours, in the same minutes. */
import { fromKeys, keysOf } from '../../../engine/util/values.ts';
import type { Peer } from './peer.ts';
import { allRuns, countRuns, GRID, type Run, type Work } from './runs.ts';
import type { Side } from './side.ts';

const ROUNDS = 3;
/** Runs of ours that one figure for a single run is the mean of. */
const OUR_TIMES = 1_000;

/** A figure of the peer, ours, and the peer's ÷ ours: above 1 ours is faster, or smaller. */
export interface Ratio {
  readonly theirs: number;
  readonly ours: number;
  readonly ratio: number;
}

/** Times are milliseconds. Those of runs are of one run each. */
export interface Speed {
  readonly oneRun: Ratio;
  /** A thousand combinations on one instrument. */
  readonly thousandRuns: Ratio;
  /** Every strategy with and without costs on every instrument. */
  readonly sweep: Ratio;
  /** Largest resident memory of the process, in MB. */
  readonly memory: Ratio;
  /** From the start of the process until its packages are loaded. Not in the times above. */
  readonly start: Ratio;
  /** Time that the first runs take longer than the next, kernels being compiled or read. Not in the times above. */
  readonly compile: Ratio;
  /** The number of runs that the peer was timed over. */
  readonly timedRuns: Readonly<Record<'oneRun' | 'thousandRuns' | 'sweep', number>>;
}

const ratioOf = (theirs: number, ours: number): Ratio => ({ theirs, ours, ratio: theirs / ours });

interface Sizes {
  readonly times: number;
  readonly combinations: number;
  /** The number of runs of the sweep. */
  readonly runs: number;
  readonly instruments: number;
}

function worksOf(allOf: readonly Run[], { times, combinations, runs, instruments }: Sizes) {
  const run = allOf[0];
  return {
    oneRun: { what: 'run', run, times },
    thousandRuns: { what: 'grid', run, combinations: GRID.slice(0, combinations) },
    sweep: { what: 'sweep', runs: allOf.slice(0, runs), instruments },
  } satisfies Record<string, Work>;
}

const SMALLEST: Sizes = { times: 1, combinations: 1, runs: 1, instruments: 1 };

async function timeEach(side: Side, works: Readonly<Record<string, Work>>): Promise<number> {
  let sum = 0;
  for (const work of Object.values(works)) sum += await side.time(work);
  return sum;
}

/** The time of the first small works of a process, less that of the same works once more. */
async function compileTime(side: Side, runs: readonly Run[]): Promise<number> {
  const works = worksOf(runs, SMALLEST);
  const first = await timeEach(side, works);
  return Math.max(0, first - (await timeEach(side, works)));
}

/** As many runs as the peer has time for in one round. A vectorized peer has all of them in one call. */
async function sizesFor(peer: Peer, side: Side, all: Sizes, runs: readonly Run[], budgetMs: number): Promise<Sizes> {
  const single = await side.time(worksOf(runs, SMALLEST).oneRun);
  const affordable = Math.max(1, Math.floor(budgetMs / single));
  const times = Math.min(all.times, affordable);
  if (peer.isVectorized) return { ...all, times };
  return {
    times,
    combinations: Math.min(all.combinations, affordable),
    runs: Math.min(all.runs, affordable),
    instruments: Math.min(all.instruments, Math.max(1, Math.floor(affordable / all.runs))),
  };
}

/** The median of several rounds, in which both sides take turns, so that a slow moment of the machine affects both. */
async function measure(theirs: Side, ours: Side, theirWork: Work, ourWork: Work): Promise<Ratio> {
  const rounds: Ratio[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const their = await theirs.time(theirWork);
    const our = await ours.time(ourWork);
    rounds.push(ratioOf(their / countRuns(theirWork), our / countRuns(ourWork)));
  }
  return rounds.toSorted((a, b) => a.ratio - b.ratio)[ROUNDS >> 1];
}

/** Measures sides that have just loaded their instruments and done nothing yet. */
export async function measureSpeed(
  peer: Peer,
  { theirs, ours }: { readonly theirs: Side; readonly ours: Side },
  { instruments, budgetMs }: { readonly instruments: number; readonly budgetMs: number },
): Promise<Speed> {
  const runs = allRuns(peer.fills[0]);
  const compile = ratioOf(await compileTime(theirs, runs), await compileTime(ours, runs));
  const all = { times: OUR_TIMES, combinations: GRID.length, runs: runs.length, instruments };
  const their = worksOf(runs, await sizesFor(peer, theirs, all, runs, budgetMs));
  const our = worksOf(runs, all);
  // Ours is compiled the better the more often it has run.
  await timeEach(ours, our);
  return {
    oneRun: await measure(theirs, ours, their.oneRun, our.oneRun),
    thousandRuns: await measure(theirs, ours, their.thousandRuns, our.thousandRuns),
    sweep: await measure(theirs, ours, their.sweep, our.sweep),
    memory: ratioOf(await theirs.peakMb(), await ours.peakMb()),
    start: ratioOf(theirs.startMs, ours.startMs),
    compile,
    timedRuns: fromKeys(keysOf(their), (name) => countRuns(their[name])),
  };
}
