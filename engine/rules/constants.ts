/** Checks arguments that must be written as numbers or `$parameters`. */
import type { ConstantArgument, RuleFunction } from './functions/function.ts';
import { addUse, type ParameterUses } from './parameter-uses.ts';
import { type RuleProblem, ruleProblem, type Span } from './problems.ts';
import type { Expression, Syntax } from './syntax.ts';

/** `given`: undefined where it is left out. `parameters`: null: there may be none. */
export function constantOf(
  { name, kind, min, max, default: usual }: ConstantArgument,
  given: Syntax | undefined,
  parameters: ParameterUses | null,
): { readonly expression: Expression } | { readonly problem: RuleProblem } {
  if (given === undefined) return { expression: usual };
  if (given.kind === 'parameter') {
    const problem = addUse(parameters, given.name, given.at, { kind, min, max });
    return problem === null ? { expression: ['$', given.name] } : { problem };
  }
  if (given.kind !== 'number') {
    return { problem: ruleProblem('rule_argument_constant', given.at, { name }, ['number', '$parameter']) };
  }
  const { value, at } = given;
  if (kind === 'integer' && !Number.isInteger(value)) {
    return { problem: ruleProblem('rule_argument_integer', at, { name, min, max }, ['number']) };
  }
  const isInRange = value >= min && value <= max;
  return isInRange
    ? { expression: value }
    : { problem: ruleProblem('rule_argument_range', at, { name, min, max }, ['number']) };
}

/** Whether one argument is not smaller than another that it must be smaller than: numbers at once, parameters when they have values. */
export function orderProblem(
  { args, ordered }: RuleFunction,
  read: readonly Expression[],
  at: Span,
  parameters: ParameterUses | null,
): RuleProblem | null {
  if (ordered === undefined || args === null) return null;
  const [smaller, larger] = ordered.map((name) => read[args.findIndex((argument) => argument.name === name)]);
  if (typeof smaller !== 'number' || typeof larger !== 'number') return parameters?.order(smaller, larger, at) ?? null;
  const details = { smaller: ordered[0], larger: ordered[1] };
  return smaller < larger ? null : ruleProblem('rule_arguments_order', at, details);
}
