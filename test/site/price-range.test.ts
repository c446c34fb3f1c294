/** Which lines are drawn over candles, and which in a pane of their own. */
import { expect, it } from '@jest/globals';
import { liesAmongPrices } from '../../api/site/browser/charts/price-range.ts';

const BARS = [
  { high: 104, low: 96 },
  { high: 106, low: 98 },
];

it.each<[string, (number | null)[], boolean]>([
  ['an average', [null, 99], true],
  ['a level at twice the highest price', [212, 212], true],
  ['a difference of prices', [-1.2, 0.4], false],
  ['a range of bars', [8, 8], false],
  ['nothing', [null, null], true],
])('%s lies among the prices: %j → %s', (_, figures, expected) => {
  expect(liesAmongPrices(figures, BARS)).toBe(expected);
});
