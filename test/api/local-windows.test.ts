/** Limits that a process counts alone. */
import { expect, it } from '@jest/globals';
import { createLocalWindows } from '../../api/limits/local-windows.ts';

const RULE = { limit: 5, windowSeconds: 60 };

it('counts each key, says what is left, and when the oldest call leaves', () => {
  let now = 1_234_567_800;
  const windows = createLocalWindows(() => now);
  for (let left = 4; left >= 0; left--) {
    expect(windows.take('a', RULE)).toMatchObject({ isAllowed: true, remaining: left });
    now += 2_000;
  }
  expect(windows.take('b', RULE)).toMatchObject({ isAllowed: true, remaining: 4 });
  const refused = windows.take('a', RULE);
  expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
  now += 1_000 * (refused.retryAfter - 1);
  expect(windows.take('a', RULE).isAllowed).toBe(false);
  now += 1_000;
  expect(windows.take('a', RULE)).toMatchObject({ isAllowed: true, remaining: 0 });
});

it('never lets more than the limit pass in any window, whatever the rhythm', () => {
  let now = 0;
  const windows = createLocalWindows(() => now);
  const passed: number[] = [];
  for (let i = 0; i < 3_000; i++) {
    now += [0, 0, 400, 3_000, 7_100, 20_000, 59_900, 100][i % 8] + (i % 13) * 10;
    if (windows.take('key', RULE).isAllowed) passed.push(now);
  }
  expect(passed.filter((at, i) => passed[i + RULE.limit] - at < 60_000)).toEqual([]);
  expect(passed.length).toBeGreaterThan(1_000);
});
