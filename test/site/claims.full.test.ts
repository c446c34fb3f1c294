/** A reader of published claims: what they give in this market, why it is not the same, and what to do with one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Schema } from '../../api/clients/typescript/types.ts';
import { required } from '../../engine/util/values.ts';
import { computeNewestClaims } from '../../jobs/factors/newest-claims.ts';
import { addPerson } from '../support/accounts.ts';
import { testJobContext } from '../support/job-context.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

/** Enough for sides of ten names. */
const SYMBOLS = 100;
const HIGH = '52-week high';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, symbols: SYMBOLS });
  await computeNewestClaims(testJobContext({ pool: site.database.pool, now: site.api.services.now }));
});
afterAll(() => site.close());

const claims = async (): Promise<Schema<'Claims'>> => (await site.api.get('/v1/claims')).body.data;

const tOf = ({ newest }: Schema<'Claim'>) => newest?.rows[0].t_nw ?? Number.NEGATIVE_INFINITY;

describe('the claims', () => {
  it('stand beside ours with intervals, and open', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/claims');
    await page.getByText(/^Five years of bars decide almost nothing/).waitFor();
    const table = page.getByRole('table', { name: 'Published claims' });
    await table.waitFor();
    const summary = page.getByText(/have a t above 1\.645/);
    await summary.waitFor();
    const { items, overall } = await claims();
    expect(await summary.innerText()).toMatch(new RegExp(`^${overall?.above} of ${overall?.tested} claim`));
    expect(await table.locator('tbody').count()).toBe(50);
    const { newest, grade, why } = required(items.find(({ code }) => code === 'high_52w'));
    const [first] = required(newest).rows;
    const line = table.getByRole('row').filter({ hasText: HIGH });
    const cells = await line.getByRole('cell').allInnerTexts();
    const [low, upper] = required(first.interval_pct).map((pct) => pct?.toFixed(2).replace('-', '−'));
    expect(cells[0]).toMatch(/^0\.45% \(2\.00\)\s+thirds at 30 and 70 % of all stocks, equal weights, 1963–2001$/);
    expect(cells[1]).toBe('0.19%');
    expect(cells[2].replaceAll('+', '')).toContain(`90%: ${low} to ${upper}`);
    expect(Number(cells[3])).toBe(first.months);
    expect(cells[4]).toMatch(new RegExp(`^${grade}\\s+${why?.length} reasons$`));
    expect(cells[5]).toBe(newest?.words);
    await table.getByText('Needs your column shares.').first().waitFor();

    await line.getByRole('button').click();
    const figures = table.getByRole('table', { name: 'Ours by portfolio and period' });
    await figures.getByRole('row', { name: /^all, equal weights after publication/ }).waitFor();
    await table.getByText('No costs are taken off.').waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'claims-open.en.light.1440');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepPicture(page, 'claims-open.en.dark.1440');
    await page.reload();
    await figures.waitFor();
    await page.setViewportSize({ width: 1024, height: 900 });
    expect(
      await table
        .locator('xpath=..')
        .first()
        .evaluate((box) => box.scrollWidth > box.clientWidth),
    ).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are found by name, by words, and by grade, and ordered by t', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/claims?q=season');
    const names = page.locator('claim-table tbody th button');
    await names.first().waitFor();
    const { items } = await claims();
    const seasonal = items.filter(({ name }) => name.toLowerCase().includes('season'));
    expect(await names.count()).toBe(seasonal.length);
    await page.getByLabel('Name or author').fill('Liu');
    await names.filter({ hasText: 'Days without trade' }).first().waitFor();
    expect(await names.count()).toBe(2);
    await page.getByLabel('Name or author').fill('nobody');
    await page.getByText('No claim matches.').waitFor();
    await page.getByLabel('Name or author').fill('');
    const [word] = items.flatMap(({ newest }) => newest?.word ?? []);
    await page.getByLabel('In words').selectOption(word);
    await page.waitForURL(`**/claims?word=${word}`);
    const ofWord = items.filter(({ newest }) => newest?.word === word);
    expect(await names.count()).toBe(ofWord.length);
    await page.getByLabel('In words').selectOption('');
    await page.getByLabel('Grade').selectOption('C');
    await page.getByLabel('Order').selectOption('by our t');
    const ofGrade = items.filter(({ grade }) => grade === 'C');
    expect(await names.count()).toBe(ofGrade.length);
    const best = required(ofGrade.toSorted((a, b) => tOf(b) - tOf(a))[0]);
    expect(await names.first().innerText()).toBe(best.name);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('become a factor and a rotation', async () => {
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/claims?code=mom_12_1');
    await page.getByRole('link', { name: 'As a factor' }).click();
    await page.waitForURL('**/factors?name=*');
    const factor = page.getByRole('group', { name: 'mom_12_1' });
    expect(await factor.getByLabel('Value').inputValue()).toBe('monthly(lag(roc(11), 1))');
    await page.getByRole('button', { name: 'Start the study' }).click();
    await page.locator('factor-report').waitFor();
    expect(new URL(page.url()).searchParams.has('value')).toBe(false);
    await page.goto('/claims?code=mom_12_1');
    await page.getByRole('link', { name: 'Trade the long side' }).click();
    await page.waitForURL('**/portfolio?run=*');
    const call = JSON.parse(required(new URL(page.url()).searchParams.get('run')));
    expect(call).toMatchObject({
      universe: { all: true, asset_type: 'stock' },
      rotation: { every: 'month', score: 'monthly(lag(roc(11), 1))' },
    });
    await page.locator('portfolio-chart canvas').first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are asked for again while they are being computed', async () => {
    const { page, context } = await site.open();
    await page.clock.install();
    let isComputed = false;
    await page.route('**/v1/claims', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const items = data.items.map((item: object) => ({ ...item, newest: null, grade: null, why: null }));
      const early = { ...data, items, universe: null, overall: null };
      await route.fulfill({ response, json: { ...rest, data: isComputed ? data : early } });
      isComputed = true;
    });
    await page.goto('/claims');
    await page.getByText(/^The figures of this market are being computed/).waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText(/have a t above 1\.645/).waitFor();
    await context.close();
  });

  it('fit a phone in Chinese', async () => {
    const { page, context, faults } = await site.open({ locale: 'zh-CN', theme: 'dark', width: 360 });
    await page.goto('/claims?code=high_52w');
    await page.getByText(/^五年的行情/).waitFor();
    await page.getByRole('heading', { name: '为何不是同一回事' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'claims-open.zh-CN.dark.360');
    expect(faults).toEqual([]);
    await context.close();
  });
});
