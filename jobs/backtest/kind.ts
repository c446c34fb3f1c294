/** Backtests as a kind of run: one strategy on one instrument. */
import { type BacktestOutcome, type PricedRange, runBacktest } from '../../engine/backtest/backtest.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { isForced } from '../../engine/backtest/execution.ts';
import { METRIC_NAMES } from '../../engine/backtest/metrics.ts';
import type { AdjustMode } from '../../engine/market/adjust.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import { heldPrices } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { canonicalRules } from '../../engine/rules/strategy.ts';
import { partOfBacktest } from '../../engine/tear-sheet/inputs.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type BacktestSpec, backtestSpecSchema } from '../contracts/backtest.ts';
import { type History, histories } from '../runs/history.ts';
import type { ReadContext, RunKind, RunReport } from '../runs/kind.ts';
import { BUY_HOLD } from '../runs/measured-run.ts';
import { type DetailsByCode, dividendNotes, doubtNotes } from '../runs/notes.ts';
import { readOthers } from '../runs/others.ts';
import { dataDigest, dataRead, digestOfDataRead, tradingForm } from '../runs/receipt.ts';
import { equityJson, metricsView, tradesView } from '../runs/report.ts';
import { trialsIn } from '../runs/trials.ts';
import { proveBacktest, readKeptBacktest } from './kept.ts';
import { noBarsFailure } from './range.ts';
import { adjustedSeries, servedBars, servedFrame } from './served-bars.ts';

export const BACKTEST: RunKind<BacktestSpec, History, BacktestOutcome> = {
  spec: backtestSpecSchema,
  canonical: (spec, engineVersion = ENGINE_VERSION) => ({
    kind: 'backtest',
    symbol: spec.symbol,
    ...tradingForm(spec, engineVersion),
  }),
  digest: (spec, history) => dataDigest(dataRead(spec, history)),
  trials: ({ instrumentId, strategy, rules, adjust, execution }, combinations) => {
    const canonical = canonicalRules(rules);
    const forms = combinations.map((params) => (canonical === null ? params : { rules: canonical, params }));
    return trialsIn({ instrumentId, strategy, adjust, execution }, forms);
  },
  read: readAt,
  compute: (spec, history, ledger) => outcomeOf(spec, history) ?? { failure: noBarsFailure(spec, ledger) },
  report,
  sheet: ({ symbol, execution }, outcome) => ({
    part: partOfBacktest(outcome, symbol, execution),
    held: heldPrices(outcome.bars),
  }),
  readKept: readKeptBacktest,
  metricNames: Object.values(METRIC_NAMES),
  prove: proveBacktest,
};

/** The history of a specification, with the other instruments that its rules name, at a version of the data. */
export async function readAt(
  { pool }: Pick<ReadContext, 'pool'>,
  { instrumentId, asOf, others: named }: BacktestSpec,
  dataVersion: string,
): Promise<History> {
  const history = await histories.get(pool, instrumentId, asOf, dataVersion);
  const others = await readOthers(pool, named, asOf);
  return others === undefined ? history : { ...history, others };
}

/** Runs a specification on a history; null when no bar lies in its range. */
export function outcomeOf(spec: BacktestSpec, history: History): BacktestOutcome | null {
  const { asOf, listedOn, delistedOn } = spec;
  const adjusted = (mode: AdjustMode) => adjustedSeries(history, mode);
  return runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn }, adjusted });
}

function report(spec: BacktestSpec, history: History, outcome: BacktestOutcome, ledger: SessionLedger): RunReport {
  const { bars, run, metrics, rangeReasons, wantedStart, isMixed } = outcome;
  const { initialCapital } = spec.execution;
  const klines = servedBars(spec, outcome, history);
  return {
    days: bars.day,
    equity: run.equity,
    market: { name: BUY_HOLD, returns: holdingReturns(heldPrices(bars)) },
    head: { symbol: spec.symbol },
    metrics: metricsView(metrics),
    gaps: gapsOfSpec(spec, { series: bars, from: 0, to: bars.length, rangeReasons, wantedStart }, ledger),
    isMixed,
    notes: dividendNotes(spec.adjust, history.events, bars.day[0], bars.day[bars.length - 1]),
    doubts: doubtsOf(spec, outcome, history),
    parts: {
      trades: JSON.stringify(tradesView(outcome)),
      klines: klines.bytes,
      equity: equityJson(outcome, initialCapital, servedFrame(klines, outcome, initialCapital)),
    },
    digests: { klines: klines.sha256 },
    read: digestOfDataRead(spec, history),
  };
}

/** The gaps among the bars `from` (included) to `to` (excluded) of a series, in the range of a specification. */
export function gapsOfSpec(
  { listedOn, delistedOn, end, asOf }: BacktestSpec,
  { series, from, to, rangeReasons, wantedStart }: Omit<PricedRange, 'finalReason' | 'cut'>,
  ledger: SessionLedger,
): HistoryGaps {
  const days = series.day.subarray(from, to);
  const lifetime = { listedOn, delistedOn };
  return gapsOf({ ledger, days, start: wantedStart, end, asOf, lifetime, reasons: rangeReasons });
}

function doubtsOf(
  { symbol, adjust, execution }: BacktestSpec,
  { bars, run }: BacktestOutcome,
  { series, events }: History,
): DetailsByCode {
  const stays = run.trades.map(({ entryIndex, exitIndex }) => ({
    entryDay: series.day[entryIndex],
    exitDay: series.day[exitIndex],
  }));
  const orders = run.trades.flatMap(({ entryIndex, exitIndex, entryPrice, exitPrice, shares, exitReason }) => {
    const purchase = { index: entryIndex, amount: shares * entryPrice };
    return isForced(exitReason) ? [purchase] : [purchase, { index: exitIndex, amount: shares * exitPrice }];
  });
  const closed = run.trades.find(({ exitReason }) => exitReason === 'delisted');
  const delisted = closed && closed.shares * closed.exitPrice;
  return doubtNotes(
    [{ ...tradedOf(symbol, series, events), stays, orders, delisted }],
    { adjust, executeOn: execution.executeOn, first: bars.day[0], last: bars.day[bars.length - 1] },
    execution.initialCapital,
  );
}
