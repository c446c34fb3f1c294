/** Conditions that the site makes of what a strategy holds. */
import { expect, it } from '@jest/globals';
import { amongFirst, amongFirstPct } from '../../api/site/browser/run/among-first.ts';
import { countOf } from '../../engine/rotation/selection.ts';

it('the first percent are as many as a rotation holds', () => {
  expect(amongFirst('roc(5)', 'asc', 3)).toBe('bottom(roc(5), 3)');
  expect(amongFirstPct('roc(5)', 'desc', 12.5)).toBe('rank(roc(5)) > 0.875');
  expect(amongFirstPct('roc(5) + 1', 'asc', 30)).toBe('rank(-(roc(5) + 1)) > 0.7');
  for (const percent of [0.5, 1, 7, 10, 12.5, 30, 33.3, 50, 99, 100]) {
    const bound = Number(amongFirstPct('x', 'desc', percent).split('>')[1]);
    for (let members = 1; members <= 400; members++) {
      const ranks = Array.from({ length: members }, (_, i) => (i + 1) / members);
      expect([percent, members, ranks.filter((rank) => rank > bound).length]).toEqual([
        percent,
        members,
        countOf({ topPct: percent }, members),
      ]);
    }
  }
});
