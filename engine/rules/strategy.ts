/** Rules as a strategy, so that everything that takes a strategy takes rules. */
import { knownColumns, type NamedColumn } from '../market/own-columns.ts';
import { requireStrategy } from '../strategies/catalogue.ts';
import { type ParameterSet, ruleParameter } from '../strategies/parameters.ts';
import {
  defineStrategy,
  OVERLAY_PARAMETERS,
  RULE_PARTS,
  type RuleTexts,
  type Strategy,
} from '../strategies/strategy.ts';
import { text } from '../util/localized-text.ts';
import { substitute } from './canonical.ts';
import { compileCondition, compileValue } from './compile.ts';
import { indicesIn } from './market-index.ts';
import type { OtherInstruments } from './other-instruments.ts';
import { acrossIn } from './peers.ts';
import { ruleProblem } from './problems.ts';
import type { Value } from './program.ts';
import { checkRules, type PartProblem, type Rules } from './rules.ts';
import { ruleSignals } from './signals.ts';
import type { Expression } from './syntax.ts';

/** The code of every strategy that is defined by rules. */
export const RULES_STRATEGY = 'rules';

/** Names in `params` that are no parameters of a rule. */
export const RESERVED_PARAMETERS: readonly string[] = Object.keys(OVERLAY_PARAMETERS);

const MAX_CACHED_RULES = 64;
const cache = new Map<string, ReturnType<typeof checkRules>>();

/**
 * Checks the texts of a strategy. Recent results are cached: consecutive runs have the same rules. `market`: null where there is one
 * instrument only, so that they may not compare it with others. `columns`: the own ones that they may name; absent: of any name and kind.
 */
export function readRules(
  texts: RuleTexts,
  market: 'peers' | null = 'peers',
  columns?: readonly NamedColumn[],
): ReturnType<typeof checkRules> {
  const facts = columns?.map(({ name, kind, isMarket, dimension }) => [name, kind, isMarket, dimension]);
  const key = JSON.stringify([market, facts ?? null, ...RULE_PARTS.map((part) => texts[part] ?? null)]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const read = checkRules(texts, RESERVED_PARAMETERS, market ?? undefined, columns && knownColumns(columns));
  const [oldest] = cache.keys();
  if (cache.size >= MAX_CACHED_RULES && oldest !== undefined) cache.delete(oldest);
  cache.set(key, read);
  return read;
}

/** The canonical form of rules, to compare and to digest. Null for none. Throws a RangeError for invalid rules. */
export function canonicalRules(texts: RuleTexts | undefined) {
  if (texts === undefined) return null;
  const read = readRules(texts);
  if ('problems' in read) throw new RangeError(`invalid rules: ${JSON.stringify(read.problems)}`);
  const { entry, exit, stop, trail } = read.rules;
  return { entry, exit, stop, trail };
}

/** Parameters that have no value: each where it is named first. */
export function missingParameters({ parameters }: Rules, given: Readonly<Record<string, unknown>>): PartProblem[] {
  return [...parameters]
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, { at, part }]) => ({ ...ruleProblem('rule_parameter_missing', at, { name: `$${name}` }), part }));
}

/**
 * The strategy that the settings of a run name. `others`: the instruments that its rules name; without them it can be described, but
 * not run. Throws a RangeError for an unknown code, or rules that are wrong.
 */
export function strategyOf(
  settings: {
    readonly strategy: string;
    readonly rules?: RuleTexts;
    readonly params: Readonly<Record<string, unknown>>;
    /** Own columns that the rules name. */
    readonly columns?: readonly NamedColumn[] | undefined;
  },
  others?: OtherInstruments,
): Strategy {
  const { strategy, rules, params, columns } = settings;
  if (rules === undefined) return requireStrategy(strategy);
  const read = readRules(rules, 'peers', columns);
  if ('problems' in read) throw new RangeError(`invalid rules: ${JSON.stringify(read.problems)}`);
  return rulesStrategy(read.rules, params, {}, others);
}

/** The values across the market that rules read; none for a built-in strategy. `columns`: the own ones that they name. */
export function acrossOfRules(
  texts: RuleTexts | undefined,
  params: Readonly<Record<string, unknown>>,
  columns?: readonly NamedColumn[],
): Value[] {
  return acrossIn(programsOfRules(texts, params, columns));
}

/** The indices of a universe that rules name; none for a built-in strategy. */
export function indicesOfRules(texts: RuleTexts | undefined, columns?: readonly NamedColumn[]): Set<string> {
  const read = texts && readRules(texts, 'peers', columns);
  const values = read && 'rules' in read ? anyValues(read.rules.parameters) : {};
  return indicesIn(programsOfRules(texts, values, columns));
}

/** Whether rules read prices as levels, as `close > 5` does, which means something else where prices are adjusted. */
export function readLevels(texts: RuleTexts): boolean {
  const read = readRules(texts);
  if ('problems' in read) return false;
  return programsOfRules(texts, anyValues(read.rules.parameters)).some(({ mixes }) => mixes);
}

/** Values of parameters where they do not matter. */
export const anyValues = (parameters: ReadonlyMap<string, unknown>) =>
  Object.fromEntries([...parameters.keys()].map((name) => [name, 1]));

function programsOfRules(
  texts: RuleTexts | undefined,
  params: Readonly<Record<string, unknown>>,
  columns?: readonly NamedColumn[],
) {
  if (texts === undefined) return [];
  const read = readRules(texts, 'peers', columns);
  if ('problems' in read) throw new RangeError(`invalid rules: ${JSON.stringify(read.problems)}`);
  const { entry, exit, stop, trail } = read.rules;
  const valued = (rules: readonly (Expression | null)[]) =>
    rules.filter((rule) => rule !== null).map((rule) => substitute(rule, params));
  return [...valued([entry, exit]).map((rule) => compileCondition(rule)), ...valued([stop, trail]).map(compileValue)];
}

/** The range that the owner of a strategy allows for a parameter. */
export interface WantedRange {
  readonly min?: number;
  readonly max?: number;
}

/** `defaults`: of optional parameters. `ranges` narrow what the rules allow. */
export function rulesStrategy(
  rules: Rules,
  defaults: Readonly<Record<string, unknown>> = {},
  ranges: Readonly<Record<string, WantedRange>> = {},
  others?: OtherInstruments,
): Strategy {
  const parameters: Record<string, ParameterSet[string]> = {};
  for (const [name, use] of rules.parameters) {
    const { kind } = use;
    const wanted = Object.hasOwn(ranges, name) ? ranges[name] : {};
    const [min, max] = [Math.max(use.min, wanted.min ?? use.min), Math.min(use.max, wanted.max ?? use.max)];
    const known = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    const isAllowed = typeof known === 'number' && known >= min && known <= max;
    parameters[name] = ruleParameter(name, kind, [min, max], isAllowed ? known : min);
  }
  return defineStrategy({
    code: RULES_STRATEGY,
    label: text('Own rules', '自定义规则', '自訂規則'),
    description: text('Buys and sells by rules that you write.', '按您编写的规则买卖。', '依您撰寫的規則買賣。'),
    parameters,
    ordered: rules.ordered,
    rules: null,
    signals: (indicators, values) => ruleSignals(rules, indicators, values, { others }),
  });
}
