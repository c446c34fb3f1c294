/** Outcomes of a condition over a whole market in memory, for the default horizons. */
import { findHits } from '../../../engine/outcomes/hits.ts';
import { outcomesOf } from '../../../engine/outcomes/outcomes.ts';
import { readPanel } from '../../../engine/outcomes/panel.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { compileCondition } from '../../../engine/rules/compile.ts';
import { CALIBRATION_CONDITIONS, HORIZONS as CALLED_HORIZONS, calledOutcomes } from '../calibration/outcomes.ts';
import type { Bench } from './market.ts';
import { alone, figure, IS_QUICK, timed } from './measure.ts';
import { benchClock, universeInMemory } from './rotation.ts';

const MEMBERS = IS_QUICK ? 100 : 12_000;
const YEARS = IS_QUICK ? 2 : 10;
const CONDITION = 'crosses_above(sma(20), sma(50))';
const HORIZONS = [1, 5, 20];
const SEED = '0123456789abcdef';

async function seconds(): Promise<number> {
  const { clock: sessions, members, seriesOf } = universeInMemory(MEMBERS, benchClock(YEARS));
  const market = {
    members: Array.from({ length: members }, () => ({ asset_type: '', venue: '' })),
    *visit() {
      for (let member = 0; member < members; member++) yield { member, series: seriesOf(member), isDelisted: false };
    },
  };
  const options = { result: 'condition', mayUsePosition: false, market: 'peers', parameters: null } as const;
  const checked = checkRule(CONDITION, options);
  if ('problems' in checked) throw new RangeError(CONDITION);
  const programs = { where: [], condition: compileCondition(checked.expression), by: null };
  const clock = { sessions, first: 0 };
  const ms = await timed(async () => {
    const panel = await readPanel(market, clock, 'close');
    const wanted = new Uint8Array(members).fill(1);
    const found = await findHits(market, clock, panel, programs, { beginnings: true, wanted });
    outcomesOf(panel, found, { compare: 'same_day', horizons: HORIZONS, hasBy: false, seed: SEED });
  });
  return ms / 1_000;
}

const benchMarket: Bench = () => alone(`${CONDITION}, ${MEMBERS} × ${YEARS} years, the default horizons`, seconds, 1);

/** How often a difference is called at 5 % where there is none (`test/judges/calibration`). */
const benchCalled: Bench = async () => {
  const { none } = await calledOutcomes(IS_QUICK ? 5 : CALIBRATION_CONDITIONS);
  const kinds = Object.values(none);
  const largest = (horizon: number) => Math.max(...kinds.map((shares) => shares[horizon]));
  const note = 'largest share of a kind of conditions that know nothing of what follows, names without drift';
  return new Map(CALLED_HORIZONS.map((horizon) => [`outcomes.called_${horizon}`, figure(largest(horizon), note)]));
};

export const OUTCOMES_BENCH = { 'outcomes.market_s': benchMarket, 'outcomes.called': benchCalled };
