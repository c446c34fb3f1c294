/** Portfolios as a kind of run: one strategy on instruments that share one cash balance; and their proof. */
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import {
  compareInstruments,
  type PortfolioMetrics,
  portfolioMetrics,
  runPrepared,
} from '../../engine/portfolio/backtest.ts';
import {
  allocationPeriod,
  measurePortfolioWarmUp,
  type ProvedPortfolio,
  provePortfolioPrefixes,
} from '../../engine/portfolio/look-ahead.ts';
import { simulatePortfolio } from '../../engine/portfolio/simulate.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type PortfolioSpec, portfolioSpecSchema } from '../contracts/portfolio.ts';
import type { MeasuredKind, Proof, ReadContext, RunReport } from '../runs/kind.ts';
import { chosenNotes } from '../runs/notes.ts';
import { longestPeriod, runProof } from '../runs/proof.ts';
import { tradingForm } from '../runs/receipt.ts';
import { trialsIn } from '../runs/trials.ts';
import { type ListedOutcome, openListed, readKeptListed, reportOfListed, sheetOfListed } from './listed.ts';
import { noBarsInPortfolio, type PortfolioData, portfolioDataDigest, prepareData, readData } from './prepare.ts';
import { allocationView, benchmarkView, PORTFOLIO_METRIC_NAMES, portfolioMetricsView } from './report.ts';

interface PortfolioOutcome extends ListedOutcome {
  readonly metrics: PortfolioMetrics;
}

export const PORTFOLIO: MeasuredKind<PortfolioSpec, PortfolioData, PortfolioOutcome> = {
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
    const { rates } = read.prepared;
    return { read, run, rates, metrics: portfolioMetrics(read.prepared, run, spec.execution.initialCapital) };
  },
  report,
  goOn: (spec, data, sessionAhead) => {
    const read = prepareData({ ...spec, sessionAhead }, data);
    return read ? openListed(read.prepared, runPrepared(read.prepared, spec, spec.params)) : noBarsInPortfolio(spec);
  },
  sheet: sheetOfListed,
  readKept: (context, saved, source) => readKeptListed(context, saved, portfolioSpecSchema, source),
  metricNames: PORTFOLIO_METRIC_NAMES,
  prove: provePortfolio,
};

function report(spec: PortfolioSpec, data: PortfolioData, outcome: PortfolioOutcome, ledger: SessionLedger): RunReport {
  return {
    ...reportOfListed(spec, data, outcome, ledger),
    metrics: portfolioMetricsView(outcome.metrics),
    fields: {
      allocation: allocationView(spec),
      benchmark: benchmarkView(spec),
      skipped_symbols: spec.skipped ?? undefined,
      screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
    },
    choice: chosenNotes(spec.isPointInTime),
  };
}

/** A portfolio proves nothing about its strategy on a single instrument. */
export async function provePortfolio(
  context: ReadContext,
  settings: PortfolioSpec,
  data: PortfolioData,
): Promise<Proof | null> {
  const read = prepareData(settings, data);
  if (!read) return null;
  const { others, rates } = read.prepared;
  const interest = rates.cash?.returns;
  const { params } = settings;
  const strategy = strategyOf(settings, others);
  let known = new Map<BarSeries, IndicatorSet>();
  const portfolio: ProvedPortfolio = {
    settings,
    prepared: read.prepared,
    simulate: (instruments, clock) => simulatePortfolio({ ...settings, instruments, clock, interest }),
    rules: (bars) => strategy.plan(known.get(bars) ?? new IndicatorSet(bars), params),
    compare: (cut) => {
      known = new Map(cut.map(({ bars }) => [bars, new IndicatorSet(bars)]));
      const compared = cut.map(({ one, bars }) => ({ ...one, indicators: known.get(bars) ?? one.indicators }));
      compareInstruments(compared, settings, params, others);
    },
  };
  const longest = Math.max(longestPeriod(settings), allocationPeriod(settings.allocation));
  return {
    proof: await runProof(context, provePortfolioPrefixes(portfolio)),
    warmUp: measurePortfolioWarmUp(portfolio, longest),
    proved: null,
  };
}
