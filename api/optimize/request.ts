/** Checks the body of an optimization and makes a specification of it. */

import { MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { countWindows, holdsWindow, type WalkForwardRule } from '../../engine/backtest/walk-forward.ts';
import { TRADING_DAYS_PER_YEAR } from '../../engine/indicators/indicators.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { pick } from '../../engine/util/values.ts';
import { countBars, noBarsFailure } from '../../jobs/backtest/range.ts';
import {
  OBJECTIVES,
  type OptimizeSpec,
  type PortfolioSearch,
  type RotationSearch,
} from '../../jobs/contracts/optimize.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { checkedSpecOf, flatBody, onInstrument, runFields, type TradingSpec } from '../backtests/request.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { RequestFailure, refuse } from '../http/input/request-failure.ts';
import type { MarketView } from '../market/market-view.ts';
import { type PortfolioBody, portfolioBody, portfolioFields, withInstruments } from '../portfolios/request.ts';
import { assertRotationParams, isRotation, rotationSpecOf } from '../portfolios/rotation.ts';
import { cashBufferField, rotationField, universeField } from '../portfolios/rotation-fields.ts';
import { universeOf, withBars } from '../portfolios/universe.ts';
import { columnsNamed } from '../rules/own-columns.ts';
import { type OwnResearch, othersIn, ownResearchOf, resolveStrategy } from '../rules/resolve.ts';
import { askedComparison, factorsField, tearSheetField } from '../runs/comparison.ts';
import { ratesOf } from '../runs/cost-fields.ts';
import type { ScreenCall } from '../screener/services.ts';
import { axesOf, firstOf, fixedParameters, gridField, gridOf } from './grid.ts';

const barCount = z.int().min(1).max(10_000);

export const optimizeBody = flatBody
  .pick({
    symbol: true,
    strategy: true,
    rules: true,
    time_range: true,
    start: true,
    end: true,
    adjust: true,
    cost: true,
    risk_free: true,
    cash: true,
    include_statistics: true,
  })
  .extend({
    symbol: symbolField.optional().meta({ description: 'One instrument; for a portfolio, use `symbols` instead' }),
    ...portfolioFields,
    execute_on: flatBody.shape.execute_on.unwrap().optional().meta({
      description: 'Default: `close`; of a rotation `next_open`',
    }),
    universe: universeField.optional().meta({ description: 'With `rotation`' }),
    rotation: rotationField.optional().meta({
      description:
        'A rotation whose `$parameters`, in its rules and counts, are those of the grid; instead of a strategy',
    }),
    cash_buffer_pct: cashBufferField.optional().meta({ description: 'With `rotation`. Default: 0' }),
    params: flatBody.shape.params.meta({
      description: 'Parameters outside the grid; default: those of the strategy',
    }),
    grid: gridField.meta({
      description:
        `Per parameter a list of values, or \`{from, to, step}\`. At least one parameter, and at most ${MAX_COMBINATIONS} ` +
        'combinations, of which the strategy must allow at least one',
      minProperties: 1,
    }),
    objective: z.enum(OBJECTIVES).default('sharpe'),
    heatmap: z
      .tuple([z.string(), z.string()])
      .optional()
      .meta({ description: 'Two parameters of the grid to compare' }),
    walk_forward: z
      .strictObject({ train_bars: barCount, test_bars: barCount })
      .optional()
      .meta({
        description:
          'Chooses parameters on `train_bars` bars, trades the next `test_bars` bars with them, and moves ahead by ' +
          '`test_bars` to the end of the range, which must hold a whole window.',
      }),
    tear_sheet: tearSheetField.meta({ description: 'Whether to compute the tear sheet of the walk forward too' }),
    factors: factorsField,
  })
  .strict();

/** Maximum number of runs of a walk forward, over all its windows. */
const MAX_WALK_RUNS = 1_000_000;

/** Throws when the walk forward does not fit the bars of the range, or needs too many runs. */
function checkWalkForward(rule: WalkForwardRule, bars: number, combinations: number): void {
  if (!holdsWindow(bars, rule)) {
    const details = { needed: rule.trainBars + rule.testBars, bars };
    const problem = { code: 'grid_window_too_long', details } as const;
    const at = { loc: ['body', 'walk_forward'], type: 'walk_forward_range', problem };
    throw new RequestFailure('walk_forward_range', [at], details);
  }
  if (countWindows(bars, rule) * combinations > MAX_WALK_RUNS) {
    refuse(['body', 'walk_forward'], { code: 'grid_too_many_windows' });
  }
}

export type OptimizeBody = z.output<typeof optimizeBody>;

/** The fields that searches over an instrument and over a portfolio share. */
interface CheckedSearch {
  /** Strategy, range, and costs; the parameters outside the grid. */
  readonly trading: TradingSpec & Pick<OptimizeSpec['backtest'], 'includeStatistics'>;
  readonly search: Pick<OptimizeSpec, 'grid' | 'objective' | 'heatmap'>;
  /** Combinations that the strategy allows. */
  readonly count: number;
}

function checkedSearch(body: OptimizeBody, market: MarketView, own: OwnResearch): CheckedSearch {
  const { heatmap = null } = body;
  const given = { ...firstOf(body.grid), ...body.params };
  const peers = body.symbols === undefined && body.screen === undefined ? null : 'peers';
  const { strategy, rules, saved, columnNames } = resolveStrategy(body.strategy, body.rules, given, own, peers);
  const params = fixedParameters(strategy, body.params ?? {}, ['body', 'params']);
  const common = checkedSpecOf(runFields(body), market);
  if (Object.keys(body.grid).length === 0) refuse(['body', 'grid'], { code: 'grid_empty' });
  const { grid, count } = gridOf(withDefaults(strategy, params), body.grid, ['body', 'grid']);
  const unknown = heatmap?.find((name) => !Object.hasOwn(grid, name));
  if (unknown !== undefined) refuse(['body', 'heatmap'], { code: 'grid_lacks_name', details: { name: unknown } });
  if (heatmap && heatmap[0] === heatmap[1]) refuse(['body', 'heatmap'], { code: 'grid_name_twice' });
  const { include_statistics: includeStatistics, objective } = body;
  const others = othersIn(rules, market.directory);
  const columns = columnsNamed(own.columns, columnNames, common);
  const trading = { ...common, strategy: body.strategy, rules, saved, others, columns, params, includeStatistics };
  return { trading, search: { grid, objective, heatmap }, count };
}

/** The search on one instrument. Throws if its range has no bars, or no window of a walk forward. */
async function backtestSearch(
  call: ScreenCall,
  { trading, search, count }: CheckedSearch,
  { symbol, walk_forward, tear_sheet, factors }: OptimizeBody & { readonly symbol: string },
): Promise<OptimizeSpec> {
  const { pool, market } = call.services;
  const backtest = onInstrument(trading, symbol, market);
  const walkForward = walk_forward ? { trainBars: walk_forward.train_bars, testBars: walk_forward.test_bars } : null;
  const bars = await countBars(pool, backtest);
  if (bars === 0) {
    const { code, details } = noBarsFailure(backtest, market.historyLedger);
    throw new ServiceError(code, details);
  }
  if (walkForward !== null) checkWalkForward(walkForward, bars, count);
  if (tear_sheet && walkForward === null)
    refuse(['body', 'tear_sheet'], { code: 'only_with', details: { name: 'walk_forward' } });
  const tearSheet = await askedComparison(call, { hasTearSheet: tear_sheet, comparison: { factors } }, backtest);
  return { backtest: { ...backtest, tearSheet }, walkForward, ...search };
}

/** Combinations × symbols × bars of a search on a portfolio: minutes of work. */
const MAX_PORTFOLIO_WORK = 2e9;
const LONGEST_YEARS = 20;

/** The search on a portfolio. Throws if it would take too long. */
async function portfolioSearch(
  call: ScreenCall,
  { trading, search, count }: CheckedSearch,
  body: OptimizeBody,
): Promise<PortfolioSearch> {
  const { services, caller } = call;
  const { longPool, market } = services;
  const { allocation, benchmark } = body;
  for (const name of ['walk_forward', 'tear_sheet', 'factors'] as const)
    if (body[name]) refuse(['body', name], { code: 'only_with', details: { name: 'symbol' } });
  assertPlanHas(caller, 'portfolio_symbols_max');
  const portfolio = withInstruments(trading, await universeOf(call, body), { allocation, benchmark }, market);
  const { instruments } = portfolio;
  assertWithin(caller, 'portfolio_symbols_max', instruments.length);
  await withBars(longPool, instruments, portfolio);
  const days = yearsOf(portfolio, market.newestSession) * TRADING_DAYS_PER_YEAR;
  if (count * instruments.length * days > MAX_PORTFOLIO_WORK) {
    refuse(['body', 'grid'], { code: 'grid_too_much_work', details: { count, symbols: instruments.length } });
  }
  return { portfolio, ...search };
}

function yearsOf({ start, end, timeRange, asOf }: TradingSpec, newestSession: number | null): number {
  const last = Math.min(end ?? asOf, newestSession ?? asOf);
  const first = start ?? rangeStart(timeRange, last);
  return first === null ? LONGEST_YEARS : Math.min(LONGEST_YEARS, (last - first) / 365.25);
}

/** The search on a rotation. Each combination is one run of it. */
async function rotationSearch(call: ScreenCall, body: OptimizeBody): Promise<RotationSearch> {
  const { objective, heatmap = null } = body;
  for (const name of ['symbol', 'symbols', 'screen', 'allocation', 'walk_forward', 'rules'] as const) {
    if (body[name] !== undefined) refuse(['body', name], { code: 'not_together', details: { name: 'rotation' } });
  }
  for (const name of ['tear_sheet', 'factors'] as const)
    if (body[name]) refuse(['body', name], { code: 'only_with', details: { name: 'symbol' } });
  if (Object.keys(body.grid).length === 0) refuse(['body', 'grid'], { code: 'grid_empty' });
  const grid = axesOf(body.grid, ['body', 'grid']);
  const unknown = heatmap?.find((name) => !Object.hasOwn(grid, name));
  if (unknown !== undefined) refuse(['body', 'heatmap'], { code: 'grid_lacks_name', details: { name: unknown } });
  const requested = (params: Readonly<Record<string, unknown>>): PortfolioBody => ({
    ...portfolioBody.parse(pick(body, ['benchmark', 'include_statistics', 'cash_buffer_pct'])),
    ...pick(body, [
      'universe',
      'rotation',
      'time_range',
      'start',
      'end',
      'execute_on',
      'adjust',
      'cost',
      'risk_free',
      'cash',
    ]),
    params,
  });
  const first = requested({ ...firstOf(body.grid), ...body.params });
  if (!isRotation(first)) refuse(['body', 'rotation'], { code: 'required' });
  const rotation = await rotationSpecOf(call, first);
  for (const [name, values] of Object.entries(grid)) {
    for (const value of values) assertRotationParams({ ...first, params: { ...first.params, [name]: value } });
  }
  return { rotation, grid, objective, heatmap };
}

/** The specification of a body: finds the symbols, and checks the grid and the parameters. */
export async function searchSpecOf(
  call: ScreenCall,
  body: OptimizeBody,
): Promise<OptimizeSpec | PortfolioSearch | RotationSearch> {
  const { symbol, symbols, screen } = body;
  if (body.rotation !== undefined || body.universe !== undefined) return rotationSearch(call, body);
  const details = { one: 'symbol', other: 'symbols' };
  const isPortfolio = symbols !== undefined || screen !== undefined;
  if (symbol !== undefined && isPortfolio) {
    refuse(['body', symbols === undefined ? 'screen' : 'symbols'], { code: 'either_or', details });
  }
  for (const name of ['allocation', 'benchmark'] as const) {
    if (!isPortfolio && body[name] !== undefined) {
      refuse(['body', name], { code: 'only_with', details: { name: 'symbols' } });
    }
  }
  const checked = checkedSearch(body, call.services.market, await ownResearchOf(call, body.rules, ratesOf(body)));
  if (isPortfolio) return portfolioSearch(call, checked, body);
  return backtestSearch(call, checked, {
    ...body,
    symbol: symbol ?? refuse(['body', 'symbol'], { code: 'either_or', details }),
  });
}
