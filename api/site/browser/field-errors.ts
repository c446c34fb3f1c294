/** The errors that the API finds in a form, by the names of its fields. */
import { html } from 'lit';
import { ApiError, type Problem } from './api.ts';
import { labelOf, parametersOf } from './elements/strategy-fields.ts';
import { textOr } from './text.ts';
import type { Strategies } from './types.ts';

export type FieldErrors = Readonly<Record<string, string>>;

/** Each error under the last part of its path. */
export function errorsByField(problems: readonly Problem[]): FieldErrors {
  return Object.fromEntries(problems.map(({ loc, msg }) => [String(loc[loc.length - 1]), msg]));
}

/** The errors of a run, with parameters named as on the page. */
export function fieldErrorsOf(error: unknown, { strategies }: Strategies): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  if (error.key === 'error.symbol_not_found') return { symbol: error.message, symbols: error.message };
  const labels = new Map(
    strategies.flatMap((strategy) => parametersOf(strategy)).map(([name, schema]) => [name, labelOf(name, schema)]),
  );
  const inWords = (text: string) => text.replace(/\w+/g, (word) => labels.get(word) ?? word);
  return errorsByField(error.problems.map(({ loc, msg }) => ({ loc, msg: inWords(msg) })));
}

/** Errors without a field in the form. */
export function otherErrors(fieldErrors: FieldErrors, fields: readonly string[]) {
  return Object.entries(fieldErrors)
    .filter(([name]) => !fields.includes(name))
    .map(([name, text]) => html`<p class="field-error" role="alert">${textOr(`form.${name}`, name)}: ${text}</p>`);
}
