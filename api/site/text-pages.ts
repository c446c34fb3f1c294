/** Pages that are texts of the repository: what a reader of the site learns is what the tests have run. */
import { readFile } from 'node:fs/promises';
import { textsOf } from '../market/example-symbols.ts';
import type { Preview, PreviewCall } from './previews.ts';
import { siteText } from './texts/catalogue.ts';

const ROOT = new URL('../../', import.meta.url);
/** The address of a local installation, in the examples. */
const LOCAL = 'http://127.0.0.1:3000';
/** The page has a title in the language of its reader. */
const TITLE_LINE = /^# .*\n/;

type Describe = (call: PreviewCall) => Promise<Preview>;

async function textPage(key: 'page.rules' | 'page.clients', call: PreviewCall, source: string): Promise<Preview> {
  const { articleHtml } = await import('../articles/html.ts');
  const { locale, services } = call;
  const title = siteText(key, locale);
  const note = locale === 'en' ? '' : `<p class="notice">${siteText('text_page.in_english', locale)}</p>`;
  const textOf = textsOf(services.market);
  const text = await articleHtml(textOf(source.replaceAll(LOCAL, services.publicApiBase)));
  return {
    title,
    description: siteText(`${key}.description`, locale),
    isFound: true,
    body: `<article class="prose"><h1>${title}</h1>${note}<div lang="en">${text}</div></article>`,
  };
}

const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');

/** The language of rules, from RULES.md. */
export const describeRules: Describe = async (call) =>
  textPage('page.rules', call, (await read('ops/docs/RULES.md')).replace(TITLE_LINE, ''));

/** The clients for Python and TypeScript from their READMEs, and the tools of assistants from API.md. */
export const describeClients: Describe = async (call) => {
  const [python, typescript, api] = await Promise.all([
    read('api/clients/python/README.md'),
    read('api/clients/typescript/README.md'),
    read('ops/docs/API.md'),
  ]);
  return textPage('page.clients', call, [python, typescript, sectionOf(api, 'Assistants')].join('\n'));
};

/** A section of second level with its heading. */
function sectionOf(source: string, heading: string): string {
  const start = source.indexOf(`\n## ${heading}\n`);
  const end = source.indexOf('\n## ', start + 1);
  return source.slice(start, end < 0 ? undefined : end);
}
