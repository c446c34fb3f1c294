/** The evidence in a result: statistics, the figures that its selection is computed from, and a receipt. */
import type { BacktestOutcome } from '../../engine/backtest/backtest.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { momentsOf, returnsOf } from '../../engine/statistics/moments.ts';
import { minTrackRecord, statisticsOfRun } from '../../engine/statistics/single-run.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { History } from './history.ts';
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
import {
  calendarDays,
  type ReportedStatistics,
  reportStatistics,
  type SelectionBasis,
  sharpeMoments,
} from './statistics.ts';

/** The long arrays of a result, as JSON texts. */
interface Arrays {
  readonly trades: string;
  readonly klines: ServedBars;
  readonly equity: string;
}

export interface Evidence {
  readonly statistics?: ReportedStatistics;
  /** The minimum track record in bars; null: the Sharpe ratio is not above 0. */
  readonly minTrackRecordBars: number | null;
  /** Absent if no statistics were requested. */
  readonly basis?: SelectionBasis;
  readonly receipt: Receipt;
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
  const returns = returnsOf(run.equity, spec.execution.initialCapital);
  const moments = momentsOf(returns);
  const statistics = spec.includeStatistics
    ? reportStatistics(statisticsOfRun(returns, calendarDays(bars), seed), seed)
    : undefined;
  const figures = {
    start_date: formatDay(bars.day[0]),
    end_date: formatDay(bars.day[bars.length - 1]),
    metrics: metricsView(metrics),
    statistics: statistics ?? null,
  };
  const { trades, klines, equity } = arrays;
  const resultSha256 = resultDigest(figures, { trades, equity }, { klines: klines.sha256 });
  return {
    statistics,
    minTrackRecordBars: moments && minTrackRecord(moments, 0),
    basis: spec.includeStatistics ? { moments: sharpeMoments(moments) } : undefined,
    receipt: receiptOf(specSha256, digestOfDataRead(spec, history), resultSha256, computation),
  };
}
