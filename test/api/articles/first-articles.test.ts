/** The articles of a new service: published once, and true to the language of rules and to the pages that they name. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_ARTICLES, publishFirstArticles, readFirstArticle } from '../../../api/articles/first-articles.ts';
import { LOCALES } from '../../../api/http/language/locale.ts';
import { PAGES } from '../../../api/site/pages.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const SLUGS = FIRST_ARTICLES.map(({ slug }) => slug);

describe('the first articles of a database', () => {
  let database: TestDatabase;
  let api: TestApi;
  let admin: Person;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await openTestApi({
      database,
      provider: new SampleProvider({ symbols: 50, now: () => NOW }),
      now: () => NOW,
      realCallers: true,
    });
    admin = await addAdmin(api);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const publish = () => publishFirstArticles(database.pool, new Date(NOW));
  const listed = async (locale: string): Promise<{ slug: string; locale: string }[]> =>
    (await api.get(`/api/articles?locale=${locale}&size=20`)).body.data.items;

  it('are published by one of two processes, in three languages and in their order', async () => {
    await Promise.all([publish(), publish()]);
    for (const locale of LOCALES) {
      const items = await listed(locale);
      expect(items.map(({ slug }) => slug)).toEqual(SLUGS);
      expect(items.every((item) => item.locale === locale)).toBe(true);
    }
    const log = await api.get('/api/admin/audit?action=article.create', admin.console);
    expect(log.body.data.total).toBe(SLUGS.length);
  });

  it('stay away once an administrator has deleted them', async () => {
    for (const slug of SLUGS) await api.delete(`/api/admin/articles/${slug}`, undefined, admin.console);
    await publish();
    expect(await listed('en')).toEqual([]);
  });
});

it('are not added to articles that are there', async () => {
  const database = await createTestDatabase();
  await database.pool.query(
    `insert into articles (slug, category, created_at, updated_at) values ('own', 'concept', now(), now())`,
  );
  await publishFirstArticles(database.pool, new Date(NOW));
  const { rows } = await database.pool.query('select slug from articles');
  expect(rows).toEqual([{ slug: 'own' }]);
  await database.drop();
});

it('are two of each category', () => {
  const counts = Map.groupBy(FIRST_ARTICLES, ({ category }) => category);
  expect([...counts.values()].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
});

/** Code that is a rule: it has an operator or a call. Other code names a symbol or a function. */
const rulesIn = (body: string) =>
  [...body.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code).filter((code) => /[(<>]/.test(code));
const pathsIn = (body: string) => [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);

describe.each(SLUGS.flatMap((slug) => LOCALES.map((locale) => [slug, locale] as const)))('%s in %s', (slug, locale) => {
  it('has rules that can be read, links to pages and articles, and the rules of the English text', async () => {
    const { body } = await readFirstArticle(slug, locale);
    const rules = rulesIn(body);
    for (const rule of rules) {
      const result = /[<>]|crosses_/.test(rule) ? 'condition' : 'value';
      const checked = checkRule(rule, { result, mayUsePosition: true, market: 'peers', parameters: null });
      expect([rule, checked]).toEqual([rule, { expression: expect.anything() }]);
    }
    const paths = pathsIn(body);
    const known = [...PAGES.map(({ path }) => path), ...SLUGS.map((one) => `/articles/${one}`)];
    expect(paths.filter((path) => !known.includes(path))).toEqual([]);
    const english = await readFirstArticle(slug, 'en');
    expect(rules.toSorted()).toEqual(rulesIn(english.body).toSorted());
    expect(paths.toSorted()).toEqual(pathsIn(english.body).toSorted());
  });
});
