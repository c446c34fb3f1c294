/** Parameters of strategies: one declaration gives type, default, range, label and JSON Schema. */
import type { LocalizedText } from '../text.ts';

interface NumberParameter {
  readonly kind: 'integer' | 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Inside the range and yet not allowed. */
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

export function choice<const T extends string>(values: readonly [T, ...T[]], label: LocalizedText) {
  return { kind: 'choice', default: values[0] as T, values, label } as const satisfies ChoiceParameter<T>;
}

export function flag(defaultValue: boolean, label: LocalizedText) {
  return { kind: 'flag', default: defaultValue, label } as const satisfies FlagParameter;
}

/** Why a value of a parameter is refused; `details` fills in the text, which is in the language of the reader. */
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

/** What is wrong with a value; null: nothing. */
export function parameterFault(parameter: Parameter, value: unknown): ParameterProblem | null {
  if (parameter.kind === 'flag') return typeof value === 'boolean' ? null : { code: 'expected_boolean', details: {} };
  if (parameter.kind === 'choice') {
    const isOne = typeof value === 'string' && parameter.values.includes(value);
    return isOne ? null : { code: 'not_one_of', details: { allowed: parameter.values.join(', ') } };
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'expected_number', details: {} };
  if (parameter.kind === 'integer' && !Number.isInteger(value)) return { code: 'expected_integer', details: {} };
  const { min, max } = parameter;
  if (value < min || value > max) return { code: 'not_between', details: { min, max } };
  return value === parameter.except ? { code: 'value_excluded', details: { value } } : null;
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
