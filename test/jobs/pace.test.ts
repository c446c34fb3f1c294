/** How many jobs a worker takes ahead, and which it expects to end soon. */
import { expect, it } from '@jest/globals';
import { Pace } from '../../jobs/queue/pace.ts';

function paceAfter(...jobs: readonly number[]): Pace {
  const pace = new Pace();
  for (const ms of jobs) pace.ran(ms);
  return pace;
}

it('takes nothing ahead before it has seen a job', () => {
  expect(new Pace().ahead(2)).toBe(0);
});

it.each([
  { ms: 0.01, slots: 2, ahead: 16 },
  { ms: 2, slots: 2, ahead: 8 },
  { ms: 2, slots: 1, ahead: 4 },
  { ms: 8, slots: 1, ahead: 1 },
  { ms: 20, slots: 2, ahead: 0 },
])('takes what $slots slots begin within 8 ms ahead: $ahead jobs of $ms ms', ({ ms, slots, ahead }) => {
  expect(paceAfter(ms, ms, ms).ahead(slots)).toBe(ahead);
});

it('follows the last jobs within a few of them', () => {
  const pace = paceAfter(1, 1, 1);
  pace.ran(60_000);
  expect(pace.ahead(2)).toBe(0);
  const later = Array.from({ length: 60 }, () => {
    pace.ran(1);
    return pace.ahead(2);
  });
  expect(later[0]).toBe(0);
  expect(later.at(-1)).toBeGreaterThan(10);
});

it.each([
  { ms: 0.01, slots: 1, isSoon: true },
  { ms: 2, slots: 1, isSoon: true },
  { ms: 3, slots: 1, isSoon: false },
  { ms: 4, slots: 2, isSoon: true },
  { ms: 20, slots: 2, isSoon: false },
])('expects that one of $slots jobs of $ms ms ends soon: $isSoon', ({ ms, slots, isSoon }) => {
  expect(paceAfter(ms, ms, ms).endsSoon(slots)).toBe(isSoon);
});

it('expects no end before it has seen a job', () => {
  expect(new Pace().endsSoon(2)).toBe(false);
});
