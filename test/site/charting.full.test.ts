/** The charting page: one line of controls, completion, percent, panes, keys, and the trades of an own strategy. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { required } from '../../engine/util/values.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { findings, isTooWide, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

async function open(path = '/s/ACRX?range=1y', view = {}, person?: Person) {
  const opened = await site.open(view, person);
  await opened.page.goto(path);
  await opened.page.locator('price-chart canvas').first().waitFor();
  return opened;
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Add a value or a symbol to compare with' });
const dayOf = (page: Page) => page.locator('price-chart .chart-line b').first().innerText();
/** The days of the entries that the chart marks. */
const ENTRIES = "document.querySelector('price-chart').fills.filter(({ isEntry }) => isEntry).map(({ day }) => day)";
/** Twice the first close, as the chart draws it. */
const DOUBLED = `(() => {
  const chart = document.querySelector('price-chart');
  return chart.scaled(2 * chart.bars[0].close);
})()`;
const paneHeights = async (page: Page) => {
  const heights = await page
    .locator('price-chart .chart tr')
    .evaluateAll((rows) => rows.map((row) => row.clientHeight));
  return heights.filter((height) => height > 20);
};

it.each(['en', 'zh-CN', 'zh-TW'] as const)(
  'has its controls in one line of 44 px from 1,024 px on: %s',
  async (locale) => {
    const { page, context, faults } = await open('/s/ACRX?lines=sma(50)%3Brsi(14)%3Bema(21)&vs=LUMA.US', { locale });
    for (const width of [1024, 1179, 1280, 1361, 1439]) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await page
        .locator('.chart-tools > :is(.choice, select, button, chart-drawings), .chart-tools form')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      expect(boxes).toHaveLength(6);
      const top = Math.min(...boxes.map((box) => box.top));
      expect([width, Math.max(...boxes.map((box) => box.bottom)) - top <= 44]).toEqual([width, true]);
      const column = required(await page.locator('.chart-column').boundingBox());
      expect(Math.max(...boxes.map((box) => box.right))).toBeLessThanOrEqual(column.x + column.width + 1);
      expect([width, await isTooWide(page)]).toEqual([width, false]);
    }
    expect(faults).toEqual([]);
    await context.close();
  },
);

it('completes functions with their help, symbols with their names, and own strategies, whose trades it marks', async () => {
  const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const strategy = { name: 'Pullback', rules: { entry: 'rsi(2) < 10', exit: 'close > sma(5)' }, parameters: {} };
  await site.api.post('/v1/my/strategies', strategy, person.program);
  const { page, context, faults } = await open('/s/ACRX?range=1y&lines=none', {}, person);
  await field(page).fill('em');
  await page.getByRole('option', { name: /^ema\(20\) ema\(n\) · Exponential mean/ }).waitFor();
  await page.getByRole('option', { name: 'EMOX.US Ember Optics Acquisition' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  // The argument is selected, to be overwritten.
  await page.keyboard.type('34');
  expect(await field(page).inputValue()).toBe('ema(34)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove ema(34)' }).waitFor();
  const ran = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/backtest'));
  await field(page).fill('pullb');
  await page.getByRole('option', { name: 'Pullback Trades of your strategy' }).click();
  const body = (await ran).postDataJSON();
  expect(body).toMatchObject({
    symbol: 'ACRX',
    strategy: 'rules',
    rules: strategy.rules,
    save: false,
    adjust: 'split',
  });
  await page.getByRole('button', { name: 'Remove trades of Pullback' }).waitFor();
  const { trades } = (await site.api.post('/v1/backtest', body, person.program)).body.data;
  const entries = () => page.evaluate<string[]>(ENTRIES);
  const bought = trades.map(({ entry_date }: { entry_date: string }) => entry_date);
  expect(await eventually(entries, ({ length }) => length > 0)).toEqual(bought);
  expect(new URL(page.url()).searchParams.get('strategy')).toMatch(/^\d+$/);
  await page.reload();
  await page.getByRole('button', { name: 'Remove trades of Pullback' }).click();
  await eventually(entries, ({ length }) => length === 0);
  expect(faults).toEqual([]);
  await context.close();
});

it('compares in percent, and keeps the heights of panes that were dragged', async () => {
  const { page, context, faults } = await open('/s/ACRX?range=1y&lines=rsi(14)');
  const [prices, rsi] = await paneHeights(page);
  const chart = required(await page.locator('price-chart .chart').boundingBox());
  await page.mouse.move(chart.x + 200, chart.y + prices + 1);
  await page.mouse.down();
  await page.mouse.move(chart.x + 200, chart.y + prices - 79, { steps: 4 });
  await page.mouse.up();
  const dragged = await eventually(
    () => paneHeights(page),
    ([, height]) => height > rsi + 60,
  );
  await field(page).fill('LUMA');
  await page.getByRole('option', { name: /^LUMA\.US/ }).click();
  await page.getByRole('button', { name: 'Remove against LUMA.US' }).waitFor();
  await page.locator('price-chart[isPercent]').waitFor();
  expect(await page.getByRole('button', { name: 'Log' }).isDisabled()).toBe(true);
  expect(await paneHeights(page)).toEqual(dragged);
  const scaled = await page.evaluate<number>(DOUBLED);
  expect(scaled).toBe(100);
  expect(faults).toEqual([]);
  await context.close();
});

it('moves, zooms, changes its scale, and takes the screen by keys', async () => {
  const { page, context, faults } = await open();
  const newest = await dayOf(page);
  await page.keyboard.press('ArrowLeft');
  expect(await dayOf(page)).toBe('May 28, 2026');
  await page.keyboard.press('ArrowRight');
  expect(await dayOf(page)).toBe(newest);
  await page.keyboard.press('+');
  await page.keyboard.press('l');
  await page.locator('price-chart[isLog]').waitFor();
  expect(new URL(page.url()).searchParams.get('log')).toBe('1');
  await page.keyboard.press('f');
  await page.locator('.chart-column:fullscreen').waitFor();
  await page.keyboard.press('f');
  await page.locator('.chart-column:not(:fullscreen)').waitFor();
  await field(page).press('l');
  expect(new URL(page.url()).searchParams.get('log')).toBe('1');
  expect(faults).toEqual([]);
  await context.close();
});

it('shows all that candles serve, and says from when runs have more', async () => {
  const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const { page, context, faults } = await open('/s/ACRX?range=max', {}, person);
  await page
    .getByText(
      'Candles begin on Jul 1, 2024. Runs also read bars of the primary venue before it, on Jan 2, 2015 at the earliest.',
    )
    .waitFor();
  await page.getByRole('figure', { name: /^Candles of ACRX\.US, Jul 1, 2024/ }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('has its controls under the plot on a phone', async () => {
  const { page, context, faults } = await open('/s/ACRX', { width: 360 });
  const plot = required(await page.locator('price-chart .chart').boundingBox());
  const controls = required(await page.locator('.chart-tools').boundingBox());
  expect(controls.y).toBeGreaterThanOrEqual(plot.y + plot.height);
  expect(await isTooWide(page)).toBe(false);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
