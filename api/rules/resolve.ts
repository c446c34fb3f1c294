/** Resolves the strategy of a request: a built-in one, the rules in the request, or those of a saved strategy. */
import type { Pool } from '../../db/pool.ts';
import { type OwnStrategy, selectOwnStrategy } from '../../db/research/own-strategies.ts';
import { knownColumns } from '../../engine/market/own-columns.ts';
import { checkRule } from '../../engine/rules/check.ts';
import type { Kind } from '../../engine/rules/functions/function.ts';
import { ruleProblem, type Span } from '../../engine/rules/problems.ts';
import type { PartProblem, Rules } from '../../engine/rules/rules.ts';
import { missingParameters, RULES_STRATEGY, readRules, rulesStrategy } from '../../engine/rules/strategy.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import { findStrategy } from '../../engine/strategies/catalogue.ts';
import type { RuleTexts, Strategy } from '../../engine/strategies/strategy.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import type { NamedInstrument, NamedRates, SavedReference, UsedColumn } from '../../jobs/contracts/backtest.ts';
import type { Caller } from '../access/caller.ts';
import { routesWith } from '../call/route.ts';
import type { z } from '../http/input/fields.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { type Directory, readSymbol } from '../market/directory.ts';
import type { MarketView } from '../market/market-view.ts';
import { ruleFailure, type WrongRule } from './failures.ts';
import type { rulesField } from './fields.ts';
import { readableColumns } from './own-columns.ts';

export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
}

export const defineRoute = routesWith<Services>();

/** Rules as a request states them. */
export type GivenRules = z.output<typeof rulesField>;

export interface ResolvedStrategy {
  readonly strategy: Strategy;
  /** Undefined, like `saved`, for a built-in strategy. */
  readonly rules: RuleTexts | undefined;
  readonly saved: SavedReference | undefined;
  /** Own columns that the rules name. */
  readonly columnNames: ReadonlySet<string>;
}

/** The saved strategy and the columns of the caller that rules may name. */
export interface OwnResearch {
  /** The saved strategy; null: none. */
  readonly strategy: OwnStrategy | null;
  /** The columns that they may name; undefined: they name none. */
  readonly columns: readonly UsedColumn[] | undefined;
}

export const NOTHING_OWN: OwnResearch = { strategy: null, columns: undefined };

export async function ownResearchOf(
  call: { readonly services: Services; readonly caller: Caller },
  rules: GivenRules | undefined,
  rates?: NamedRates,
): Promise<OwnResearch> {
  const strategy = await savedStrategyOf(call, rules);
  const texts = strategy?.rules ?? (rules === undefined || 'saved' in rules ? {} : rules);
  return { strategy, columns: await readableColumns(call, Object.values(texts), rates) };
}

/** The saved strategy that the rules name; null if they name none. */
async function savedStrategyOf(
  { services, caller }: { readonly services: Services; readonly caller: Caller },
  rules: GivenRules | undefined,
): Promise<OwnStrategy | null> {
  if (rules === undefined || !('saved' in rules)) return null;
  if (caller.kind === 'guest') throw new ServiceError('login_required');
  return found(await selectOwnStrategy(services.pool, caller.account.userId, rules.saved, rules.version));
}

/** Whether rules may compare their instrument with others. */
export type RuleMarket = 'peers' | null;

/**
 * `given`: the parameter values of the call. Throws if strategy and rules do not match, or if a rule is invalid.
 */
export function resolveStrategy(
  code: string,
  rules: GivenRules | undefined,
  given: Readonly<Record<string, unknown>>,
  own: OwnResearch = NOTHING_OWN,
  market: RuleMarket = null,
): ResolvedStrategy {
  if (code !== RULES_STRATEGY) {
    if (rules !== undefined) refuseRules('rules_need_strategy');
    const strategy = findStrategy(code);
    if (!strategy) throw new ServiceError('invalid_strategy', { value: code });
    return { strategy, rules: undefined, saved: undefined, columnNames: new Set() };
  }
  if (rules === undefined) return refuseRules('required');
  const { columns } = own;
  if (!('saved' in rules)) return { ...strategyOfRules(rules, given, { market, columns }), rules, saved: undefined };
  const { id, version, name, rules: texts, parameters } = found(own.strategy);
  const defaults = Object.entries(parameters).map(([name, { default: value }]) => [name, value]);
  const values = { ...Object.fromEntries(defaults), ...given };
  const resolved = strategyOfRules(texts, values, { market, columns }, parameters);
  return { ...resolved, rules: texts, saved: { id, version, name } };
}

/** The instruments that rules name, by ticker; undefined for none. Throws, with their places, if there are unknown ones. */
export function othersIn(
  texts: RuleTexts | undefined,
  directory: Directory,
  loc: readonly (string | number)[] = ['body', 'rules'],
): NamedInstrument[] | undefined {
  if (texts === undefined) return undefined;
  const { tickers } = checkedRules(texts, 'peers');
  const uses = [...tickers].map(([ticker, { part, at }]) => ({
    ticker,
    at,
    loc: [...loc, part],
    text: texts[part] ?? '',
  }));
  return namedInstruments(uses, directory);
}

/** A ticker where a rule names it. */
export interface NamedTicker {
  readonly ticker: string;
  readonly at: Span;
  readonly loc: readonly (string | number)[];
  readonly text: string;
}

export function namedInstruments(uses: readonly NamedTicker[], directory: Directory): NamedInstrument[] | undefined {
  const wrong: WrongRule[] = [];
  const named: NamedInstrument[] = [];
  for (const { ticker, at, loc, text } of uses) {
    const parsed = readSymbol(directory, ticker);
    const item = parsed.ok ? directory.bySymbol.get(parsed.ticker) : undefined;
    if (item) named.push({ ticker, instrumentId: item.id });
    else wrong.push({ loc, text, problem: ruleProblem('rule_ticker_unknown', at, { symbol: ticker }) });
  }
  if (wrong.length > 0) throw ruleFailure(wrong);
  return named.length === 0 ? undefined : named.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
}

function strategyOfRules(
  texts: RuleTexts,
  given: Readonly<Record<string, unknown>>,
  { market, columns }: Pick<OwnResearch, 'columns'> & { readonly market: RuleMarket },
  ranges: Parameters<typeof rulesStrategy>[2] = {},
): Pick<ResolvedStrategy, 'strategy' | 'columnNames'> {
  const rules = checkedRules(texts, market, columns);
  const missing = missingParameters(rules, given);
  if (missing.length > 0) throw failureOf(texts, missing);
  return { strategy: rulesStrategy(rules, given, ranges), columnNames: rules.columnNames };
}

export interface ScreenRule {
  readonly expression: Expression;
  /** Tickers of other instruments that it names, which may be unknown. */
  readonly tickers: readonly NamedTicker[];
  /** Own columns that it names. */
  readonly columnNames: ReadonlySet<string>;
}

/**
 * A rule of a screen or a chart, which has no position and no parameters. `market`: whether it may compare instruments and name others.
 * `columns`: the own ones that it may name; absent: of any name and kind. Throws if it is invalid.
 */
export function checkedExpression(
  text: string,
  result: Kind,
  loc: readonly (string | number)[],
  market: 'peers' | 'none' = 'peers',
  columns?: readonly UsedColumn[],
): ScreenRule {
  const tickers = new Map<string, Span>();
  const named = new Set<string>();
  const ofMarket = market === 'none' ? {} : { market };
  const ofColumns = { columns: columns && knownColumns(columns), named };
  const options = { result, ...ofMarket, ...ofColumns, mayUsePosition: false, parameters: null, tickers } as const;
  const checked = checkRule(text, options);
  if ('expression' in checked) {
    const uses = [...tickers].map(([ticker, at]) => ({ ticker, at, loc, text }));
    return { expression: checked.expression, tickers: uses, columnNames: named };
  }
  throw ruleFailure(checked.problems.map((problem) => ({ loc, text, problem })));
}

/** Throws if a rule is invalid. */
export function checkedRules(texts: RuleTexts, market: RuleMarket = null, columns?: readonly UsedColumn[]): Rules {
  const read = readRules(texts, market, columns);
  if ('problems' in read) throw failureOf(texts, read.problems);
  return read.rules;
}

function failureOf(texts: RuleTexts, problems: readonly PartProblem[]) {
  return ruleFailure(
    problems.map((problem) => ({ loc: ['body', 'rules', problem.part], text: texts[problem.part] ?? '', problem })),
  );
}

function refuseRules(code: 'rules_need_strategy' | 'required'): never {
  throw new ValidationFailure([{ loc: ['body', 'rules'], type: 'rules', problem: { code } }]);
}
