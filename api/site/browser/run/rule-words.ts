/** The rules of a run with the values of its parameters. */
import type { BacktestResult, Strategies } from '../types.ts';
import { RULE_PARTS, type Rules } from './specification.ts';

/** Undefined: the strategy cannot be written as rules. */
export function rulesOfRun({ strategy, rules, params }: BacktestResult, { strategies }: Strategies): Rules | undefined {
  const texts = rules ?? strategies.find(({ code }) => code === strategy)?.rules;
  if (!texts) return undefined;
  const filled = RULE_PARTS.flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [[part, text.replace(/\$(\w+)/g, (whole, name) => String(params[name] ?? whole))]];
  });
  return Object.fromEntries(filled);
}
