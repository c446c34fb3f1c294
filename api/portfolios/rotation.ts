/** Checks the body of a rotation and makes a specification of it. */
import { selectFirstBarDay } from '../../db/market/bars.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { FAR_PAST } from '../../engine/market/dates.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import { EQUAL_WEIGHT } from '../../engine/portfolio/benchmark.ts';
import { missingHistory, type WeightFault, weightFault } from '../../engine/rotation/refusals.ts';
import { rebalanceSessions } from '../../engine/rotation/rotation.ts';
import { checkRotation, type RotationRules, type RotationTexts } from '../../engine/rotation/rules.ts';
import { ruleProblem } from '../../engine/rules/problems.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { ROTATION_STRATEGY, type RotationSpec } from '../../jobs/contracts/rotation.ts';
import { assertPlanHas, assertWithin, PLANS } from '../access/plans.ts';
import { checkedSpecOf, runFields } from '../backtests/request.ts';
import type { z } from '../http/input/fields.ts';
import type { Problem, ProblemCode } from '../http/input/problems.ts';
import { RequestFailure, refuse } from '../http/input/request-failure.ts';
import { assertAssetTypes } from '../market/directory.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { findSymbols } from '../market/symbol-list.ts';
import { ruleFailure, type WrongRule } from '../rules/failures.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { namedInstruments } from '../rules/resolve.ts';
import { specInstrument } from '../runs/comparison.ts';
import { ratesOf } from '../runs/cost-fields.ts';
import type { ScreenCall } from '../screener/services.ts';
import { benchmarkOf, type PortfolioBody } from './request.ts';
import type { rotationField, universeField } from './rotation-fields.ts';

type GivenRotation = z.output<typeof rotationField>;
type GivenUniverse = z.output<typeof universeField>;

/** Fields that a rotation takes the place of. */
const REPLACED = ['strategy', 'rules', 'symbols', 'screen', 'allocation', 'skip_unknown'] as const;

export type RotationBody = PortfolioBody & { readonly rotation: GivenRotation; readonly universe: GivenUniverse };

/** Whether a body is that of a rotation. Throws if it mixes the two forms. */
export function isRotation(body: PortfolioBody): body is RotationBody {
  const { rotation, universe } = body;
  if (rotation === undefined) {
    for (const name of ['universe', 'survivors', 'cash_buffer_pct'] as const) {
      if (body[name] !== undefined) refuse(['body', name], { code: 'only_with', details: { name: 'rotation' } });
    }
    return false;
  }
  if (universe === undefined) refuse(['body', 'universe'], { code: 'required' });
  for (const name of REPLACED) {
    if (body[name] !== undefined) refuse(['body', name], { code: 'not_together', details: { name: 'rotation' } });
  }
  return true;
}

/** The specification of a body. Throws, with the place, for everything that can be known to be wrong before it is run. */
export async function rotationSpecOf(call: ScreenCall, body: RotationBody): Promise<RotationSpec> {
  const { services, caller } = call;
  const { market } = services;
  assertPlanHas(caller, 'rotation_members_max');
  const { rotation, universe } = body;
  const columns = await readableColumns(call, Object.values(textsOf(body)), ratesOf(body));
  const { texts, rules } = checkedTexts(body, columns);
  const params = checkedParams(body, rules, texts);
  const found = membersOf(universe, market);
  if ((rotation.weights.method === 'fixed') !== (rotation.weights.fixed !== undefined)) {
    refuse([...AT_WEIGHTS, 'fixed'], { code: 'only_with', details: { name: 'method: fixed' } });
  }
  const max = PLANS[caller.plan].quotas.rotation_members_max;
  const spec: RotationSpec = {
    ...checkedSpecOf(runFields(body, 'next_open'), market),
    strategy: ROTATION_STRATEGY,
    params,
    others: namedInstruments(tickersOf(rules, texts), market.directory),
    columns: columnsNamed(columns, rules.columnNames, ratesOf(body)),
    includeStatistics: body.include_statistics,
    universe: found,
    texts,
    every: rotation.every,
    offset: rotation.offset,
    order: rotation.order,
    hold: countOf(rotation.hold),
    keep: rotation.keep === undefined ? null : countOf(rotation.keep),
    weights: weightsOf(rotation, call),
    exits: exitsOf(rotation),
    cashBufferPct: body.cash_buffer_pct ?? 0,
    benchmark: benchmarkOf(body.benchmark ?? EQUAL_WEIGHT, market),
    survivors: body.survivors ?? false,
    membersMax: max === null ? null : { plan: caller.plan, max },
  };
  checkWeights(spec);
  checkCount(spec);
  if (found.instruments !== null) assertWithin(caller, 'rotation_members_max', found.instruments.length);
  await checkSchedule(spec, call);
  return spec;
}

/** Refuses what is well-formed but not possible. */
function refuseRotation(loc: readonly string[], problem: Problem): never {
  throw new RequestFailure('rotation_invalid', [{ loc, type: 'rotation', problem }]);
}

const AT_WEIGHTS = ['body', 'rotation', 'weights'];
const PLACES = {
  where: ['body', 'universe', 'where'],
  score: ['body', 'rotation', 'score'],
  market_filter: ['body', 'rotation', 'market_filter'],
  stop: ['body', 'rotation', 'exits', 'stop'],
  trail: ['body', 'rotation', 'exits', 'trail'],
} as const;

function textsOf({ rotation, universe }: RotationBody): RotationTexts {
  const { score, market_filter, exits } = rotation;
  const given = { score, market_filter, where: universe.where, stop: exits?.stop, trail: exits?.trail };
  return { score, ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined)) };
}

/** `columns`: the own ones that they may name. */
function checkedTexts(
  body: RotationBody,
  columns?: readonly UsedColumn[],
): { texts: RotationTexts; rules: RotationRules } {
  const texts = textsOf(body);
  const checked = checkRotation(texts, columns);
  if ('rules' in checked) return { texts, rules: checked.rules };
  throw ruleFailure(
    checked.problems.map((problem) => ({ problem, loc: PLACES[problem.part], text: texts[problem.part] ?? '' })),
  );
}

function tickersOf({ tickers }: RotationRules, texts: RotationTexts) {
  return [...tickers].map(([ticker, { at, part }]) => ({ ticker, at, loc: PLACES[part], text: texts[part] ?? '' }));
}

/** Parameters that are named as counts. */
function countParameters({ every, hold, keep }: GivenRotation): Map<string, readonly (string | number)[]> {
  const names = new Map<string, readonly (string | number)[]>();
  const add = (count: unknown, ...path: string[]) => {
    if (typeof count === 'string') names.set(count.slice(1).toLowerCase(), ['body', 'rotation', ...path]);
  };
  if (typeof every !== 'string') add(every.sessions, 'every', 'sessions');
  if ('top' in hold) add(hold.top, 'hold', 'top');
  if (keep !== undefined && 'top' in keep) add(keep.top, 'keep', 'top');
  return names;
}

/** The value of every parameter, all of which are numbers. */
function checkedParams(
  { params = {}, rotation }: RotationBody,
  rules: RotationRules,
  texts: RotationTexts,
): RotationSpec['params'] {
  const given = new Map(Object.entries(params).map(([name, value]) => [name.toLowerCase(), value]));
  const counts = countParameters(rotation);
  const values: Record<string, number> = {};
  for (const [name, loc] of counts) {
    const value = given.get(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) refuse([...loc], { code: 'required' });
    values[name] = value;
  }
  const wrong: WrongRule[] = [];
  for (const [name, { part, at, min, max, kind }] of rules.parameters) {
    const value = given.get(name);
    const refuseAs = (code: 'rule_parameter_missing' | 'rule_argument_range' | 'rule_argument_integer') =>
      wrong.push({
        loc: PLACES[part],
        text: texts[part] ?? '',
        problem: ruleProblem(code, at, { name: `$${name}`, min, max }),
      });
    if (typeof value !== 'number') refuseAs('rule_parameter_missing');
    else if (value < min || value > max) refuseAs('rule_argument_range');
    else if (kind === 'integer' && !Number.isInteger(value)) refuseAs('rule_argument_integer');
    else values[name] = value;
  }
  if (wrong.length > 0) throw ruleFailure(wrong);
  const unknown = [...given.keys()].find((name) => !(name in values));
  if (unknown !== undefined) refuse(['body', 'params', unknown], { code: 'nothing_expected' });
  return values;
}

/** Throws unless the parameters of a body are allowed. */
export function assertRotationParams(body: RotationBody): void {
  const { texts, rules } = checkedTexts(body);
  checkedParams(body, rules, texts);
}

export function membersOf(
  { symbols, all, asset_type }: GivenUniverse,
  { directory }: Pick<MarketFacts, 'directory'>,
): RotationSpec['universe'] {
  const details = { one: 'symbols', other: 'all' };
  if ((symbols === undefined) === (all === undefined))
    refuse(['body', 'universe', 'symbols'], { code: 'either_or', details });
  if (symbols !== undefined && asset_type !== undefined) {
    refuse(['body', 'universe', 'asset_type'], { code: 'only_with', details: { name: 'all' } });
  }
  const assetTypes = asset_type === undefined ? null : [...new Set([asset_type].flat())].sort();
  if (assetTypes !== null) assertAssetTypes(directory, assetTypes);
  if (symbols === undefined) return { assetTypes, instruments: null, skipped: null };
  const { items, skipped } = findSymbols(directory, symbols, false, ['body', 'universe', 'symbols']);
  return { assetTypes, skipped, instruments: items.map(specInstrument) };
}

const countOf = (count: GivenRotation['hold']): RotationSpec['hold'] =>
  'top' in count ? { top: count.top } : { topPct: count.top_pct };

/** The problem of a fault, and the field that it is reported at. */
const FAULTS = {
  min_weight_not_taken: { at: [...AT_WEIGHTS, 'min_weight'], code: 'no_min_weight' },
  score_ascending: { at: ['body', 'rotation', 'order'], code: 'score_descending' },
  fixed_above_one: { at: [...AT_WEIGHTS, 'fixed'], code: 'fixed_above_one' },
  bounds_never_met: { at: [...AT_WEIGHTS, 'min_weight'], code: 'bounds_impossible' },
  sample_too_short: { at: [...AT_WEIGHTS, 'lookback'], code: 'lookback_not_above' },
} as const satisfies Record<WeightFault, { readonly at: readonly string[]; readonly code: ProblemCode }>;

function checkWeights({ order, hold, weights, params }: RotationSpec): void {
  const { fixed, ...rule } = weights;
  const names = 'top' in hold ? numberOf(hold.top, params) : null;
  const counted = names === null ? { topPct: 100 } : { top: names };
  const fault = weightFault(rule, { order, hold: counted }, Object.values(fixed ?? {}));
  if (fault === null) return;
  const { at, code } = FAULTS[fault];
  const sum = Object.values(fixed ?? {}).reduce((total, weight) => total + weight, 0);
  refuseRotation(at, { code, details: { sum: Number(sum.toPrecision(6)), names: names ?? 1 } });
}

function weightsOf(
  { weights, target_volatility_pct }: GivenRotation,
  { services }: ScreenCall,
): RotationSpec['weights'] {
  const { method, lookback, covariance, min_weight, max_weight, fixed } = weights;
  const { directory } = services.market;
  const given = Object.entries(fixed ?? {}).map(([symbol, weight]) => {
    const { items } = findSymbols(directory, [symbol], false, [...AT_WEIGHTS, 'fixed']);
    return [items[0].symbol, weight] as const;
  });
  return {
    method,
    lookback,
    covariance,
    bounds: { min: min_weight, max: max_weight },
    targetVolatilityPct: target_volatility_pct ?? null,
    fixed: fixed === undefined ? null : Object.fromEntries(given),
  };
}

function exitsOf({ exits }: GivenRotation): RotationSpec['exits'] {
  return exits === undefined ? null : { stopLossPct: exits.stop_loss_pct, takeProfitPct: exits.take_profit_pct };
}

/** Checks the number of names to hold against the universe of symbols. */
function checkCount({ hold, universe, params }: RotationSpec): void {
  if (!('top' in hold) || universe.instruments === null) return;
  const count = universe.instruments.length;
  if (numberOf(hold.top, params) > count) {
    refuseRotation(['body', 'rotation', 'hold', 'top'], { code: 'more_than_universe', details: { count } });
  }
}

/** Checks that the range has a rebalance, and history enough before it. The job checks it again on the bars themselves. */
async function checkSchedule(spec: RotationSpec, { services: { pool, market } }: ScreenCall): Promise<void> {
  const { every, offset, params, weights, universe, asOf, dataAsOf } = spec;
  const end = Math.min(spec.end ?? asOf, dataAsOf ?? asOf);
  const ids = universe.instruments?.map(({ instrumentId }) => instrumentId);
  const firstBar = ids === undefined ? market.historyLedger.firstLoaded : await selectFirstBarDay(pool, ids);
  if (firstBar === null) return;
  const start = Math.max(spec.start ?? rangeStart(spec.timeRange, end) ?? FAR_PAST, firstBar);
  const clock = Int32Array.from(sessionsBetween(start, end));
  const period = typeof every === 'string' ? every : { sessions: numberOf(every.sessions, params) };
  const [first] = rebalanceSessions(clock, { offset, every: period });
  if (first === undefined) refuseRotation(['body', 'rotation', 'every'], { code: 'no_rebalance' });
  const before = sessionsBetween(firstBar, start - 1).length;
  const missing = missingHistory({ first: before }, first, weights);
  if (missing === null) return;
  const { there: sessions, needed } = missing;
  refuseRotation([...AT_WEIGHTS, 'lookback'], { code: 'history_too_short', details: { sessions, needed } });
}

/** The number that a count stands for. */
function numberOf(count: number | string, params: RotationSpec['params']): number {
  return typeof count === 'number' ? count : Number(params[count.slice(1).toLowerCase()]);
}
