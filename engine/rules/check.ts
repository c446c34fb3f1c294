/** Checks a parsed rule: known names, arguments within their ranges, and conditions and values where the language allows them. */
import { operation } from './canonical.ts';
import { findFunction, isConstant, usageOf } from './functions/catalogue.ts';
import type { Argument, Kind, RuleFunction } from './functions/function.ts';
import { limitProblem } from './limits.ts';
import { addUse, type ParameterUses } from './parameter-uses.ts';
import { parseRule } from './parser.ts';
import { type RuleProblem, ruleProblem } from './problems.ts';
import {
  type CallSyntax,
  COMPARISONS,
  type Expression,
  type Operator,
  type OperatorSyntax,
  type Syntax,
} from './syntax.ts';

/** Most problems that are reported for one rule. */
const MAX_PROBLEMS = 10;

export interface CheckOptions {
  /** The required kind of the whole rule. */
  readonly result: Kind;
  /** Whether it may name values of the position. */
  readonly mayUsePosition: boolean;
  /** Collects the parameters that the rule names; null: it may have none. */
  readonly parameters: ParameterUses | null;
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

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /** The expression of a syntax that must be of a kind. */
  expression(syntax: Syntax, needed: Kind): Expression {
    if (syntax.kind === 'call') return this.call(syntax, needed);
    const isCondition = syntax.kind === 'operator' && CONDITION_OPERATORS.includes(syntax.operator);
    this.checkKind(syntax, isCondition ? 'condition' : 'value', needed);
    if (syntax.kind === 'operator') return this.operator(syntax);
    if (syntax.kind === 'number') return syntax.value;
    this.addParameter(syntax.name, syntax.at, null);
    return ['$', syntax.name];
  }

  private checkKind({ at }: Syntax, kind: Kind, needed: Kind): void {
    if (kind === needed) return;
    this.problems.push(ruleProblem(needed === 'value' ? 'rule_needs_value' : 'rule_needs_condition', at));
  }

  private operator({ operator, operands }: OperatorSyntax): Expression {
    const needed = LOGICAL.includes(operator) ? 'condition' : 'value';
    return operation(
      operator,
      operands.map((operand) => this.expression(operand, needed)),
    );
  }

  private call(syntax: CallSyntax, needed: Kind): Expression {
    const { name, nameAt } = syntax;
    const fn = findFunction(name);
    if (fn === null) {
      this.problems.push(ruleProblem('rule_unknown_name', nameAt, { name }));
      return WRONG;
    }
    this.checkKind(syntax, fn.result, needed);
    if (fn.kind === 'position' && !this.options.mayUsePosition) {
      this.problems.push(ruleProblem('rule_position_here', nameAt, { name }));
    }
    return operation(name, this.argumentsOf(syntax, fn));
  }

  private argumentsOf({ args: given, at, nameAt }: CallSyntax, fn: RuleFunction): Expression[] {
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
    const required = args.filter((argument) => !isConstant(argument)).length;
    if (given.length > args.length || given.length < required) {
      this.problems.push(ruleProblem('rule_argument_count', at, { usage, count: given.length }));
      return [];
    }
    const before = this.problems.length;
    const read = args.map((argument, i) => this.argument(argument, given[i]));
    if (this.problems.length === before) this.checkOrder(fn, read, at);
    return read;
  }

  private argument(argument: Argument, given: Syntax | undefined): Expression {
    if (!isConstant(argument)) return given === undefined ? WRONG : this.expression(given, argument.kind);
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
