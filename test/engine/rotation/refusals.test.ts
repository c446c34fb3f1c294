/** Rotations that are refused before they run. */
import { describe, expect, it } from '@jest/globals';
import { missingHistory, weightFault } from '../../../engine/rotation/refusals.ts';
import type { Selection } from '../../../engine/rotation/selection.ts';
import { RotationFailure, weighBy } from '../../../engine/rotation/weigh.ts';
import type { WeightRule } from '../../../engine/rotation/weights/weights.ts';
import { panelOf } from '../../support/panels.ts';
import { walkingMembers } from './oracles/walks.ts';

const RULE: WeightRule = {
  method: 'min_variance',
  lookback: 60,
  covariance: 'sample',
  bounds: { min: 0, max: 1 },
  targetVolatilityPct: null,
};
const SELECTION: Pick<Selection, 'order' | 'hold'> = { order: 'desc', hold: { top: 10 } };

it.each([
  ['nothing', {}, {}, [], null],
  [
    'a smallest weight for a method without one',
    { method: 'hrp', bounds: { min: 0.01, max: 1 } },
    {},
    [],
    'min_weight_not_taken',
  ],
  ['weights by an ascending score', { method: 'score' }, { order: 'asc' }, [], 'score_ascending'],
  ['given weights above 1', { method: 'fixed' }, {}, [0.7, 0.4], 'fixed_above_one'],
  ['not given weights of 1', { method: 'fixed' }, {}, [0.1, 0.2, 0.7], null],
  ['a minimum above the maximum', { bounds: { min: 0.2, max: 0.1 } }, {}, [], 'bounds_never_met'],
  ['a minimum above an equal share', { bounds: { min: 0.11, max: 1 } }, {}, [], 'bounds_never_met'],
  ['a sample of as many sessions as names', { lookback: 20 }, { hold: { top: 20 } }, [], 'sample_too_short'],
  ['not one that is shrunk', { lookback: 20, covariance: 'ledoit_wolf' }, { hold: { top: 20 } }, [], null],
] as const)('refuses %s', (_, rule, selection, fixed, fault) => {
  expect(weightFault({ ...RULE, ...rule }, { ...SELECTION, ...selection }, fixed)).toBe(fault);
});

describe('history before the first rebalance', () => {
  const panel = panelOf(walkingMembers(3, 40, 1).map((member) => ({ ...member, from: 10 })));

  it('is missing where the window and the bar before it reach further', () => {
    expect(missingHistory(panel, 9, { ...RULE, lookback: 20 })).toEqual({ there: panel.first + 10, needed: 21 });
    expect(missingHistory(panel, 15, { ...RULE, lookback: 20 })).toBeNull();
  });

  it('is not needed for weights without returns', () => {
    expect(missingHistory(panel, 2, { ...RULE, method: 'equal' })).toBeNull();
    expect(missingHistory(panel, 2, { ...RULE, method: 'equal', targetVolatilityPct: 10 })).not.toBeNull();
  });
});

describe('a rebalance fails', () => {
  const panel = panelOf(walkingMembers(3, 40, 1));
  const weigh = (rule: Partial<WeightRule>, score: readonly number[]) => () =>
    weighBy({ ...RULE, ...rule })(panel, { session: 5, score: Float64Array.from(score) }, [0, 1, 2]);

  it('where a score that is to be a weight is not positive', () => {
    const failure = new RotationFailure('score_not_positive', panel.clock[5], panel.members[1].symbol);
    expect(weigh({ method: 'score' }, [1, 0, 2])).toThrow(failure);
    expect(weigh({ method: 'score' }, [1, 1, 2])).not.toThrow();
  });

  it('where a percentage of the market is as many names as the sample has sessions', () => {
    expect(weigh({ lookback: 3 }, [1, 1, 1])).toThrow(new RotationFailure('sample_too_short', panel.clock[5], null));
  });
});
