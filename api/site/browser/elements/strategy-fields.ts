/** The parameters of a strategy as a form, made from the JSON Schema that the API gives. */
import { html, nothing } from 'lit';
import { t, textOr } from '../text.ts';
import type { Strategy } from '../types.ts';

export interface ParameterSchema {
  readonly type: 'integer' | 'number' | 'string' | 'boolean';
  readonly title?: string;
  readonly default?: number | string | boolean;
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

export const labelOf = (name: string, schema: ParameterSchema) =>
  schema['x-labels']?.[document.documentElement.lang] ?? schema.title ?? name;

/** One field a parameter; `given` are values as they stand in the form, `faults` what the API says of them. */
export function strategyFields(strategy: Strategy, given: ParameterValues, faults: Readonly<Record<string, string>>) {
  return parametersOf(strategy).map(([name, schema]) =>
    parameterField(name, schema, given[name] ?? String(schema.default ?? ''), faults[name]),
  );
}

export function parameterField(name: string, schema: ParameterSchema, value: string, fault?: string) {
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
              aria-invalid=${fault ? 'true' : nothing}
              required
            />`
      }
      ${fault ? html`<span class="fault" role="alert">${fault}</span>` : nothing}
    </label>`;
}

/** The value of a parameter in a form, as the API takes it. */
export function parameterValue(given: FormDataEntryValue | null, { type }: ParameterSchema): number | string | boolean {
  if (type === 'boolean') return given === 'on';
  return type === 'string' ? String(given) : Number(given ?? Number.NaN);
}

/** The values that differ from the defaults, as the API takes them. */
export function readParameters(strategy: Strategy, form: FormData): Record<string, number | string | boolean> {
  const values: Record<string, number | string | boolean> = {};
  for (const [name, schema] of parametersOf(strategy)) {
    const value = parameterValue(form.get(`p.${name}`), schema);
    if (value !== schema.default) values[name] = value;
  }
  return values;
}

/** The faults that the API reports, by the name of the field: the last part of their path. */
export function faultsByField(
  problems: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[],
) {
  return Object.fromEntries(problems.map(({ loc, msg }) => [String(loc[loc.length - 1]), msg]));
}

export const rangeText = (range: string) => (range === 'MAX' ? t('symbol.range.max') : textOr(`range.${range}`, range));
