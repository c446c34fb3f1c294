/** Portfolios as a kind of run: one strategy on instruments that share one cash balance; kept ones on the data of today, and their proof. */
import type { Queryable } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import {
  compareInstruments,
  isMixedSource,
  type PortfolioMember,
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
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { simulatePortfolio } from '../../engine/portfolio/simulate.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type Differences, MAX_DIFFERENCES } from '../contracts/evidence.ts';
import { type PortfolioSpec, portfolioSpecSchema } from '../contracts/portfolio.ts';
import type { HistorySource } from '../runs/history.ts';
import type { KeptData, Proof, ReadContext, RunKind, RunReport } from '../runs/kind.ts';
import { chosenNotes, type DetailsByCode } from '../runs/notes.ts';
import {
  type DataDifferences,
  PastData,
  type PastRun,
  restore,
  type Scope,
  scopeOf,
  withinScope,
} from '../runs/past-data.ts';
import { longestPeriod, runProof } from '../runs/proof.ts';
import { type BarDays, tradingForm } from '../runs/receipt.ts';
import { namedAsServed, presentOthers, withPresentId, withPresentIds } from '../runs/recompute.ts';
import { trialsIn } from '../runs/trials.ts';
import { doubtsOfRun, gapsOfPortfolio, survivorsOf, unpaidNotes } from './facts.ts';
import {
  memberDigest,
  noBarsInPortfolio,
  type PortfolioData,
  portfolioDataDigest,
  portfolioDataRead,
  prepareData,
  type ReadPortfolio,
  readData,
} from './prepare.ts';
import {
  allocationView,
  benchmarkView,
  marketOf,
  PORTFOLIO_METRIC_NAMES,
  partsOf,
  portfolioMetricsView,
  positionSummaryView,
} from './report.ts';
import { type PortfolioSummary, portfolioSummary } from './summary.ts';

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

interface KeptPortfolio {
  readonly spec: PortfolioSpec;
  readonly data: PortfolioData;
  /** By symbol. */
  readonly scopes: ReadonlyMap<string, Scope>;
}

/** Results of earlier versions have only the last day of all instruments together. */
function scopesOf(spec: PortfolioSpec, { bars_read, end_date }: PortfolioSummary): Map<string, Scope> {
  const { instruments, benchmark } = spec;
  const untilEnd: BarDays = [Number.NEGATIVE_INFINITY, requireDay(end_date)];
  const each = benchmark ? [...instruments, benchmark] : instruments;
  return new Map(each.map(({ symbol }, i) => [symbol, scopeOf(bars_read ? (bars_read[i] ?? null) : untilEnd, spec)]));
}

export async function readKeptPortfolio(
  { pool }: ReadContext,
  saved: KeptRun,
  source?: HistorySource,
): Promise<KeptData<PortfolioSpec, PortfolioData>> {
  const spec = await presentSpec(pool, portfolioSpecSchema.parse(saved.spec));
  const scopes = scopesOf(spec, portfolioSummary(saved.summary));
  const { benchmark, instruments } = spec;
  const named = [...instruments, ...(benchmark ? [benchmark] : []), ...namedAsServed(spec.others)];
  const { members, single, others } = await readData(pool, spec, await source?.(named, spec.asOf));
  const read = (member: PortfolioMember) => withinScope(member, required(scopes.get(member.symbol)));
  const data = { members: members.map(read), single: single && read(single), others };
  return { spec, data, differences: (run) => differencesOf(pool, { spec, data, scopes }, run) };
}

async function presentSpec(db: Queryable, spec: PortfolioSpec): Promise<PortfolioSpec> {
  return {
    ...spec,
    instruments: await withPresentIds(db, spec.instruments),
    others: await presentOthers(db, spec.others),
    benchmark: spec.benchmark && (await withPresentId(db, spec.benchmark)),
  };
}

/**
 * The changes of the data of each instrument. If undoing revisions does not restore the data of the run, for example
 * because the market was replaced, these are the revisions since the run.
 */
async function differencesOf(db: Queryable, kept: KeptPortfolio, run: PastRun): Promise<DataDifferences> {
  const past = await pastData(db, kept);
  const { spec, data } = kept;
  const digests = new Map<string, string>();
  const digestOf = (member: PortfolioMember): string => {
    const known = digests.get(member.symbol) ?? memberDigest(spec, member);
    digests.set(member.symbol, known);
    return known;
  };
  const isRestored = restore([...past.values()], (changed) => {
    for (const [symbol, one] of past) if (changed.has(one)) digests.set(symbol, memberDigest(spec, one.history));
    return portfolioDataDigest(spec, data, digestOf) === run.digest;
  });
  const each = [...past].map(([symbol, one]) => ({
    symbol,
    ...(isRestored ? one.differences() : one.differencesSince(run.at)),
  }));
  return {
    bars: merged(each.map(({ symbol, bars }) => ({ symbol, differences: bars }))),
    events: merged(each.map(({ symbol, events }) => ({ symbol, differences: events }))),
  };
}

/** By symbol, for the instruments that have revisions. */
async function pastData(db: Queryable, { spec, data, scopes }: KeptPortfolio): Promise<Map<string, PastData>> {
  const { benchmark, instruments } = spec;
  const { members, single } = data;
  const bySymbol = new Map([...members, ...(single ? [single] : [])].map((member) => [member.symbol, member]));
  const past = new Map<string, PastData>();
  for (const { instrumentId, symbol } of benchmark ? [...instruments, benchmark] : instruments) {
    const member = bySymbol.get(symbol);
    const one = member && (await PastData.read(db, instrumentId, member, required(scopes.get(symbol))));
    if (one && one.revisions.length > 0) past.set(symbol, one);
  }
  return past;
}

function merged<D extends object>(
  each: readonly { readonly symbol: string; readonly differences: Differences<D> }[],
): Differences<D & { readonly symbol: string }> {
  const items = each.flatMap(({ symbol, differences }) => differences.items.map((item) => ({ symbol, ...item })));
  return {
    total: each.reduce((sum, { differences }) => sum + differences.total, 0),
    items: items.slice(0, MAX_DIFFERENCES),
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
  const { others } = read.prepared;
  const { params } = settings;
  const strategy = strategyOf(settings, others);
  let known = new Map<BarSeries, IndicatorSet>();
  const portfolio: ProvedPortfolio = {
    settings,
    prepared: read.prepared,
    simulate: (instruments, clock) => simulatePortfolio({ ...settings, instruments, clock }),
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
