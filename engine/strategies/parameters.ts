/** Parameters of strategies. One declaration gives a parameter its type, default, range, label, and JSON Schema. */
import type { LocalizedText } from '../util/localized-text.ts';

interface NumberParameter {
  readonly kind: 'integer' | 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** A value inside the range that is not allowed. */
  readonly except?: number;
  readonly label: LocalizedText;
}

interface ChoiceParameter<T extends string = string> {
  readonly kind: 'choice';
  readonly default: T;
  readonly values: readonly T[];
  readonly label: LocalizedText;
}

interface FlagParameter {
  readonly kind: 'flag';
  readonly default: boolean;
  readonly label: LocalizedText;
}

export type Parameter = NumberParameter | ChoiceParameter | FlagParameter;
export type ParameterSet = Readonly<Record<string, Parameter>>;
export type ParameterValue = number | string | boolean;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

type ValueOf<P extends Parameter> = P extends NumberParameter
  ? number
  : P extends ChoiceParameter<infer T>
    ? T
    : boolean;
export type ValuesOf<S extends ParameterSet> = { readonly [Name in keyof S]: ValueOf<S[Name]> };

type Range = readonly [min: number, max: number];

export function integer(defaultValue: number, [min, max]: Range, label: LocalizedText, except?: number) {
  return { kind: 'integer', default: defaultValue, min, max, label, except } as const satisfies NumberParameter;
}

export function number(defaultValue: number, [min, max]: Range, label: LocalizedText) {
  return { kind: 'number', default: defaultValue, min, max, label } as const satisfies NumberParameter;
}

/** A parameter of a rule, labeled with its name. */
export function ruleParameter(name: string, kind: NumberParameter['kind'], [min, max]: Range, defaultValue: number) {
  const label = { en: name, 'zh-CN': name, 'zh-TW': name };
  return { kind, default: defaultValue, min, max, label } as const satisfies NumberParameter;
}

export function choice<const T extends string>(values: readonly [T, ...T[]], label: LocalizedText) {
  return { kind: 'choice', default: values[0], values, label } as const satisfies ChoiceParameter<T>;
}

export function flag(defaultValue: boolean, label: LocalizedText) {
  return { kind: 'flag', default: defaultValue, label } as const satisfies FlagParameter;
}

/** The reason why a parameter refuses a value. The API words it in the caller's language, with `details`. */
export interface ParameterProblem {
  readonly code:
    | 'expected_boolean'
    | 'expected_number'
    | 'expected_integer'
    | 'not_one_of'
    | 'not_between'
    | 'value_excluded'
    | 'not_below_other'
    | 'unknown_name';
  readonly details: Readonly<Record<string, string | number>>;
}

/** A value as its parameter takes it, or the reason why the parameter refuses it. */
export type ReadParameter = { readonly value: ParameterValue } | { readonly problem: ParameterProblem };

export function readParameter(parameter: Parameter, value: unknown): ReadParameter {
  if (parameter.kind === 'flag') return typeof value === 'boolean' ? { value } : problem('expected_boolean');
  if (parameter.kind === 'choice') {
    const isOne = typeof value === 'string' && parameter.values.includes(value);
    return isOne ? { value } : problem('not_one_of', { allowed: parameter.values.join(', ') });
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return problem('expected_number');
  if (parameter.kind === 'integer' && !Number.isInteger(value)) return problem('expected_integer');
  const { min, max } = parameter;
  if (value < min || value > max) return problem('not_between', { min, max });
  return value === parameter.except ? problem('value_excluded', { value }) : { value };
}

function problem(code: ParameterProblem['code'], details: ParameterProblem['details'] = {}): ReadParameter {
  return { problem: { code, details } };
}

/** Whether there is a valid value for each parameter of a set; there may be others, too. */
export function hasValuesOf<S extends ParameterSet>(
  parameters: S,
): (values: ParameterValues) => values is ParameterValues & ValuesOf<S> {
  const entries = Object.entries(parameters);
  return (values): values is ParameterValues & ValuesOf<S> =>
    entries.every(([name, parameter]) => 'value' in readParameter(parameter, values[name]));
}

/** JSON Schema of one parameter. */
export function parameterSchema(parameter: Parameter): Record<string, unknown> {
  const labels = { title: parameter.label.en, 'x-labels': parameter.label };
  if (parameter.kind === 'flag') return { type: 'boolean', default: parameter.default, ...labels };
  if (parameter.kind === 'choice') {
    return { type: 'string', enum: [...parameter.values], default: parameter.default, ...labels };
  }
  const { kind, min, max, except } = parameter;
  return {
    type: kind,
    minimum: min,
    maximum: max,
    default: parameter.default,
    ...(except === undefined ? {} : { not: { const: except } }),
    ...labels,
  };
}
