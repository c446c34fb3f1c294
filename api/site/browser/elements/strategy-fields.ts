/** The parameters of a strategy as a form, made from the JSON Schema that the API gives. */
import { repeat } from 'lit/directives/repeat.js';
import { ApiError } from '../api.ts';
import { errorsByField, type FieldErrors, type FieldSchema, schemaField, valueAt } from '../fields.ts';
import { EXITS } from '../run/kind.ts';
import { OWN_RULES } from '../run/specification.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';

/** The part of a strategy that forms read. */
export type Strategy = Omit<Strategies['strategies'][number], 'rules'>;

export interface ParameterSchema extends FieldSchema {
  readonly type: NonNullable<FieldSchema['type']>;
  readonly title?: string;
  /** The first is the initial value if there is no default. */
  readonly examples?: readonly number[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

export type ParameterValues = Readonly<Record<string, string>>;

/** The description of the API says only that this is a JSON Schema; `paramsSchema` of the engine makes it. */
const areSchemas = (given: unknown): given is Readonly<Record<string, ParameterSchema>> =>
  typeof given === 'object' && given !== null;

export function parametersOf({ params_schema }: Strategy): [string, ParameterSchema][] {
  const properties = valueAt(params_schema, 'properties');
  return areSchemas(properties) ? Object.entries(properties) : [];
}

/** Initial values without a default: all different, because two equal averages would never cross. */
const FIRST_VALUES = [20, 50, 100, 200, 10, 5];

/** Rules as a strategy, whose parameters are the names in them. They have no defaults: each run gives them all. */
export function strategyOfRules(names: readonly string[]): Strategy {
  const schemas = names.map((name, i): [string, ParameterSchema] => [
    name,
    { type: 'number', title: `$${name}`, examples: [FIRST_VALUES[i % FIRST_VALUES.length]] },
  ]);
  const params_schema = { properties: Object.fromEntries(schemas) };
  const description = t('form.own_rules.text');
  return { code: OWN_RULES, name: t('form.own_rules'), description, params_schema, look_ahead_proof: null };
}

/** The errors of a run, with parameters named as on the page. */
export function fieldErrorsOf(error: unknown, { strategies }: Strategies): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  const ofWeights = error.problems.some(({ loc }) => loc.includes('targets'));
  if (error.key === 'error.symbol_not_found' && !ofWeights) return { symbol: error.message, symbols: error.message };
  const labels = new Map(
    strategies.flatMap((strategy) => parametersOf(strategy)).map(([name, schema]) => [name, labelOf(name, schema)]),
  );
  const inWords = (text: string) => text.replace(/\w+/g, (word) => labels.get(word) ?? word);
  return errorsByField(error.problems.map(({ loc, msg }) => ({ loc, msg: inWords(msg) })));
}

/** The initial value of a parameter. */
export const firstValue = (schema: ParameterSchema) => String(schema.default ?? schema.examples?.[0] ?? '');

export const labelOf = (name: string, schema: ParameterSchema) =>
  schema['x-labels']?.[document.documentElement.lang] ?? schema.title ?? name;

export const isExit = (name: string) => EXITS.includes(name);

/** One field per parameter that is wanted. `given`: values as texts; `error`: what the API says of one. */
export function strategyFields(
  strategy: Strategy,
  given: ParameterValues,
  error: (name: string) => string | undefined = () => undefined,
  isWanted: (name: string) => boolean = () => true,
) {
  // Drawn at once: what remains of the errors is known after that.
  const fields = parametersOf(strategy)
    .filter(([name]) => isWanted(name))
    .map(([name, schema]) => ({
      name,
      field: parameterField(name, schema, given[name] ?? firstValue(schema), error(name)),
    }));
  return repeat(
    fields,
    ({ name }) => name,
    ({ field }) => field,
  );
}

export function parameterField(name: string, schema: ParameterSchema, value: string, error?: string) {
  const textOf = (word: string) => textOr(`param.${word}`, word);
  return schemaField({ name: `p.${name}`, label: labelOf(name, schema), schema, value, error, textOf });
}

/** The value of a parameter in a form, as the API takes it. */
function parameterValue(given: FormDataEntryValue | null, { type }: ParameterSchema): number | string | boolean {
  if (type === 'boolean') return given === 'on';
  return type === 'string' ? String(given) : Number(given ?? Number.NaN);
}

/** All values of a form as texts, to fill it again. */
export function typedParameters(strategy: Strategy, form: FormData): ParameterValues {
  const values = parametersOf(strategy).map(([name, { type }]) => {
    const given = form.get(`p.${name}`);
    return [name, type === 'boolean' ? String(given === 'on') : String(given ?? '')];
  });
  return Object.fromEntries(values);
}

/** The values that differ from the defaults, as the API takes them. */
export function readParameters(strategy: Strategy, form: FormData, omitted: readonly string[] = []) {
  const values: Record<string, number | string | boolean> = {};
  for (const [name, schema] of parametersOf(strategy)) {
    if (omitted.includes(name)) continue;
    const value = parameterValue(form.get(`p.${name}`), schema);
    if (value !== schema.default) values[name] = value;
  }
  return values;
}
