/** A guide as a page: its section and its neighbors at the left, its text, and its program, of which tests run every language. */
import { readFile } from 'node:fs/promises';
import escapeHtml from 'escape-html';
import { WEBHOOK_EVENTS } from '../../../jobs/contracts/webhooks.ts';
import { articleHtml } from '../../articles/html.ts';
import { ERRORS } from '../../http/errors/catalogue.ts';
import type { Locale } from '../../http/language/locale.ts';
import { siteText } from '../texts/catalogue.ts';
import { callOf } from './calls.ts';
import { GUIDE_SECTIONS, type Guide, type GuideSection, guideAddress } from './catalogue.ts';

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
  return `<nav class="guides" aria-label="${siteText('page.docs', locale)}">${listHtml(guide, locale)}</nav>
<article class="prose"><p class="muted small">${siteText('page.docs', locale)} › ${siteText(section.title, locale)}</p>
<h1>${title}</h1>${await articleHtml(adapt(text))}${appendix(guide, locale)}</article>
<aside class="program" aria-label="${siteText('docs.program', locale)}" data-call="${escapeHtml(adapt(JSON.stringify(callOf(guide.slug))))}">${shown.join('')}</aside>`;
}

function listHtml(current: Guide, locale: Locale): string {
  const link = (guide: Guide) =>
    `<a href="${guideAddress(guide)}"${guide === current ? ' aria-current="page"' : ''}>${siteText(guide.title, locale)}</a>`;
  const sections = GUIDE_SECTIONS.map(
    ({ title, guides }: GuideSection) => `<h2>${siteText(title, locale)}</h2>${guides.map(link).join('')}`,
  );
  const others = (['/docs/reference', '/rules', '/clients'] as const).map(
    (address) => `<a href="${address}">${siteText(OTHERS[address], locale)}</a>`,
  );
  return `<button type="button" class="palette-field" data-opens="palette">${siteText('docs.search', locale)} <kbd>/</kbd></button>${sections.join('')}<h2>${siteText('docs.reference', locale)}</h2>${others.join('')}`;
}

const OTHERS = { '/docs/reference': 'page.reference', '/rules': 'page.rules', '/clients': 'page.clients' } as const;

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
