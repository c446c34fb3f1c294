/** Measures the statistics of a run and of a search. */

import { runStrategy } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { crossValidationOf } from '../../../engine/statistics/cross-validation.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { overfittingOf } from '../../../engine/statistics/overfitting.ts';
import { SearchReturns, statisticsOfSearch } from '../../../engine/statistics/search.ts';
import { statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { prepare, wholeOf } from './engine.ts';
import { type Bench, walk } from './market.ts';
import { alone, compare, timed } from './measure.ts';

/** Bars of five years. */
const BARS = 1_260;
const DAYS = 1_826;
const COLUMNS = 500;
const CASH = 100_000;
const SEED = '0123456789abcdef';
/** Bars. */
const LONGEST_HOLDING = 60;

const equities = () =>
  Array.from({ length: COLUMNS }, (_, i) => walk(BARS, i + 1, 0.49).close.map((price) => (CASH / 100) * price));
const returnsOfAll = () => equities().map((equity) => returnsOf(equity, CASH));

const seconds = async (work: () => unknown) => (await timed(work)) / 1000;

const benchRun: Bench = () => {
  const [returns, market] = returnsOfAll();
  return alone(`${BARS} returns, 1,000 resamples`, () => timed(() => statisticsOfRun(returns, market, DAYS, SEED)));
};

const benchSearch: Bench = () => {
  const all = equities();
  const [best, other] = returnsOfAll();
  const search = () => {
    const returns = new SearchReturns(COLUMNS, other, CASH);
    for (const [i, equity] of all.entries()) returns.add(i, equity);
    statisticsOfSearch(returns, best, DAYS, SEED);
  };
  return alone(`${COLUMNS} combinations, reality check included`, () => seconds(search));
};

const benchOverfitting: Bench = () => {
  const columns = returnsOfAll();
  return alone(`${COLUMNS} × ${BARS} returns`, () => seconds(() => overfittingOf(columns)));
};

/** A search by the engine, and the same with its cross-validation. */
const benchCrossValidation: Bench = () => {
  const series = walk(BARS);
  const { strategy } = prepare(requireStrategy('sma_cross'));
  const all = Array.from({ length: COLUMNS }, (_, i) => {
    const given = { fast_period: 5 + (i % 25), slow_period: 40 + Math.floor(i / 25) };
    return prepare(strategy, given).values;
  });
  const search = () => {
    const market = holdingReturns(series.close);
    const indicators = new IndicatorSet(series);
    const returns = new SearchReturns(COLUMNS, market, CASH);
    for (const [i, values] of all.entries())
      returns.add(i, runStrategy(strategy, values, wholeOf(series), indicators).equity);
    return returns;
  };
  const validated = () => crossValidationOf(search().sample, LONGEST_HOLDING);
  const sides = { ours: () => timed(validated), floor: () => timed(search) };
  return compare(`${COLUMNS} combinations × ${BARS} bars, cross-validated; simulated only`, 'ms', sides);
};

export const STATISTICS = {
  'statistics.backtest_ms': benchRun,
  'statistics.search_s': benchSearch,
  'statistics.pbo_s': benchOverfitting,
  'statistics.cpcv_time_vs_search': benchCrossValidation,
};
