/**
 * Rotations that choose at random: the same rebalances, fills, costs, and exits as the run, its sizes of sets and numbers of names that
 * stay, but the names are drawn. They tell what its choice is worth.
 */
import { openTrading, runSessions, type Trading } from '../portfolio/sessions.ts';
import type { RebalanceValues } from '../rotation/panel.ts';
import { reweight, tradablePositions, weightsAt } from '../rotation/rebalance.ts';
import type { ChosenSet, RotationInput, RotationRun } from '../rotation/rotation.ts';
import { tradedInstruments } from '../rotation/simulate.ts';
import { compareFigures, UniformDraws } from '../statistics/draws.ts';
import { type Percentiles, percentilesOf } from './figures.ts';

const RANDOM_RUNS = 500;
/** Positions × sessions × runs above it take too long. */
const MOST_WORK = 1e8;

/** Positions of the largest set × sessions × runs are too many. */
export function areTooLong(clock: Int32Array, rebalances: RotationRun['rebalances']): boolean {
  const largest = rebalances.reduce((most, { set }) => Math.max(most, set.size), 0);
  return largest * clock.length * RANDOM_RUNS > MOST_WORK;
}

/** Members that could be drawn: those with a score at any rebalance. */
export function scoredMembers(rebalances: readonly Pick<RebalanceValues, 'score'>[]): Set<number> {
  const scored = new Set<number>();
  for (const { score } of rebalances) {
    for (let member = 0; member < score.length; member++) if (!Number.isNaN(score[member])) scored.add(member);
  }
  return scored;
}

/** Swaps items `from` to `to` (excluded) each with itself or a random later one: they are then drawn without replacement. */
function draw(items: number[], from: number, to: number, draws: UniformDraws): void {
  for (let i = from; i < to; i++) {
    const j = i + Math.floor(draws.next() * (items.length - i));
    [items[i], items[j]] = [items[j], items[i]];
  }
}

/** `held` and `others`: names with a score, in the order of the members. Returns as many as the run chose, in that order. */
function drawSet(held: number[], others: number[], { size, stayed }: ChosenSet, draws: UniformDraws): number[] {
  const staying = Math.min(stayed, held.length);
  draw(held, 0, staying, draws);
  const entering = Math.min(size - staying, others.length);
  draw(others, 0, entering, draws);
  const all = Math.min(size - entering, held.length);
  draw(held, staying, all, draws);
  return [...held.slice(0, all), ...others.slice(0, entering)].sort((a, b) => a - b);
}

/** Equity at the end of each of `RANDOM_RUNS` runs. The bars of every member with a score are in the panel. */
function randomSetEquities(input: RotationInput, run: RotationRun, draws: UniformDraws): Float64Array {
  const { panel, values, execution, interest } = input;
  const instruments = tradedInstruments(input);
  const due = new Map(
    values.rebalances.map((at, i) => {
      const names = [...at.score.keys()].filter((member) => !Number.isNaN(at.score[member]));
      return [at.session, { at, names, set: run.rebalances[i].set }] as const;
    }),
  );
  return Float64Array.from({ length: RANDOM_RUNS }, () => {
    const trading = openTrading({ instruments, execution, interest, sharesCash: true }, true);
    const { equity } = runSessions(trading, panel.clock, (t) => {
      const one = due.get(t);
      if (one !== undefined) rebalanceAtRandom(input, trading, one, draws);
    });
    return equity[equity.length - 1];
  });
}

interface RandomRebalance {
  readonly at: RebalanceValues;
  /** With a score. */
  readonly names: readonly number[];
  readonly set: ChosenSet;
}

function rebalanceAtRandom(
  input: RotationInput,
  trading: Trading,
  { at, names, set }: RandomRebalance,
  draws: UniformDraws,
): void {
  const { cash, cursor } = trading;
  const day = input.panel.clock[at.session];
  const isHeld = new Set(tradablePositions(trading).keys());
  const held = names.filter((member) => isHeld.has(member));
  const others = set.size > set.stayed || held.length < set.stayed ? names.filter((member) => !isHeld.has(member)) : [];
  const drawn = drawSet(held, others, set, draws);
  cursor.follow([...new Set([...cash.held.map(({ instrument }) => instrument), ...drawn])], day);
  const { weights } = weightsAt(input, at, drawn, set.total);
  reweight(trading, tradablePositions(trading), weights, input.rule.cashBufferPct);
}

export interface RandomRuns {
  readonly runs: number;
  /** Share of them that ended below the run. */
  readonly rank: number;
  readonly total_pct: Percentiles;
}

/** `totals`: percent, of the random runs; they are sorted in place. */
export function randomRuns(totals: Float64Array, ownTotal: number): RandomRuns {
  const below = totals.filter((one) => compareFigures(one, ownTotal) < 0).length;
  return { runs: totals.length, rank: below / totals.length, total_pct: percentilesOf(totals) };
}

/** The bars of every member with a score are in the panel. `seed`: 16 hex digits. */
export function randomSets(input: RotationInput, run: RotationRun, seed: string): RandomRuns {
  const { initialCapital } = input.execution;
  const total = (equity: number) => 100 * (equity / initialCapital - 1);
  const equities = randomSetEquities(input, run, UniformDraws.fromSeed(seed));
  return randomRuns(equities.map(total), total(run.equity[run.equity.length - 1]));
}
