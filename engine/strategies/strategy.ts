/** The definition of a strategy: its parameters, and the rules that turn indicators into signals. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { HeldScan, Scan } from '../indicators/scans.ts';
import type { LocalizedText } from '../util/localized-text.ts';
import { OVERLAY_PARAMETERS, type Overlays, overlaysFrom } from './overlays.ts';
import { hasValuesOf, type ParameterSet, type ParameterValues, readParameter, type ValuesOf } from './parameters.ts';

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
