/** The documentation for machines: every page as Markdown, the list of them, and the changes as data. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GUIDES, guideAddress } from '../../api/site/guides/catalogue.ts';
import { releasesIn } from '../../api/site/machine-texts.ts';
import { PAGES } from '../../api/site/pages.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMarketFolder } from '../support/market-folder.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const folder = createMarketFolder({});
  api = await openTestApi({ database, provider: folder.provider() });
  folder.remove();
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const texts = PAGES.filter(({ isText, path }) => isText && !path.includes('{')).map(({ path }) => path);
const pages = [...new Set([...texts, ...GUIDES.map(guideAddress)])];

describe('a page of the documentation', () => {
  it.each(pages)('%s is Markdown at its address with .md, and where that is accepted', async (path) => {
    const { status, text, headers } = await api.get(`${path}.md`);
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# .+\n\n[\s\S]{200,}/);
    expect(text).not.toMatch(/<(article|nav|h\d|table)/);
    expect((await api.get(path, { accept: 'text/markdown' })).text).toBe(text);
    const html = await api.get(path, { accept: 'text/html,*/*;q=0.8' });
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await api.get(`${path}.md`, { 'if-none-match': headers.etag })).status).toBe(304);
  });

  it('is in the language of its reader, and has its programs and lists', async () => {
    const { text, headers } = await api.get('/docs/errors.md?lang=zh-TW');
    expect(headers['content-language']).toBe('zh-TW');
    expect(text).toContain('- `error.symbol_not_found` (404): ');
    expect(text).toMatch(/## Python\n\n```\nimport/);
    expect((await api.get('/docs/none.md', { accept: 'text/html' })).status).toBe(404);
  });

  it('has a button that copies it', async () => {
    const { text } = await api.get('/rules', { accept: 'text/html' });
    expect(text).toContain('<copy-button of-page');
    expect((await api.get('/docs', { accept: 'text/html' })).text).toContain('Copy as Markdown');
  });
});

it('llms.txt lists every page, each of which exists', async () => {
  const { text, headers } = await api.get('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# .+\n\n> .+\n/);
  const addresses = [...text.matchAll(/\]\(http:\/\/test([^)]+)\)/g)].map(([, address]) => address);
  expect(addresses).toEqual(expect.arrayContaining(pages.map((path) => `${path}.md`)));
  for (const address of addresses.filter((one) => one !== '/mcp')) expect((await api.get(address)).status).toBe(200);
});

it('the changes are data: each release with what to do, and what changed', async () => {
  const { version, releases } = (await api.get('/changelog.json')).body;
  const source = readFileSync(new URL('../../ops/docs/CHANGELOG.md', import.meta.url), 'utf8');
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(releases.map((one: { version: string | null }) => one.version ?? 'Unreleased')).toEqual(
    [...source.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
  );
  expect(releases.flatMap((one: { changes: string[] }) => one.changes)).toHaveLength(
    source.match(/^- /gm)?.length ?? 0,
  );
  expect(
    releasesIn('# Changes\n\nx\n\n## 1.0\n\nUpdate: stop\nall.\n\n- One\n  line.\n- Two.\n\n## 0.9\n\n- Old.\n'),
  ).toEqual([
    { version: '1.0', update: 'Update: stop all.', changes: ['One line.', 'Two.'] },
    { version: '0.9', update: '', changes: ['Old.'] },
  ]);
});
