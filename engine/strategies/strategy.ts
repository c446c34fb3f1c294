/** The definition of a strategy: its parameters, the rules that turn indicators into signals, and the exits that all have. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { HeldScan, Scan } from '../indicators/scans.ts';
import { type LocalizedText, text } from '../util/localized-text.ts';
import {
  hasValuesOf,
  integer,
  number,
  type ParameterSet,
  type ParameterValues,
  readParameter,
  type ValuesOf,
} from './parameters.ts';

/** Exits that do not depend on a strategy's signals; 0 turns each of them off. */
export interface Overlays {
  /** Exit at a close this many percent below the fill price. */
  readonly stopLossPct: number;
  /** Exit at a close this many percent above the fill price. */
  readonly takeProfitPct: number;
  /** Exit after this many bars. */
  readonly maxBars: number;
}

export const OVERLAY_PARAMETERS = {
  stop_loss_pct: number(0, [0, 100], text('Stop loss, % (0: off)', '止损（%，0为关闭）', '停損（%，0為關閉）')),
  take_profit_pct: number(0, [0, 1000], text('Take profit, % (0: off)', '止盈（%，0为关闭）', '停利（%，0為關閉）')),
  max_bars: integer(
    0,
    [0, 2520],
    text('Longest holding, bars (0: off)', '最长持有（根，0为关闭）', '最長持有（根，0為關閉）'),
  ),
} as const satisfies ParameterSet;

function overlaysFrom(values: ValuesOf<typeof OVERLAY_PARAMETERS>): Overlays {
  return {
    stopLossPct: values.stop_loss_pct,
    takeProfitPct: values.take_profit_pct,
    maxBars: values.max_bars,
  };
}

/** The rules: `entry`, then the exits in order of priority. */
export const RULE_PARTS = ['entry', 'exit', 'stop', 'trail'] as const;
export type RulePart = (typeof RULE_PARTS)[number];

/** Texts. `entry` and `exit` are conditions, `stop` and `trail` values in price. */
export type RuleTexts = { readonly entry: string } & { readonly [Part in Exclude<RulePart, 'entry'>]?: string };

/** When to buy while flat, and when to sell while long: of several exits at one close the first in this order counts. */
export interface Signals {
  readonly entry: Scan;
  /** The close fell below a stop that is recomputed at each bar. */
  readonly stop: HeldScan | null;
  /** The close fell below a stop that follows the price. */
  readonly trail: HeldScan | null;
  readonly exit: HeldScan | null;
}

/** Everything that the simulation needs to know of a strategy with its parameters on one series. */
export interface StrategyPlan {
  readonly signals: Signals;
  readonly overlays: Overlays;
}

export interface Strategy {
  readonly code: string;
  readonly label: LocalizedText;
  readonly description: LocalizedText;
  /** The strategy's own parameters, then those of the overlays. */
  readonly parameters: ParameterSet;
  /** Pairs of parameters of which the first must be smaller than the second. */
  readonly ordered?: readonly (readonly [smaller: string, larger: string])[];
  /** The strategy in the language of rules, over its parameters and in its default modes; null for rules themselves. */
  readonly rules: RuleTexts | null;
  /** Throws a RangeError unless `params` holds a valid value for each parameter. */
  readonly plan: (indicators: IndicatorSet, params: ParameterValues) => StrategyPlan;
}

interface Definition<S extends ParameterSet> extends Omit<Strategy, 'parameters' | 'ordered' | 'plan'> {
  readonly parameters: S;
  readonly ordered?: readonly (readonly [smaller: keyof S & string, larger: keyof S & string])[];
  readonly signals: (indicators: IndicatorSet, params: ValuesOf<S>) => Signals;
}

export function defineStrategy<const S extends ParameterSet>(definition: Definition<S>): Strategy {
  const { signals, parameters: own, ...description } = definition;
  const hasOwnValues = hasValuesOf(own);
  return {
    ...description,
    parameters: { ...own, ...OVERLAY_PARAMETERS },
    plan: (indicators, params) => {
      if (!hasOwnValues(params) || !hasOverlayValues(params)) {
        throw new RangeError(`invalid parameters of ${definition.code}: ${JSON.stringify(params)}`);
      }
      return { signals: signals(indicators, params), overlays: overlaysFrom(params) };
    },
  };
}

/** The strategy with other defaults for its parameters. */
export function withDefaults(strategy: Strategy, values: Readonly<Record<string, unknown>>): Strategy {
  const parameters = Object.entries(strategy.parameters).map(([name, parameter]) => {
    const read = Object.hasOwn(values, name) ? readParameter(parameter, values[name]) : null;
    return [name, read !== null && 'value' in read ? { ...parameter, default: read.value } : parameter];
  });
  return { ...strategy, parameters: Object.fromEntries(parameters) };
}

const hasOverlayValues = hasValuesOf(OVERLAY_PARAMETERS);
