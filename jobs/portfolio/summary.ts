/** The summary of a finished portfolio, stored with its long arrays. It has no text in a language. */
import { type Traded, tradedOf } from '../../engine/backtest/doubts.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import type { Lifetime, RangeReason } from '../../engine/market/time-range.ts';
import {
  isMixedSource,
  type PortfolioMetrics,
  type PreparedInstrument,
  type PreparedPortfolio,
} from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import type { PositionSummary } from '../../engine/tear-sheet/trades.ts';
import { keysOf } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import {
  chosenNotes,
  type DetailsByCode,
  dividendNotes,
  doubtNotes,
  evidenceNotes,
  type NoteCode,
  noteCodesOf,
  survivorNotes,
} from '../backtest/notes.ts';
import type { BarDays } from '../backtest/receipt.ts';
import { type BacktestSummary, costView, dataRangeOf, freshnessView } from '../backtest/summary.ts';
import type { PortfolioSpec, SkippedSymbols } from '../contracts/portfolio.ts';
import type { PortfolioEvidence } from './evidence.ts';
import type { ReadPortfolio } from './prepare.ts';
import { allocationView, benchmarkView, portfolioMetricsView, positionSummaryView } from './report.ts';

const AT_START: readonly RangeReason[] = ['before_listing', 'before_data_start'];

/**
 * Missing sessions are those of the whole portfolio; missing bars are counted per instrument. The range begins with the
 * first bar of any instrument and ends with the last one.
 */
export function gapsOfPortfolio(
  { instruments, end, asOf }: PortfolioSpec,
  prepared: PreparedPortfolio,
  ledger: SessionLedger,
): HistoryGaps {
  const { clock, wantedStart: start } = prepared;
  const lifetimes = new Map<string, Lifetime>(instruments.map(({ symbol, ...facts }) => [symbol, facts]));
  const all = { ledger, start, end, asOf };
  const shared = gapsOf({ ...all, days: clock, lifetime: spanOf(lifetimes), reasons: reasonsOf(prepared.instruments) });
  let missingBars = 0;
  let sessions = 0;
  for (const { range } of prepared.instruments) {
    const compared = ledger.compare(range.series.day.subarray(range.from, range.to));
    missingBars += compared.withoutBar;
    sessions += compared.sessions;
  }
  return { ...shared, missingBars, missingBarsShare: sessions === 0 ? 0 : missingBars / sessions };
}

/** From the first listing to the last delisting; null where one of them is open. */
function spanOf(lifetimes: ReadonlyMap<string, Lifetime>): Lifetime {
  const all = [...lifetimes.values()];
  const listed = all.map(({ listedOn }) => listedOn).filter((day) => day !== null);
  const delisted = all.map(({ delistedOn }) => delistedOn).filter((day) => day !== null);
  return {
    listedOn: listed.length < all.length ? null : listed.reduce((a, b) => Math.min(a, b)),
    delistedOn: delisted.length < all.length ? null : delisted.reduce((a, b) => Math.max(a, b)),
  };
}

function reasonsOf(instruments: readonly PreparedInstrument[]): readonly RangeReason[] {
  const firstDay = ({ range }: PreparedInstrument) => range.series.day[range.from];
  const lastDay = ({ range }: PreparedInstrument) => range.series.day[range.to - 1];
  const earliest = instruments.reduce((a, b) => (firstDay(b) < firstDay(a) ? b : a));
  const latest = instruments.reduce((a, b) => (lastDay(b) > lastDay(a) ? b : a));
  return [
    ...earliest.range.rangeReasons.filter((reason) => AT_START.includes(reason)),
    ...latest.range.rangeReasons.filter((reason) => !AT_START.includes(reason)),
  ];
}

export interface PortfolioSummary extends Omit<BacktestSummary, 'symbol'> {
  readonly kind: 'portfolio';
  /** All that were requested, as `<TICKER>.US`; those that a rotation of every instrument held. */
  readonly symbols: readonly string[];
  /** Those without a bar in the range. */
  readonly symbols_without_bars: readonly string[];
  readonly turnover_pct: number | null;
  readonly avg_positions: number;
  /** Absent in results of earlier versions. */
  readonly position_summary?: PositionSummary;
  readonly allocation: {
    readonly max_positions: number;
    readonly sizing: string;
    readonly volatility_period: number;
    readonly rank_by: { readonly field: string; readonly period: number | null; readonly order: string } | null;
    readonly rebalance: string;
    readonly cash_buffer_pct: number;
  };
  readonly benchmark: string;
  /** Absent: none was skipped. */
  readonly skipped_symbols?: SkippedSymbols;
  /** The session by whose figures a screen chose the symbols. */
  readonly screened_on?: string;
  /**
   * Days of the first and the last bar that were read of each instrument, then of the benchmark; not shown. Absent in results of
   * earlier versions.
   */
  readonly bars_read?: readonly (BarDays | null)[];
}

/** The stored part of a portfolio. */
export function portfolioSummary(stored: unknown): PortfolioSummary {
  // Only jobs of portfolios write it. One of an earlier version may lack fields.
  return stored as PortfolioSummary;
}

/** Everything in a summary except the specification. */
export interface PortfolioOutcome {
  readonly read: ReadPortfolio;
  readonly run: PortfolioRun;
  readonly metrics: PortfolioMetrics;
  readonly evidence: PortfolioEvidence;
}

export function summaryOf(
  spec: PortfolioSpec,
  { read, run, metrics, evidence }: PortfolioOutcome,
  ledger: SessionLedger,
): PortfolioSummary {
  const { prepared } = read;
  const { clock } = prepared;
  const positions = positionSummaryView(run);
  const gaps = gapsOfPortfolio(spec, prepared, ledger);
  const doubts = { ...doubtsOfPortfolio(spec, read, run), ...survivorsOf(spec, read) };
  const withBars = new Set(prepared.instruments.map(({ symbol }) => symbol));
  const symbols = spec.instruments.map(({ symbol }) => symbol);
  return {
    kind: 'portfolio',
    symbols,
    symbols_without_bars: symbols.filter((symbol) => !withBars.has(symbol)),
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: spec.adjust,
    start_date: formatDay(clock[0]),
    end_date: formatDay(clock[clock.length - 1]),
    ...portfolioMetricsView(metrics),
    position_summary: positions,
    params: spec.params,
    cost: costView(spec),
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
    skipped_symbols: spec.skipped ?? undefined,
    screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
    data_range: dataRangeOf(clock, gaps),
    data_freshness: freshnessView(spec),
    note_codes: [
      ...noteCodesOf(spec, isMixedSource(prepared), gaps),
      ...unpaidNotes(spec, read),
      ...evidenceNotes({ ...metrics, numTrades: positions.closed }, clock.length, evidence.minTrackRecordBars),
      ...chosenNotes(spec.isPointInTime),
      ...keysOf(doubts),
    ],
    note_details: doubts,
    statistics: evidence.statistics,
    receipt: evidence.receipt,
    selection_basis: evidence.basis,
    bars_read: evidence.data.each,
  };
}

export function survivorsOf(
  { instruments }: PortfolioSpec,
  { prepared }: Pick<ReadPortfolio, 'prepared'>,
): DetailsByCode {
  const { clock } = prepared;
  const ended = new Set(
    prepared.instruments.filter(({ range }) => range.finalReason === 'delisted').map(({ symbol }) => symbol),
  );
  const all = instruments.map(({ isEtf, symbol }) => ({ isEtf, hasEnded: ended.has(symbol) }));
  return survivorNotes(all, clock[clock.length - 1] - clock[0]);
}

function doubtsOfPortfolio(
  spec: PortfolioSpec,
  { prepared: { instruments, clock }, members }: ReadPortfolio,
  run: PortfolioRun,
): DetailsByCode {
  const memberOf = new Map(members.map((member) => [member.symbol, member]));
  return doubtsOfRun(spec, clock, run, (i) => {
    const member = memberOf.get(instruments[i].symbol);
    return member && tradedOf(member.symbol, member.series, member.events);
  });
}

/** `tradedAs`: an instrument of the run. */
export function doubtsOfRun(
  { adjust, execution }: Pick<PortfolioSpec, 'adjust' | 'execution'>,
  clock: Int32Array,
  { trades, orders }: Pick<PortfolioRun, 'trades' | 'orders'>,
  tradedAs: (instrument: number) => Traded | undefined,
): DetailsByCode {
  const sold = Map.groupBy(trades, ({ instrument }) => instrument);
  const ordered = Map.groupBy(orders, ({ instrument }) => instrument);
  const all = [...sold].flatMap(([instrument, sales]) => {
    const traded = tradedAs(instrument);
    if (traded === undefined) return [];
    const stays = sales.map(({ entryIndex, exitDay }) => ({ entryDay: traded.day[entryIndex], exitDay }));
    return [{ ...traded, stays, orders: ordered.get(instrument) ?? [] }];
  });
  const { executeOn } = execution;
  return doubtNotes(all, { adjust, executeOn, first: clock[0], last: clock[clock.length - 1] });
}

/** The note on uncounted dividends, if any instrument has one within its bars of the range. */
export function unpaidNotes({ adjust }: PortfolioSpec, { prepared, members }: ReadPortfolio): readonly NoteCode[] {
  const events = new Map(members.map((member) => [member.symbol, member.events]));
  for (const { symbol, range } of prepared.instruments) {
    const { day } = range.series;
    const codes = dividendNotes(adjust, events.get(symbol) ?? [], day[range.from], day[range.to - 1]);
    if (codes.length > 0) return codes;
  }
  return [];
}
