/** Every strategy, and the overlays that each of them takes. */
import { bollingerReversion } from './bollinger-reversion.ts';
import { buyHold } from './buy-hold.ts';
import { chandelier } from './chandelier.ts';
import { donchian } from './donchian.ts';
import { macdCross } from './macd.ts';
import {
  integer,
  number,
  type ParameterProblem,
  type ParameterSet,
  type ParameterValues,
  parameterFault,
  parameterSchema,
  type ValuesOf,
} from './parameters.ts';
import { rocMomentum } from './roc-momentum.ts';
import { rsiReversion } from './rsi-reversion.ts';
import { smaCross } from './sma-cross.ts';
import type { Strategy } from './strategy.ts';

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

export const OVERLAYS = {
  stop_loss_pct: number(0, [0, 100], {
    en: 'Stop loss, % (0: off)',
    'zh-CN': '止损（%，0 为关闭）',
    'zh-TW': '停損（%，0 為關閉）',
  }),
  take_profit_pct: number(0, [0, 1000], {
    en: 'Take profit, % (0: off)',
    'zh-CN': '止盈（%，0 为关闭）',
    'zh-TW': '停利（%，0 為關閉）',
  }),
  max_bars: integer(0, [0, 2520], {
    en: 'Longest holding, bars (0: off)',
    'zh-CN': '最长持有（根，0 为关闭）',
    'zh-TW': '最長持有（根，0 為關閉）',
  }),
} as const satisfies ParameterSet;
export type OverlayValues = ValuesOf<typeof OVERLAYS>;

export function findStrategy(code: string): Strategy | null {
  return STRATEGIES.find((strategy) => strategy.code === code) ?? null;
}

export function parametersOf(strategy: Strategy): ParameterSet {
  return { ...strategy.parameters, ...OVERLAYS };
}

export interface ParameterFault {
  readonly name: string;
  readonly problem: ParameterProblem;
}

/** The values that count, defaults filled in; or what is wrong with those given. */
export function effectiveParameters(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
): { readonly values: ParameterValues } | { readonly faults: readonly ParameterFault[] } {
  const parameters = parametersOf(strategy);
  const faults: ParameterFault[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => ({
      name,
      problem: { code: 'unknown_name', details: {} },
    }));
  const values: Record<string, ParameterValues[string]> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : parameter.default;
    const problem = parameterFault(parameter, value);
    if (problem !== null) faults.push({ name, problem });
    else values[name] = value as ParameterValues[string];
  }
  const [smaller, larger] = strategy.ordered ?? [];
  if (faults.length === 0 && smaller !== undefined && larger !== undefined && values[smaller] >= values[larger]) {
    faults.push({ name: smaller, problem: { code: 'not_below_other', details: { other: larger } } });
  }
  return faults.length > 0 ? { faults } : { values };
}

/** JSON Schema of all that a strategy takes. */
export function paramsSchema(strategy: Strategy): Record<string, unknown> {
  const properties = Object.entries(parametersOf(strategy)).map(([name, parameter]) => [
    name,
    parameterSchema(parameter),
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}
