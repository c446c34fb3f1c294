/** Factor studies over a whole market in memory: some factors are measured, and the time of two hundred by two workers is told. */

import { type Every, type Horizon, studySessions } from '../../../engine/factors/sessions.ts';
import { correlationsOf, type StudiedFactors, studyFactors } from '../../../engine/factors/study.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import type { Bench } from './market.ts';
import { alone, IS_QUICK, timed } from './measure.ts';
import { benchClock, universeInMemory } from './rotation.ts';

const MEMBERS = IS_QUICK ? 100 : 12_000;
const YEARS = IS_QUICK ? 1 : 5;
const FACTORS = 200;
const WORKERS = 2;
/** Bars that each kind of value is asked over. */
const PERIODS = [21, 63, 126, 252];
const valuesOver = (n: number) => [
  `lag(roc(${n}), 21)`,
  `-roc(${n})`,
  `-volatility(${n})`,
  `close / highest_of(close, ${n})`,
  `rank(roc(${n})) - rank(volatility(21))`,
  `slope_of(close, ${n}) / close`,
];
const VALUES = PERIODS.flatMap(valuesOver);
/** Factors of a chunk: what they share is computed once for all of them. */
const CHUNK = VALUES.length;

async function secondsOf(every: Every, horizons: readonly Horizon[]): Promise<number> {
  const { clock, members, seriesOf } = universeInMemory(MEMBERS, benchClock(YEARS));
  const market = {
    members: Array.from({ length: members }, () => ({ asset_type: '', venue: '' })),
    *visit() {
      for (let member = 0; member < members; member++) yield { member, series: seriesOf(member), isDelisted: false };
    },
  };
  const factors = VALUES.map((text) => {
    const checked = checkRule(text, { result: 'value', mayUsePosition: false, market: 'peers', parameters: null });
    if ('problems' in checked) throw new RangeError(text);
    return compileValue(checked.expression);
  });
  const sessions = studySessions(clock, every, 0);
  const programs = { where: [], factors, neutral: null };
  let monthRanks: StudiedFactors['monthRanks'] = [];
  const studied = await timed(async () => {
    const plan = { horizons, quantiles: 5 };
    ({ monthRanks } = await studyFactors(market, { sessions: clock, first: 0 }, sessions, programs, plan));
  });
  const all = Array.from({ length: FACTORS }, (_, i) => monthRanks[i % CHUNK]);
  const correlated = await timed(async () => correlationsOf(all));
  // Chunks are shared between workers; one puts them together.
  return ((studied * FACTORS) / CHUNK / WORKERS + correlated) / 1_000;
}

const noteOf = (every: Every) =>
  `${FACTORS} factors × ${MEMBERS} × ${YEARS} years by the ${every} on ${WORKERS} cores, from the time of ${CHUNK}`;

const benchMonth: Bench = () => alone(noteOf('month'), () => secondsOf('month', ['step']), 1);
const benchDay: Bench = () => alone(noteOf('day'), () => secondsOf('day', [1]), 1);

export const FACTORS_BENCH = { 'factors.month_s': benchMonth, 'factors.day_s': benchDay };
