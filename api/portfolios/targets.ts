/** Checks the body of target weights and makes a specification of it. */
import { isAbove } from '../../engine/indicators/ties.ts';
import { type ComparedSpec, TARGETS_STRATEGY, type TargetSpec } from '../../jobs/contracts/targets.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { checkedSpecOf, runFields } from '../backtests/request.ts';
import { refuse } from '../http/input/request-failure.ts';
import { findInstrument } from '../market/directory.ts';
import { findSymbols } from '../market/symbol-list.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { specInstrument } from '../runs/comparison.ts';
import type { ScreenCall } from '../screener/services.ts';
import { benchmarkOf, type PortfolioBody } from './request.ts';
import type { GivenCompare, GivenTargets } from './target-fields.ts';
import { withBars } from './universe.ts';

/** Fields that target weights take the place of. */
const REPLACED = ['strategy', 'rules', 'params', 'symbols', 'screen', 'skip_unknown'] as const;
const REPLACED_IN_ALLOCATION = ['max_positions', 'sizing', 'volatility_period', 'rank_by', 'cash_buffer_pct'] as const;

type TargetBody = PortfolioBody & { readonly allocation: GivenTargets };
type CompareBody = PortfolioBody & { readonly compare: GivenCompare };
type Place = readonly (string | number)[];

function refuseReplaced(body: PortfolioBody, by: string, also: readonly (keyof PortfolioBody)[] = []): void {
  const given = [...REPLACED, ...also].find((name) => body[name] !== undefined && body[name] !== false);
  if (given !== undefined) refuse(['body', given], { code: 'not_together', details: { name: by } });
}

/** Whether a body is that of target weights. Throws if it mixes them with a strategy. */
export function isTargets(body: PortfolioBody): body is TargetBody {
  const { allocation } = body;
  if (allocation?.targets === undefined) return false;
  const name = 'allocation.targets';
  refuseReplaced(body, name);
  const given = REPLACED_IN_ALLOCATION.find((one) => allocation[one] !== undefined);
  if (given !== undefined) refuse(['body', 'allocation', given], { code: 'not_together', details: { name } });
  return true;
}

export async function targetSpecOf(call: ScreenCall, body: TargetBody): Promise<TargetSpec> {
  return specAt(call, body, body.allocation, ['body', 'allocation']);
}

export async function comparedSpecOf(call: ScreenCall, body: CompareBody): Promise<ComparedSpec> {
  refuseReplaced(body, 'compare', [
    'allocation',
    'tear_sheet',
    'factors',
    'universe',
    'rotation',
    'survivors',
    'cash_buffer_pct',
  ]);
  const compare: ComparedSpec['compare'][number][] = [];
  for (const [i, { name, allocation }] of body.compare.entries()) {
    const at = ['body', 'compare', i];
    if (compare.some((one) => one.name === name)) refuse([...at, 'name'], { code: 'repeated' });
    compare.push({ name, spec: await specAt(call, body, allocation, [...at, 'allocation']) });
  }
  return { compare };
}

/** Throws, with the place, for everything that can be known to be wrong before it is run. */
async function specAt(
  call: ScreenCall,
  body: PortfolioBody,
  { targets, rebalance = 'none', flows = [] }: GivenTargets,
  at: Place,
): Promise<TargetSpec> {
  const { services, caller } = call;
  const { market } = services;
  assertPlanHas(caller, 'portfolio_symbols_max');
  const found = targetsAt(call, targets, [...at, 'targets']);
  assertWithin(caller, 'portfolio_symbols_max', found.length);
  const common = checkedSpecOf(runFields(body), market);
  const spec: TargetSpec = {
    ...common,
    columns: columnsNamed(await readableColumns(call, [], common), new Set(), common),
    strategy: TARGETS_STRATEGY,
    params: {},
    includeStatistics: body.include_statistics,
    instruments: found.map(({ item }) => specInstrument(item)),
    allocation: {
      flows,
      targets: found.map(({ item, weight }) => ({ symbol: item.qualified, weight })),
      rebalance: typeof rebalance === 'string' ? rebalance : { bandPct: rebalance.band_pct },
    },
    benchmark: benchmarkOf(body.benchmark, market),
  };
  await withBars(services.pool, spec.instruments, spec);
  return spec;
}

/** The instruments with their weights, by symbol. */
function targetsAt({ services }: ScreenCall, targets: GivenTargets['targets'], at: Place) {
  const { directory } = services.market;
  const symbols = targets.map(({ symbol }) => symbol);
  findSymbols(directory, symbols, false, at);
  const found = targets.map(({ symbol, weight }) => ({ item: findInstrument(directory, symbol), weight }));
  const again = found.findIndex(({ item }, i) => found.findIndex((one) => one.item.id === item.id) < i);
  if (again !== -1) refuse([...at, again, 'symbol'], { code: 'repeated' });
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  if (isAbove(sum, 1)) refuse(at, { code: 'fixed_above_one', details: { sum: Number(sum.toPrecision(6)) } });
  return found.sort((a, b) => (a.item.qualified < b.item.qualified ? -1 : 1));
}
