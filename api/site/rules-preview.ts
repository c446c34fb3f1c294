/** The page on the language of rules: RULES.md, which the tests run, as a page of the site. */
import { readFile } from 'node:fs/promises';
import type { Preview, PreviewCall } from './previews.ts';
import { siteText } from './texts/catalogue.ts';

const SOURCE = new URL('../../ops/RULES.md', import.meta.url);
/** The page has a title in the language of its reader. */
const TITLE_LINE = /^# .*\n/;

export async function describeRules({ locale }: PreviewCall): Promise<Preview> {
  const { articleHtml } = await import('../articles/html.ts');
  const source = await readFile(SOURCE, 'utf8');
  const title = siteText('page.rules', locale);
  const note = locale === 'en' ? '' : `<p class="notice">${siteText('rules.in_english', locale)}</p>`;
  const text = await articleHtml(source.replace(TITLE_LINE, ''));
  return {
    title,
    description: siteText('page.rules.description', locale),
    isFound: true,
    body: `<article class="prose"><h1>${title}</h1>${note}<div lang="en">${text}</div></article>`,
  };
}
