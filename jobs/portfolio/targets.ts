/** Portfolios of target weights as a kind of run; kept ones on the data of today, and their proof. */
import {
  measurePortfolioWarmUp,
  type ProvedPortfolio,
  provePortfolioPrefixes,
} from '../../engine/portfolio/look-ahead.ts';
import { NO_EXITS } from '../../engine/portfolio/portfolio.ts';
import {
  NO_FIGURES,
  runTargets,
  simulateTargets,
  type TargetMetrics,
  type TargetRun,
  targetMetrics,
} from '../../engine/portfolio/targets.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type TargetSpec, targetSpecSchema } from '../contracts/targets.ts';
import type { MeasuredKind, Proof, ReadContext, RunReport } from '../runs/kind.ts';
import { runProof } from '../runs/proof.ts';
import { tradingForm } from '../runs/receipt.ts';
import { money, percent } from '../runs/report.ts';
import { trialsIn } from '../runs/trials.ts';
import { type ListedOutcome, openListed, readKeptListed, reportOfListed, sheetOfListed } from './listed.ts';
import { noBarsInPortfolio, type PortfolioData, portfolioDataDigest, prepareData, readData } from './prepare.ts';
import { benchmarkView, PORTFOLIO_METRIC_NAMES, portfolioMetricsView } from './report.ts';

interface TargetOutcome extends ListedOutcome {
  readonly run: TargetRun;
  readonly metrics: TargetMetrics;
}

export const TARGETS: MeasuredKind<TargetSpec, PortfolioData, TargetOutcome> = {
  spec: targetSpecSchema,
  canonical: (spec, engineVersion = ENGINE_VERSION) => ({
    kind: 'portfolio',
    symbols: spec.instruments.map(({ symbol }) => symbol),
    ...tradingForm(spec, engineVersion),
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
  }),
  digest: portfolioDataDigest,
  /** Runs on the same list count together; they differ in their allocation. */
  trials: ({ instruments, strategy, adjust, execution, allocation }) => {
    const instrumentIds = instruments.map(({ instrumentId }) => instrumentId);
    return trialsIn({ instrumentIds, strategy, adjust, execution }, [{ allocation }]);
  },
  read: ({ pool }, spec) => readData(pool, spec),
  compute: (spec, data) => {
    const read = prepareData({ ...spec, allocation: NO_FIGURES }, data);
    if (!read) return noBarsInPortfolio(spec);
    const run = runTargets(read.prepared, spec.allocation, spec.execution);
    const { rates } = read.prepared;
    return { read, run, rates, metrics: targetMetrics(read.prepared, run, spec.execution.initialCapital) };
  },
  report: (spec, data, outcome, ledger): RunReport => {
    const { metrics, run } = outcome;
    const report = reportOfListed(spec, data, outcome, ledger);
    const { contributed, moneyWeightedPct, ...usual } = metrics;
    const paid = { contributed: money(contributed), money_weighted_pct: percent(moneyWeightedPct) };
    return {
      ...report,
      metrics: { ...portfolioMetricsView(usual), ...paid },
      fields: { allocation: allocationView(spec), benchmark: benchmarkView(spec) },
      notes: run.exhausted === null ? report.notes : [...report.notes, 'exhausted'],
    };
  },
  goOn: (spec, data, sessionAhead) => {
    const read = prepareData({ ...spec, allocation: NO_FIGURES, sessionAhead }, data);
    if (!read) return noBarsInPortfolio(spec);
    return openListed(read.prepared, runTargets(read.prepared, spec.allocation, spec.execution));
  },
  sheet: sheetOfListed,
  readKept: (context, saved, source) => readKeptListed(context, saved, targetSpecSchema, source),
  metricNames: [...PORTFOLIO_METRIC_NAMES, 'contributed', 'money_weighted_pct'],
  prove,
};

/** Without flows where there are none. */
function allocationView({ allocation: { targets, rebalance, flows } }: TargetSpec) {
  return {
    targets,
    rebalance: typeof rebalance === 'string' ? rebalance : { band_pct: rebalance.bandPct },
    flows: flows.length === 0 ? undefined : flows,
  };
}

/** Nothing before its range is read. */
async function prove(context: ReadContext, spec: TargetSpec, data: PortfolioData): Promise<Proof | null> {
  const read = prepareData({ ...spec, allocation: NO_FIGURES }, data);
  if (!read) return null;
  const { allocation, execution } = spec;
  const interest = read.prepared.rates.cash?.returns;
  const portfolio: ProvedPortfolio = {
    prepared: read.prepared,
    settings: { allocation: NO_FIGURES },
    rules: () => NO_EXITS,
    simulate: (instruments, clock) => simulateTargets({ instruments, clock, allocation, execution, interest }),
  };
  return {
    proof: await runProof(context, provePortfolioPrefixes(portfolio)),
    warmUp: measurePortfolioWarmUp(portfolio, 1),
    proved: null,
  };
}
