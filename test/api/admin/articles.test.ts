/** Articles, from a draft in the back office to published texts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const SECOND = 1_000;
let clock = Date.parse('2024-09-04T16:00:00Z');
let database: TestDatabase;
let api: TestApi;
let other: TestApi;
let admin: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => clock });
  const open = () => openTestApi({ database, provider, now: () => clock, realCallers: true });
  [api, other] = [await open(), await open()];
  admin = await addAdmin(api);
});
afterAll(async () => {
  await Promise.all([api.close(), other.close()]);
  await database.drop();
});
beforeEach(async () => {
  clock += SECOND;
  await database.pool.query('delete from articles');
});

/** A gray picture of four by two pixels. */
const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i' +
  'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
  'Y2NjY2NjY2P/wAARCAACAAQDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAU' +
  'AQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==';

const PATH = '/api/admin/articles';
const ENGLISH = { title: 'Trailing stops', summary: 'What they are', body_md: '# Stops' };
const CHINESE = { title: '跟踪止损', summary: null, body_md: '# 止损' };

const create = (slug: string, contents: object, more: object = {}) =>
  api.post(PATH, { slug, category: 'concept', contents, ...more }, admin.console);
const publish = (slug: string, locales?: string[], process = api) =>
  process.post(`${PATH}/${slug}/publish`, { locales }, admin.console);
const change = (slug: string, body: object, process = api) => process.put(`${PATH}/${slug}`, body, admin.console);
const statuses = ({ body }: { body: { data: { contents: Record<string, { status: string }> } } }) =>
  Object.fromEntries(Object.entries(body.data.contents).map(([locale, { status }]) => [locale, status]));
const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];

describe('POST /api/admin/articles', () => {
  it('creates a draft in every language, empty without content', async () => {
    const { status, body } = await create(
      'stops',
      { en: ENGLISH },
      { tags: ['stops'], cover_url: 'https://x.org/a.png' },
    );
    expect(status).toBe(201);
    const now = new Date(clock).toISOString();
    const empty = { title: null, summary: null, body_md: null, status: 'draft', published_at: null, updated_at: now };
    expect(body.data).toEqual({
      slug: 'stops',
      category: 'concept',
      cover_url: 'https://x.org/a.png',
      tags: ['stops'],
      created_at: now,
      updated_at: now,
      contents: { en: { ...empty, ...ENGLISH }, 'zh-CN': empty, 'zh-TW': empty },
    });
    expect((await api.get(`${PATH}/stops`, admin.console)).body.data).toEqual(body.data);
  });

  it('refuses a taken slug, an article without a title, and malformed input, and changes nothing', async () => {
    await create('stops', { en: ENGLISH });
    expect(outcome(await create('stops', { en: { title: 'Another' } }))).toEqual([409, 'error.article_exists']);
    expect(outcome(await create('untitled', { en: { title: '  ', body_md: 'text' } }))).toEqual([
      400,
      'error.article_untitled',
    ]);
    const malformed = [
      ['Upper', {}],
      ['a--b', {}],
      ['a'.repeat(121), {}],
      ['fine', { category: 'other' }],
      ['fine', { contents: { fr: { title: 'Non' } } }],
      ['fine', { cover_url: 'javascript:alert(1)' }],
      ['fine', { contents: { en: { title: 'x'.repeat(201) } } }],
    ] as const;
    for (const [slug, more] of malformed) {
      expect(outcome(await create(slug, { en: ENGLISH }, more))).toEqual([422, 'error.validation_failed']);
    }
    const { body } = await api.get(PATH, admin.console);
    expect(body.data.items.map(({ slug }: { slug: string }) => slug)).toEqual(['stops']);
    expect(body.data.items[0].contents.en.title).toBe(ENGLISH.title);
  });

  it('is for administrators', async () => {
    const person = await addPerson(api);
    const body = { slug: 'stops', category: 'concept', contents: { en: ENGLISH } };
    expect(outcome(await api.post(PATH, body))).toEqual([403, 'error.login_required']);
    expect(outcome(await api.post(PATH, body, person.program))).toEqual([403, 'error.login_required']);
    expect(outcome(await api.post(PATH, body, person.console))).toEqual([403, 'error.admin_required']);
  });
});

describe('the states of a text', () => {
  it('can be published in all languages with a body, with the time of the first publication, and unpublished', async () => {
    await create('stops', { en: ENGLISH, 'zh-CN': CHINESE, 'zh-TW': { title: '只有標題' } });
    clock += SECOND;
    const first = new Date(clock).toISOString();
    const published = await publish('stops');
    expect(statuses(published)).toEqual({ en: 'published', 'zh-CN': 'published', 'zh-TW': 'draft' });
    expect(published.body.data.contents.en.published_at).toBe(first);
    clock += SECOND;
    const back = await api.post(`${PATH}/stops/unpublish`, { locales: ['en'] }, admin.console);
    expect(statuses(back)).toEqual({ en: 'draft', 'zh-CN': 'published', 'zh-TW': 'draft' });
    clock += SECOND;
    const again = await publish('stops', ['en']);
    expect(again.body.data.contents.en).toMatchObject({ status: 'published', published_at: first });
    expect(statuses(await api.post(`${PATH}/stops/unpublish`, {}, admin.console))).toEqual({
      en: 'draft',
      'zh-CN': 'draft',
      'zh-TW': 'draft',
    });
  });

  it('name what a language lacks, and publish no language then', async () => {
    await create('stops', { en: ENGLISH, 'zh-CN': { body_md: 'without a title' }, 'zh-TW': { title: '只有標題' } });
    const refused = await publish('stops', ['en', 'zh-TW']);
    expect(outcome(refused)).toEqual([400, 'error.article_incomplete']);
    expect(refused.body.message).toContain('zh-TW.body_md');
    const omitted = await publish('stops');
    expect(outcome(omitted)).toEqual([400, 'error.article_incomplete']);
    expect(omitted.body.message).toContain('zh-CN.title');
    expect(statuses(await api.get(`${PATH}/stops`, admin.console))).toEqual({
      en: 'draft',
      'zh-CN': 'draft',
      'zh-TW': 'draft',
    });
    expect(outcome(await publish('stops', ['fr']))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await publish('missing'))).toEqual([404, 'error.not_found']);
  });

  it.each([
    ['an empty body', { contents: { en: { body_md: ' \n' } } }],
    ['no title', { contents: { en: { title: null } } }],
    ['nothing at all', { contents: { en: null } }],
  ])('becomes a draft by a change that leaves %s', async (_, body) => {
    await create('stops', { en: ENGLISH, 'zh-CN': CHINESE });
    const { published_at } = (await publish('stops')).body.data.contents.en;
    clock += SECOND;
    const { data } = (await change('stops', body)).body;
    expect(data.contents.en).toMatchObject({ status: 'draft', published_at });
    expect(data.contents['zh-CN']).toMatchObject({ status: 'published', title: CHINESE.title });
    expect((await api.get('/api/articles/stops?locale=en')).body.data.locale).toBe('zh-CN');
  });

  it('are enforced by the database', async () => {
    await create('stops', { en: ENGLISH });
    const broken = `update article_texts set status = 'published', published_at = now(), title = null where locale = 'en'`;
    await expect(database.pool.query(broken)).rejects.toThrow('article_texts_published_is_whole');
  });
});

describe('PUT /api/admin/articles/{slug}', () => {
  it('changes the fields in the body, clears those that are null, and leaves the others', async () => {
    await create('stops', { en: ENGLISH, 'zh-CN': CHINESE }, { tags: ['a'], cover_url: 'https://x.org/a.png' });
    clock += SECOND;
    const { body } = await change('stops', {
      category: 'strategy',
      cover_url: null,
      contents: { en: { summary: null, title: 'New' }, 'zh-TW': { title: '新' } },
    });
    expect(body.data).toMatchObject({ category: 'strategy', cover_url: null, tags: ['a'] });
    expect(body.data.updated_at).toBe(new Date(clock).toISOString());
    expect(body.data.contents.en).toMatchObject({ title: 'New', summary: null, body_md: ENGLISH.body_md });
    expect(body.data.contents['zh-CN']).toMatchObject(CHINESE);
    expect(body.data.contents['zh-CN'].updated_at).toBe(new Date(clock - SECOND).toISOString());
    expect(body.data.contents['zh-TW'].title).toBe('新');
    expect((await change('stops', { tags: null })).body.data.tags).toEqual([]);
    // It cannot be cleared: null means that it is absent.
    expect((await change('stops', { category: null })).body.data.category).toBe('strategy');
    expect(outcome(await change('stops', { slug: 'other' }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await change('missing', {}))).toEqual([404, 'error.not_found']);
  });
});

describe('GET /api/admin/articles', () => {
  it('filters texts and pages groups, the latest change first', async () => {
    await create('one', { en: ENGLISH });
    clock += SECOND;
    await create('two', { 'zh-CN': { ...CHINESE, summary: '100% 概要' } }, { category: 'data' });
    await publish('two');
    const list = async (query: string) => {
      const { status, body } = await api.get(`${PATH}?${query}`, admin.console);
      expect(status).toBe(200);
      return [body.data.total, ...body.data.items.map(({ slug }: { slug: string }) => slug)];
    };
    expect(await list('')).toEqual([2, 'two', 'one']);
    expect(await list('page=2&size=1')).toEqual([2, 'one']);
    expect(await list('page=9')).toEqual([2]);
    expect(await list('status=published')).toEqual([1, 'two']);
    expect(await list('status=draft')).toEqual([2, 'two', 'one']);
    expect(await list('category=data')).toEqual([1, 'two']);
    expect(await list('q=TRAILING')).toEqual([1, 'one']);
    expect(await list('q=one')).toEqual([1, 'one']);
    expect(await list(`q=${encodeURIComponent('0%')}`)).toEqual([1, 'two']);
    expect(await list('q=__')).toEqual([0]);
    expect(await list('q=%E8%B7%9F&status=draft')).toEqual([0]);
    for (const bad of ['status=gone', 'category=x', 'size=201', 'page=0', `q=${'x'.repeat(121)}`, 'q=%00']) {
      expect(outcome(await api.get(`${PATH}?${bad}`, admin.console))).toEqual([422, 'error.validation_failed']);
    }
  });
});

describe('DELETE /api/admin/articles/{slug}', () => {
  it('deletes every language; the audit log keeps title and status', async () => {
    await create('stops', { en: ENGLISH, 'zh-CN': CHINESE });
    await publish('stops', ['en']);
    expect((await api.delete(`${PATH}/stops`, undefined, admin.console)).body.data).toEqual({ deleted: true });
    expect(outcome(await api.delete(`${PATH}/stops`, undefined, admin.console))).toEqual([404, 'error.not_found']);
    const { body } = await api.get('/api/admin/audit?action=article.delete', admin.console);
    expect(body.data.items.map(({ result }: { result: string }) => result)).toEqual(['failed', 'ok']);
    expect(body.data.items[1].details.contents).toEqual({
      en: { title: ENGLISH.title, status: 'published' },
      'zh-CN': { title: CHINESE.title, status: 'draft' },
      'zh-TW': { title: null, status: 'draft' },
    });
  });
});

describe('/api/articles', () => {
  beforeEach(async () => {
    await create('both', { en: ENGLISH, 'zh-CN': CHINESE });
    await create('chinese', { 'zh-CN': { ...CHINESE, title: '只有中文' } }, { category: 'data' });
    await create('english', { en: { ...ENGLISH, title: 'Only English' } });
    await create('draft', { 'zh-CN': CHINESE });
    for (const slug of ['both', 'chinese', 'english']) {
      clock += SECOND;
      await publish(slug);
    }
  });

  const read = async (query: string, headers = {}) => {
    const { body, headers: sent } = await api.get(`/api/articles?${query}`, headers);
    const items = body.data.items.map(({ slug, locale }: Record<string, string>) => `${slug} ${locale}`);
    return { items, language: sent['content-language'], total: body.data.total };
  };

  it('lists published articles, newest first, in the requested language or else in simplified Chinese', async () => {
    expect(await read('locale=en')).toEqual({
      items: ['english en', 'chinese zh-CN', 'both en'],
      language: 'en',
      total: 3,
    });
    expect((await read('locale=zh-Hant')).items).toEqual(['chinese zh-CN', 'both zh-CN']);
    expect((await read('locale=zh-HK')).language).toBe('zh-TW');
    expect(await read('locale=fr', { 'accept-language': 'zh-CN' })).toMatchObject({ language: 'en' });
    expect((await read('', { 'accept-language': 'zh-CN' })).items).toEqual(['chinese zh-CN', 'both zh-CN']);
    expect((await read('locale=en&category=data')).items).toEqual(['chinese zh-CN']);
    expect(await read('locale=en&size=1&page=2')).toMatchObject({ items: ['chinese zh-CN'], total: 3 });
    expect(outcome(await api.get('/api/articles?category=other'))).toEqual([422, 'error.validation_failed']);
  });

  it('returns an article with its neighbors in the same order', async () => {
    const { body, headers } = await api.get('/api/articles/chinese?locale=en');
    expect(headers['content-language']).toBe('zh-CN');
    expect(body.data).toMatchObject({
      slug: 'chinese',
      locale: 'zh-CN',
      locales: ['zh-CN'],
      body_md: CHINESE.body_md,
      prev: { slug: 'english', title: 'Only English', locale: 'en' },
      next: { slug: 'both', title: ENGLISH.title, locale: 'en' },
    });
    const ends = [await api.get('/api/articles/english?locale=en'), await api.get('/api/articles/both?locale=en')];
    expect([ends[0].body.data.prev, ends[1].body.data.next]).toEqual([null, null]);
    for (const slug of ['draft', 'none', 'english?locale=zh-CN', '%00', 'x'.repeat(120)]) {
      expect([400, 404]).toContain((await api.get(`/api/articles/${slug}`)).status);
    }
  });

  it('is counted in the public statistics', async () => {
    expect((await api.get('/api/stats')).body.data.articles).toBe(3);
  });
});

describe('concurrent changes', () => {
  it('by two administrators who publish one article both succeed, with one time of publication', async () => {
    await create('stops', { en: ENGLISH });
    const answers = await Promise.all([publish('stops'), publish('stops', undefined, other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const times = answers.map(({ body }) => body.data.contents.en.published_at);
    expect(times[0]).toBe(times[1]);
  });

  it('never publish an article whose body is cleared at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const slug = `race-${round}`;
      await create(slug, { en: ENGLISH });
      const [published, emptied] = await Promise.all([
        publish(slug, ['en']),
        change(slug, { contents: { en: { body_md: null } } }, other),
      ]);
      // Without "for update" in lockArticle it publishes what it read before the change, and the database refuses that.
      expect([200, 400]).toContain(published.status);
      expect(emptied.status).toBe(200);
      const { data } = (await api.get(`${PATH}/${slug}`, admin.console)).body;
      expect(data.contents.en).toMatchObject({ status: 'draft', body_md: null, title: ENGLISH.title });
    }
  });

  it('of different fields are both kept', async () => {
    await create('stops', { en: ENGLISH });
    const fields = ['title', 'summary', 'body_md'];
    // Without "for update" in lockArticle the later change restores what it read before the earlier one.
    const answers = await Promise.all(
      fields.map((field, i) => change('stops', { contents: { en: { [field]: `new ${field}` } } }, i % 2 ? api : other)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { data } = (await api.get(`${PATH}/stops`, admin.console)).body;
    expect(data.contents.en).toMatchObject(Object.fromEntries(fields.map((field) => [field, `new ${field}`])));
  });
});

describe('the cover of an article', () => {
  const png = (width: number, height: number) => {
    const image = new PNG({ width, height });
    image.data.fill(200);
    for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
    return PNG.sync.write(image);
  };
  /** A picture with a text behind its pixels, as an attacker may add one. */
  const withText = (content: Buffer) => Buffer.concat([content, Buffer.from('<script>hit()</script>')]);
  const upload = (slug: string, content: Buffer) =>
    api.put(`${PATH}/${slug}/cover`, { image: content.toString('base64') }, admin.console);
  const coverOf = async (slug: string): Promise<string | null> =>
    (await api.get(`${PATH}/${slug}`, admin.console)).body.data.cover_url;
  const served = (address: string) => api.get(address.replace('http://test', ''));

  it('is uploaded, served by what it is, replaced, and kept when the article is saved as it was read', async () => {
    await create('stops', { en: ENGLISH });
    const first = withText(png(16, 9));
    expect((await upload('stops', first)).status).toBe(200);
    const address = String(await coverOf('stops'));
    expect(address).toMatch(/^http:\/\/test\/api\/articles\/stops\/cover\?v=[0-9a-f]{12}$/);
    const answer = await served(address);
    const { width, height, data } = PNG.sync.read(answer.body);
    expect([width, height, [...data.subarray(0, 4)]]).toEqual([16, 9, [200, 200, 200, 255]]);
    expect(String(answer.body)).not.toContain('script');
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    await publish('stops');
    expect((await api.get('/api/articles/stops')).body.data.cover_url).toBe(address);
    expect((await change('stops', { cover_url: address, tags: ['stops'] })).status).toBe(200);
    expect((await served(address)).status).toBe(200);
    await upload('stops', png(32, 18));
    expect(await coverOf('stops')).not.toBe(address);
  });

  it('is removed by itself, by another address, and with its article', async () => {
    const removals = [
      () => api.delete(`${PATH}/stops/cover`, undefined, admin.console),
      () => change('stops', { cover_url: null }),
      () => change('stops', { cover_url: 'https://x.org/a.png' }),
      () => api.delete(`${PATH}/stops`, undefined, admin.console),
    ];
    for (const remove of removals) {
      await database.pool.query('delete from articles');
      await create('stops', { en: ENGLISH });
      await upload('stops', png(16, 9));
      const address = String(await coverOf('stops'));
      expect((await remove()).status).toBe(200);
      expect(outcome(await served(address))).toEqual([404, 'error.not_found']);
      expect((await database.pool.query('select from article_covers')).rowCount).toBe(0);
    }
  });

  it('is drawn anew as PNG from JPEG', async () => {
    await create('stops', { en: ENGLISH });
    expect((await upload('stops', Buffer.from(JPEG, 'base64'))).status).toBe(200);
    const { width, height, data } = PNG.sync.read((await served(String(await coverOf('stops')))).body);
    expect([width, height, data[3]]).toEqual([4, 2, 255]);
  });

  it('is bounded in bytes and pixels, however large the picture is', async () => {
    await create('stops', { en: ENGLISH });
    expect((await upload('stops', png(4_096, 128))).status).toBe(200);
    const { body } = await served(String(await coverOf('stops')));
    expect([PNG.sync.read(body).width, body.length < 1024 * 1024]).toEqual([1_200, true]);
  });

  it('is a picture of a known kind and a bounded size, whatever its sender says', async () => {
    await create('stops', { en: ENGLISH });
    const refused = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>hit()</script></svg>'),
      Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00', 'latin1'),
      Buffer.from('<html><script>hit()</script></html>'),
      png(4_097, 1),
      Buffer.concat([png(1, 1), Buffer.alloc(1024 * 1024)]),
      png(1, 1).subarray(0, 8),
      png(400, 300).subarray(0, 60),
      Buffer.concat([png(400, 300).subarray(0, 40), Buffer.alloc(500, 'x')]),
    ];
    for (const content of refused)
      expect(outcome(await upload('stops', content))).toEqual([400, 'error.cover_refused']);
    const long = await upload('stops', Buffer.alloc(2 * 1024 * 1024));
    expect(outcome(long)).toEqual([413, 'error.body_too_large']);
    expect(await coverOf('stops')).toBeNull();
    expect(outcome(await upload('nothing', png(1, 1)))).toEqual([404, 'error.not_found']);
    const person = await addPerson(api);
    const body = { image: png(1, 1).toString('base64') };
    expect((await api.put(`${PATH}/stops/cover`, body, person.console)).status).toBe(403);
  });
});
