/** The run of a rotation: reads its universe, evaluates its rules at each rebalance, and simulates it. */
import type { RunFailure } from '../../db/runs/runs.ts';
import { type BacktestInput, pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { type MarketColumns, type RunRates, ratesOn } from '../../engine/backtest/rates.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { EMPTY_SERIES } from '../../engine/market/series.ts';
import { type PortfolioMetrics, portfolioMetrics } from '../../engine/portfolio/backtest.ts';
import { holdingReturns, singleValue } from '../../engine/portfolio/benchmark.ts';
import { type MarketValues, marketValues, type Panel } from '../../engine/rotation/panel.ts';
import { missingHistory } from '../../engine/rotation/refusals.ts';
import {
  type RotationInput,
  type RotationRule,
  type RotationRun,
  rebalanceSessions,
  type Schedule,
} from '../../engine/rotation/rotation.ts';
import { areOfCloses, type RotationPrograms, rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { countOf, countScored, type NameCount, rankedMembers } from '../../engine/rotation/selection.ts';
import { simulateRotation } from '../../engine/rotation/simulate.ts';
import { RotationFailure, weighBy } from '../../engine/rotation/weigh.ts';
import type { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { type OtherHistories, readHistories, readHistory, readOthers, referencedInstruments } from '../runs/history.ts';
import type { Failed } from '../runs/kind.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { readRateColumns } from '../runs/rates.ts';
import { dataDigest, dataRead } from '../runs/receipt.ts';
import type { KeptLimits, UniverseContext } from './histories.ts';
import { Universe } from './universe.ts';

/** Everything that is read for a rotation besides the bars of its members. */
export interface RotationData {
  readonly universe: Universe;
  readonly others: OtherHistories | undefined;
  /** Columns that its rates name; undefined: none. */
  readonly columns?: MarketColumns | undefined;
  /** The single benchmark; null: equal weights. */
  readonly single:
    | (Pick<BacktestInput, 'series' | 'events' | 'lifetime' | 'asOf'> & { readonly digest: string })
    | null;
}

/** `limits`: of the bars of the universe in memory. */
export function readRotation(
  context: UniverseContext,
  spec: RotationSpec,
  limits?: KeptLimits,
): Promise<RotationData | Failed> {
  return withSurroundings(context, spec, (isOfCloses) => Universe.read(context, spec, isOfCloses, limits));
}

/** Reads the data of a rotation at a version, for which the universe may be in memory. */
export function readRotationAt(
  context: UniverseContext,
  spec: RotationSpec,
  version: string,
  limits?: KeptLimits,
): Promise<RotationData | Failed> {
  return withSurroundings(context, spec, (isOfCloses) => keptUniverse.get(context, spec, isOfCloses, version, limits));
}

async function withSurroundings(
  context: UniverseContext,
  spec: RotationSpec,
  read: (isOfCloses: boolean) => Promise<Universe | null>,
): Promise<RotationData | Failed> {
  const universe = await read(areOfCloses(rotationRules(spec.texts)));
  if (universe === null) return noBarsInRange(spec);
  const { benchmark, asOf } = spec;
  const others = await readOthers(context.pool, spec.others, asOf, readingColumns(readHistories, spec.columns));
  const columns = await readRateColumns(context.pool, spec);
  if (benchmark === null) return { universe, others, columns, single: null };
  const history = await readHistory(context.pool, benchmark.instrumentId, asOf);
  const { listedOn, delistedOn } = benchmark;
  const digest = dataDigest(dataRead(spec, history));
  return { universe, others, columns, single: { ...history, asOf, lifetime: { listedOn, delistedOn }, digest } };
}

/** The failure of a run none of whose members has a bar in the range. */
export function noBarsInRange({ universe, end, asOf }: Pick<RotationSpec, 'universe' | 'end' | 'asOf'>): Failed {
  const symbols = universe.instruments?.map(({ symbol }) => symbol) ?? [];
  const named = symbols.length > 5 ? [...symbols.slice(0, 5), '…'] : symbols;
  const symbol = named.length === 0 ? formatDay(end ?? asOf) : named.join(', ');
  return { failure: { code: 'no_bars_in_range', details: { symbol } } };
}

export interface RotationOutcome {
  readonly universe: Universe;
  readonly panel: Panel;
  readonly values: MarketValues;
  readonly rule: RotationRule;
  readonly run: RotationRun;
  readonly benchmark: Float64Array;
  /** Returns of what its skill is told beside. */
  readonly market: Float64Array;
  readonly metrics: PortfolioMetrics;
  readonly rates: RunRates;
}

/** `params`: of the `$parameters` of the rules and counts. */
export async function computeRotation(
  spec: RotationSpec,
  { universe, others: histories, single, columns }: RotationData,
  params: RotationSpec['params'] = spec.params,
): Promise<RotationOutcome | Failed> {
  const others = referencedInstruments(histories, spec.adjust);
  const programs = rotationPrograms(rotationRules(spec.texts, spec.columns), params);
  const rule = ruleOf(spec, programs, params, others);
  const { clock } = universe;
  const rebalances = rebalanceSessions(clock, scheduleOf(spec, params));
  const problem = problemOf(spec, universe, rebalances);
  if (problem !== null) return { failure: problem };
  const { everEligible, ...values } = await marketValues(universe.market(), universe, programs, rebalances, others);
  const { membersMax } = spec;
  if (membersMax !== null && everEligible > membersMax.max) {
    const details = { ...membersMax, quota: 'rotation_members_max', count: everEligible };
    return { failure: { code: 'quota_exceeded', details } };
  }
  const panel = await universe.panel(chosenMembers(values, rule));
  const rates = ratesOn(clock, spec, columns);
  const { execution } = spec;
  const run = simulateFrom({ panel, values, rule, execution, interest: rates.cash?.returns }, spec);
  if ('failure' in run) return run;
  const { initialCapital } = execution;
  const benchmark = single
    ? singleValue(pricedSeries(spec, universe.start, single), clock, initialCapital)
    : universe.equalWeightBenchmark(initialCapital);
  const metrics = portfolioMetrics({ clock, benchmark }, run, initialCapital);
  const market = single ? holdingReturns(benchmark) : universe.equalWeightDaily();
  return { universe, panel, values, rule, run, benchmark, market, metrics, rates };
}

function pricedSeries(spec: RotationSpec, start: Day | null, single: NonNullable<RotationData['single']>) {
  return pricedRangeOf({ ...spec, start, timeRange: 'MAX' }, single)?.series ?? EMPTY_SERIES;
}

/** The number that a count stands for. */
function numberOf(count: number | string, params: RotationSpec['params']): number {
  if (typeof count === 'number') return count;
  const value = params[count.replace(/^\$/, '').toLowerCase()];
  if (typeof value !== 'number') throw new RangeError(`no value for ${count}`);
  return value;
}

export function scheduleOf({ every, offset }: RotationSpec, params: RotationSpec['params']): Schedule {
  return { offset, every: typeof every === 'string' ? every : { sessions: numberOf(every.sessions, params) } };
}

function ruleOf(
  spec: RotationSpec,
  { stop, trail }: Pick<RotationPrograms, 'stop' | 'trail'>,
  params: RotationSpec['params'],
  others: OtherInstruments | undefined,
): RotationRule {
  const { order, weights, exits, cashBufferPct } = spec;
  const counted = (count: RotationSpec['hold']): NameCount =>
    'top' in count ? { top: numberOf(count.top, params) } : { topPct: count.topPct };
  const { fixed, ...rule } = weights;
  return {
    order,
    cashBufferPct,
    hold: counted(spec.hold),
    keep: spec.keep && counted(spec.keep),
    weigh: weighBy(rule, fixed ?? {}),
    exits: exits && { ...exits, stop, trail, others },
  };
}

/** The reason why the data does not allow the run; null: it does. */
function problemOf({ weights }: RotationSpec, universe: Universe, rebalances: readonly number[]): RunFailure | null {
  if (rebalances.length === 0) return { code: 'rotation_invalid', details: { because: 'no_rebalance' } };
  const missing = missingHistory(universe, rebalances[0], weights);
  if (missing === null) return null;
  const { there: sessions, needed } = missing;
  return { code: 'rotation_invalid', details: { because: 'history', sessions, needed } };
}

/** Members that any rebalance can choose: those that rank within the names to hold. */
function chosenMembers({ rebalances }: MarketValues, { hold, order }: RotationRule): Set<number> {
  const chosen = new Set<number>();
  for (const { score } of rebalances) {
    for (const member of rankedMembers(score, order, countOf(hold, countScored(score)))) chosen.add(member);
  }
  return chosen;
}

function simulateFrom(input: RotationInput, spec: RotationSpec): RotationRun | Failed {
  try {
    return simulateRotation(input);
  } catch (error) {
    if (!(error instanceof RotationFailure)) throw error;
    const { reason, day, symbol } = error;
    const details = { because: reason, date: formatDay(day), symbol: symbol ?? '', lookback: spec.weights.lookback };
    return { failure: { code: 'rotation_invalid', details } };
  }
}

/** Memory is given back when no rotation has needed it for so long. */
const KEPT_MS = 2 * 60_000;

class KeptUniverse {
  private kept: { readonly key: string; readonly universe: Universe } | null = null;
  private end: NodeJS.Timeout | undefined;

  /** The universe as it is at a version of the data; null when no instrument has a bar in the range. */
  async get(
    context: UniverseContext,
    spec: RotationSpec,
    isOfCloses: boolean,
    version: string,
    limits?: KeptLimits,
  ): Promise<Universe | null> {
    const { start, end, timeRange, asOf, adjust, universe: members, columns } = spec;
    const key = JSON.stringify({ version, isOfCloses, start, end, timeRange, asOf, adjust, members, columns });
    if (this.kept?.key === key) {
      this.keep(key, this.kept.universe);
      return this.kept.universe.forJob(context);
    }
    // Before another one is read, so that memory never holds both.
    this.drop();
    const universe = await Universe.read(context, spec, isOfCloses, limits);
    if (universe?.isInMemory) this.keep(key, universe);
    return universe;
  }

  private keep(key: string, universe: Universe): void {
    clearTimeout(this.end);
    this.kept = { key, universe };
    this.end = setTimeout(() => this.drop(), KEPT_MS).unref();
  }

  private drop(): void {
    clearTimeout(this.end);
    this.kept = null;
  }
}

/**
 * The universe of the latest rotation of this thread: a desk tries one rule after another on one market, and reading the bars of a whole
 * market takes longer than everything else of a rotation.
 */
const keptUniverse = new KeptUniverse();
