/** Words for claims whose values mean nothing. */
import { expect, it } from '@jest/globals';
import { CLAIMS } from '../../../engine/factors/claims/claims.ts';
import { computeClaim } from '../../../engine/factors/claims/rows.ts';
import type { FormationPanel } from '../../../engine/factors/cohort.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { required } from '../../../engine/util/values.ts';
import { deadline } from '../../support/deadlines.ts';

it(
  'calls shuffled values above zero in 4 to 6 of 100',
  () => {
    const draws = UniformDraws.fromSeed('00000000000000cc');
    const draw = () => draws.next();
    const [months, members, histories] = [121, 100, 2_000];
    const close = new Float64Array(months * members).fill(100);
    for (let at = members; at < close.length; at++) close[at] = close[at - members] * (1 + 0.2 * (draw() - 0.5));
    const panel: FormationPanel = {
      days: Int32Array.from({ length: months }, (_, k) => Date.UTC(2000, k + 1, 0) / 86_400_000),
      members,
      close,
      rawClose: close,
      size: null,
      isNyse: new Uint8Array(members),
      lastDay: new Int32Array(members).fill(20_000),
    };
    const claim = required(
      CLAIMS.find(({ publishedPct, cuts, hold }) => publishedPct === null && cuts === 10 && hold === 1),
    );
    let above = 0;
    for (let history = 0; history < histories; history++) {
      const { judgement } = computeClaim(claim, panel, close.map(draw));
      if (judgement.word === 'above_zero') above++;
    }
    expect(above / histories).toBeGreaterThanOrEqual(0.04);
    expect(above / histories).toBeLessThanOrEqual(0.06);
  },
  deadline(180_000),
);
