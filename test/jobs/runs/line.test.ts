/** The small line of a kept run, read from the stored rows of its equity. */
import { expect, it } from '@jest/globals';
import { lineOf } from '../../../jobs/runs/line.ts';

const rowsOf = (equity: readonly number[]) =>
  Buffer.from(JSON.stringify(equity.map((value, i) => ({ ts: `2024-01-${i}`, equity: value, drawdown_pct: 0 }))));

it('has the first point, the last, and some between at about equal steps', () => {
  const line = lineOf(rowsOf(Array.from({ length: 2_600 }, (_, i) => 100 + i)));
  expect([line.length, line[0], line.at(-1)]).toEqual([32, 1, 26.99]);
  const steps = line.slice(1).map((point, i) => point - line[i]);
  expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.2);
});

it('has every point of a short run, and none without rows', () => {
  expect(lineOf(rowsOf([100, 50, 200]))).toEqual([1, 0.5, 2]);
  expect(lineOf(rowsOf([100]))).toEqual([1]);
  expect(lineOf(rowsOf([1e-30, 1e300]))).toEqual([1, 1e300 / 1e-30]);
  expect(lineOf(rowsOf([0, 1]))).toEqual([]);
  expect([lineOf(Buffer.from('[]')), lineOf(Buffer.alloc(0))]).toEqual([[], []]);
});
