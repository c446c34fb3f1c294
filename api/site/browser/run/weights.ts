/** Portfolios of weights to hold, one or up to three beside each other, as pages make and show them. */
import type { Schema } from '../../../clients/typescript/types.ts';
import type { PortfolioResult } from '../types.ts';
import type { RunBody } from './specification.ts';

type Allocation = Schema<'TargetAllocation'>;
export type Compared = Schema<'ComparedPortfolios'>;

type WeightsRun = Omit<RunBody, 'strategy' | 'rules' | 'params'> & { readonly benchmark?: string };
/** One portfolio, which can be kept. */
export type WeightsBody = WeightsRun & { readonly allocation: Allocation };
/** Two or three, which one job runs. */
export type CompareBody = WeightsRun & {
  readonly compare: readonly { readonly name: string; readonly allocation: Allocation }[];
};

const BY_PERIOD = ['none', 'week', 'month', 'quarter', 'year'] as const;
export const REBALANCES = [...BY_PERIOD, 'band'] as const;
export type Rebalance = (typeof REBALANCES)[number];
export const PERIODS = ['month', 'quarter', 'year'] as const;
type Period = (typeof PERIODS)[number];

/** Portfolios that stand beside each other. */
export const MAX_COLUMNS = 3;
/** Points that a weight may be off with the choice `band`, unless a call says another number. */
const BAND_PCT = 5;
const HUNDRED = 100;

/** A portfolio as its form has it. */
export interface WeightsColumn {
  readonly name: string;
  /** Weights in percent; null: not filled in yet. */
  readonly weights: readonly { readonly symbol: string; readonly pct: number | null }[];
  readonly rebalance: Rebalance;
  readonly bandPct: number;
  /** Calls may have several; the form shows the first of the first portfolio, and changes all. */
  readonly flows: readonly Flow[];
}

/** Money that goes in or (below 0) out. */
export interface Flow {
  readonly amount: number;
  readonly every: Period;
}

export const isCompareBody = (body: object): body is CompareBody =>
  'compare' in body && Array.isArray(body.compare) && body.compare.length > 1;

export function isWeightsBody(body: object): body is WeightsBody {
  if (!('allocation' in body)) return false;
  const { allocation } = body;
  return typeof allocation === 'object' && allocation !== null && 'targets' in allocation;
}

/** Whether a result is one of weights to hold. */
export const isWeightsResult = ({ allocation }: PortfolioResult) => allocation?.targets !== undefined;

const shareOf = (pct: number) => Number((pct / HUNDRED).toPrecision(12));
const pctOf = (share: number) => Number((share * HUNDRED).toPrecision(12));

function allocationOf({ weights, rebalance, bandPct, flows }: WeightsColumn): Allocation {
  return {
    targets: weights.map(({ symbol, pct }) => ({ symbol, weight: shareOf(pct ?? 0) })),
    rebalance: rebalance === 'band' ? { band_pct: bandPct } : rebalance,
    ...(flows.length > 0 && { flows }),
  };
}

export function weightsBody(columns: readonly WeightsColumn[], run: WeightsRun): WeightsBody | CompareBody {
  if (columns.length === 1) return { ...run, allocation: allocationOf(columns[0]) };
  return { ...run, compare: columns.map((column) => ({ name: column.name, allocation: allocationOf(column) })) };
}

function columnOf(name: string, { targets, rebalance, flows }: Allocation): WeightsColumn {
  const isByPeriod = typeof rebalance === 'string';
  return {
    name,
    weights: targets.map(({ symbol, weight }) => ({ symbol, pct: pctOf(weight) })),
    rebalance: isByPeriod ? rebalance : rebalance ? 'band' : 'none',
    bandPct: isByPeriod || !rebalance ? BAND_PCT : rebalance.band_pct,
    flows: flows ?? [],
  };
}

/** A portfolio to begin with. */
export const newColumn = (name: string, weights: WeightsColumn['weights']): WeightsColumn => ({
  name,
  weights,
  rebalance: 'year',
  bandPct: BAND_PCT,
  flows: [],
});

/** The portfolios that a call names. `first`: the name of a single one. */
export function columnsIn(body: object, first: string): readonly WeightsColumn[] {
  if (isCompareBody(body))
    return body.compare.slice(0, MAX_COLUMNS).map(({ name, allocation }) => columnOf(name, allocation));
  return isWeightsBody(body) ? [columnOf(first, body.allocation)] : [];
}

/** One of the compared portfolios as a call of its own. */
export function aloneOf({ compare, ...run }: CompareBody, place: number): WeightsBody {
  return { ...run, allocation: compare[place].allocation };
}

/** The call that reproduces a result. */
export function weightsBodyOf(result: PortfolioResult, run: RunBody): WeightsBody {
  const { strategy: _strategy, rules: _rules, params: _params, ...shared } = run;
  const { targets = [], rebalance = 'none', flows = [] } = result.allocation ?? {};
  const period = BY_PERIOD.find((one) => one === rebalance) ?? 'none';
  const allocation = {
    targets,
    rebalance: typeof rebalance === 'string' ? period : rebalance,
    ...(flows.length > 0 && { flows }),
  };
  return { ...shared, allocation, benchmark: result.benchmark };
}

export const PRESET_NAMES = ['sixty_forty', 'all_weather', 'equal'] as const;
export type Preset = (typeof PRESET_NAMES)[number];

/** Presets, with symbols of the real market and their weights in percent. */
export const PRESETS = {
  sixty_forty: [
    ['SPY', 60],
    ['TLT', 40],
  ],
  all_weather: [
    ['SPY', 30],
    ['TLT', 40],
    ['IEF', 15],
    ['GLD', 7.5],
    ['DBC', 7.5],
  ],
  /** The symbols that are there. */
  equal: [],
} as const satisfies Record<Preset, readonly (readonly [symbol: string, pct: number])[]>;
