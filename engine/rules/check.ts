/**
 * Checks a parsed rule: its size, known names, arguments within their ranges, and conditions and values where the language allows them.
 */
import type { ColumnFacts, KnownColumns } from '../market/own-columns.ts';
import { withoutMarket } from '../market/symbols.ts';
import { operation } from './canonical.ts';
import { constantOf, orderProblem } from './constants.ts';
import { GROUPS } from './functions/across.ts';
import { MONIES } from './functions/bar-values.ts';
import { findFunction, isConstant, isOptional, usageOf } from './functions/catalogue.ts';
import type { Argument, ConstantArgument, Kind, RuleFunction } from './functions/function.ts';
import { OWN } from './functions/own.ts';
import { isIndex, weightsOfIndex } from './index-ticker.ts';
import { addUse, type ParameterUses } from './parameter-uses.ts';
import { parseRule } from './parser.ts';
import { type RuleProblem, ruleProblem, type Span } from './problems.ts';
import { limitProblem } from './size.ts';
import {
  type CallSyntax,
  COMPARISONS,
  type Expression,
  type Operator,
  type OperatorSyntax,
  type Syntax,
  type TextSyntax,
} from './syntax.ts';

/** How deep values across the market may be nested. */
const MAX_ACROSS = 4;
/** Most problems that are reported for one rule. */
const MAX_PROBLEMS = 10;

export interface CheckOptions {
  /** The required kind of the whole rule. */
  readonly result: Kind;
  /** Whether it may name values of the position. */
  readonly mayUsePosition: boolean;
  /** `peers`: there is a universe to rank in. `others`: there is no instrument, so only others may be named. */
  readonly market?: 'peers' | 'others';
  /** Collects the parameters that the rule names; null: it may have none. */
  readonly parameters: ParameterUses | null;
  /** Collects the tickers that the rule names, with the place of the first. */
  readonly tickers?: Map<string, Span>;
  /** The own columns that it may name; absent: of any name, kind, and dimension. */
  readonly columns?: KnownColumns | undefined;
  /** Collects the own columns that it names. */
  readonly named?: Set<string>;
}

export type CheckedRule = { readonly expression: Expression } | { readonly problems: readonly RuleProblem[] };

export function checkRule(text: string, options: CheckOptions): CheckedRule {
  const parsed = parseRule(text);
  if ('problem' in parsed) return { problems: [parsed.problem] };
  const { syntax } = parsed;
  const tooLarge = limitProblem(syntax);
  if (tooLarge !== null) return { problems: [tooLarge] };
  const checker = new Checker(options);
  const expression = checker.expression(syntax, options.result);
  return checker.problems.length === 0 ? { expression } : { problems: checker.problems.slice(0, MAX_PROBLEMS) };
}

const LOGICAL: readonly Operator[] = ['and', 'or', 'not'];
const CONDITION_OPERATORS: readonly Operator[] = [...LOGICAL, ...COMPARISONS];

/** Placeholder for an invalid expression; nothing reads it. */
const WRONG: Expression = 0;

class Checker {
  readonly problems: RuleProblem[] = [];
  private readonly options: CheckOptions;
  /** Functions across the market, and `of`, around the present part. */
  private across = 0;
  private others = 0;
  private periods = 0;

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /** The expression of a syntax that must be of a kind. */
  expression(syntax: Syntax, needed: Kind): Expression {
    if (syntax.kind === 'call') return this.call(syntax, needed);
    const isCondition = syntax.kind === 'operator' && CONDITION_OPERATORS.includes(syntax.operator);
    if (syntax.kind !== 'text') this.checkKind(syntax, isCondition ? 'condition' : 'value', needed);
    if (syntax.kind === 'operator') return this.operator(syntax);
    if (syntax.kind === 'number') return syntax.value;
    if (syntax.kind === 'text') {
      this.problems.push(ruleProblem('rule_no_text_here', syntax.at));
      return WRONG;
    }
    const misused = addUse(this.options.parameters, syntax.name, syntax.at, null);
    if (misused !== null) this.problems.push(misused);
    return ['$', syntax.name];
  }

  private checkKind({ at }: Syntax, kind: Kind, needed: Kind): void {
    if (kind === needed) return;
    this.problems.push(ruleProblem(needed === 'value' ? 'rule_needs_value' : 'rule_needs_condition', at));
  }

  private operator({ operator, operands }: OperatorSyntax): Expression {
    const label = operands.find((operand) => operand.kind === 'text');
    if (label !== undefined && (operator === '=' || operator === '!='))
      return this.label(operator, label.text, operands);
    const needed = LOGICAL.includes(operator) ? 'condition' : 'value';
    return operation(
      operator,
      operands.map((operand) => this.expression(operand, needed)),
    );
  }

  /** A comparison of an own column with a label. */
  private label(operator: '=' | '!=', label: string, operands: readonly Syntax[]): Expression {
    const column = operands.find((operand) => operand.kind === 'call' && operand.name === OWN.my.name);
    if (column?.kind === 'call') return operation(operator, [this.own(column, 'label'), ["'", label]]);
    for (const { kind, at } of operands) if (kind === 'text') this.problems.push(ruleProblem('rule_no_text_here', at));
    return WRONG;
  }

  /** An own column, where a number or a label is needed. */
  private own(syntax: CallSyntax, needed: ColumnFacts['kind']): Expression {
    this.checkPlace(syntax, OWN.my);
    const before = this.problems.length;
    const [name, ...within] = this.argumentsOf(syntax, OWN.my, 'value');
    const column = typeof name === 'object' ? String(name[1]) : '';
    if (this.problems.length > before) return WRONG;
    const args = [name, ...within];
    const facts = this.factsOf(column, needed, syntax.at);
    if (facts === null) return operation(OWN.my.name, args);
    if (this.options.market === 'others' && this.others === 0 && !facts.isMarket) {
      this.problems.push(ruleProblem('rule_only_others_here', syntax.at, { name: `my('${column}')` }));
    } else if (facts.dimension === 'shares' || facts.dimension === 'price') args.push(["'", facts.dimension]);
    return operation(OWN.my.name, args);
  }

  /** The facts of an own column that is named; null: it is none that may be, or columns of any name may. */
  private factsOf(column: string, needed: ColumnFacts['kind'], at: Span): ColumnFacts | null {
    const { columns, named } = this.options;
    named?.add(column);
    if (columns === undefined) return null;
    const facts = columns.get(column);
    if (facts?.kind === needed) return facts;
    if (facts === undefined) {
      this.problems.push(ruleProblem('rule_column_unknown', at, { name: column }, [...columns.keys()]));
    } else {
      const code = facts.kind === 'label' ? 'rule_column_of_labels' : 'rule_column_of_numbers';
      this.problems.push(ruleProblem(code, at, { name: column }));
    }
    return null;
  }

  private call(syntax: CallSyntax, needed: Kind): Expression {
    const { name, nameAt } = syntax;
    const fn = findFunction(name);
    if (fn === null) {
      this.problems.push(ruleProblem('rule_unknown_name', nameAt, { name }));
      return WRONG;
    }
    if (fn.result !== 'either') this.checkKind(syntax, fn.result, needed);
    if (fn.kind === 'own') return this.own(syntax, 'number');
    this.checkPlace(syntax, fn);
    if (fn.kind === 'across') this.across++;
    if (fn.kind === 'other') this.others++;
    if (fn.kind === 'period') this.periods++;
    const args = this.argumentsOf(syntax, fn, needed);
    if (fn.kind === 'across') this.across--;
    if (fn.kind === 'other') this.others--;
    if (fn.kind === 'period') this.periods--;
    // Canonical forms have that of a day as a product.
    const isProduct = fn === MONIES.dollar_volume && this.periods === 0;
    return isProduct ? operation('*', [['close'], ['volume']]) : operation(name, args);
  }

  /** Values that have no meaning where they stand. */
  private checkPlace({ name, nameAt }: CallSyntax, { kind }: RuleFunction): void {
    const { mayUsePosition, market } = this.options;
    if (kind === 'position' && (!mayUsePosition || this.others > 0 || this.periods > 0)) {
      this.problems.push(ruleProblem('rule_position_here', nameAt, { name }));
    }
    const isOfOne = kind === 'bar' || kind === 'indicator' || kind === 'pair';
    if (market === 'others' && this.others === 0 && isOfOne) {
      this.problems.push(ruleProblem('rule_only_others_here', nameAt, { name }));
    }
    if (this.periods > 0 && (kind === 'across' || kind === 'period')) {
      this.problems.push(ruleProblem('rule_period_around', nameAt, { name }));
    }
    if (kind !== 'across') return;
    if (market !== 'peers' || this.others > 0) {
      this.problems.push(ruleProblem('rule_market_here', nameAt, { name }));
    } else if (this.across >= MAX_ACROSS) {
      this.problems.push(ruleProblem('rule_market_too_deep', nameAt, { max: MAX_ACROSS }));
    }
  }

  /** `needed`: the kind of the whole call. */
  private argumentsOf({ args: given, at, nameAt }: CallSyntax, fn: RuleFunction, needed: Kind): Expression[] {
    const { name, args } = fn;
    if (args === null) {
      if (given !== null) this.problems.push(ruleProblem('rule_no_brackets', at, { name }));
      return [];
    }
    const usage = usageOf(fn);
    if (given === null) {
      this.problems.push(ruleProblem('rule_needs_brackets', nameAt, { name, usage }, ['(']));
      return [];
    }
    const required = args.filter((argument) => !isOptional(argument)).length;
    if (given.length > args.length || given.length < required) {
      this.problems.push(ruleProblem('rule_argument_count', at, { usage, count: given.length }));
      return [];
    }
    const before = this.problems.length;
    const read: Expression[] = [];
    for (const [i, argument] of args.entries()) {
      const one = this.argument(argument, given[i], needed);
      if (one !== null) read.push(one);
    }
    const disorder = this.problems.length === before ? orderProblem(fn, read, at, this.options.parameters) : null;
    if (disorder !== null) this.problems.push(disorder);
    return read;
  }

  /** Null for an argument that is left out. */
  private argument(argument: Argument, given: Syntax | undefined, needed: Kind): Expression | null {
    if (isConstant(argument)) {
      const value = this.constant(argument, given);
      return argument.isLater && value === argument.default ? null : value;
    }
    if (given === undefined) return isOptional(argument) ? null : WRONG;
    switch (argument.kind) {
      case 'ticker':
        return this.ticker(given);
      case 'column':
        return this.column(given);
      case 'age':
        return this.constant({ ...argument, kind: 'integer', default: 0 }, given);
      case 'group':
        return this.group(given);
      default:
        return this.expression(given, argument.kind === 'either' ? needed : argument.kind);
    }
  }

  private ticker(given: Syntax): Expression {
    if (given.kind === 'text' && given.text.trim().startsWith('@')) return this.index(given);
    if (given.kind === 'text' && given.text.trim() !== '') {
      const ticker = withoutMarket(given.text.trim());
      this.options.tickers?.set(ticker, this.options.tickers.get(ticker) ?? given.at);
      return ["'", ticker];
    }
    this.problems.push(ruleProblem('rule_argument_ticker', given.at, {}, ['ticker']));
    return WRONG;
  }

  /** An index of the universe. */
  private index({ text, at }: TextSyntax): Expression {
    const name = text.trim().toLowerCase();
    const weights = weightsOfIndex(name);
    if (!isIndex(name)) this.problems.push(ruleProblem('rule_index_unknown', at, { name }, ['@market']));
    else if (this.options.market === undefined) this.problems.push(ruleProblem('rule_index_here', at, { name }));
    else if (weights !== null) this.factsOf(weights, 'number', at);
    return ["'", name];
  }

  private column(given: Syntax): Expression {
    if (given.kind === 'text' && given.text.trim() !== '') return ["'", given.text.trim()];
    this.problems.push(ruleProblem('rule_column_name', given.at, {}, ['column']));
    return WRONG;
  }

  private group(given: Syntax): Expression {
    if (given.kind === 'call' && given.name === OWN.my.name) return this.own(given, 'label');
    const word = given.kind === 'call' && given.args === null ? given.name : null;
    if (GROUPS.some((group) => group === word)) return ["'", word ?? ''];
    this.problems.push(ruleProblem('rule_group_unknown', given.at, {}, [...GROUPS, OWN.my.name]));
    return WRONG;
  }

  private constant(argument: ConstantArgument, given: Syntax | undefined): Expression {
    const found = constantOf(argument, given, this.options.parameters);
    if ('expression' in found) return found.expression;
    this.problems.push(found.problem);
    return WRONG;
  }
}
