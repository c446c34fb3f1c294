/** The parameters of a strategy as a form, made from the JSON Schema that the API gives. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { EXITS } from '../run/kind.ts';
import { OWN_RULES } from '../run/specification.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';

/** The part of a strategy that forms read. */
export type Strategy = Omit<Strategies['strategies'][number], 'rules'>;

export interface ParameterSchema {
  readonly type: 'integer' | 'number' | 'string' | 'boolean';
  readonly title?: string;
  readonly default?: number | string | boolean;
  /** The first is the initial value if there is no default. */
  readonly examples?: readonly number[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

export type ParameterValues = Readonly<Record<string, string>>;

export function parametersOf({ params_schema }: Strategy): [string, ParameterSchema][] {
  // The description of the API says only that this is a JSON Schema; `paramsSchema` of the engine makes it.
  return Object.entries((params_schema as { properties?: Record<string, ParameterSchema> }).properties ?? {});
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

/** The initial value of a parameter. */
export const firstValue = (schema: ParameterSchema) => String(schema.default ?? schema.examples?.[0] ?? '');

export const labelOf = (name: string, schema: ParameterSchema) =>
  schema['x-labels']?.[document.documentElement.lang] ?? schema.title ?? name;

export const isExit = (name: string) => EXITS.includes(name);

/** One field per parameter that is wanted. `given`: values as texts; `fieldErrors`: what the API says of them. */
export function strategyFields(
  strategy: Strategy,
  given: ParameterValues,
  fieldErrors: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean = () => true,
) {
  return repeat(
    parametersOf(strategy).filter(([name]) => isWanted(name)),
    ([name]) => name,
    ([name, schema]) => parameterField(name, schema, given[name] ?? firstValue(schema), fieldErrors[name]),
  );
}

export function parameterField(name: string, schema: ParameterSchema, value: string, fieldError?: string) {
  if (schema.type === 'boolean') {
    return html`<label class="field check">
        <input type="checkbox" name=${`p.${name}`} .defaultChecked=${value === 'true'} .checked=${value === 'true'} />
        ${labelOf(name, schema)}
      </label>`;
  }
  return html`<label class="field">
      <span>${labelOf(name, schema)}</span>
      ${
        schema.enum
          ? html`<select name=${`p.${name}`}>
              ${schema.enum.map((word) => html`<option value=${word} ?selected=${word === value}>${textOr(`param.${word}`, word)}</option>`)}
            </select>`
          : html`<input
              name=${`p.${name}`}
              type="number"
              step=${schema.type === 'integer' ? 1 : 'any'}
              min=${schema.minimum ?? nothing}
              max=${schema.maximum ?? nothing}
              .value=${value}
              aria-invalid=${fieldError ? 'true' : nothing}
              required
            />`
      }
      ${fieldError ? html`<span class="field-error" role="alert">${fieldError}</span>` : nothing}
    </label>`;
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
