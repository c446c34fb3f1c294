/**
 * The navigation of the documentation, and a guide as a page: its section and its neighbors at the left, its text, and its program, of
 * which tests run every language.
 */
import { readFile } from 'node:fs/promises';
import escapeHtml from 'escape-html';
import { WEBHOOK_EVENTS } from '../../../jobs/contracts/webhooks.ts';
import { articleHtml } from '../../articles/html.ts';
import { ERRORS } from '../../http/errors/catalogue.ts';
import type { Locale } from '../../http/language/locale.ts';
import { markdownButton } from '../machine-texts.ts';
import { type BrowserText, siteText } from '../texts/catalogue.ts';
import { callOf } from './calls.ts';
import { GUIDE_SECTIONS, type Guide, guideAddress } from './catalogue.ts';

/** Languages of programs, by the names of their blocks in Markdown. */
const PROGRAM_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['sh', 'curl'],
  ['python', 'Python'],
  ['ts', 'TypeScript'],
]);

const BLOCK = /^```(sh|python|ts)\n(.*?)^```\n/gms;

/** A guide's text in a language, and its programs, which are in the English file only. */
export async function readGuide({ slug }: Guide, locale: Locale) {
  const read = (language: Locale) => readFile(new URL(`${language}/${slug}.md`, import.meta.url), 'utf8');
  const [text, english] = await Promise.all([read(locale), read('en')]);
  const programs = [...english.matchAll(BLOCK)].map(([, language, code]) => ({
    language: PROGRAM_LANGUAGES.get(language) ?? language,
    code: code.trimEnd(),
  }));
  return { text: text.replaceAll(BLOCK, '').trim(), programs };
}

/** `adapt` puts the address and the symbols of this installation in the place of those of examples. */
export async function guideHtml(guide: Guide, locale: Locale, adapt: (text: string) => string): Promise<string> {
  const { text, programs } = await readGuide(guide, locale);
  const section = GUIDE_SECTIONS.find(({ guides }) => guides.includes(guide)) ?? GUIDE_SECTIONS[0];
  const title = siteText(guide.title, locale);
  const shown = programs.map(
    ({ language, code }) => `<h2>${language}</h2><pre data-language="${language}">${escapeHtml(adapt(code))}</pre>`,
  );
  return `${docsNav(guideAddress(guide), locale)}
<article class="prose"><p class="muted small">${siteText('page.docs', locale)} › ${siteText(section.title, locale)}</p>
<h1>${title}</h1><p>${markdownButton(locale)}</p>${await articleHtml(adapt(text))}${appendix(guide, locale)}</article>
<aside class="program" aria-label="${siteText('docs.program', locale)}" data-call="${escapeHtml(adapt(JSON.stringify(callOf(guide.slug))))}">${shown.join('')}</aside>`;
}

/** A guide as Markdown, with its programs and what it lists. */
export async function guideMarkdown(guide: Guide, locale: Locale, adapt: (text: string) => string): Promise<string> {
  const { text, programs } = await readGuide(guide, locale);
  const blocks = programs.map(({ language, code }) => `## ${language}\n\n\`\`\`\n${adapt(code)}\n\`\`\``);
  const lists: Readonly<Record<string, readonly string[]>> = {
    errors: Object.entries(ERRORS).map(([code, entry]) => `- \`error.${code}\` (${entry.status}): ${entry[locale]}`),
    webhooks: WEBHOOK_EVENTS.map((event) => `- \`${event}\``),
  };
  const listed = (lists[guide.slug] ?? []).toSorted().join('\n');
  return `${[`# ${siteText(guide.title, locale)}`, adapt(text), ...blocks, listed].filter(Boolean).join('\n\n')}\n`;
}

/** The list of all pages of the documentation, for each of them. `current`: the address of the page. */
export function docsNav(current: string, locale: Locale): string {
  const link = ([address, title]: readonly [string, BrowserText]) =>
    `<a href="${address}"${address === current ? ' aria-current="page"' : ''}>${siteText(title, locale)}</a>`;
  const sections = GUIDE_SECTIONS.map(({ title, guides }) => [title, guides.map(entryOf)] as const);
  const lists = [...sections, ['docs.reference', REFERENCE] as const].map(
    ([title, entries]) => `<h2>${siteText(title, locale)}</h2>${entries.map(link).join('')}`,
  );
  const search = `<button type="button" class="palette-field" data-opens="palette">${siteText('docs.search', locale)} <kbd>/</kbd></button>`;
  return `<nav class="guides" aria-label="${siteText('page.docs', locale)}">${search}${lists.join('')}</nav>`;
}

const entryOf = (guide: Guide) => [guideAddress(guide), guide.title] as const;

const REFERENCE = [
  ['/rules', 'page.rules'],
  ['/clients', 'page.clients'],
  ['/docs/reference', 'page.reference'],
] as const;

/** Renders what a guide lists from the code: every error, or every event, each with an address. */
function appendix({ slug }: Guide, locale: Locale): string {
  if (slug === 'errors') return table(locale, ['docs.status', 'docs.error_key'], errorRows(locale));
  if (slug === 'webhooks')
    return table(
      locale,
      ['docs.event'],
      WEBHOOK_EVENTS.map((event) => named(event, [addressed(event)])),
    );
  return '';
}

const errorRows = (locale: Locale) =>
  Object.entries(ERRORS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, entry]) => {
      const key = `error.${code}`;
      return named(key, [String(entry.status), `${addressed(key)}<br>${escapeHtml(entry[locale])}`]);
    });

const addressed = (name: string) => `<a href="#${name}"><code>${name}</code></a>`;

/** A row with an address. */
const named = (name: string, cells: readonly string[]) =>
  `<tr id="${name}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

function table(
  locale: Locale,
  headings: readonly ('docs.error_key' | 'docs.status' | 'docs.event')[],
  rows: readonly string[],
): string {
  const head = headings.map((key) => `<th>${siteText(key, locale)}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
