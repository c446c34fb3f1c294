/** A judgement of many streams beside a benchmark, without resamples. */
import { judge } from '../../../engine/judge/judge.ts';
import type { JudgeOptions } from '../../../engine/judge/judge-stream.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { lehmer } from '../../support/series.ts';
import type { Bench } from './market.ts';
import { alone, IS_QUICK, timed } from './measure.ts';

const STREAMS = IS_QUICK ? 20 : 1_000;
const DAYS = IS_QUICK ? 500 : 5_000;
const FIRST = dayOf(2004, 1, 2);
const BENCHMARK = 'held';

function optionsOf(): JudgeOptions {
  const next = lehmer(1);
  const days = Int32Array.from(sessionsBetween(FIRST, FIRST + 2 * DAYS).slice(0, DAYS));
  const names = [BENCHMARK, ...Array.from({ length: STREAMS }, (_, i) => `stream ${i}`)];
  return {
    days,
    columns: names.map((name) => ({ name, values: Float64Array.from(days, () => 0.0003 + 0.02 * (next() - 0.5)) })),
    form: 'returns',
    frequency: null,
    benchmark: { name: BENCHMARK, value: null },
    riskFreeOn: null,
    isChosen: false,
    alternative: 0.5,
    prior: 0.05,
    detail: [],
    seed: null,
  };
}

const benchJudge: Bench = () => {
  const options = optionsOf();
  const seconds = async () => (await timed(() => judge(options))) / 1_000;
  return alone(`${STREAMS} streams × ${DAYS} days, no resamples`, seconds);
};

export const JUDGE_BENCH = { 'judge.s': benchJudge };
