/** Portfolios as a kind of run: one strategy on instruments that share one cash balance. */
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import {
  isMixedSource,
  type PortfolioMetrics,
  portfolioMetrics,
  runPrepared,
} from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type PortfolioSpec, portfolioSpecSchema } from '../contracts/portfolio.ts';
import type { RunKind, RunReport } from '../runs/kind.ts';
import { chosenNotes, type DetailsByCode } from '../runs/notes.ts';
import { tradingForm } from '../runs/receipt.ts';
import { trialsIn } from '../runs/trials.ts';
import { portfolioDataDigest, portfolioDataRead } from './digest.ts';
import { doubtsOfRun, gapsOfPortfolio, survivorsOf, unpaidNotes } from './facts.ts';
import { provePortfolio, readKeptPortfolio } from './kept.ts';
import { noBarsInPortfolio, type PortfolioData, prepareData, type ReadPortfolio, readData } from './prepare.ts';
import {
  allocationView,
  benchmarkView,
  marketOf,
  PORTFOLIO_METRIC_NAMES,
  partsOf,
  portfolioMetricsView,
  positionSummaryView,
} from './report.ts';

interface PortfolioOutcome {
  readonly read: ReadPortfolio;
  readonly run: PortfolioRun;
  readonly metrics: PortfolioMetrics;
}

export const PORTFOLIO: RunKind<PortfolioSpec, PortfolioData, PortfolioOutcome> = {
  spec: portfolioSpecSchema,
  /** It has the list of instruments, whether a screen chose them or the caller. */
  canonical: (spec, engineVersion = ENGINE_VERSION) => ({
    kind: 'portfolio',
    symbols: spec.instruments.map(({ symbol }) => symbol),
    ...tradingForm(spec, engineVersion),
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
  }),
  digest: portfolioDataDigest,
  /** Runs of the same list and strategy count together; they differ in parameters and allocation. */
  trials: ({ instruments, strategy, rules, adjust, execution, allocation }, combinations) => {
    const instrumentIds = instruments.map(({ instrumentId }) => instrumentId);
    const forms = combinations.map((params) => (rules ? { allocation, rules, params } : { allocation, params }));
    return trialsIn({ instrumentIds, strategy, adjust, execution }, forms);
  },
  read: ({ pool }, spec) => readData(pool, spec),
  compute: (spec, data) => {
    const read = prepareData(spec, data);
    if (!read) return noBarsInPortfolio(spec);
    const run = runPrepared(read.prepared, spec, spec.params);
    return { read, run, metrics: portfolioMetrics(read.prepared, run, spec.execution.initialCapital) };
  },
  report,
  sheet: ({ execution }, { run, read: { prepared } }) => ({
    part: partOfPortfolio(prepared, run, prepared.market, execution),
    held: prepared.benchmark,
  }),
  readKept: readKeptPortfolio,
  metricNames: PORTFOLIO_METRIC_NAMES,
  prove: provePortfolio,
};

function report(
  spec: PortfolioSpec,
  data: PortfolioData,
  { read, run, metrics }: PortfolioOutcome,
  ledger: SessionLedger,
): RunReport {
  const { prepared } = read;
  const withBars = new Set(prepared.instruments.map(({ symbol }) => symbol));
  const symbols = spec.instruments.map(({ symbol }) => symbol);
  const dataOfRun = portfolioDataRead(spec, data);
  return {
    days: prepared.clock,
    equity: run.equity,
    market: marketOf(spec, prepared),
    head: {
      kind: 'portfolio',
      symbols,
      symbols_without_bars: symbols.filter((symbol) => !withBars.has(symbol)),
    },
    metrics: portfolioMetricsView(metrics),
    positions: positionSummaryView(run),
    fields: {
      allocation: allocationView(spec),
      benchmark: benchmarkView(spec),
      skipped_symbols: spec.skipped ?? undefined,
      screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
    },
    gaps: gapsOfPortfolio(spec, prepared, ledger),
    isMixed: isMixedSource(prepared),
    notes: unpaidNotes(spec, read),
    choice: chosenNotes(spec.isPointInTime),
    doubts: { ...doubtsOf(spec, read, run), ...survivorsOf(spec, read) },
    parts: partsOf(spec, prepared, run),
    read: dataOfRun,
    hidden: { bars_read: dataOfRun.each },
  };
}

function doubtsOf(
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
