/** Measures the statistics of a run and of a search, and compares the overfitting test with a loop that sums every half again. */
import { returnsOf } from '../../engine/statistics/moments.ts';
import { overfittingOf } from '../../engine/statistics/overfitting.ts';
import { SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import { statisticsOfRun } from '../../engine/statistics/single-run.ts';
import type { Bench } from './market.ts';
import { inSeconds, timed, timedRounds } from './measure.ts';
import { figure } from './report.ts';
import { walk } from './walk.ts';

/** Bars of five years. */
const BARS = 1_260;
const DAYS = 1_826;
const COLUMNS = 500;
/** Columns for the loop, whose time is then scaled up because it would take minutes. */
const LOOP_COLUMNS = 10;
const BLOCKS = 16;
const CASH = 100_000;
const ROUNDS = 5;
const SEED = '0123456789abcdef';

const equities = () =>
  Array.from({ length: COLUMNS }, (_, i) => walk(BARS, i + 1, 0.49).close.map((price) => (CASH / 100) * price));
const returnsOfAll = () => equities().map((equity) => returnsOf(equity, CASH));

function sharpeOf(returns: readonly number[]): number {
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const squares = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  return mean / Math.sqrt(squares / (returns.length - 1));
}

/** Computes the Sharpe ratio of every column in both halves of every choice of blocks, directly from the returns. */
function halvesLoop(columns: readonly Float64Array[]): number {
  const size = Math.floor(BARS / BLOCKS);
  let total = 0;
  for (let bits = 0; bits < 1 << BLOCKS; bits++) {
    if (bits.toString(2).replaceAll('0', '').length !== BLOCKS / 2) continue;
    for (const column of columns) {
      const halves: [number[], number[]] = [[], []];
      for (let i = 0; i < size * BLOCKS; i++) halves[(bits >> Math.floor(i / size)) & 1].push(column[i]);
      total += sharpeOf(halves[0]) + sharpeOf(halves[1]);
    }
  }
  return total;
}

const benchRun: Bench = async () => {
  const [returns] = returnsOfAll();
  const run = await timedRounds(ROUNDS, () => statisticsOfRun(returns, DAYS, SEED));
  return [figure('statistics.backtest_ms', run, `${BARS} returns, 1,000 resamples`)];
};

const benchSearch: Bench = async () => {
  const all = equities();
  const [best, other] = returnsOfAll();
  const close = other.map((r) => 100 * (1 + r));
  const search = await timedRounds(ROUNDS, () => {
    const returns = new SearchReturns(COLUMNS, BARS, CASH);
    for (const [i, equity] of all.entries()) returns.add(i, equity);
    statisticsOfSearch(returns, best, close, DAYS, SEED);
  });
  return [figure('statistics.search_s', inSeconds(search), `${COLUMNS} combinations, reality check included`)];
};

const benchOverfitting: Bench = async () => {
  const columns = returnsOfAll();
  const pbo = await timedRounds(ROUNDS, () => overfittingOf(columns));
  const loop = (await timed(() => halvesLoop(columns.slice(0, LOOP_COLUMNS)))) * (COLUMNS / LOOP_COLUMNS);
  const note = `${COLUMNS} × ${BARS} returns; a loop over the returns about ${(loop / 1000).toFixed(0)} s`;
  return [figure('statistics.pbo_s', inSeconds(pbo), note)];
};

export const STATISTICS = {
  'statistics.backtest_ms': benchRun,
  'statistics.search_s': benchSearch,
  'statistics.pbo_s': benchOverfitting,
};
