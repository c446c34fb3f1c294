/** Compares positions, what was held beside them, and random sets of rotations on real bars with another implementation's. */
import { beforeAll, expect, it } from '@jest/globals';
import { equalWeightReturns } from '../../../engine/portfolio/benchmark.ts';
import { positionsOf } from '../../../engine/portfolio/figures.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { randomSets } from '../../../engine/tear-sheet/random-sets.ts';
import { positionSummary } from '../../../engine/tear-sheet/trades.ts';
import { readKnownAnswers } from '../../support/known-answers.ts';
import { type Body, expectAll, RealRotations } from '../../support/real-rotations.ts';

interface Judged {
  readonly name: string;
  readonly kind: string;
  readonly body: Body;
  readonly seed: string;
  readonly market: string;
  readonly returns: readonly number[];
  readonly market_series: readonly number[];
  readonly expected: { readonly position_summary: object; readonly random_sets: object | null };
}

const { cases, describe } = readKnownAnswers<Judged>('judgement.json');
const judged = cases.filter(({ kind }) => kind === 'rotation');

describe('judgements of rotations on real bars', () => {
  let rotations: RealRotations;

  beforeAll(() => {
    rotations = new RealRotations(judged.map(({ body }) => body));
  });

  it.each(judged.map((one) => [one.name, one] as const))('%s', (_, { body, seed, expected, ...known }) => {
    const panel = rotations.panelFor(body);
    const { input, ...found } = rotations.run(body, panel);
    const closeTo = (actual: ArrayLike<number>, wanted: readonly number[]) =>
      expect(wanted.filter((value, t) => !(Math.abs(actual[t] - value) <= 1e-9))).toEqual([]);
    closeTo(returnsOf(found.equity, 100_000), known.returns);
    if (known.market === 'equal_weight_daily')
      closeTo(equalWeightReturns(panel.members, panel.clock), known.market_series);
    const positions = positionsOf(found.trades);
    const closed = positions.map((position) => ({ ...position, barsHeld: position.exitIndex - position.entryIndex }));
    expectAll(positionSummary(closed, found.trades.length - positions.length), expected.position_summary);
    if (expected.random_sets !== null) expectAll(randomSets(input, found, seed), expected.random_sets);
  });
});
