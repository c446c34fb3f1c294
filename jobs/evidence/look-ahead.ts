/** Searches a kept backtest for look-ahead, and measures the warm-up that it needs. */
import { transaction } from '../../db/pool.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { saveLookAhead } from '../../db/runs/verdicts.ts';
import { type BacktestSettings, pricedRangeOf } from '../../engine/backtest/backtest.ts';
import {
  measureWarmUp,
  type PrefixProof,
  type ProvedRun,
  provePrefixes,
  type Rules,
  type WarmUp,
} from '../../engine/backtest/look-ahead.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { compareInstruments } from '../../engine/portfolio/backtest.ts';
import {
  allocationPeriod,
  measurePortfolioWarmUp,
  type ProvedPortfolio,
  provePortfolioPrefixes,
} from '../../engine/portfolio/look-ahead.ts';
import { longestPeriodOf } from '../../engine/rules/lookback.ts';
import { readRules, strategyOf } from '../../engine/rules/strategy.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { referencedInstruments } from '../backtest/others.ts';
import type { LookAheadReport } from '../contracts/evidence.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { isRotationOf } from '../contracts/rotation.ts';
import { prepareData } from '../portfolio/prepare.ts';
import { proveRotation } from './prove-rotation.ts';
import { keptBacktest } from './recompute-backtest.ts';
import { keptPortfolio } from './recompute-portfolio.ts';

export type LookAheadContext = Pick<JobContext, 'pool' | 'now' | 'signal'>;

/** The longest period of a strategy in bars; 1 if it has none. */
function longestPeriod({ rules, params }: Pick<BacktestSettings, 'rules' | 'params'>): number {
  const read = rules && readRules(rules);
  if (read && 'rules' in read) return longestPeriodOf(read.rules, params);
  const periods = Object.entries(params).filter(([name]) => /(^|_)period$/.test(name));
  return Math.max(1, ...periods.map(([, value]) => Number(value)));
}

/** Runs a proof to its end, unless the job is canceled. */
function prove({ signal }: LookAheadContext, proof: Generator<number, PrefixProof>): PrefixProof {
  for (;;) {
    signal.throwIfAborted();
    const step = proof.next();
    if (step.done) return step.value;
  }
}

function reportOf(
  { now }: LookAheadContext,
  { prefixes, differences, verdict, first }: PrefixProof,
  { needed, available, compared }: WarmUp,
): LookAheadReport {
  return {
    prefixes,
    differences,
    verdict,
    first: first ? { cut_after: formatDay(first.cutAfter), date: formatDay(first.day), kind: first.kind } : undefined,
    warm_up: { needed_bars: needed, available_bars: available, compared },
    engine_version: ENGINE_VERSION,
    proved_at: new Date(now()).toISOString(),
  };
}

/** Null when no bar lies in the range any more, or the run is from a version that kept no specification. */
export function proveKept(context: LookAheadContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  if (saved.spec === null) return Promise.resolve(null);
  if (isRotationOf(saved)) return proveKeptRotation(context, saved);
  return saved.kind === 'portfolio' ? provePortfolio(context, saved) : proveBacktest(context, saved);
}

async function proveBacktest(context: LookAheadContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  const { pool } = context;
  const { spec, history } = await keptBacktest(pool, saved);
  const { asOf, listedOn, delistedOn, execution, symbol, params } = spec;
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!ranged) return null;
  const { series, from, to, finalReason, cut } = ranged;
  const run: ProvedRun = { series, from, to, finalReason, execution, cut };
  const strategy = strategyOf(spec, referencedInstruments(history.others, spec.adjust));
  const rules: Rules = (bars) => strategy.plan(new IndicatorSet(bars), params);
  const proof = prove(context, provePrefixes(run, rules));
  const report = reportOf(context, proof, measureWarmUp(run, rules, longestPeriod(spec)));
  await store(context, saved.id, report, { strategy: spec.strategy, symbol });
  return report;
}

/** A portfolio proves nothing about its strategy on a single instrument, so only its own verdict is stored. */
async function provePortfolio(context: LookAheadContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  const { spec: settings, data } = await keptPortfolio(context.pool, saved);
  const read = prepareData(settings, data);
  if (!read) return null;
  const strategy = strategyOf(settings, read.prepared.others);
  const { params } = settings;
  const { others } = read.prepared;
  let known = new Map<BarSeries, IndicatorSet>();
  const portfolio: ProvedPortfolio = {
    settings,
    prepared: read.prepared,
    rules: (bars) => strategy.plan(known.get(bars) ?? new IndicatorSet(bars), params),
    compare: (cut) => {
      known = new Map(cut.map(({ bars }) => [bars, new IndicatorSet(bars)]));
      const compared = cut.map(({ one, bars }) => ({ ...one, indicators: known.get(bars) ?? one.indicators }));
      compareInstruments(compared, settings, params, others);
    },
  };
  const proof = prove(context, provePortfolioPrefixes(portfolio));
  const longest = Math.max(longestPeriod(settings), allocationPeriod(settings.allocation));
  const report = reportOf(context, proof, measurePortfolioWarmUp(portfolio, longest));
  await store(context, saved.id, report, null);
  return report;
}

/** The warm-up of a rotation is not measured: it has all sessions before the range. */
async function proveKeptRotation(context: LookAheadContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  const proved = await proveRotation(context, saved);
  if (proved === null) return null;
  const { proof, available } = proved;
  const report = reportOf(context, proof, { available, needed: available, compared: [available] });
  await store(context, saved.id, report, null);
  return report;
}

/** Stores a report with its run and, if there was no look-ahead, as the newest proof of the strategy. */
async function store(
  { pool }: LookAheadContext,
  id: number,
  report: LookAheadReport,
  proved: { readonly strategy: string; readonly symbol: string } | null,
): Promise<void> {
  const { verdict, prefixes, proved_at, engine_version: engineVersion } = report;
  const isProof = proved !== null && verdict === 'none';
  const proof = isProof ? { ...proved, engineVersion, prefixes, at: new Date(proved_at) } : null;
  await transaction(pool, (connection) => saveLookAhead(connection, id, report, proof));
}
