/** The page about the language of rules in the reader's language: RULES.md, or a translation with its tables of functions and examples. */
import { readFile } from 'node:fs/promises';
import { RULE_FUNCTIONS } from '../../engine/rules/functions/catalogue.ts';
import type { Locale } from '../http/language/locale.ts';
import { siteText } from './texts/catalogue.ts';

const ENGLISH = new URL('../../ops/docs/RULES.md', import.meta.url);
const translation = (locale: Locale) => new URL(`guides/${locale}/language-of-rules.md`, import.meta.url);

const TABLE = /<!-- functions:begin -->\n(.*?)<!-- functions:end -->/gs;
const EXAMPLE = /```json\n.*?```/gs;
const HEADINGS = ['value', 'condition', 'is', 'bars', 'source'] as const;
const DESCRIPTIONS = new Map(RULE_FUNCTIONS.map(({ name, description }) => [name, description]));

/** Markdown without the title. */
export async function rulesText(locale: Locale): Promise<string> {
  const english = (await readFile(ENGLISH, 'utf8')).replace(/^# .*\n/, '');
  // The site numbers the headings of a text.
  if (locale === 'en') return english.replace('(#what-a-rule-knows)', '(#part-4)');
  const tables = [...english.matchAll(TABLE)].map(([, table]) => localized(table, locale)).values();
  const examples = [...english.matchAll(EXAMPLE)].map(([code]) => code).values();
  const next = (parts: Iterator<string>) => parts.next().value ?? '';
  return (await readFile(translation(locale), 'utf8'))
    .replaceAll('<!-- functions -->', () => next(tables))
    .replaceAll('<!-- example -->', () => next(examples));
}

/** A table of functions with its heading and its descriptions in a language. */
function localized(table: string, locale: Locale): string {
  const [heading, line, ...rows] = table.trim().split('\n');
  const titles = heading.replaceAll(/\w+/g, (word) => {
    const known = HEADINGS.find((name) => name === word);
    return known === undefined ? word : siteText(`rules.${known}`, locale);
  });
  const described = rows.map((row) => {
    const [, usage, , ...others] = row.split('|').map((cell) => cell.trim());
    const description = DESCRIPTIONS.get(/^`(\w+)/.exec(usage)?.[1] ?? '');
    const more = others.map((cell) => (cell === 'definition' ? siteText('rules.definition', locale) : cell));
    return `| ${[usage, description?.[locale], ...more].join(' | ')}`;
  });
  return [titles, line, ...described].join('\n');
}
