/** The strategy that a request means: a built-in one, or the rules that come with it. */
import { ServiceError } from '../../engine/errors.ts';
import type { RuleTexts } from '../../engine/rules/rules.ts';
import { missingParameters, RULES_STRATEGY, readRules, rulesStrategy } from '../../engine/rules/strategy.ts';
import { findStrategy } from '../../engine/strategies/catalogue.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { ruleFailure } from './failures.ts';

export interface ResolvedStrategy {
  readonly strategy: Strategy;
  /** Undefined for a built-in one. */
  readonly rules: RuleTexts | undefined;
}

/** `given`: the values that a call gives to parameters. Throws where strategy and rules do not go together, or a rule is wrong. */
export function resolveStrategy(
  code: string,
  rules: RuleTexts | undefined,
  given: Readonly<Record<string, unknown>>,
): ResolvedStrategy {
  if (code !== RULES_STRATEGY) {
    if (rules !== undefined) refuseRules('rules_need_strategy');
    const strategy = findStrategy(code);
    if (!strategy) throw new ServiceError('invalid_strategy', { value: code });
    return { strategy, rules: undefined };
  }
  if (rules === undefined) return refuseRules('required');
  const read = readRules(rules);
  const problems = 'problems' in read ? read.problems : missingParameters(read.rules, given);
  if ('problems' in read || problems.length > 0) {
    throw ruleFailure(
      problems.map((problem) => ({ loc: ['body', 'rules', problem.part], text: rules[problem.part] ?? '', problem })),
    );
  }
  return { strategy: rulesStrategy(read.rules, given), rules };
}

function refuseRules(code: 'rules_need_strategy' | 'required'): never {
  throw new ValidationFailure([{ loc: ['body', 'rules'], type: 'rules', problem: { code } }]);
}
