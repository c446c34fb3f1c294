/** Checks the body of a sweep and makes a specification of it. */
import { TRADING_DAYS_PER_YEAR } from '../../engine/indicators/indicators.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import {
  MAX_SWEEP_COMBINATIONS,
  MAX_SWEEP_SYMBOLS,
  type SweepInstrument,
  type SweepSpec,
} from '../../jobs/contracts/sweep.ts';
import { checkedSpecOf, flatBody, runFields } from '../backtests/request.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { assertAssetTypes, type DirectoryItem } from '../market/directory.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { findSymbols } from '../market/symbol-list.ts';
import { firstOf, fixedParameters, gridField, gridOf } from '../optimize/grid.ts';
import type { Universe } from '../portfolios/universe.ts';
import { columnsNamed } from '../rules/own-columns.ts';
import { type OwnResearch, othersIn, resolveStrategy } from '../rules/resolve.ts';
import { specInstrument } from '../runs/comparison.ts';
import { screenField } from '../screener/request.ts';

const { strategy, rules, params, time_range, start, end, execute_on, adjust, cost, risk_free, cash } = flatBody.shape;

const assetType = z.string().regex(/^[a-z_]{1,32}$/);
const assetTypes = z
  .union([assetType, z.array(assetType).min(1).max(20)])
  .optional()
  .meta({ description: 'Only these; default: every type' });

const universeField = z.union([
  z.literal('all'),
  z.strictObject({ symbols: z.array(symbolField).min(1).max(MAX_SWEEP_SYMBOLS), asset_type: assetTypes }),
  z.strictObject({ all: z.literal(true), asset_type: assetTypes }),
  z.strictObject({ screen: screenField }),
]);

const MAX_RUNS = 20;

const runField = z.strictObject({
  strategy,
  rules,
  params,
  grid: gridField.optional().meta({
    description:
      'Values, or `{from, to, step}`, per parameter. Without a grid there is one combination, that of `params`',
  }),
});

export const sweepBody = z.strictObject({
  universe: universeField.meta({
    description:
      '`all`: every instrument of the market, delisted ones included; `symbols`; or a `screen`, taken at the last session ' +
      'before the range',
  }),
  skip_unknown: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to skip symbols that are not found, instead of refusing them' }),
  runs: z
    .array(runField)
    .min(1)
    .max(MAX_RUNS)
    .meta({ description: `At most ${MAX_SWEEP_COMBINATIONS} combinations in all` }),
  time_range,
  start,
  end,
  execute_on,
  adjust,
  cost,
  risk_free,
  cash,
});
export type SweepBody = z.output<typeof sweepBody>;

/** Whether this version still accepts a stored request. */
export function isSweepRequest(kept: unknown): kept is z.input<typeof sweepBody> {
  return sweepBody.safeParse(kept).success;
}

export const SWEEP_EXAMPLE: z.input<typeof sweepBody> = {
  universe: { symbols: ['ACRX.US', 'BRVA.US', 'LUMA.US', 'TMRK.US'] },
  runs: [
    { strategy: 'sma_cross', grid: { fast_period: [5, 10, 20], slow_period: [50, 100] } },
    { strategy: 'donchian' },
  ],
  time_range: '2Y',
};

export interface RequestedSweep {
  readonly spec: SweepSpec;
  /** The body that repeats the sweep, with the current texts of saved strategies. */
  readonly request: object;
  readonly instruments: readonly SweepInstrument[];
  readonly combinations: number;
  /** The approximate number of bars in the range. */
  readonly bars: number;
}

/**
 * `own`: the saved strategy that the rules of each run name; `screened`: what the screen of the universe has found, null if the
 * universe is not a screen.
 */
export function sweepOf(
  body: SweepBody,
  market: MarketFacts,
  own: readonly OwnResearch[],
  screened: Universe | null = null,
): RequestedSweep {
  const checked = body.runs.map((run, i) => runOf(run, market, own[i], ['body', 'runs', i]));
  const combinations = checked.reduce((sum, { count }) => sum + count, 0);
  if (combinations > MAX_SWEEP_COMBINATIONS) {
    const details = { count: combinations, max: MAX_SWEEP_COMBINATIONS };
    refuse(['body', 'runs'], { code: 'grid_too_many_combinations', details });
  }
  const found = screened ?? universeOf(body, market);
  const common = checkedSpecOf(runFields(body), market);
  const spec = {
    ...common,
    columns: columnsNamed(own[0]?.columns, new Set(), common),
    runs: checked.map(({ run }) => run),
    screenedOn: found.screenedOn,
    skipped: found.skipped,
  };
  const instruments = found.items.map(specInstrument);
  const request = {
    ...body,
    start: body.start && formatDay(body.start),
    end: body.end && formatDay(body.end),
    runs: checked.map(({ requested }) => requested),
  };
  return { spec, request, instruments, combinations, bars: barsBetween(spec, market) };
}

function runOf(
  given: SweepBody['runs'][number],
  { directory }: MarketFacts,
  own: OwnResearch,
  at: readonly (string | number)[],
) {
  const grid = given.grid ?? {};
  const found = resolveStrategy(given.strategy, given.rules, { ...firstOf(grid), ...given.params }, own);
  const fixed = fixedParameters(found.strategy, given.params ?? {}, [...at, 'params']);
  const checked = gridOf(withDefaults(found.strategy, fixed), grid, [...at, 'grid']);
  const { rules, saved } = found;
  const columns = columnsNamed(own.columns, found.columnNames);
  const others = othersIn(rules, directory, [...at, 'rules']);
  const untried = Object.entries(fixed).filter(([name]) => !(name in grid));
  return {
    count: checked.count,
    run: { strategy: given.strategy, rules, saved, others, columns, params: fixed, grid: checked.grid },
    requested: saved === undefined ? given : { ...given, rules, params: Object.fromEntries(untried) },
  };
}

function universeOf({ universe, skip_unknown }: SweepBody, { directory }: MarketFacts): Universe {
  const chosen = typeof universe !== 'string' && 'symbols' in universe;
  const { items, skipped } = chosen
    ? findSymbols(directory, universe.symbols, skip_unknown, ['body', 'universe', 'symbols'])
    : { items: [...directory.items], skipped: null };
  const wanted =
    typeof universe === 'string' || !('asset_type' in universe) || universe.asset_type === undefined
      ? null
      : [universe.asset_type].flat();
  const of = (some: DirectoryItem[]) => ({ items: bySymbol(some), screenedOn: null, skipped });
  if (wanted === null) return of(items);
  assertAssetTypes(directory, wanted);
  const left = items.filter(({ instrument }) => wanted.includes(instrument.assetType));
  if (left.length === 0) refuse(['body', 'universe', 'asset_type'], { code: 'universe_empty' });
  return of(left);
}

const bySymbol = (items: DirectoryItem[]) => items.sort((a, b) => (a.qualified < b.qualified ? -1 : 1));

const SESSIONS_PER_DAY = TRADING_DAYS_PER_YEAR / 365.25;
/** Assumed years of a range without a start. */
const OPEN_YEARS = 20;

function barsBetween({ start, end, timeRange, asOf }: SweepSpec, market: MarketFacts): number {
  const last = Math.min(end ?? asOf, market.newestSession ?? asOf);
  const first = start ?? rangeStart(timeRange, last) ?? last - OPEN_YEARS * 365;
  return Math.max(1, Math.round((last - first) * SESSIONS_PER_DAY));
}
