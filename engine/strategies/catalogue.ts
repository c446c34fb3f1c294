/** Every strategy, and the check of its parameters. */

import {
  type ParameterProblem,
  type ParameterValue,
  type ParameterValues,
  parameterSchema,
  readParameter,
} from './parameters.ts';
import { bollingerReversion, rsiReversion } from './reversion.ts';
import type { Strategy } from './strategy.ts';
import { buyHold, chandelier, donchian, macdCross, rocMomentum, smaCross } from './trend.ts';

export const STRATEGIES: readonly Strategy[] = [
  chandelier,
  smaCross,
  donchian,
  rsiReversion,
  bollingerReversion,
  macdCross,
  rocMomentum,
  buyHold,
];

export function findStrategy(code: string): Strategy | null {
  return STRATEGIES.find((strategy) => strategy.code === code) ?? null;
}

/** Throws a RangeError for an unknown code. */
export function requireStrategy(code: string): Strategy {
  const strategy = findStrategy(code);
  if (!strategy) throw new RangeError(`unknown strategy ${code}`);
  return strategy;
}

export interface RefusedParameter {
  readonly name: string;
  readonly problem: ParameterProblem;
}

type Given = Readonly<Record<string, unknown>>;

/** The given values, or the default where none is given. Unknown names come first among those that are refused. */
function readParameters({ parameters }: Strategy, given: Given) {
  const refused: RefusedParameter[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => ({
      name,
      problem: { code: 'unknown_name', details: {} },
    }));
  const values: Record<string, ParameterValue> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const read = readParameter(parameter, Object.hasOwn(given, name) ? given[name] : parameter.default);
    if ('problem' in read) refused.push({ name, problem: read.problem });
    else values[name] = read.value;
  }
  return { values, refused };
}

/** Single values that are refused; which of two parameters is the smaller is not checked. */
export function refusedParameters(strategy: Strategy, given: Given): readonly RefusedParameter[] {
  return readParameters(strategy, given).refused;
}

/** The given values with the defaults of all other parameters, or those of the given ones that are refused. */
export function effectiveParameters(
  strategy: Strategy,
  given: Given,
): { readonly values: ParameterValues } | { readonly refused: readonly RefusedParameter[] } {
  const { values, refused } = readParameters(strategy, given);
  const crossed = (strategy.ordered ?? []).find(([smaller, larger]) => values[smaller] >= values[larger]);
  if (refused.length === 0 && crossed !== undefined) {
    const [smaller, other] = crossed;
    refused.push({ name: smaller, problem: { code: 'not_below_other', details: { other } } });
  }
  return refused.length > 0 ? { refused } : { values };
}

/** JSON Schema of a strategy's parameters. */
export function paramsSchema({ parameters }: Strategy): Record<string, unknown> {
  const properties = Object.entries(parameters).map(([name, parameter]) => [name, parameterSchema(parameter)]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}
