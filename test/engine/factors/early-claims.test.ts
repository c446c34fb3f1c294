/** Claims whose values are known a month too early: all of them must show it. */
import { expect, it } from '@jest/globals';
import { CLAIMS } from '../../../engine/factors/claims/claims.ts';
import { computeClaim } from '../../../engine/factors/claims/rows.ts';
import type { FormationPanel } from '../../../engine/factors/cohort.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';

const [MONTHS, MEMBERS] = [181, 200];

function randomPanel(draw: () => number): FormationPanel {
  const close = new Float64Array(MONTHS * MEMBERS).fill(100);
  for (let at = MEMBERS; at < close.length; at++) close[at] = close[at - MEMBERS] * (1 + 0.2 * (draw() - 0.5));
  return {
    days: Int32Array.from({ length: MONTHS }, (_, k) => Date.UTC(2000, k + 1, 0) / 86_400_000),
    members: MEMBERS,
    close,
    rawClose: close,
    size: null,
    isNyse: new Uint8Array(MEMBERS),
    lastDay: new Int32Array(MEMBERS).fill(20_000),
  };
}

it('shows in every claim, whatever its classes and its holding', () => {
  const draws = UniformDraws.fromSeed('00000000000000ee');
  const panel = randomPanel(() => draws.next());
  const ahead = panel.close.map((price, at) => (panel.close[at + MEMBERS] ?? Number.NaN) / price - 1);
  // For claims by distinct values: the best and the worst.
  const sides = ahead.map((change) => (change > 0.06 ? 1 : change < -0.06 ? -1 : 0));
  for (const claim of CLAIMS) {
    const { rows } = computeClaim(claim, panel, claim.cuts === 'classes' ? sides : ahead);
    const { months, t_nw } = rows[0];
    expect([claim.code, months > 100, (t_nw ?? 0) > 3]).toEqual([claim.code, true, true]);
  }
});
