/** The evidence in a result: statistics, the figures that its selection is computed from, and a receipt. */
import type { BacktestOutcome } from '../../engine/backtest/backtest.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { ResampledPaths } from '../../engine/tear-sheet/chance.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { History } from './history.ts';
import { BUY_HOLD, calendarDays, type MeasuredRun, measureRun } from './measured-run.ts';
import {
  backtestForm,
  type Computation,
  digestOfDataRead,
  receiptOf,
  resultDigest,
  seedOf,
  specDigest,
} from './receipt.ts';
import { equityJson, metricsView, tradesView } from './report.ts';
import { type ServedBars, servedBars, servedFrame } from './served-bars.ts';

/** The long arrays of a result, as JSON texts. */
interface Arrays {
  readonly trades: string;
  readonly klines: ServedBars;
  readonly equity: string;
}

export interface Evidence extends MeasuredRun {
  readonly receipt: Receipt;
  /** Absent: no tear sheet was requested. */
  readonly paths?: ResampledPaths;
}

export function arraysOf(spec: BacktestSpec, outcome: BacktestOutcome, history: History): Arrays {
  const { initialCapital } = spec.execution;
  const klines = servedBars(spec, outcome, history);
  return {
    trades: JSON.stringify(tradesView(outcome)),
    klines,
    equity: equityJson(outcome, initialCapital, servedFrame(klines, outcome, initialCapital)),
  };
}

export function evidenceOf(
  spec: BacktestSpec,
  outcome: BacktestOutcome,
  history: History,
  arrays: Arrays,
  computation: Computation,
): Evidence {
  const { bars, run, metrics } = outcome;
  const specSha256 = specDigest(backtestForm(spec));
  const seed = seedOf(specSha256);
  const { initialCapital } = spec.execution;
  const returns = returnsOf(run.equity, initialCapital);
  const paths = spec.tearSheet && new ResampledPaths(returns, initialCapital);
  const market = { name: BUY_HOLD, returns: holdingReturns(bars.close) };
  const measured = measureRun(returns, market, calendarDays(bars), seed, spec.includeStatistics, paths);
  const figures = {
    start_date: formatDay(bars.day[0]),
    end_date: formatDay(bars.day[bars.length - 1]),
    metrics: metricsView(metrics),
    statistics: measured.statistics ?? null,
  };
  const { trades, klines, equity } = arrays;
  const resultSha256 = resultDigest(figures, { trades, equity }, { klines: klines.sha256 });
  return {
    ...measured,
    paths,
    receipt: receiptOf(specSha256, digestOfDataRead(spec, history), resultSha256, computation),
  };
}
