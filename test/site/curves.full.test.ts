/** The charts of reports as instruments: one range and one cursor, four views, benchmarks of one's own, and files of what is seen. */
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { required } from '../../engine/util/values.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
});
afterAll(() => site.close());

const RUN = { symbol: 'ACRX.US', strategy: 'donchian', time_range: 'MAX', adjust: 'total' } as const;
const ADDRESS = `/backtest?${new URLSearchParams(RUN)}`;
const WEEKLY = /weekly candles at this zoom/;

async function open(path = ADDRESS, view = {}) {
  const opened = await site.open(view, await addPerson(site.api, undefined, { plan: 'enterprise' }));
  await opened.page.goto(path);
  await opened.page.locator('.chart canvas').first().waitFor();
  return opened;
}

const candles = (page: Page) => page.locator('.pane-2');
const sharpe = (page: Page) => page.getByRole('figure', { name: /^Sharpe ratio over the 252/ });
const yearsOf = (page: Page) => sharpe(page).locator('text[text-anchor="middle"]').allTextContents();
const dayIn = (page: Page, selector: string) => page.locator(`${selector} .chart-line b`).first().innerText();

async function drag(page: Page, selector: string, from: number, to: number) {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  const { x, y, width } = required(await page.locator(selector).first().boundingBox());
  await page.mouse.move(x + from * width, y + 40);
  await page.mouse.down();
  await page.mouse.move(x + to * width, y + 40, { steps: 4 });
  await page.mouse.up();
}

async function addBenchmark(page: Page, symbol: string) {
  await page.getByRole('combobox', { name: 'Add a benchmark' }).fill(symbol);
  await page.getByRole('option', { name: symbol }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Remove ${symbol}` }).waitFor();
}

async function saved(page: Page, name: string) {
  const download = page.waitForEvent('download');
  await page
    .locator('.curve-files')
    .getByRole('button', { name: `${name} of the curves` })
    .click();
  const file = await download;
  return { name: file.suggestedFilename(), content: await buffer(await file.createReadStream()) };
}

const rowsOf = (csv: Buffer) =>
  csv
    .toString()
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));

it('has one range: a drag over any chart zooms all, a double click or Esc shows the whole again', async () => {
  const { page, context, faults } = await open();
  await candles(page).getByText(WEEKLY).waitFor();
  const years = await yearsOf(page);
  await drag(page, 'run-chart .chart', 0.5, 0.56);
  await candles(page).getByText(WEEKLY).waitFor({ state: 'detached' });
  expect(await yearsOf(page)).not.toEqual(years);
  await page.locator('run-chart .chart').dblclick({ position: { x: 200, y: 40 } });
  await candles(page).getByText(WEEKLY).waitFor();
  expect(await yearsOf(page)).toEqual(years);

  await drag(page, 'day-plot .plot-box', 0.4, 0.45);
  await candles(page).getByText(WEEKLY).waitFor({ state: 'detached' });
  await sharpe(page).press('Escape');
  await candles(page).getByText(WEEKLY).waitFor();
  expect(await yearsOf(page)).toEqual(years);
  expect(await page.getByRole('button', { name: 'All', exact: true }).first().getAttribute('title')).toMatch(/Esc/);
  expect(faults).toEqual([]);
  await context.close();
});

it('has one cursor, and is moved and zoomed by keys', async () => {
  const { page, context, faults } = await open();
  const chart = page.locator('run-chart .chart');
  await chart.focus();
  await page.keyboard.press('End');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  const pointed = await dayIn(page, 'run-chart');
  expect(pointed).toBe('May 26, 2026');
  expect(await dayIn(page, 'day-plot')).toBe(pointed);
  for (let i = 0; i < 4; i++) await page.keyboard.press('+');
  await candles(page).getByText(WEEKLY).waitFor({ state: 'detached' });
  expect(await dayIn(page, 'day-plot')).toBe(pointed);
  await page.keyboard.press('-');
  await page.keyboard.press('0');
  await candles(page).getByText(WEEKLY).waitFor();
  await sharpe(page).press('Home');
  expect(await dayIn(page, 'run-chart')).toBe(await dayIn(page, 'day-plot'));
  expect(await dayIn(page, 'run-chart')).not.toBe(pointed);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('shows growth, drawdown, a rolling year, and the run against benchmarks, as the candles of the API make them', async () => {
  const { page, context, faults } = await open();
  const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/backtest'));
  await page.reload();
  const body = (await asked).postDataJSON();
  await addBenchmark(page, 'LUMA');
  await page.getByText('Benchmarks are held with their dividends reinvested', { exact: false }).waitFor();
  const run = (await site.api.post('/v1/backtest', body, person.program)).body.data;
  const { bars } = (await site.api.get('/v1/kline/LUMA.US?adjust=total&days=10000', person.program)).body.data;
  const closes = new Map<string, number>(bars.map(({ ts, close }: { ts: string; close: number }) => [ts, close]));
  const both = run.equity.filter(({ ts }: { ts: string }) => closes.has(ts));
  const ratio = ({ ts, equity }: { ts: string; equity: number }) => equity / required(closes.get(ts));
  await page.getByText('Against benchmark', { exact: true }).click();
  const against = rowsOf((await saved(page, 'CSV')).content);
  expect(against[0]).toEqual(['date', 'Holding', 'LUMA']);
  const [last] = against.slice(-1);
  expect(last[0]).toBe(both.at(-1).ts);
  expect(Number(last[2])).toBeCloseTo(100 * (ratio(both.at(-1)) / ratio(both[0]) - 1), 8);
  await page.getByText('Rolling 1y', { exact: true }).click();
  const rolled = rowsOf((await saved(page, 'CSV')).content);
  const [now, before] = [run.equity.at(-1), run.equity.at(-253)];
  expect(Number(rolled.at(-1)?.[1])).toBeCloseTo(100 * (now.equity / before.equity - 1), 8);
  await page.locator('.curve-tools').getByText('Drawdown', { exact: true }).click();
  const fallen = rowsOf((await saved(page, 'CSV')).content);
  expect(fallen.map((row) => Number(row[1])).slice(1)).toEqual(
    run.equity.map(({ drawdown_pct }: { drawdown_pct: number }) => 0 - drawdown_pct),
  );
  for (const symbol of ['MTMX', 'BRVA', 'ALDR-A']) await addBenchmark(page, symbol);
  expect(await page.getByRole('combobox', { name: 'Add a benchmark' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove LUMA' }).click();
  await page.getByRole('combobox', { name: 'Add a benchmark' }).waitFor();
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('saves what is seen as PNG, SVG, and CSV', async () => {
  const { page, context, faults } = await open();
  await drag(page, 'run-chart .chart', 0.5, 0.56);
  await candles(page).getByText(WEEKLY).waitFor({ state: 'detached' });
  const rows = rowsOf((await saved(page, 'CSV')).content);
  expect(rows[0]).toEqual(['date', 'Equity', 'Holding']);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.length).toBeLessThan(400);
  await page.locator('.curve-tools').getByText('Log', { exact: true }).click();
  const svg = await saved(page, 'SVG');
  expect(svg.name).toBe('ACRX.US-growth.svg');
  expect(svg.content.toString()).toContain(`<text x="0" y="528">${rows[1][0]}</text>`);
  expect(svg.content.toString().match(/<path /g)).toHaveLength(2);
  const png = await saved(page, 'PNG');
  expect(png.content.subarray(1, 4).toString()).toBe('PNG');
  expect(faults).toEqual([]);
  await context.close();
});

it('compares portfolios in the same views, but not by returns that the money hides', async () => {
  const targets = [
    [
      { symbol: 'ACRX.US', weight: 0.6 },
      { symbol: 'LUMA.US', weight: 0.4 },
    ],
    [{ symbol: 'MTMX.US', weight: 1 }],
  ];
  const compared = (flows: object) => ({
    time_range: '3Y',
    compare: targets.map((one, i) => ({ name: 'AB'[i], allocation: { targets: one, rebalance: 'year', ...flows } })),
  });
  const address = (flows: object) => `/portfolio?${new URLSearchParams({ run: JSON.stringify(compared(flows)) })}`;
  const { page, context, faults } = await open(address({}));
  await addBenchmark(page, 'BRVA');
  await page.getByText('Against benchmark', { exact: true }).click();
  expect(rowsOf((await saved(page, 'CSV')).content)[0]).toEqual(['date', 'A', 'B']);
  await page.goto(address({ flows: [{ amount: 500, every: 'month' }] }));
  await page.locator('.chart canvas').first().waitFor();
  const views = page.getByRole('radiogroup', { name: 'What the curves show' });
  expect(await views.getByRole('radio').count()).toBe(2);
  await page.getByText('Log', { exact: true }).click();
  expect(faults).toEqual([]);
  await context.close();
});

it('fits a phone, in Chinese and in the dark', async () => {
  const { page, context, faults } = await open('/backtest', { locale: 'zh-TW', theme: 'dark', width: 360 });
  await page.getByText('相對基準', { exact: true }).click();
  expect(await isTooWide(page)).toBe(false);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
