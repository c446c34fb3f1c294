/** Pages for administrators: statistics, accounts, articles, exports, and the audit log. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bumpDataVersion } from '../../db/market/data-versions.ts';
import { transaction } from '../../db/pool.ts';
import { addAdmin, addPerson, type Person, signUp } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

let site: TestSite;
let member: Person;
beforeAll(async () => {
  site = await openTestSite();
  member = await addPerson(site.api, 'a.member.with.a.very.long.address.that.does.not.fit@research.example.com');
  await site.api.get('/v1/symbols', member.program);
  await recordRevisions();
});
afterAll(() => site.close());

/** Records what loads would that corrected a bar and a dividend. */
async function recordRevisions(): Promise<void> {
  const bar = { open: 10, high: 11, low: 9.5, close: 10.5, volume: 1_000 };
  const event = { kind: 'cash_dividend', ex_date: '2026-03-02', factor: 0.99 };
  await site.database.pool.query(
    `insert into revisions (instrument_id, basis, event_key, day, was, became, sync_job_id, recorded_at)
     select i.id, t.basis, t.event_key, t.day, t.was, t.became, 3, '2026-06-01T12:00:00Z'
     from instruments i, unnest($2::smallint[], $3::text[], $4::date[], $5::jsonb[], $6::jsonb[])
       t (basis, event_key, day, was, became) where i.symbol = $1`,
    [
      'ACRX',
      [1, null],
      [null, 'a'],
      ['2026-05-28', '2026-03-02'],
      [bar, event].map((was) => JSON.stringify(was)),
      [
        { ...bar, close: 10.75 },
        { ...event, factor: 0.98 },
      ].map((is) => JSON.stringify(is)),
    ],
  );
}

const open = async (view = {}) => site.open(view, await addAdmin(site.api));

describe('the back office', () => {
  it('is closed to other accounts, which can sign in as an administrator', async () => {
    const { page, context } = await site.open({}, await addPerson(site.api));
    await page.goto('/admin/users');
    await page.getByRole('heading', { name: 'Only administrators see this' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in as an administrator' }).click();
    await page.getByRole('dialog').getByLabel('Password').waitFor();
    await context.close();
  });

  it('finds an account and changes its plan, which the audit log shows under its own address', async () => {
    const { page, context, faults } = await open();
    await page.goto('/admin/users');
    await page.getByLabel('E-mail or name').fill('very.long.address');
    await page.getByLabel('E-mail or name').press('Enter');
    await page.waitForURL('**/admin/users?q=very.long.address');
    await page.getByRole('link', { name: member.email }).click();
    await page.getByRole('heading', { level: 1, name: member.email }).waitFor();
    await page.getByRole('combobox', { name: 'Plan', exact: true }).selectOption('pro');
    await page.getByLabel('Plan expires on').fill('2027-06-30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect(await findings(page)).toEqual([]);
    const { rows } = await site.database.pool.query('select plan from users where id = $1', [member.id]);
    expect(rows).toEqual([{ plan: 'pro' }]);
    await page.getByRole('link', { name: 'Administrator actions on this account' }).click();
    await page
      .getByRole('row', { name: /user\.plan_change/ })
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL(/\/admin\/audit\?entry=\d+$/);
    await page.getByRole('heading', { level: 1, name: /Audit entry/ }).waitFor();
    await page.getByText('user.plan_change').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('revokes one key of an account', async () => {
    const { key } = await signUp(site.api, 'keys@example.com');
    const { rows } = await site.database.pool.query(`select id from users where email = 'keys@example.com'`);
    const { page, context, faults } = await open();
    await page.goto(`/admin/users?user=${rows[0].id}`);
    await page.getByRole('button', { name: 'Revoke the key default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key default' }).waitFor({ state: 'detached' });
    expect((await site.api.get('/v1/static/NOPE', { 'x-api-key': key })).status).toBe(401);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('writes an article, previews it, says what is missing, and publishes it', async () => {
    const { page, context, faults } = await open();
    await page.goto('/admin/articles');
    await page.getByLabel('Slug', { exact: true }).fill('moving-averages');
    await page.getByLabel('English title').fill('Moving averages');
    await page.getByRole('button', { name: 'Create the article' }).click();
    const english = page.getByRole('group', { name: 'English' });
    await english.getByText('Missing to publish: Body, Markdown').waitFor();
    await page.getByLabel('Category').selectOption('strategy');
    await page.getByLabel('Tags, separated by commas').fill('averages, trend, averages');
    await page.getByLabel('Cover at another address').fill('https://example.com/mean.webp');
    await english.getByLabel('Body, Markdown').fill('A mean that **moves**.');
    await english.getByRole('button', { name: 'Preview' }).click();
    await english.locator('.preview strong').getByText('moves').waitFor();
    expect(await findings(page)).toEqual([]);
    await english.getByRole('button', { name: 'Publish' }).click();
    await english.getByText('Published').waitFor();
    const { rows: heads } = await site.database.pool.query(
      `select category, tags, cover_url from articles where slug = 'moving-averages'`,
    );
    expect(heads).toEqual([
      { category: 'strategy', tags: ['averages', 'trend'], cover_url: 'https://example.com/mean.webp' },
    ]);
    await page.getByRole('group', { name: '简体中文' }).getByRole('button', { name: 'Publish' }).click();
    await page
      .getByRole('alert')
      .getByText(/Missing: zh-CN/)
      .waitFor();
    await english.getByRole('link', { name: 'Read' }).click();
    await page.getByRole('heading', { level: 1, name: 'Moving averages' }).waitFor();
    // The text that could not be published.
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });

  it('asks before an article with unsaved text is left', async () => {
    const article = { slug: 'half-written', category: 'data', contents: { en: { title: 'Half written' } } };
    const admin = await addAdmin(site.api);
    await site.api.post('/api/admin/articles', article, admin.console);
    const { page, context, faults } = await open();
    await page.goto(`/admin/articles?slug=${article.slug}`);
    const body = page.getByRole('group', { name: 'English' }).getByLabel('Body, Markdown');
    await body.fill('A thought.');
    const leave = () => page.getByRole('main').getByRole('link', { name: 'Articles' }).click();
    const asked = page.waitForEvent('dialog');
    // The click ends only after the answer.
    const left = leave();
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await left;
    expect(await body.inputValue()).toBe('A thought.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await leave();
    await page.waitForURL('**/admin/articles');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('exports candles as a download or as a job, and cancels a waiting job', async () => {
    const { page, context, faults } = await open();
    await page.goto('/admin/exports');
    await page.getByText('There are no exports').waitFor();
    await page.getByLabel('Symbols, all if empty').fill('ACRX MTMX.US');
    await page.getByLabel('First day').fill('2026-05-01');
    await page.getByLabel('Last day').fill('2026-05-29');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
    await page.getByRole('cell', { name: 'Done' }).waitFor();
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download \d+$/ }).click();
    expect((await again).suggestedFilename()).toMatch(/\.csv$/);
    await page.getByLabel('Symbols, all if empty').fill('');
    await page.getByLabel('First day').fill('2015-01-02');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: /^Cancel \d+$/ }).click();
    await page.getByRole('cell', { name: /^Failed/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('revisions', () => {
  it('are listed with old and new values, filtered by symbol, and all listed again after Back', async () => {
    const { page, context, faults } = await open();
    await page.goto('/admin/revisions');
    await page.getByRole('row', { name: /ACRX\.US 2026-05-28 Consolidated Close 10\.5 → 10\.75 3$/ }).waitFor();
    await page.getByRole('row', { name: /Event Cash dividend × 0\.99 → Cash dividend × 0\.98/ }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('searchbox', { name: 'Symbol' }).fill('MTMX');
    await page.getByRole('searchbox', { name: 'Symbol' }).press('Enter');
    await page.waitForURL('**/admin/revisions?symbol=MTMX');
    await page.getByRole('heading', { name: 'No revisions' }).waitFor();
    expect(asked.filter((url) => url.includes('/v1/revisions'))).toHaveLength(1);
    await page.goBack();
    await page.getByRole('row', { name: /ACRX\.US 2026-05-28/ }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Symbol' }).inputValue()).toBe('');
    expect(faults).toEqual([]);
    await context.close();
  });
});

/** Names as long as they may be, without a place to break, in scripts of several kinds and directions. */
const LONG_NAMES = ['W'.repeat(100), '證券'.repeat(50), '🦉'.repeat(50), 'مؤشرات'.repeat(16)];

describe('very long names', () => {
  it('stay within the page on a phone', async () => {
    const admin = await addAdmin(site.api);
    const { pool } = site.database;
    const names = LONG_NAMES.join('');
    await pool.query(`update instruments set name = $1 where symbol = 'ACRX'`, [names]);
    await transaction(pool, (connection) => bumpDataVersion(connection, 'symbols'));
    await pool.query('update users set name = $1, nickname = $1 where id = $2', [names, admin.id]);
    const contents = {
      en: { title: `${LONG_NAMES[0]}${LONG_NAMES[3]}`, summary: names, body_md: `# ${names}\n\n${names}` },
    };
    const article = { slug: 'w'.repeat(120), category: 'data', tags: ['W'.repeat(40)], contents };
    const { body } = await site.api.post('/api/admin/articles', article, admin.console);
    expect(body).toMatchObject({ code: 0 });
    await site.api.post(`/api/admin/articles/${article.slug}/publish`, { locales: ['en'] }, admin.console);
    for (const name of LONG_NAMES) {
      await site.api.post('/v1/my/strategies', { name, rules: { entry: 'close > sma(20)' } }, admin.console);
    }
    const { page, context, faults } = await site.open({ width: 360 }, admin);
    for (const [path, ready] of [
      ['/s/ACRX', 'price-chart canvas'],
      ['/articles', '.article-list a'],
      [`/articles/${article.slug}`, '.prose'],
      ['/strategies', 'strategies-page nav a'],
      ['/account', 'account-profile input'],
      ['/admin/users', 'data-table table'],
      [`/admin/users?user=${admin.id}`, 'admin-user form'],
      ['/admin/articles', 'data-table table'],
      [`/admin/articles?slug=${article.slug}`, 'article-editor textarea'],
    ]) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      await keepPicture(page, `long-names-${path.replaceAll(/\W+/g, '-').slice(0, 40)}`);
    }
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('ACRX');
    await page.getByRole('option', { name: /ACRX/ }).first().waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });
});

const PAGES = [
  ['/admin', 'day-bars svg'],
  ['/admin/users', 'data-table table'],
  ['/admin/articles?slug=two-languages', 'article-editor textarea'],
  ['/admin/exports', '.muted'],
  ['/admin/audit', 'data-table table'],
  ['/admin/revisions', 'data-table table'],
] as const;

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('the back office fits and is accessible', async () => {
    const admin = await addAdmin(site.api);
    const contents = { en: { title: 'Two languages', body_md: 'A text.' }, 'zh-CN': { title: '两种语言' } };
    await site.api.post('/api/admin/articles', { slug: 'two-languages', category: 'data', contents }, admin.console);
    const { page, context, faults } = await site.open(view, admin);
    for (const [path, ready] of PAGES) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      expect([path, await findings(page)]).toEqual([path, []]);
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      await keepPicture(page, pictureName(path, view));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
