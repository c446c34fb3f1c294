/** Returns of claims beside those of others. */
import { expect, it } from '@jest/globals';
import { compareReturns } from '../../../engine/factors/claims/compare.ts';

const byMonth = (returns: readonly number[]) => new Map(returns.map((one, i) => [`2020-0${i + 1}`, one]));

it('compares the months that both have', () => {
  const found = compareReturns(byMonth([1, 3, 5, 100]), byMonth([2, 3, 4]));
  expect(found).toEqual({ months: 3, correlation: 1, slope: 2, ours: 3, theirs: 3 });
  expect(compareReturns(byMonth([1, 3, 2]), byMonth([1, 2, 3])).correlation).toBeCloseTo(0.5, 12);
});

it('has no figure without months, and no slope of two', () => {
  const nothing = { months: 0, correlation: null, slope: null, ours: null, theirs: null };
  expect(compareReturns(byMonth([1]), new Map())).toEqual(nothing);
  expect(compareReturns(byMonth([1, 2]), byMonth([3, 4]))).toMatchObject({ months: 2, slope: null, ours: 1.5 });
  expect(compareReturns(byMonth([1, 2, 3]), byMonth([4, 4, 4]))).toMatchObject({ correlation: null, theirs: 4 });
});
