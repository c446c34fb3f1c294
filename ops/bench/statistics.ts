/** Measures the statistics of a run and of a search, and compares the overfitting test with a loop that sums every half again. */
import { returnsOf } from '../../engine/statistics/moments.ts';
import { overfittingOf } from '../../engine/statistics/overfitting.ts';
import { SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import { statisticsOfRun } from '../../engine/statistics/single-run.ts';
import { type Figure, figure, inSeconds, inTurns, timed } from './harness.ts';

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

/** Returns the equity of random walks from a linear congruential generator, the same in every run. */
function walks(count: number): Float64Array[] {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, () => {
    let equity = CASH;
    return Float64Array.from({ length: BARS }, () => {
      equity *= 1 + 0.02 * (random() - 0.49);
      return equity;
    });
  });
}

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

export async function benchStatistics(): Promise<Figure[]> {
  const equities = walks(COLUMNS);
  const columns = equities.map((equity) => returnsOf(equity, CASH));
  const close = columns[1].map((r) => 100 * (1 + r));
  const search = () => {
    const returns = new SearchReturns(COLUMNS, BARS, CASH);
    for (const [i, equity] of equities.entries()) returns.add(i, equity);
    statisticsOfSearch(returns, columns[0], close, DAYS, SEED);
  };
  const { run, all, pbo } = await inTurns(ROUNDS, {
    run: () => timed(() => statisticsOfRun(columns[0], DAYS, SEED)),
    all: () => timed(search),
    pbo: () => timed(() => overfittingOf(columns)),
  });
  const loop = (await timed(() => halvesLoop(columns.slice(0, LOOP_COLUMNS)))) * (COLUMNS / LOOP_COLUMNS);
  const beside = `${COLUMNS} × ${BARS} returns; a loop over the returns about ${(loop / 1000).toFixed(0)} s`;
  return [
    figure('statistics.backtest_ms', run, '< 30', `${BARS} returns, 1,000 resamples`),
    figure('statistics.search_s', inSeconds(all), '< 2', `${COLUMNS} combinations, reality check included`),
    figure('statistics.pbo_s', inSeconds(pbo), '< 2', beside),
  ];
}
