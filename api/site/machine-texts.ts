/** The documentation for machines: each of its pages as Markdown, the list of them (llms.txt), and the changes as data. */
import { readFile } from 'node:fs/promises';
import type { Express, Request, Response } from 'express';
import { SERVICE_VERSION } from '../../engine/util/service-version.ts';
import type { Route } from '../call/route.ts';
import { CacheableJson, weakEtag } from '../http/answer/reply.ts';
import { beginResponse, sendCacheable } from '../http/answer/respond.ts';
import type { Locale } from '../http/language/locale.ts';
import { GUIDES, guideAddress } from './guides/catalogue.ts';
import { PAGES } from './pages.ts';
import { siteText } from './texts/catalogue.ts';

export const MARKDOWN = 'text/markdown';

/** The address of a page as Markdown: `/rules` → `/rules.md`. */
export const markdownAddress = (path: string): string => `${path}.md`;

/** The button that copies the page as Markdown; it works when the page has loaded. */
export function markdownButton(locale: Locale): string {
  const label = siteText('docs.copy_markdown', locale);
  return `<copy-button of-page label="${label}"><button type="button" data-until-filled>${label}</button></copy-button>`;
}

/** Whether a page of the documentation is asked for as Markdown. */
export function wantsMarkdown(request: Request): boolean {
  return request.path.endsWith('.md') || request.accepts(['text/html', MARKDOWN]) === MARKDOWN;
}

/** Sends Markdown that callers may cache, but revalidate. */
export function sendMarkdown(request: Request, response: Response, text: string): void {
  sendText(request, response, MARKDOWN, text);
}

function sendText(request: Request, response: Response, type: string, text: string): void {
  const { headers } = request.context;
  headers['Cache-Control'] = 'private, no-cache';
  headers.Vary = `Accept, ${headers.Vary}`;
  headers.ETag = weakEtag(Buffer.from(text));
  beginResponse(request, response, 200).type(`${type}; charset=utf-8`).send(text);
}

export type Operation = Pick<Route, 'tag' | 'method' | 'path' | 'summary'>;

/** Every operation with its summary. */
export function referenceText(operations: readonly Operation[]): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const lists = [...byTag].map(
    ([tag, routes]) =>
      `## ${tag}\n\n${routes.map(({ method, path, summary }) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`).join('\n')}`,
  );
  return `Parameters, answers, errors, and examples of every operation are in [the OpenAPI description](/openapi.json).\n\n${lists.join('\n\n')}\n`;
}

/** A section of second level with its heading. */
export function sectionOf(source: string, heading: string): string {
  const start = source.indexOf(`\n## ${heading}\n`);
  const end = source.indexOf('\n## ', start + 1);
  return source.slice(start, end < 0 ? undefined : end);
}

/** Texts besides the guides. */
const TEXTS = PAGES.filter(({ path, isText }) => isText && path !== '/docs' && path !== '/docs/{guide}');

/** The list of the documentation, as https://llmstxt.org describes it. */
function llmsText(base: string): string {
  const link = (path: string, title: string, description = '') =>
    `- [${title}](${base}${path})${description === '' ? '' : `: ${description}`}`;
  const guides = GUIDES.map((guide) => link(markdownAddress(guideAddress(guide)), siteText(guide.title, 'en')));
  const pages = TEXTS.map(({ path, title, description }) =>
    link(markdownAddress(path), siteText(title, 'en'), siteText(description, 'en')),
  );
  return `# Market data and backtesting

> Daily US equity and ETF market data, and reproducible backtests, over HTTP. An API key is sent as \`X-API-Key\`.

Every page is Markdown at its address with \`.md\`, or with \`Accept: text/markdown\`.

## Guides

${guides.join('\n')}

## Reference

${link('/openapi.json', 'OpenAPI description', 'Every operation with its parameters, answers, errors, and examples')}
${link('/mcp', 'MCP', 'Tools for assistants')}
${link('/changelog.json', 'Changes', 'What changed for users, as data')}
${pages.join('\n')}
`;
}

export interface Release {
  /** Null: not released yet. */
  readonly version: string | null;
  readonly update: string;
  readonly changes: readonly string[];
}

/** The releases of a list of changes in Markdown, newest first. */
export function releasesIn(text: string): Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading, ...rest] = section.split('\n');
      const [update, ...items] = rest.join('\n').split(/^- /m);
      const oneLine = (part: string) => part.trim().replaceAll(/\s*\n\s*/g, ' ');
      return {
        version: heading === 'Unreleased' ? null : heading.trim(),
        update: oneLine(update),
        changes: items.map(oneLine),
      };
    });
}

export function mountMachineTexts(app: Express, publicApiBase: string): void {
  app.get('/llms.txt', (request, response) => sendText(request, response, 'text/plain', llmsText(publicApiBase)));
  app.get('/changelog.json', async (request, response) => {
    const text = await readFile(new URL('../../ops/docs/CHANGELOG.md', import.meta.url), 'utf8');
    const bytes = Buffer.from(JSON.stringify({ version: SERVICE_VERSION, releases: releasesIn(text) }));
    await sendCacheable(request, response, new CacheableJson(bytes, weakEtag(bytes), 300));
  });
}
