/** Factor studies over a whole market in memory: some factors are measured, and the time of two hundred by two workers is told. */

import { fileURLToPath } from 'node:url';
import { type Every, type Horizon, studySessions } from '../../../engine/factors/sessions.ts';
import { correlationsOf, type StudiedFactors, studyFactors } from '../../../engine/factors/study.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import type { Bench } from './market.ts';
import { alone, assertEqual, compare, type Figure, IS_QUICK, timed } from './measure.ts';
import { type BenchUniverse, benchClock, universeInMemory } from './rotation.ts';

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
const QUANTILES = 5;
/** A market that fits into pandas. */
const [PEER_MEMBERS, PEER_YEARS] = IS_QUICK ? [20, 1] : [1_000, 2];
const PEER_PERIOD = 21;
const PEER_ROUNDS = 3;
const REQUIREMENTS = fileURLToPath(new URL('../truth/requirements-performance.txt', import.meta.url));
const PROGRAM = fileURLToPath(new URL('time_alphalens.py', import.meta.url));
/** Factors of a chunk: what they share is computed once for all of them. */
const CHUNK = VALUES.length;

async function study(universe: BenchUniverse, values: readonly string[], every: Every, horizons: readonly Horizon[]) {
  const { clock, members, seriesOf } = universe;
  const market = {
    members: Array.from({ length: members }, () => ({ asset_type: '', venue: '' })),
    *visit() {
      for (let member = 0; member < members; member++) yield { member, series: seriesOf(member), isDelisted: false };
    },
  };
  const factors = values.map((text) => {
    const checked = checkRule(text, { result: 'value', mayUsePosition: false, market: 'peers', parameters: null });
    if ('problems' in checked) throw new RangeError(text);
    return compileValue(checked.expression);
  });
  const programs = { where: [], factors, neutral: null };
  const plan = { horizons, quantiles: QUANTILES };
  return studyFactors(market, { sessions: clock, first: 0 }, studySessions(clock, every, 0), programs, plan);
}

async function secondsOf(every: Every, horizons: readonly Horizon[]): Promise<number> {
  const universe = universeInMemory(MEMBERS, benchClock(YEARS));
  let monthRanks: StudiedFactors['monthRanks'] = [];
  const studied = await timed(async () => {
    ({ monthRanks } = await study(universe, VALUES, every, horizons));
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

/** One factor of ours among a chunk, against alphalens on the same closes. */
async function benchPeer(python: PythonEnvironment): Promise<Figure> {
  const universe = universeInMemory(PEER_MEMBERS, benchClock(PEER_YEARS));
  const closes = Array.from({ length: PEER_MEMBERS }, (_, member) => universe.seriesOf(member).close);
  const day = Array.from(universe.clock, formatDay);
  const close = day.map((_, t) => closes.map((own) => own[t]));
  const values = [`roc(${PEER_PERIOD})`, ...VALUES.slice(1)];
  const given = { close, day, period: PEER_PERIOD, quantiles: QUANTILES };
  let [ours, theirs] = [Number.NaN, Number.NaN];
  const sides = {
    ours: async () => {
      const start = performance.now();
      const { tallies } = await study(universe, values, 'day', [1]);
      const coefficients = tallies[0].horizons[0].coefficients.filter((one) => !Number.isNaN(one));
      ours = coefficients.reduce((sum, one) => sum + one, 0) / coefficients.length;
      return (1_000 * values.length) / (performance.now() - start);
    },
    floor: async () => {
      const answer = await python.run<{ readonly seconds: number; readonly coefficient: number }>(PROGRAM, given);
      theirs = answer.coefficient;
      return 1 / answer.seconds;
    },
  };
  const what = `${PEER_MEMBERS} names × ${PEER_YEARS} years by the day; alphalens-reloaded on the same closes`;
  const compared = await compare(what, 'factors a second', sides, PEER_ROUNDS);
  assertEqual('the mean coefficient', ours, theirs);
  return compared;
}

/** A row of comparison: it is absent where alphalens cannot be installed. */
const benchAlphalens: Bench = async () => {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  try {
    const key = 'factors.rate_vs_alphalens';
    return new Map([[key, await benchPeer(await openPythonEnvironment(REQUIREMENTS, { progress }))]]);
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    progress(`factors.rate_vs_alphalens is absent: ${error.message}`);
    return new Map();
  }
};

export const FACTORS_BENCH = {
  'factors.month_s': benchMonth,
  'factors.day_s': benchDay,
  'factors.rate_vs_alphalens': benchAlphalens,
};
