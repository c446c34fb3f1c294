/** A researcher with a list: from a screen to a portfolio, shared, and to a sweep with its cells. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { correlation, Matrix } from 'ml-matrix';
import { PNG } from 'pngjs';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const ACCENT = '1a56c4';
const INK = '15191e';

async function pictureAt(address: string): Promise<PNG> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

/** The number of pixels of exactly this color. */
function pixelsOf({ data }: PNG, color: string): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data.toString('hex', i, i + 3) === color) count++;
  return count;
}

interface Bar {
  readonly ts: string;
  readonly close: number;
}

/** As a table writes it. Both have a bar in each week. */
function correlationInWeeks(first: readonly Bar[], second: readonly Bar[]): string {
  expect(first.map(({ ts }) => ts)).toEqual(second.map(({ ts }) => ts));
  const returns = (bars: readonly Bar[]) => bars.slice(1).map(({ close }, i) => close / bars[i].close - 1);
  const columns = new Matrix([returns(first), returns(second)]).transpose();
  return correlation(columns).get(0, 1).toFixed(2).replace('-', '−');
}

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

describe('a portfolio', () => {
  it('tells at its end what it held before the closing sales', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    const run = {
      symbols: ['ACRX.US', 'LUMA.US'],
      strategy: 'buy_hold',
      time_range: '1Y',
      allocation: { max_positions: 2 },
    };
    await page.goto(`/portfolio?${new URLSearchParams({ run: JSON.stringify(run) })}`);
    await page.locator('.chart-line', { hasText: /2 positions, (99|100)% invested/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is run on the results of a screen, reported, shared, and read by anybody', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/screener?preset=trend_breakout');
    await page.getByRole('link', { name: 'Backtest as a portfolio' }).click();
    // An address with a call runs at once. Nobody had picked the names of today five years ago.
    await page.getByRole('figure', { name: /^Equity of \d+ symbols/ }).waitFor();
    await page.getByText(/^1,25\d sessions are before the names were picked: this is look-ahead\.$/).waitFor();
    await page.goto('/screener?preset=trend_breakout&as_of=2026-03-02');
    await page.getByRole('link', { name: 'Backtest as a portfolio' }).click();
    const held = JSON.parse(new URL(page.url()).searchParams.get('run') ?? '');
    expect(held).toMatchObject({ strategy: 'buy_hold', start: '2026-03-03', execute_on: 'next_open', adjust: 'total' });
    expect(held.allocation).toEqual({ max_positions: held.symbols.length });
    await page.locator('.head p', { hasText: /^Buy and hold, Mar 3, 2026 to / }).waitFor();
    expect(await page.getByText('this is look-ahead').count()).toBe(0);
    await page.goto(
      `/portfolio?${new URLSearchParams({ run: JSON.stringify({ ...held, start: '2026-02-27' }), screened: '2026-03-02' })}`,
    );
    await page.getByText('2 sessions are before the names were picked').waitFor();
    await page.getByRole('link', { name: 'Start at the screen' }).click();
    await page.locator('.head p', { hasText: /^Buy and hold, Mar 3, 2026 to / }).waitFor();
    await page.getByRole('figure', { name: /^Equity of \d+ symbols?/ }).waitFor();
    await page.getByRole('textbox', { name: /^Symbols ·/ }).fill('ACRX, LUMA TMRK\nMTMX');
    await page.getByText('Symbols · 4 symbols').waitFor();
    await page.locator('select[name=strategy]').selectOption('donchian');
    const inspector = page.getByRole('complementary', { name: 'Set-up' });
    await inspector.getByText('Allocation', { exact: true }).click();
    await page.getByLabel('Maximum positions').fill('2');
    await inspector.getByText('2 positions · Equal').waitFor();
    await page.getByLabel('Rebalancing').selectOption('month');
    await inspector.getByText('Ranking', { exact: true }).click();
    await page.getByLabel('Candidates ranked by').selectOption('roc_pct desc');
    await page.getByRole('button', { name: 'Run the portfolio' }).click();
    await page.getByRole('heading', { level: 1, name: '4 symbols' }).waitFor();
    await page.locator('.head p', { hasText: /^Donchian breakout 20\/10, .* to May 29, 2026$/ }).waitFor();
    await page.getByRole('figure', { name: /^Equity of 4 symbols/ }).waitFor();
    await page.getByRole('region', { name: 'Contributions' }).getByText('ACRX', { exact: true }).first().waitFor();
    const answer = page.waitForResponse('**/v1/batch');
    await page.getByText('How alike the members move').first().click();
    const { results } = (await (await answer).json()).data;
    const alike = page.getByRole('table', { name: 'How alike the members move' });
    await page.getByText(/^Correlations of weekly returns .* on average\. Most alike: \w+ and \w+, /).waitFor();
    const row = alike.getByRole('row', { name: /^LUMA/ });
    expect(await row.getByRole('cell').first().textContent()).toBe(
      correlationInWeeks(results['LUMA.US'].bars, results['ACRX.US'].bars),
    );
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'portfolio-run.en.light.1440');
    await page.emulateMedia({ media: 'print' });
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.x).toBeGreaterThanOrEqual(0);
    expect(await page.getByRole('radio').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = page.getByRole('status').getByRole('link');
    const address = await link.getAttribute('href');
    await page.getByRole('button', { name: 'Verify' }).first().click();
    await page
      .getByText(/reproduced|Reproduced/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();

    const { pathname } = new URL(String(address));
    const head = await (await fetch(`${site.url}${pathname}`, { headers: { accept: 'text/html' } })).text();
    expect(head).toMatch(/<meta property="og:title" content="ACRX, .* · Donchian breakout · [+-][\d.]+%">/);
    expect((await fetch(`${site.url}/p/of-nobody`, { headers: { accept: 'text/html' } })).status).toBe(404);
    expect(head).toContain(`<meta property="og:image" content="http://test${pathname}/preview.png">`);
    const drawn = await pictureAt(`${site.url}${pathname}/preview.png`);
    expect(drawn).toMatchObject({ width: 1200, height: 630 });
    // The line of the equity, and letters, which need the fonts of the build.
    expect(pixelsOf(drawn, ACCENT)).toBeGreaterThan(2_000);
    expect(pixelsOf(drawn, INK)).toBeGreaterThan(2_000);
    expect((await fetch(`${site.url}/p/of-nobody/preview.png`)).status).toBe(404);
    expect((await fetch(`${site.url}${pathname.replace('/p/', '/r/')}/preview.png`)).status).toBe(404);
    const reader = await site.open({ locale: 'zh-TW', theme: 'dark', width: 360 });
    await reader.page.goto(pathname);
    await reader.page.locator('portfolio-chart canvas').first().waitFor();
    expect(await findings(reader.page)).toEqual([]);
    expect(await isTooWide(reader.page)).toBe(false);
    await keepPicture(reader.page, 'portfolio-shared.zh-TW.dark.360');
    await reader.context.close();
  });
});

describe('the portfolio page', () => {
  it('opens for guests with a finished rotation, which a change makes the reader’s own', async () => {
    const guest = await site.open();
    await guest.page.goto('/portfolio');
    await guest.page
      .locator('.head p', { hasText: /^Momentum, 12 months less 1: the best 10, .* to May 29, 2026$/ })
      .waitFor();
    await guest.page.getByText(/^An example, computed after the load of May 29, 2026/).waitFor();
    await guest.page.getByRole('img', { name: /^Weights of/ }).waitFor();
    expect(await guest.page.getByLabel('Universe').inputValue()).toBe('all');
    expect(await findings(guest.page)).toEqual([]);
    await keepPicture(guest.page, 'portfolio-example.en.light.1440');
    await guest.page.getByRole('button', { name: 'Run the rotation' }).click();
    await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    // The example stays below the answer.
    await guest.page.getByRole('img', { name: /^Weights of/ }).waitFor();
    await guest.context.close();

    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/portfolio');
    await page.locator('.head p', { hasText: /the best 10/ }).waitFor();
    const words = await page.locator('.run-words').innerText();
    await page.getByLabel('Hold the best').fill('3');
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.locator('.head p', { hasText: /the best 3/ }).waitFor();
    expect(await page.locator('.run-words').innerText()).not.toBe(words);
    await page.goBack();
    await page.locator('.head p', { hasText: /the best 10/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('asks again for an example that is still being computed', async () => {
    const { page, context } = await site.open();
    const body = { code: 503, key: 'error.example_not_ready', message: 'not ready', data: null };
    let asked = 0;
    await page.route('**/v1/portfolio/example?*', (route) => {
      asked++;
      return asked === 1 ? route.fulfill({ status: 503, json: body }) : route.continue();
    });
    await page.goto('/portfolio');
    await page.locator('portfolio-chart canvas').first().waitFor();
    expect(asked).toBe(2);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });
});

describe('a sweep', () => {
  it('opens for guests with a small finished example, which only accounts repeat', async () => {
    const { page, context } = await site.open();
    await page.goto('/sweeps');
    await page.locator('.head p', { hasText: /^\d+ instruments, 12 combinations each$/ }).waitFor();
    await page.getByText(/^A small example of \d+ instruments, the first by symbol/).waitFor();
    await page.getByRole('figure', { name: 'Cells by Sharpe ratio' }).waitFor();
    await page.getByRole('region', { name: 'Worst cells' }).getByRole('link').first().waitFor();
    const donchian = page.getByRole('group', { name: 'Donchian breakout' });
    expect(await donchian.getByLabel('Entry channel, bars').inputValue()).toBe('20, 40, 80');
    expect(await donchian.getByLabel('Exit channel, bars').inputValue()).toBe('10, 20');
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'sweeps-example.en.light.1440');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('figure', { name: 'Cells by Sharpe ratio' }).waitFor();
    await context.close();
  });

  it('is started from a form, followed to its end, and leads to the backtests of its cells', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/sweeps?symbols=ACRX+LUMA+TMRK');
    await page.locator('select[name=universe_kind]').selectOption('screen');
    await page.getByLabel('Screening condition').fill('close > sma(20');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.locator('input[name=where][aria-invalid=true]').waitFor();
    faults.length = 0;
    await page.locator('select[name=universe_kind]').selectOption('symbols');
    await page.getByLabel('Fast average, bars').fill('5, 10');
    await page.getByLabel('Slow average, bars').fill('30 50');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.getByText(/^Write numbers/).waitFor();
    await page.getByLabel('Slow average, bars').fill('30..50/20');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.getByRole('heading', { level: 1, name: 'Moving-average crossover' }).waitFor();
    await page.locator('.head p', { hasText: /^12 cells/ }).waitFor();
    await page
      .getByRole('region', { name: 'Best cells' })
      .getByText(/Fast average, bars 5 · Slow average, bars (30|50)/)
      .first()
      .waitFor();
    await page.getByRole('figure', { name: 'Cells by Sharpe ratio' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'sweep-done.en.light.1440');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'All cells as Parquet' }).click();
    expect((await saved).suggestedFilename()).toMatch(/cells\.parquet$/);
    await page.getByRole('region', { name: 'Best cells' }).getByRole('link').first().click();
    await page.waitForURL('**/backtest?*');
    await page.goBack();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Start the sweep' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
