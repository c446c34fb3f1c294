/**
 * Checks a parsed rule: its size, known names, arguments within their ranges, and conditions and values where the language allows them.
 */
import type { ColumnFacts, KnownColumns } from '../market/own-columns.ts';
import { withoutMarket } from '../market/symbols.ts';
import { operation } from './canonical.ts';
import { GROUPS } from './functions/across.ts';
import { findFunction, isConstant, usageOf } from './functions/catalogue.ts';
import type { Argument, ConstantArgument, Kind, RuleFunction } from './functions/function.ts';
import { OWN } from './functions/own.ts';
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
    this.addParameter(syntax.name, syntax.at, null);
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
    const { columns, named, market } = this.options;
    const column = typeof name === 'object' ? String(name[1]) : '';
    if (this.problems.length > before) return WRONG;
    named?.add(column);
    const args = [name, ...within];
    if (columns === undefined) return operation(OWN.my.name, args);
    const facts = columns.get(column);
    const { at } = syntax;
    if (facts === undefined) {
      this.problems.push(ruleProblem('rule_column_unknown', at, { name: column }, [...columns.keys()]));
    } else if (facts.kind !== needed) {
      const code = facts.kind === 'label' ? 'rule_column_of_labels' : 'rule_column_of_numbers';
      this.problems.push(ruleProblem(code, at, { name: column }));
    } else if (market === 'others' && this.others === 0 && !facts.isMarket) {
      this.problems.push(ruleProblem('rule_only_others_here', at, { name: `my('${column}')` }));
    } else if (facts.dimension === 'shares' || facts.dimension === 'price') args.push(["'", facts.dimension]);
    return operation(OWN.my.name, args);
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
    const args = this.argumentsOf(syntax, fn, needed);
    if (fn.kind === 'across') this.across--;
    if (fn.kind === 'other') this.others--;
    return operation(name, args);
  }

  /** Values that have no meaning where they stand. */
  private checkPlace({ name, nameAt }: CallSyntax, { kind }: RuleFunction): void {
    const { mayUsePosition, market } = this.options;
    if (kind === 'position' && (!mayUsePosition || this.others > 0)) {
      this.problems.push(ruleProblem('rule_position_here', nameAt, { name }));
    }
    const isOfOne = kind === 'bar' || kind === 'indicator' || kind === 'pair' || name === 'dollar_volume';
    if (market === 'others' && this.others === 0 && isOfOne) {
      this.problems.push(ruleProblem('rule_only_others_here', nameAt, { name }));
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
    const required = args.filter(
      (argument) => !isConstant(argument) && argument.kind !== 'group' && argument.kind !== 'age',
    ).length;
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
    if (this.problems.length === before) this.checkOrder(fn, read, at);
    return read;
  }

  /** Null for a group or another argument that is left out. */
  private argument(argument: Argument, given: Syntax | undefined, needed: Kind): Expression | null {
    if (isConstant(argument)) return this.constant(argument, given);
    if (given === undefined) return argument.kind === 'group' || argument.kind === 'age' ? null : WRONG;
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
    if (given.kind === 'text' && given.text.trim() !== '') {
      const ticker = withoutMarket(given.text.trim());
      this.options.tickers?.set(ticker, this.options.tickers.get(ticker) ?? given.at);
      return ["'", ticker];
    }
    this.problems.push(ruleProblem('rule_argument_ticker', given.at, {}, ['ticker']));
    return WRONG;
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
    if (given === undefined) return argument.default;
    const { name, kind, min, max } = argument;
    if (given.kind === 'parameter') {
      this.addParameter(given.name, given.at, { kind, min, max });
      return ['$', given.name];
    }
    if (given.kind !== 'number') {
      this.problems.push(ruleProblem('rule_argument_constant', given.at, { name }, ['number', '$parameter']));
      return WRONG;
    }
    const { value, at } = given;
    if (kind === 'integer' && !Number.isInteger(value)) {
      this.problems.push(ruleProblem('rule_argument_integer', at, { name, min, max }, ['number']));
    } else if (value < min || value > max) {
      this.problems.push(ruleProblem('rule_argument_range', at, { name, min, max }, ['number']));
    }
    return value;
  }

  /** Checks that one argument is smaller than another: numbers at once, parameters when they have values. */
  private checkOrder({ args, ordered }: RuleFunction, read: readonly Expression[], at: CallSyntax['at']): void {
    if (ordered === undefined || args === null) return;
    const [smaller, larger] = ordered.map((name) => read[args.findIndex((argument) => argument.name === name)]);
    if (typeof smaller === 'number' && typeof larger === 'number') {
      if (smaller >= larger) {
        this.problems.push(ruleProblem('rule_arguments_order', at, { smaller: ordered[0], larger: ordered[1] }));
      }
    } else if (this.options.parameters !== null) {
      const problem = this.options.parameters.order(smaller, larger, at);
      if (problem !== null) this.problems.push(problem);
    }
  }

  private addParameter(name: string, at: Syntax['at'], range: Parameters<typeof addUse>[3]): void {
    const problem = addUse(this.options.parameters, name, at, range);
    if (problem !== null) this.problems.push(problem);
  }
}
