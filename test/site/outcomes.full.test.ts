/** A reader who asks what happened after a condition: on its page, and from a screen, a rule, a signal, and a chart. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Schema } from '../../api/clients/typescript/types.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const CROSSING = 'crosses_above(sma(20), sma(50))';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

const member = () => addPerson(site.api, undefined, { plan: 'pro' });
const ask = (page: Page) => page.getByRole('button', { name: 'Ask', exact: true }).click();

async function answer(person: Person, body: object): Promise<Schema<'Outcomes'>> {
  return (await site.api.post('/v1/outcomes', body, person.program)).body.data;
}

/** `−0.14%` → −0.14 */
const figureIn = (text: string) => Number(text.replace('−', '-').replace(/[+%,]/g, ''));

describe('the page', () => {
  it('says to a guest what a hit is, and asks for an account', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/outcomes');
    await page.getByRole('heading', { name: 'Nothing asked yet' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await ask(page);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('condition')).toBe(CROSSING);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('refuses at the fields, answers as the API does, and keeps the question in its address', async () => {
    const person = await member();
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/outcomes');
    await page.getByLabel('Condition', { exact: true }).fill('close > entry_price');
    await page.getByLabel('Sessions later').fill('5, 5');
    await page.getByLabel('Count only hits of').fill('NOSUCH');
    // The check of the rule adds a line, which would move the button under the pointer.
    await page.locator('rule-editor .field-error').waitFor();
    await ask(page);
    await page.getByRole('heading', { name: 'The set-up needs a correction' }).waitFor();
    await keepPicture(page, 'outcomes-refused.en.light.1440');
    faults.length = 0;
    await page.getByLabel('Condition', { exact: true }).fill(CROSSING);
    await page.getByLabel('Count only hits of').fill('');
    await page.locator('rule-editor .field-error').waitFor({ state: 'detached' });
    await ask(page);
    await page.locator('input[name=horizons][aria-invalid=true]').waitFor();
    faults.length = 0;
    await page.getByLabel('Sessions later').fill('1 20');
    await page.getByText('Told apart by', { exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Told apart by' }).fill('close > sma(200)');
    await page.getByRole('radio', { name: '10Y' }).check();
    await ask(page);
    const body = { condition: CROSSING, horizons: [1, 20], by: 'close > sma(200)', time_range: '10Y' };
    const expected = await answer(person, body);
    const table = page.getByRole('table', { name: 'Sessions later' });
    await table.waitFor();
    expect(await page.locator('#summary p').allInnerTexts()).toEqual(expected.sentences);
    const cells = await table.getByRole('row').nth(2).getByRole('cell').allInnerTexts();
    const { hits, days, excess } = expected.horizons[1];
    expect(cells.slice(0, 3).map(figureIn)).toEqual([20, hits, days]);
    expect(figureIn(cells[9])).toBe(Number((100 * (excess?.mean ?? 0)).toFixed(2)));

    const path = page.getByRole('slider', { name: /^Mean excess by sessions/ });
    await path.focus();
    await page.keyboard.press('Home');
    expect(await path.getAttribute('aria-valuetext')).toMatch(/^session −20: /);
    const years = page.getByRole('figure', { name: 'Mean excess by year, %' }).locator('text.figure');
    expect((await years.allTextContents()).map(figureIn)).toEqual(
      expected.horizons[1].by_year.map((year) => Number((100 * (year.excess ?? 0)).toFixed(2))),
    );
    await page.getByRole('radio', { name: '1 session later' }).check();
    const cases = page.getByRole('table', { name: 'Told apart' });
    const counted = await cases.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    expect(figureIn(counted[1])).toBe(expected.horizons[0].by?.true.hits);
    const best = page.getByRole('table', { name: 'Best' }).getByRole('row').nth(1);
    expect(await best.innerText()).toContain(expected.best[0].symbol.replace('.US', ''));
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);

    await page.reload();
    await table.waitFor();
    expect(await page.getByRole('textbox', { name: 'Condition' }).inputValue()).toBe(CROSSING);
    expect(await page.getByRole('textbox', { name: 'Sessions later' }).inputValue()).toBe('1, 20');
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await isTooWide(page)]).toEqual([width, false]);
      await keepPicture(page, `outcomes.en.light.${width}`);
    }
    await context.close();
  });

  it('compares with nothing where nothing is asked for', async () => {
    const { page, context } = await site.open({}, await member());
    const question = { condition: CROSSING, compare: 'none', first: '20', universe: 'all', where: 'close > 5' };
    await page.goto(`/outcomes?${new URLSearchParams(question)}`);
    await page
      .getByText(/compared with nothing/)
      .first()
      .waitFor();
    expect(await page.getByRole('columnheader', { name: 'Excess' }).count()).toBe(0);
    expect(await page.getByLabel('Sessions without a hit before').inputValue()).toBe('20');
    expect(await page.getByRole('slider').count()).toBe(0);
    await context.close();
  });
});

describe('an answer', () => {
  it('is kept, verified, shared, and found in the library', async () => {
    const person = await member();
    const { page, context, faults } = await site.open({}, person);
    const question = { condition: CROSSING, for: 'LUMA ACRX', by: 'close > sma(200)', horizons: '1,20' };
    await page.goto(`/outcomes?${new URLSearchParams(question)}`);
    const words = page.locator('#summary p');
    await words.first().waitFor();
    const sentences = await words.allInnerTexts();
    expect((await site.api.get('/v1/backtests?kind=all', person.program)).body.data.total).toBe(0);
    await page.getByText(/^A kept run can be computed again at any time/).waitFor();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('button', { name: 'Kept', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page
      .getByText(/^Reproduced/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Search for look-ahead' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = await page.getByRole('status').getByRole('link').innerText();
    expect(await findings(page)).toEqual([]);

    await page.goto('/runs');
    const row = page.getByRole('row').filter({ hasText: 'What happened next' });
    expect(await row.getByRole('checkbox').count()).toBe(0);
    await keepPicture(page, 'outcomes-in-library.en.light.1440');
    await row.getByRole('link').first().click();
    await words.first().waitFor();
    expect(await words.allInnerTexts()).toEqual(sentences);
    expect(await page.getByRole('textbox', { name: 'Condition' }).inputValue()).toBe(CROSSING);
    expect(await page.getByLabel('Count only hits of').inputValue()).toBe('ACRX LUMA');
    expect(await page.getByRole('textbox', { name: 'Sessions later' }).inputValue()).toBe('1, 20');
    await page.getByRole('button', { name: 'Kept', exact: true }).waitFor();
    expect(faults).toEqual([]);

    const guest = await site.open();
    await guest.page.goto(new URL(link).pathname);
    const shared = guest.page.locator('#summary p');
    await shared.first().waitFor();
    expect(await shared.allInnerTexts()).toEqual(sentences);
    expect(await findings(guest.page)).toEqual([]);
    await keepPicture(guest.page, 'outcomes-shared.en.light.1440');
    const preview = await guest.page.locator('meta[property="og:image"]').getAttribute('content');
    const picture = await fetch(new URL(new URL(preview ?? '').pathname, guest.page.url()));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    await guest.page.getByRole('link', { name: 'Try it yourself' }).click();
    await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    expect(guest.faults).toEqual([]);
    await guest.context.close();

    await page.goto('/runs');
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await site.api.get('/v1/backtests?kind=all', person.program)).body.data.total).toBe(0);
    await context.close();
  });
});

describe('the question', () => {
  it('is asked from a chart, a screen, and a rule', async () => {
    const { page, context, faults } = await site.open({}, await member());
    const { symbol } = (await site.api.get('/v1/symbols?q=A&limit=1')).body.data.items[0];
    await page.goto(`/s/${symbol}`);
    await page.getByRole('link', { name: 'What happened next' }).last().click();
    await page.getByRole('table', { name: 'Sessions later' }).waitFor();
    expect(await page.getByLabel('Count only hits of').inputValue()).toBe(symbol.replace('.US', ''));

    await page.goto(`/screener?${new URLSearchParams({ where: 'rsi(14) < 40' })}`);
    await page.getByRole('main').getByRole('link', { name: 'What happened next' }).click();
    await page.getByRole('table', { name: 'Sessions later' }).waitFor();
    expect(new URL(page.url()).searchParams.get('condition')).toBe('rsi(14) < 40');

    await page.goto('/strategies');
    await page.getByLabel('Buy when').fill('close > highest($days)');
    await page.getByLabel('days').fill('55');
    await page.getByRole('button', { name: 'What happened next' }).click();
    await page.getByRole('table', { name: 'Sessions later' }).waitFor();
    expect(new URL(page.url()).searchParams.get('condition')).toBe('close > highest(55)');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is of the first in the order of a screen, among those that pass', async () => {
    const { page, context, faults } = await site.open({}, await member());
    // A screen of more instruments than are in sight is sorted by the service.
    await page.route('**/v1/screener', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      if (answer.data?.items) answer.data.total = 500;
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`/screener?${new URLSearchParams({ where: 'close > 5', universe: 'stock' })}`);
    const question = page.getByRole('main').getByRole('link', { name: 'What happened next' });
    const asked = async () => [
      ...new URLSearchParams((await question.getAttribute('href'))?.replace('/outcomes?', '')),
    ];
    await question.waitFor({ state: 'attached' });
    const where = ['where', 'close > 5'];
    const stocks = ['universe', 'stock'];
    expect(await asked()).toEqual([['condition', 'close > 5'], stocks]);
    const head = page.getByRole('columnheader', { name: 'Day' }).getByRole('button');
    await head.click();
    await page.locator('main a[href*="roc%281%29"]').waitFor({ state: 'attached' });
    const [[, first], ...rest] = await asked();
    expect(rest).toEqual([stocks, where]);
    await head.click();
    const other = first.startsWith('top') ? 'bottom' : 'top';
    await page.locator(`main a[href*="condition=${other}"]`).waitFor({ state: 'attached' });
    expect([first, (await asked())[0][1]].sort()).toEqual(['bottom(roc(1), 100)', 'top(roc(1), 100)']);
    await page.goto((await question.getAttribute('href')) ?? '');
    await page.getByRole('table', { name: 'Sessions later' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is of the entries of a rotation and of a ready-made strategy that are watched', async () => {
    const person = await member();
    const { api, database } = site;
    const universe = { symbols: ['ACRX', 'LUMA', 'EMBR'], where: 'close > 1' };
    const rotation = { every: 'month', score: 'roc(60)', hold: { top: 2 } };
    const kept = await api.post('/v1/portfolio', { universe, rotation, time_range: '2Y' }, person.program);
    const bodies = [
      { name: 'Best two', portfolio: kept.body.data.id },
      { name: 'Breakout', strategy: 'donchian', params: { entry_period: 40 }, symbols: ['ACRX'] },
    ];
    for (const body of bodies) {
      const { status, body: made } = await api.post('/v1/my/watches', body, person.program);
      expect([status, made.data.name]).toEqual([201, body.name]);
      // The session is not the newest, whose signals are replaced when the watch is evaluated.
      await database.pool.query(
        `insert into signals (watch_id, session, instrument_id, symbol, kind, reason, close, figures, is_correction)
         select $1, '2026-05-28', id, 'ACRX.US', 'entry', 'signal', 10, '{}', false from instruments where symbol = 'ACRX'`,
        [made.data.id],
      );
    }
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/signals');
    const ofWatch = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: 'What happened next' }).last();
    const breakout = new URLSearchParams((await ofWatch('Breakout').getAttribute('href'))?.replace('/outcomes?', ''));
    expect([...breakout]).toEqual([
      ['condition', 'close > highest(40)'],
      ['for', 'ACRX.US'],
    ]);
    await ofWatch('Best two').click();
    await page.getByRole('table', { name: 'Sessions later' }).waitFor();
    expect([...new URL(page.url()).searchParams]).toEqual([
      ['condition', 'top(roc(60), 2)'],
      ['for', 'ACRX.US'],
      ['universe', 'symbols'],
      ['symbols', 'ACRX.US EMBR.US LUMA.US'],
      ['where', 'close > 1'],
    ]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
