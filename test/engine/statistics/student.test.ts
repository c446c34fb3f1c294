/** Compares two-sided probabilities of Student's distribution with those of scipy 1.17.1, `2 * stats.t.sf(t, degrees)`. */
import { expect, it } from '@jest/globals';
import { studentP } from '../../../engine/statistics/student.ts';

it.each([
  [0, 5, 1],
  [1, 1, 0.5],
  [2, 10, 0.07338803477074037],
  [2.08239895024, 864.75, 0.03759947891341456],
  [0.3, 43.2, 0.7656160147544486],
  [8, 30.5, 5.558154401836166e-9],
  [40, 3, 3.4380680789158506e-5],
  [0.001, 2000, 0.9992022153015605],
])('of t %d with %d degrees of freedom', (t, degrees, p) => {
  expect(Math.abs(studentP(t, degrees) / p - 1)).toBeLessThan(1e-10);
  expect(studentP(-t, degrees)).toBe(studentP(t, degrees));
});
