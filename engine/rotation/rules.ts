/** The expressions of a rotation: whom it considers, what it ranks them by, when it may hold anything, and when it sells. */
import { knownColumns, type NamedColumn } from '../market/own-columns.ts';
import { substitute } from '../rules/canonical.ts';
import { type CheckOptions, checkRule } from '../rules/check.ts';
import { compileCondition, compileValue } from '../rules/compile.ts';
import { findFunction } from '../rules/functions/catalogue.ts';
import { type ParameterUse, ParameterUses } from '../rules/parameter-uses.ts';
import type { RuleProblem, Span } from '../rules/problems.ts';
import type { Condition, Value } from '../rules/program.ts';
import { anyValues } from '../rules/strategy.ts';
import { argumentsOf, type Expression, isParameter, isText } from '../rules/syntax.ts';

export const ROTATION_PARTS = ['where', 'score', 'market_filter', 'stop', 'trail'] as const;
export type RotationPart = (typeof ROTATION_PARTS)[number];

export type RotationTexts = { readonly score: string } & Readonly<Partial<Record<RotationPart, string>>>;

const PLACES: Readonly<Record<RotationPart, Pick<CheckOptions, 'result' | 'mayUsePosition' | 'market'>>> = {
  where: { result: 'condition', mayUsePosition: false, market: 'peers' },
  score: { result: 'value', mayUsePosition: false, market: 'peers' },
  market_filter: { result: 'condition', mayUsePosition: false, market: 'others' },
  stop: { result: 'value', mayUsePosition: true },
  trail: { result: 'value', mayUsePosition: true },
};

/** A name, and the rule that has it first. */
type Named<T> = ReadonlyMap<string, T & { readonly part: RotationPart }>;

export interface RotationRules {
  /** Null: there is no such rule. */
  readonly expressions: Readonly<Record<RotationPart, Expression | null>>;
  readonly parameters: Named<ParameterUse>;
  readonly ordered: readonly (readonly [smaller: string, larger: string])[];
  readonly tickers: Named<{ readonly at: Span }>;
  /** Own columns that they name. */
  readonly columnNames: ReadonlySet<string>;
}

export interface RotationProblem extends RuleProblem {
  readonly part: RotationPart;
}

export function checkRotation(
  texts: RotationTexts,
  columns?: readonly NamedColumn[],
): { readonly rules: RotationRules } | { readonly problems: readonly RotationProblem[] } {
  const uses = new ParameterUses([]);
  const parts = new Map<string, RotationPart>();
  const tickers = new Map<string, { readonly at: Span; readonly part: RotationPart }>();
  const known = columns && knownColumns(columns);
  const columnNames = new Set<string>();
  const problems: RotationProblem[] = [];
  const read = (part: RotationPart): Expression | null => {
    const text = texts[part];
    if (text === undefined) return null;
    const found = new Map<string, Span>();
    const options = { ...PLACES[part], columns: known, named: columnNames };
    const checked = checkRule(text, { ...options, parameters: uses, tickers: found });
    for (const name of uses.all.keys()) if (!parts.has(name)) parts.set(name, part);
    for (const [ticker, at] of found) if (!tickers.has(ticker)) tickers.set(ticker, { at, part });
    if ('expression' in checked) return checked.expression;
    problems.push(...checked.problems.map((problem) => ({ ...problem, part })));
    return null;
  };
  const [where, score, market_filter, stop, trail] = ROTATION_PARTS.map(read);
  if (problems.length > 0) return { problems };
  const parameters = new Map([...uses.all].map(([name, use]) => [name, { ...use, part: parts.get(name) ?? 'score' }]));
  return {
    rules: {
      expressions: { where, score, market_filter, stop, trail },
      parameters,
      ordered: uses.ordered,
      tickers,
      columnNames,
    },
  };
}

/** The rules of texts that were checked before. `columns`: the own ones that they name. */
export function rotationRules(texts: RotationTexts, columns?: readonly NamedColumn[]): RotationRules {
  const checked = checkRotation(texts, columns);
  if ('problems' in checked) throw new RangeError(`invalid rotation: ${JSON.stringify(checked.problems)}`);
  return checked.rules;
}

/** Whether the rules read prices as levels, as `close > 5` does, which means something else where prices are adjusted. */
export function rotationReadsLevels(texts: RotationTexts): boolean {
  const checked = checkRotation(texts);
  if ('problems' in checked) return false;
  const { where, score, filter } = rotationPrograms(checked.rules, anyValues(checked.rules.parameters));
  return [where, score, filter?.isTrue].some((program) => program?.mixes);
}

/** Whether the rules that every member is compared by read nothing of its bars but their days and closes. */
export function areOfCloses({ expressions: { where, score } }: RotationRules): boolean {
  return [where, score].every((one) => one === null || isOfCloses(one));
}

/** Whether an expression reads nothing of the bars of a member but their days and closes. */
export function isOfCloses(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return true;
  const fn = findFunction(expression[0]);
  // The bars of an instrument that rules name are read apart from those of the members.
  if (fn?.kind === 'other') return true;
  return fn !== null && 'isOfCloses' in fn ? fn.isOfCloses : argumentsOf(expression).every(isOfCloses);
}

/** A condition that can be undefined. */
interface Filter {
  readonly isTrue: Condition;
  readonly isFalse: Condition;
}

export interface RotationPrograms {
  readonly where: Condition | null;
  readonly score: Value;
  readonly filter: Filter | null;
  readonly stop: Expression | null;
  readonly trail: Expression | null;
}

/** `values`: of every parameter that the rules name. */
export function rotationPrograms(
  { expressions }: RotationRules,
  values: Readonly<Record<string, unknown>>,
): RotationPrograms {
  const of = (part: RotationPart) => {
    const expression = expressions[part];
    return expression === null ? null : substitute(expression, values);
  };
  const [where, filter] = [of('where'), of('market_filter')];
  return {
    where: where === null ? null : compileCondition(where),
    score: compileValue(of('score') ?? 0),
    filter: filter === null ? null : { isTrue: compileCondition(filter), isFalse: compileCondition(filter, false) },
    stop: of('stop'),
    trail: of('trail'),
  };
}
