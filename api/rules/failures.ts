/** Problems of rules, as the API reports them. */
import { RULE_FUNCTIONS } from '../../engine/rules/functions/catalogue.ts';
import type { RuleProblem } from '../../engine/rules/problems.ts';
import type { ErrorDetails } from '../../engine/util/errors.ts';
import { nearestName } from '../http/input/problems.ts';
import { type Place, RequestFailure, type ValidationProblem } from '../http/input/request-failure.ts';

const MAX_FOUND_CHARS = 64;
/** Most alternatives that are listed. */
const MAX_EXPECTED = 20;
const NAMES = RULE_FUNCTIONS.map(({ name }) => name);

/** A rule of a request with its problems; `loc` names its field. */
export interface WrongRule {
  readonly loc: readonly (string | number)[];
  readonly text: string;
  readonly problem: RuleProblem;
}

function ruleProblemOf({ loc, text, problem }: WrongRule): ValidationProblem {
  const { code, at, expected } = problem;
  const { name } = problem.details;
  const known = code === 'rule_column_unknown' ? expected : code === 'rule_unknown_name' ? NAMES : null;
  const nearest = known && known.length > 0 ? nearestName(String(name), known) : null;
  const details: ErrorDetails = nearest === null ? problem.details : { ...problem.details, nearest };
  const place: Place = {
    from: at.from,
    to: at.to,
    found: text.slice(at.from, Math.min(at.to, at.from + MAX_FOUND_CHARS)),
    expected: nearest === null ? expected.slice(0, MAX_EXPECTED) : [nearest],
  };
  return { loc, type: code, problem: { code, details }, place };
}

/** The error 400 of invalid rules in a well-formed request. */
export function ruleFailure(wrong: readonly WrongRule[]): RequestFailure {
  return new RequestFailure('rule_invalid', wrong.map(ruleProblemOf));
}
