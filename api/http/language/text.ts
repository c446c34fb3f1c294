/** Texts in the three languages of the service. */
import type { Locale } from './locale.ts';

export type Text = Readonly<Record<Locale, string>>;

/** Replaces each `{name}` by the detail of that name. */
export function fill(template: string, details: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
}

/** Sentences in a row. Chinese puts no space between them. */
export function joinSentences(locale: Locale, ...sentences: readonly string[]): string {
  return sentences.join(locale === 'en' ? ' ' : '');
}
