/** The parts of a condition that `and` joins, as they are written. Brackets keep a part whole. */
import { parseRule } from './parser.ts';
import type { Syntax } from './syntax.ts';

/** Throws a RangeError for a text that is no rule. */
export function conjunctsOf(text: string): string[] {
  const parsed = parseRule(text);
  if ('problem' in parsed) throw new RangeError(`invalid rule: ${text}`);
  const parts: Syntax[] = [];
  let rest = parsed.syntax;
  while (rest.kind === 'operator' && rest.operator === 'and' && rest.at.from === rest.operands[0].at.from) {
    parts.unshift(rest.operands[1]);
    rest = rest.operands[0];
  }
  return [rest, ...parts].map(({ at }) => text.slice(at.from, at.to));
}
