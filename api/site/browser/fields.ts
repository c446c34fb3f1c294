/** Fields of forms, drawn from the schemas of the calls that they make: kinds, bounds, choices, defaults, and errors in one place. */
import SCHEMAS from 'site/schemas';
import type { Problem } from './api.ts';
import { html, nothing } from './dom.ts';
import { fold } from './elements/fold.ts';
import { RULE_PARTS } from './run/specification.ts';
import { fieldProblem } from './text.ts';
import { t } from './tool-text.ts';

export interface FieldSchema {
  readonly type?: 'integer' | 'number' | 'string' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly default?: number | string | boolean;
}

/** Errors by the paths of what is wrong in a body: `cost.slippage_bps`. */
export type FieldErrors = Readonly<Record<string, string>>;

export function errorsByField(problems: readonly Problem[]): FieldErrors {
  return Object.fromEntries(problems.map(({ loc, msg }) => [loc.join('.'), msg]));
}

/** Whether an error belongs to a field: by the name of the field, or by the last parts of its path. */
const isOf = (path: string, name: string) => `.${path}.`.includes(`.${name}.`);

export function errorOf(errors: FieldErrors, name: string): string | undefined {
  return Object.entries(errors).find(([path]) => isOf(path, name))?.[1];
}

export const errorText = (error: string | undefined) =>
  error === undefined ? nothing : html`<span class="field-error" role="alert">${error}</span>`;

interface DrawnField {
  /** Its name in the form. */
  readonly name: string;
  readonly label: unknown;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly error?: string;
  /** The codes of a choice; default: those of the schema. */
  readonly codes?: readonly string[];
  readonly textOf?: (code: string) => string;
  readonly isOptional?: boolean;
  /** In the place of a value that is not given; default: none. */
  readonly placeholder?: string;
  /** The id of a list of names, one of which may be given in place of a number. */
  readonly list?: string;
}

/** A field as its schema describes it: a box for a flag, a choice of codes, a number within its bounds, or a text. */
export function schemaField(field: DrawnField) {
  const { name, label, schema, value, error, codes = schema.enum, textOf = (code) => code } = field;
  if (schema.type === 'boolean') {
    const isOn = value === true || value === 'true';
    return html`<label class="field check"><input type="checkbox" name=${name} .defaultChecked=${isOn} .checked=${isOn} /><span>${label}</span></label>`;
  }
  const control = codes
    ? html`<select name=${name}>
        ${codes.map((code) => html`<option value=${code} ?selected=${code === value}>${textOf(code)}</option>`)}
      </select>`
    : input(field);
  return html`<label class="field"><span>${label}</span>${control}${errorText(error)}</label>`;
}

function input({ name, schema, value, error, list, isOptional = false, placeholder = t('word.none') }: DrawnField) {
  const { type, minimum, maximum } = schema;
  const isInvalid = error === undefined ? nothing : 'true';
  const text = value === undefined ? '' : String(value);
  if (type === 'string' || list !== undefined)
    return html`<input name=${name} .value=${text} list=${list ?? nothing} aria-invalid=${isInvalid} ?required=${!isOptional} placeholder=${isOptional ? placeholder : nothing} autocomplete="off" autocapitalize="none" spellcheck="false" />`;
  return html`<input type="number" name=${name} step=${type === 'integer' ? 1 : 'any'} min=${minimum ?? nothing} max=${maximum ?? nothing}
    .value=${text} aria-invalid=${isInvalid} ?required=${!isOptional} placeholder=${isOptional ? placeholder : nothing} />`;
}

/** Shares of 1 that people write in percent. */
const SHARES = new Set(['cost.commission_rate', 'rotation.weights.max_weight']);
const HUNDRED = 100;

export function schemaOf(path: string): FieldSchema {
  const schema = SCHEMAS[path];
  if (schema === undefined) throw new Error(`no field ${path}`);
  if (!SHARES.has(path)) return schema;
  const [minimum, maximum, otherwise] = [schema.minimum, schema.maximum, schema.default].map((share) =>
    asWritten(path, share),
  );
  return { ...schema, minimum, maximum, default: otherwise };
}

function asWritten(path: string, value: unknown) {
  if (value === undefined) return undefined;
  return SHARES.has(path) ? Number((HUNDRED * Number(value)).toPrecision(12)) : Number(value);
}

/** The value of a path in a body. */
export const valueAt = (body: unknown, path: string) =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      body,
    );

type FieldOptions = Pick<DrawnField, 'codes' | 'textOf' | 'isOptional' | 'list'> & {
  /** Shown where neither the body nor the schema has a value. */
  readonly fallback?: unknown;
};

/** The fields of one drawing of a form. */
export class Fields {
  private readonly body: object;
  private readonly errors: FieldErrors;
  /** Names of those that show their own errors. Rules are checked while they are written. */
  private readonly drawn = new Set<string>(['symbol', 'symbols', ...RULE_PARTS]);

  constructor(body: object, errors: FieldErrors) {
    this.body = body;
    this.errors = errors;
  }

  /** The field at a path of the body, which is also its name in the form. */
  field(path: string, label: string, { fallback, ...options }: FieldOptions = {}) {
    const schema = schemaOf(path);
    const given = valueAt(this.body, path);
    const isNumber = (schema.type === 'integer' || schema.type === 'number') && typeof given !== 'string';
    const otherwise = fallback ?? (options.isOptional ? undefined : schema.default);
    const value = (isNumber ? asWritten(path, given) : given) ?? otherwise;
    return schemaField({ name: path, label, schema, value, error: this.error(path), ...options });
  }

  /** The error of a field, which shows it. */
  error(name: string): string | undefined {
    this.drawn.add(name);
    return errorOf(this.errors, name);
  }

  /** A folded group, open where a field of it has an error. `now`: its present values in a few words. */
  group(title: string, now: string, draw: () => unknown) {
    const before = new Set(this.drawn);
    const fields = draw();
    const isOpen = [...this.drawn].some((name) => !before.has(name) && errorOf(this.errors, name) !== undefined);
    return fold({ title, now, fields, isOpen });
  }

  /** The errors that no field drawn so far shows. */
  remaining() {
    return Object.entries(this.errors)
      .filter(([path]) => ![...this.drawn].some((name) => isOf(path, name)))
      .map(([path, text]) => html`<p class="field-error" role="alert">${fieldProblem(path, text)}</p>`);
  }
}

interface Nested {
  [name: string]: Nested | string | number | boolean;
}

/** The values of a form's fields at their paths, as the API takes them in a `Body`; fields that are left empty are left out. */
export function readFields<Body extends object>(form: HTMLFormElement): Partial<Body> {
  const body: Nested = {};
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const { type } = SCHEMAS[field.name] ?? {};
    if (field.type === 'radio') continue;
    if (type === 'boolean' && field instanceof HTMLInputElement) setAt(body, field.name, field.checked);
    else if (type !== undefined && field.value.trim() !== '')
      setAt(body, field.name, asRead(field.name, field.value.trim()));
  }
  // Its fields are those of the schemas, and so are those of the body.
  return body as Partial<Body>;
}

function asRead(path: string, text: string): string | number {
  if (SCHEMAS[path].type === 'string' || Number.isNaN(Number(text))) return text;
  return SHARES.has(path) ? Number((Number(text) / HUNDRED).toPrecision(12)) : Number(text);
}

function setAt(body: Nested, path: string, value: string | number | boolean): void {
  const names = path.split('.');
  const parts = names.slice(0, -1).reduce((part, name) => {
    const inner = part[name];
    const next = typeof inner === 'object' ? inner : {};
    part[name] = next;
    return next;
  }, body);
  parts[names[names.length - 1]] = value;
}
