/** Backtests as a kind of run: one strategy on one instrument; kept ones on the data of today, and their proof. */
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { partsIn } from '../../db/runs/run-results.ts';
import { type BacktestOutcome, type PricedRange, pricedRangeOf, runBacktest } from '../../engine/backtest/backtest.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { isForced } from '../../engine/backtest/execution.ts';
import { measureWarmUp, type ProvedRun, provePrefixes, type Rules } from '../../engine/backtest/look-ahead.ts';
import { METRIC_NAMES } from '../../engine/backtest/metrics.ts';
import { withBarsAhead } from '../../engine/backtest/newest-signal.ts';
import { ratesOn } from '../../engine/backtest/rates.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import type { AdjustMode, Adjustment } from '../../engine/market/adjust.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import { heldPrices } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { canonicalRules, strategyOf } from '../../engine/rules/strategy.ts';
import { partOfBacktest } from '../../engine/tear-sheet/inputs.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type BacktestSpec, backtestSpecSchema } from '../contracts/backtest.ts';
import {
  type History,
  type HistorySource,
  histories,
  PRESENT,
  readHistories,
  readOthers,
  referencedInstruments,
} from '../runs/history.ts';
import type { Failed, KeptData, MeasuredKind, OpenRun, Proof, ReadContext, RunReport } from '../runs/kind.ts';
import { BUY_HOLD } from '../runs/measured-run.ts';
import { type DetailsByCode, dividendNotes, doubtNotes } from '../runs/notes.ts';
import { columnsOf, readIds, readingColumns, readOwnColumns, withColumns } from '../runs/own-columns.ts';
import { changedCandles, PastData, restore, scopeOf, withinScope } from '../runs/past-data.ts';
import { longestPeriod, runProof } from '../runs/proof.ts';
import { readRateColumns } from '../runs/rates.ts';
import { type BarDays, dataDigest, dataRead, digestOfDataRead, tradingForm } from '../runs/receipt.ts';
import { namedAsServed, presentOthers, withPresentId } from '../runs/recompute.ts';
import { equityJson, metricsView, tradesView } from '../runs/report.ts';
import { type BacktestSummary, backtestSummary } from '../runs/summary.ts';
import { trialsIn } from '../runs/trials.ts';
import { noBarsFailure } from './range.ts';
import { adjustedSeries, servedBars, servedFrame } from './served-bars.ts';

export const BACKTEST: MeasuredKind<BacktestSpec, History, BacktestOutcome> = {
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
  goOn: goOnBacktest,
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
  spec: BacktestSpec,
  dataVersion: string,
): Promise<History> {
  const { instrumentId, asOf, columns } = spec;
  const bars = await histories.get(pool, instrumentId, asOf, dataVersion);
  const own = await readOwnColumns(pool, columns, [instrumentId]);
  const history = withColumns(bars, own, instrumentId);
  const others = await readOthers(pool, spec.others, asOf, readingColumns(readHistories, columns));
  const rates = await readRateColumns(pool, spec);
  return others === undefined && rates === undefined ? history : { ...history, others, columns: rates };
}

/** Runs a specification on a history; null when no bar lies in its range. */
export function outcomeOf(spec: BacktestSpec, history: History): BacktestOutcome | null {
  const { asOf, listedOn, delistedOn } = spec;
  const adjusted = (mode: AdjustMode) => adjustedSeries(history, mode);
  return runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn }, adjusted });
}

/** An order of the last bar is filled on the first bar ahead, and what is decided there on the second. */
const BARS_AHEAD = 2;

function goOnBacktest(spec: BacktestSpec, history: History): OpenRun | Failed {
  const { series, events } = history;
  const { symbol, delistedOn, asOf, execution } = spec;
  const isOver = delistedOn !== null && delistedOn <= asOf;
  const through = series.length === 0 ? null : series.day[series.length - 1];
  const isKnown = ({ exDay }: Adjustment) => through !== null && exDay <= through;
  const ahead =
    isOver || through === null
      ? history
      : { ...history, series: withBarsAhead(series, BARS_AHEAD), events: events.filter(isKnown) };
  const outcome = outcomeOf(spec, ahead);
  if (outcome === null) return { failure: { code: 'no_bars_in_range', details: { symbol } } };
  const { bars, run, offset } = outcome;
  const count = bars.length - (isOver ? 0 : BARS_AHEAD);
  const last = offset + count - 1;
  const held = run.trades.filter(({ entryIndex, exitIndex }) => entryIndex <= last && exitIndex > last);
  const isNext = (index: number) => execution.executeOn === 'next_open' && index === last + 1;
  return {
    days: bars.day.subarray(0, count),
    equity: run.equity.subarray(0, count),
    market: holdingReturns(heldPrices(bars)).subarray(0, count),
    positions: held.map(({ shares }) => ({ symbol, shares })),
    orders: run.trades.flatMap(({ entryIndex, exitIndex, exitReason }): OpenRun['orders'] => {
      if (isNext(entryIndex)) return [{ symbol, side: 'buy', reason: 'entry' }];
      const isSold = entryIndex <= last && isNext(exitIndex) && !isForced(exitReason);
      return isSold ? [{ symbol, side: 'sell', reason: exitReason }] : [];
    }),
  };
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
    instrumentIds: readIds([spec], spec.others),
    columns: columnsOf([history], history.others),
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

/** The days of the first and the last bar that a kept backtest read; without a receipt, or with one of an earlier version, only the last is known. */
function daysRead({ receipt, end_date }: BacktestSummary): BarDays {
  const { first_bar = null, last_bar = end_date } = receipt ?? {};
  return [first_bar === null ? Number.NEGATIVE_INFINITY : requireDay(first_bar), requireDay(last_bar)];
}

async function readKeptBacktest(
  { pool }: ReadContext,
  saved: KeptRun,
  source: HistorySource = PRESENT,
): Promise<KeptData<BacktestSpec, History>> {
  const spec = await withPresentId(pool, backtestSpecSchema.parse(saved.spec));
  const scope = scopeOf(daysRead(backtestSummary(saved.summary)), spec);
  const present = await presentOthers(pool, spec.others);
  const found = await source([spec, ...namedAsServed(present)], spec.asOf);
  const read = readingColumns(found, spec.columns);
  const [whole] = await read(pool, [spec.instrumentId], spec.asOf);
  const others = await readOthers(pool, present, spec.asOf, read);
  const data = { ...withinScope(whole, scope), others, columns: await readRateColumns(pool, spec) };
  return {
    spec,
    data,
    // If undoing revisions does not restore the data, for example because the market was replaced, the changes are the revisions since the
    // run, and the other bars of the result that differ.
    differences: async (run, result) => {
      const past = await PastData.read(pool, spec.instrumentId, data, scope);
      // The data of other instruments is as it is now: their revisions are not undone.
      const digest = () => dataDigest(dataRead(spec, { ...past.history, others }));
      if (restore([past], () => digest() === run.digest)) return past.differences();
      const now = (result && partsIn(result).get('klines')?.toString()) ?? '[]';
      return past.differencesSince(run.at, run.candles === null ? [] : changedCandles(run.candles, now));
    },
  };
}

async function proveBacktest(context: ReadContext, spec: BacktestSpec, history: History): Promise<Proof | null> {
  const { asOf, listedOn, delistedOn, execution, symbol, params } = spec;
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return null;
  const { series, from, to, finalReason, cut } = ranged;
  const { cash } = ratesOn(series.day.subarray(from, to), spec, history.columns);
  const run: ProvedRun = { series, from, to, finalReason, execution, cut, interest: cash?.returns };
  const strategy = strategyOf(spec, referencedInstruments(history.others, spec.adjust));
  const rules: Rules = (bars) => strategy.plan(new IndicatorSet(bars), params);
  return {
    proof: await runProof(context, provePrefixes(run, rules)),
    warmUp: measureWarmUp(run, rules, longestPeriod(spec)),
    proved: { strategy: spec.strategy, symbol },
  };
}
