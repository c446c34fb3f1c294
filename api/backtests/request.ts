/** The two forms of a backtest request, and the specification made of either. */
import { EXECUTE_ON } from '../../engine/backtest/execution.ts';
import { ADJUST_MODES } from '../../engine/market/adjust.ts';
import { TIME_RANGES } from '../../engine/market/time-range.ts';
import { effectiveParameters, type RefusedParameter } from '../../engine/strategies/catalogue.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { BacktestSpec, NamedRates } from '../../jobs/contracts/backtest.ts';
import { assertDayRange, dateField, domainWord, symbolField, z } from '../http/input/fields.ts';
import { MAX_PROBLEMS, parameterProblem, unknownField } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { findInstrument } from '../market/directory.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { rulesField, strategyWord } from '../rules/fields.ts';
import { columnsNamed } from '../rules/own-columns.ts';
import { type GivenRules, type OwnResearch, othersIn, type RuleMarket, resolveStrategy } from '../rules/resolve.ts';
import { type AskedSheet, askedSheet, comparisonFields } from '../runs/comparison.ts';
import { costFields, type GivenCosts, ratesOf } from '../runs/cost-fields.ts';

export const DEFAULT_STRATEGY = 'chandelier';
export const DEFAULT_TIME_RANGE = '1Y';
export const INITIAL_CAPITAL = 100_000;
export const NO_COST = { commission_rate: 0, min_commission: 0, slippage_bps: 0 } as const;

export const strategyName = strategyWord.meta({ id: 'StrategyCode' });
const strategyField = strategyName.prefault(DEFAULT_STRATEGY);
export const timeRangeName = domainWord(TIME_RANGES, 'invalid_time_range').meta({
  id: 'TimeRange',
  description:
    'Counts back from the newest bar that may be distributed or, with an `end`, from the last bar at or before it. Ignored ' +
    'when `start` is given',
});
const timeRangeField = timeRangeName.prefault(DEFAULT_TIME_RANGE);
const executeOnField = domainWord(EXECUTE_ON, 'invalid_execute_on').prefault('close');
export const adjustMode = domainWord(ADJUST_MODES, 'invalid_backtest_adjust', new Map([['qfq', 'split']])).meta({
  id: 'AdjustMode',
  description:
    '`split`, or `qfq`: prices on the share count of the last bar. `total`: dividends and spin-offs are reinvested on the ' +
    'ex-date too. `none`: as traded. The benchmark has the same basis',
});
const adjustField = adjustMode.prefault('split');
const paramsField = z
  .record(z.string().max(64), z.unknown())
  .optional()
  .meta({ description: "The strategy's parameters, as its `params_schema` describes them" });
const venueBasisField = z.string().max(64).optional().meta({ description: 'Only `consolidated` is accepted' });
const flag = (value: boolean) => z.boolean().default(value);
const statisticsFlag = flag(true).meta({
  description: 'Whether to compute `statistics` and `selection`, which takes some milliseconds',
});

export const flatBody = z
  .object({
    symbol: symbolField,
    strategy: strategyField,
    rules: rulesField.optional(),
    time_range: timeRangeField,
    start: dateField.optional().meta({ description: 'Overrides `time_range`' }),
    end: dateField.optional(),
    params: paramsField,
    execute_on: executeOnField,
    adjust: adjustField,
    ...costFields,
    venue_mode: venueBasisField,
    include_klines: flag(true),
    include_trades: flag(true),
    include_equity: flag(true),
    include_statistics: statisticsFlag,
    ...comparisonFields,
    save: flag(true).meta({ description: 'Whether the account keeps the result. Results of guests are never kept' }),
  })
  .catchall(z.unknown())
  .meta({
    description: "The strategy's parameters may also be given at the top level; those in `params` take precedence",
    // Further fields have no type, because in generated code it would have to fit the named fields too.
    additionalProperties: true,
  });

const { cost, ...ratesFields } = costFields;
export const nestedBody = z.strictObject({
  symbol: symbolField,
  strategy: strategyField,
  rules: rulesField.optional(),
  range: z
    .strictObject({
      time_range: timeRangeField,
      start: dateField.optional(),
      end: dateField.optional(),
    })
    .prefault({}),
  params: paramsField,
  adjust: adjustField,
  execution: z.strictObject({ execute_on: executeOnField, cost }).prefault({}),
  ...ratesFields,
  venue_mode: venueBasisField,
  include: z
    .strictObject({ klines: flag(true), trades: flag(true), equity: flag(true), statistics: statisticsFlag })
    .prefault({}),
  ...comparisonFields,
  save: flag(true),
});

export interface Include {
  readonly klines: boolean;
  readonly trades: boolean;
  readonly equity: boolean;
}

/** A request in either form. */
export interface BacktestRequest extends AskedSheet, NamedRates {
  readonly symbol: string;
  readonly strategy: string;
  readonly rules: GivenRules | undefined;
  readonly timeRange: BacktestSpec['timeRange'];
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Each parameter with its location in the body, for errors: `params.sma_period` or `sma_period`. */
  readonly params: Readonly<Record<string, { readonly value: unknown; readonly loc: readonly (string | number)[] }>>;
  readonly executeOn: BacktestSpec['execution']['executeOn'];
  readonly adjust: BacktestSpec['adjust'];
  readonly cost: GivenCosts['cost'];
  readonly venueBasis: string | undefined;
  readonly include: Include;
  readonly includeStatistics: boolean;
  readonly save: boolean;
}

/** Parameters with their locations in the body. A parameter that is null counts as absent. */
export function located(
  values: Readonly<Record<string, unknown>> | undefined,
  at: readonly (string | number)[],
): BacktestRequest['params'] {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, { value, loc: [...at, name] }]));
}

export function fromFlat(body: z.output<typeof flatBody>): BacktestRequest {
  const { symbol, strategy, rules, params } = body;
  const { include_klines, include_trades, include_equity, include_statistics, save, ...rest } = body;
  const own = new Set(Object.keys(flatBody.shape));
  const flat = Object.fromEntries(Object.entries(rest).filter(([name]) => !own.has(name)));
  return {
    ...runFields(body),
    symbol,
    strategy,
    rules,
    save,
    params: { ...located(flat, ['body']), ...located(params, ['body', 'params']) },
    include: { klines: include_klines, trades: include_trades, equity: include_equity },
    includeStatistics: include_statistics,
    ...askedSheet(body),
  };
}

export function fromNested(body: z.output<typeof nestedBody>): BacktestRequest {
  const { symbol, strategy, rules, range, params, adjust, execution, venue_mode, include, save } = body;
  return {
    symbol,
    strategy,
    rules,
    adjust,
    include,
    save,
    timeRange: range.time_range,
    start: range.start,
    end: range.end,
    params: located(params, ['body', 'params']),
    executeOn: execution.execute_on,
    ...ratesOf(body),
    cost: execution.cost,
    venueBasis: venue_mode,
    includeStatistics: include.statistics,
    ...askedSheet(body),
  };
}

type RunFields = Pick<z.output<typeof flatBody>, 'start' | 'end' | 'adjust' | 'time_range'> &
  GivenCosts &
  Partial<Pick<z.output<typeof flatBody>, 'execute_on' | 'venue_mode'>>;

/** The fields that bodies of all runs have. `executeOn`: if the body does not say it. */
export function runFields(
  { start, end, adjust, cost, risk_free, cash, time_range, execute_on, venue_mode }: RunFields,
  executeOn: BacktestSpec['execution']['executeOn'] = 'close',
) {
  return {
    start,
    end,
    adjust,
    cost,
    ...ratesOf({ risk_free, cash }),
    timeRange: time_range,
    executeOn: execute_on ?? executeOn,
    venueBasis: venue_mode,
  };
}

/** The parameter values of a request, by name. */
function givenParams({ params }: Pick<BacktestRequest, 'params'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
}

type AnswerFields = 'symbol' | 'include' | 'includeStatistics' | 'save' | keyof AskedSheet;

/** A request without the instrument and the form of the answer. `peers`: whether rules may compare instruments. */
export type TradingRequest = Omit<BacktestRequest, AnswerFields> & { readonly peers?: RuleMarket };

/** A specification without the instrument. */
export type TradingSpec = Omit<
  BacktestSpec,
  'instrumentId' | 'symbol' | 'listedOn' | 'delistedOn' | 'includeStatistics'
>;

/**
 * The specification of a request: finds the symbol, checks the parameters, and fills in defaults. `own`: the saved strategy that
 * its rules name.
 */
export function backtestSpecOf(request: BacktestRequest, market: MarketFacts, own?: OwnResearch): BacktestSpec {
  const { symbol, includeStatistics } = request;
  return onInstrument({ ...tradingSpecOf(request, market, own), includeStatistics }, symbol, market);
}

export function tradingSpecOf(request: TradingRequest, market: MarketFacts, own?: OwnResearch): TradingSpec {
  const { strategy: code, rules: given, peers } = request;
  const { strategy, rules, saved, columnNames } = resolveStrategy(code, given, givenParams(request), own, peers);
  const common = checkedSpecOf(request, market);
  const others = othersIn(rules, market.directory);
  const columns = columnsNamed(own?.columns, columnNames, common);
  return { ...common, strategy: code, rules, saved, others, columns, params: checkedParams(strategy, request) };
}

/** A specification for the instrument of a symbol. */
export function onInstrument(
  spec: TradingSpec & Pick<BacktestSpec, 'includeStatistics'>,
  symbol: string,
  { directory }: Pick<MarketFacts, 'directory'>,
): BacktestSpec {
  const { id, qualified, instrument } = findInstrument(directory, symbol);
  const { listedOn, delistedOn } = instrument;
  return { ...spec, instrumentId: id, symbol: qualified, listedOn, delistedOn };
}

/** Range, execution and costs, and the day of the data. */
export function checkedSpecOf(
  request: Omit<TradingRequest, 'strategy' | 'rules' | 'params'>,
  market: MarketFacts,
): Omit<TradingSpec, 'strategy' | 'rules' | 'saved' | 'others' | 'columns' | 'params'> {
  const { start = null, end = null, venueBasis, cost, cash, riskFree } = request;
  if (venueBasis !== undefined && venueBasis !== 'consolidated') {
    throw new ServiceError('venue_mode_refused', { value: venueBasis });
  }
  assertDayRange({ start, end });
  return {
    // A start overrides the time range, so equivalent requests get equal specifications.
    timeRange: start === null ? request.timeRange : DEFAULT_TIME_RANGE,
    start,
    end,
    adjust: request.adjust,
    execution: {
      executeOn: request.executeOn,
      commissionRate: cost?.commission_rate ?? 0,
      minCommission: cost?.min_commission ?? 0,
      slippageBps: cost?.slippage_bps ?? 0,
      initialCapital: INITIAL_CAPITAL,
    },
    cash,
    riskFree,
    isCostless: cost === undefined,
    asOf: market.distributableDay,
    dataAsOf: market.newestSession,
    distributionMode: market.mode,
  };
}

function checkedParams(strategy: Strategy, request: TradingRequest): BacktestSpec['params'] {
  const effective = effectiveParameters(strategy, givenParams(request));
  if ('values' in effective) return effective.values;
  throw parametersFailure(strategy, request.params, effective.refused);
}

/** The error of invalid parameters, each with its location; one at the top level may be meant as a field of the body. */
export function parametersFailure(
  strategy: Strategy,
  params: BacktestRequest['params'],
  refused: readonly RefusedParameter[],
): ValidationFailure {
  return new ValidationFailure(
    refused.slice(0, MAX_PROBLEMS).map(({ name, problem }) => {
      const loc = params[name]?.loc ?? ['body', 'params', name];
      const known = Object.keys(strategy.parameters);
      const isField = loc.length === 2 && problem.code === 'unknown_name';
      const shown = isField ? unknownField(name, flatBody.shape, known) : parameterProblem(name, problem, known);
      return { loc, type: 'parameter', problem: shown };
    }),
  );
}
