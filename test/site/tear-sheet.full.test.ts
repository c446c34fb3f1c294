/** The tear sheet of a kept run: read, followed from its verdict to its figures, printed, and saved as tables. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
let address: string;

const RUN = {
  symbol: 'ACRX',
  strategy: 'sma_cross',
  time_range: '5Y',
  params: { fast_period: 5, slow_period: 20 },
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
  tear_sheet: true,
  factors: ['BRVA'],
};

beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const { body } = await site.api.post('/v1/backtest', RUN, person.program);
  address = `/tear-sheet?backtest=${body.data.id}`;
});
afterAll(() => site.close());

it('shows the verdict, whose sentences lead to their figures, and saves its tables', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto(address);
  await page.getByRole('heading', { name: 'ACRX.US · Moving-average crossover' }).waitFor();
  await page.getByRole('figure', { name: 'Growth of 100' }).waitFor();
  const sentences = page.locator('.sheet-verdict a');
  expect(await sentences.count()).toBeGreaterThan(4);
  for (const link of await sentences.all()) {
    const place = await link.getAttribute('href');
    expect([place, await page.locator(String(place)).count()]).toEqual([place, 1]);
  }
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV: months' }).click();
  expect((await saved).suggestedFilename()).toBe('tear-sheet-months.csv');
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('is the page of a run, whose verdict leads to its figures', async () => {
  const { page, context, faults } = await site.open({}, person);
  const kept = address.split('=')[1];
  const { slug } = (await site.api.post(`/api/backtest/${kept}/share`, {}, person.console)).body.data;
  const form = '/backtest?symbol=MTMX.US&strategy=sma_cross&time_range=5Y&run=1';
  for (const path of [form, `/backtest?id=${kept}`, `/r/${slug}`]) {
    await page.goto(path);
    await page.locator('#sheet-chance svg').waitFor();
    await page.locator('.more-words summary').click();
    const sentences = page.locator(':is(.run-words, .more-words) a');
    expect(await sentences.count()).toBeGreaterThan(4);
    for (const link of await sentences.all()) {
      const place = String(await link.getAttribute('href'));
      expect([path, place, await page.locator(place).count()]).toEqual([path, place, 1]);
      await link.click();
      expect(await page.evaluate('document.activeElement.id')).toBe(place.slice(1));
    }
    expect(new URL(page.url()).hash).toBe('');
    const ids = await page.evaluate<string[]>('[...document.querySelectorAll("[id]")].map(({ id }) => id)');
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  }
  expect(await findings(page)).toEqual([]);
  await keepPicture(page, 'tear-sheet-run');
  expect(faults).toEqual([]);
  await context.close();
});

it.each([
  { locale: 'en', theme: 'dark', width: 1440 },
  { locale: 'zh-CN', theme: 'light', width: 1440 },
  { locale: 'zh-TW', theme: 'dark', width: 360 },
] as const)('is printed on few pages of A4 and Letter, in dark ink: $locale', async (view) => {
  const { page, context, faults } = await site.open(view, person);
  await page.goto(address);
  await page.locator('#sheet-chance svg').waitFor();
  expect(await isTooWide(page)).toBe(false);
  const height =
    'Math.min(...[...document.querySelectorAll(".sheet-chart text")].map((one) => one.getBoundingClientRect().height))';
  expect(await page.evaluate(height)).toBeGreaterThan(9);
  await keepPicture(page, `tear-sheet.${view.locale}.${view.theme}.${view.width}`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(21, 25, 30)');
  await page.setViewportSize({ width: 700, height: 1000 });
  await keepPicture(page, `tear-sheet-paper.${view.locale}`);
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect([format, pages >= 3 && pages <= 5]).toEqual([format, true]);
  }
  expect(faults).toEqual([]);
  await context.close();
});

it('is opened from the report of a run, and says where to open it without one', async () => {
  const { page, context } = await site.open({}, person);
  await page.goto('/tear-sheet');
  await page.getByText('Open the tear sheet from the report of a kept run.').waitFor();
  await page.goto('/verdicts');
  await page.getByRole('cell', { name: 'Fewer than 30 trades', exact: true }).waitFor();
  await context.close();
});
