/** Searches: their objectives, their address, and the call that runs them. */
import { path } from '../api.ts';
import {
  firstValue,
  type ParameterSchema,
  type ParameterValues,
  parametersOf,
  type Strategy,
  strategyOfRules,
} from '../elements/strategy-fields.ts';
import { type RuleScreen, ruleScreenIn } from '../elements/universe-fields.ts';
import { jobResult } from '../run/call.ts';
import { AXIS, parameterNames, type RunBody, runIn, type Settings, settingsOf } from '../run/specification.ts';
import { post } from '../session.ts';
import { fixed, signedPercent, symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestJob, SearchResult, Strategies } from '../types.ts';

/** Equal steps from one number to another. */
export interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}
export type Axis = Steps | readonly (string | number | boolean)[];

/** As the API allows. */
export const MAX_COMBINATIONS = 5_000;
const DEFAULT_STEPS = 8;
const DEFAULT_AXES = 2;

export const isSteps = (axis: Axis): axis is Steps => !Array.isArray(axis);

/** The number of values of an axis; 0 if its bounds or its step are invalid. */
function lengthOf(axis: Axis): number {
  if (!isSteps(axis)) return axis.length;
  const { from, to, step } = axis;
  if (!(step > 0) || !Number.isFinite(from) || !(to >= from)) return 0;
  return Math.floor((to - from) / step + 1e-9) + 1;
}

/** Combinations of a grid, including those that the strategy does not allow. */
export function combinationsOf(grid: Readonly<Record<string, Axis>>): number {
  return Object.values(grid).reduce((product, axis) => product * lengthOf(axis), 1);
}

/** All values of an enum or a boolean; null: a number, which needs steps. */
export function everyValue({ type, enum: words }: ParameterSchema): readonly (string | boolean)[] | null {
  if (words) return words;
  return type === 'boolean' ? [false, true] : null;
}

/** Steps from half the initial value to twice that value. */
export function defaultSteps(schema: ParameterSchema): Steps {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY, type } = schema;
  const value = Number(firstValue(schema)) || Math.max(1, minimum);
  const [from, to] = [Math.max(minimum, value / 2), Math.min(maximum, value * 2)];
  const step = (to - from) / DEFAULT_STEPS;
  if (type === 'integer') return { from: Math.round(from), to: Math.round(to), step: Math.max(1, Math.round(step)) };
  return { from, to, step: Number(step.toPrecision(2)) };
}

/** The first numbers of a strategy, which are varied by default. */
export function defaultGrid(strategy: Strategy): Record<string, Axis> {
  const numbers = parametersOf(strategy).filter(([, schema]) => everyValue(schema) === null);
  return Object.fromEntries(numbers.slice(0, DEFAULT_AXES).map(([name, schema]) => [name, defaultSteps(schema)]));
}

/** The first two of the varied parameters, for the heat map; null: there is one at most. */
export function heatNames(names: readonly string[]): readonly [string, string] | null {
  const [x, y] = names;
  return y === undefined ? null : [x, y];
}

/** `5:50:5`, as in addresses; `all` for every value of an enum or a boolean. */
const axisText = (axis: Axis) => (isSteps(axis) ? `${axis.from}:${axis.to}:${axis.step}` : 'all');

/** The axis of a text; null if it is none. */
function axisOf(text: string, schema: ParameterSchema): Axis | null {
  const all = everyValue(schema);
  if (all !== null) return text === 'all' ? all : null;
  const parts = text.split(':').map(Number);
  if (parts.length !== 3 || parts.some((part) => !Number.isFinite(part))) return null;
  const [from, to, step] = parts;
  return { from, to, step };
}

/** The ranges of the parameters in an address: `g.fast_period=5:50:5`. */
export function axesIn(settings: ParameterValues, strategy: Strategy): Record<string, Axis> {
  const found: Record<string, Axis> = {};
  for (const [name, schema] of parametersOf(strategy)) {
    const axis = axisOf(settings[`g.${name}`] ?? '', schema);
    if (axis !== null) found[name] = axis;
  }
  return found;
}

export const OBJECTIVES = [
  'sharpe',
  'sortino',
  'calmar',
  'total_pnl_pct',
  'annualized_pct',
  'excess_return_pct',
  'profit_factor',
  'win_rate',
] as const;
export type Objective = (typeof OBJECTIVES)[number];

const TEXTS = {
  sharpe: 'run.sharpe',
  sortino: 'run.sortino',
  calmar: 'run.calmar',
  total_pnl_pct: 'run.total',
  annualized_pct: 'run.a_year',
  excess_return_pct: 'run.against_holding',
  profit_factor: 'run.profit_factor',
  win_rate: 'run.win_rate',
} as const;

export const objectiveOf = (code: string | undefined): Objective => OBJECTIVES.find((one) => one === code) ?? 'sharpe';
export const objectiveText = (code: Objective) => t(TEXTS[code]);

/** A figure of the objective: returns with sign and unit, ratios with two decimals. */
export function objectiveFigure(code: Objective, value: number | null | undefined): string {
  return code.endsWith('_pct') || code === 'win_rate' ? signedPercent(value, 1) : fixed(value, 2);
}

export function queryOfSearch(search: SearchBody): string {
  const { grid, objective, heatmap, walk_forward: walk, symbol, symbols, screen, ...run } = search;
  const query = new URLSearchParams(settingsOf(run));
  if (symbol !== undefined) query.set('symbol', symbol);
  if (symbols) query.set('symbols', symbols.join(' '));
  if (screen) {
    query.set('where', screen.where);
    query.set('limit', String(screen.limit));
  }
  for (const [name, axis] of Object.entries(grid)) query.set(`${AXIS}${name}`, axisText(axis));
  query.set('objective', objective);
  if (heatmap) {
    query.set('x', heatmap[0]);
    query.set('y', heatmap[1]);
  }
  if (walk) {
    query.set('train', String(walk.train_bars));
    query.set('test', String(walk.test_bars));
  }
  return query.toString();
}

/** The search that an address names. */
export function bodyIn(settings: Settings, { strategies, defaults }: Strategies): SearchBody {
  const { objective = OBJECTIVES[0], x, y, train, test } = settings;
  const run = runIn({ ...settings, strategy: settings.strategy ?? defaults.strategy });
  const chosen = run.rules
    ? strategyOfRules(parameterNames(settings))
    : strategies.find(({ code }) => code === run.strategy);
  const named = chosen ? axesIn(settings, chosen) : {};
  const grid = chosen && Object.keys(named).length === 0 ? defaultGrid(chosen) : named;
  const heatmap = x && y ? ([x, y] as const) : heatNames(Object.keys(grid));
  return {
    ...universeIn(settings),
    ...run,
    grid,
    objective,
    ...(heatmap === null ? {} : { heatmap }),
    ...(train && test ? { walk_forward: { train_bars: Number(train), test_bars: Number(test) } } : {}),
  };
}

/** The instruments that an address names: one, a list of them, or those that a screen finds. */
function universeIn({ symbol = '', symbols, where, limit }: Settings) {
  if (where !== undefined) return { screen: ruleScreenIn({ where, limit: Number(limit) || undefined }) };
  return symbols === undefined ? { symbol } : { symbols: symbolsIn(symbols) };
}

export interface SearchBody extends RunBody {
  /** One of these three. */
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly screen?: RuleScreen;
  readonly grid: Readonly<Record<string, Axis>>;
  readonly objective: string;
  readonly heatmap?: readonly [string, string];
  readonly walk_forward?: { readonly train_bars: number; readonly test_bars: number };
}

/** Returns the id of the job. */
export async function startSearch(body: SearchBody): Promise<string> {
  const { job_id } = await post<BacktestJob>('/v1/optimize', body);
  return job_id;
}

/** Waits for a search, and reports its progress. Throws an `ApiError`, or a `JobFailure`. */
export function searchResult(
  jobId: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<SearchResult> {
  return jobResult(path('/v1/optimize/jobs/{job_id}', { job_id: jobId }), signal, onProgress);
}
