/** The size of a rule: how many nodes it has, and how deep they are nested. */
import { type RuleProblem, ruleProblem } from './problems.ts';
import { CHAINED, type OperatorSyntax, type Syntax } from './syntax.ts';

/** Numbers, names, parameters, and operators of one rule. */
export const MAX_NODES = 128;
/** Nested operations; a chain such as `a + b - c` is one. */
const MAX_DEPTH = 12;

export function limitProblem(syntax: Syntax): RuleProblem | null {
  const count = countNodes(syntax);
  if (count > MAX_NODES) return ruleProblem('rule_too_many_nodes', syntax.at, { count, max: MAX_NODES });
  const tooDeep = deeperThan(syntax, MAX_DEPTH);
  return tooDeep && ruleProblem('rule_too_deep', tooDeep.at, { max: MAX_DEPTH });
}

function childrenOf(syntax: Syntax): readonly Syntax[] {
  if (syntax.kind === 'operator') return syntax.operands;
  return syntax.kind === 'call' ? (syntax.args ?? []) : [];
}

/** Does not recurse, because a text of a thousand characters can be a tree of a thousand levels. */
function countNodes(syntax: Syntax): number {
  const waiting = [syntax];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count++;
    waiting.push(...childrenOf(next));
  }
  return count;
}

/** The first part that lies more than `levels` deep; null: none does. */
function deeperThan(syntax: Syntax, levels: number): Syntax | null {
  if (levels === 0) return syntax;
  for (const child of linksOf(syntax)) {
    const found = deeperThan(child, levels - 1);
    if (found !== null) return found;
  }
  return null;
}

const LEVELS = [['and'], ['or'], ['+', '-'], ['*', '/']];

/** Returns the nodes one level below: the operands of a whole chain of operators of one precedence. */
function linksOf(syntax: Syntax): readonly Syntax[] {
  if (syntax.kind !== 'operator' || !CHAINED.some((operator) => operator === syntax.operator))
    return childrenOf(syntax);
  const level = LEVELS.find((operators) => operators.includes(syntax.operator)) ?? [];
  const links: Syntax[] = [];
  let left: Syntax = syntax;
  while (isLink(left, level)) {
    links.unshift(left.operands[1]);
    left = left.operands[0];
  }
  return [left, ...links];
}

function isLink(syntax: Syntax, level: readonly string[]): syntax is OperatorSyntax {
  return syntax.kind === 'operator' && level.includes(syntax.operator);
}
