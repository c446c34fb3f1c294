/** Research pages: from a symbol to a run that is kept, shared, read by another user, and not lost when a login session ends. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { bumpDataVersion } from '../../db/market/data-versions.ts';
import { insertPause } from '../../db/queue/queues.ts';
import { addPerson, codeIn, deliverMail } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { findings, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
  // Mails are sent by the tests themselves (`deliverMail`): the worker keeps login codes with a key of its own.
  await insertPause(site.database.pool, 'mail.login_code', 'tests', new Date());
});
afterAll(() => site.close());

/** Adds up the layout shifts of a page. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('the notes of a run', () => {
  it('stand below the verdict, are read whole, and lead to what can be done', async () => {
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/backtest?symbol=TMRK.US&strategy=sma_cross&time_range=1Y&run=1');
    const notes = page.locator('.notes');
    await notes.waitFor();
    const cut = await notes
      .locator('li')
      .evaluateAll((items) => items.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(cut).toBe(0);
    const heights = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((e) => e.getBoundingClientRect().top);
    expect(await heights('.notes')).toBeGreaterThan(await heights('.run-words'));
    expect(await heights('.notes')).toBeLessThan(await heights('.figures'));
    expect(await findings(page)).toEqual([]);
    await notes.getByRole('link', { name: 'Try 10 years' }).first().click();
    await page.waitForURL(/time_range=10Y/);
    await page
      .getByRole('figure', { name: /TMRK\.US/ })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a symbol', () => {
  it('shows its candles by day, week and month, keeps what is chosen in the address, and has them as a table', async () => {
    const { page, context, faults } = await site.open();
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto('/s/LTNS');
    await page.getByRole('heading', { level: 1, name: /LUMA\.US/ }).waitFor();
    await page.getByText('LTNS.US until May 12, 2023').waitFor();
    await page.getByRole('figure', { name: /Candles of LUMA\.US/ }).waitFor();
    await page.getByRole('heading', { name: 'Facts' }).waitFor();
    expect(await page.evaluate<number>('globalThis.shifted')).toBeLessThan(0.01);
    await page.getByText('Show as a table').click();
    await page.getByRole('columnheader', { name: 'Volume' }).waitFor();
    await page.getByLabel('Candle', { exact: true }).selectOption('Month');
    await page.waitForURL('**/s/LTNS?period=month');
    await page.getByLabel('Prices', { exact: true }).selectOption('As traded');
    await page.goBack();
    expect(new URL(page.url()).search).toBe('?period=month');
    const prices = () => page.getByLabel('Prices', { exact: true }).inputValue();
    await eventually(prices, (chosen) => chosen === 'qfq');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('LUMA.US-month-qfq.csv');
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('the origin of a bar', () => {
  it('is shown for the day that is entered or clicked, with adjusted prices', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/s/ACRX?range=max');
    const chart = page.getByRole('figure', { name: /Candles of ACRX\.US/ });
    await chart.locator('canvas').first().waitFor();
    expect(await page.evaluate('customElements.get("bar-origin") === undefined')).toBe(true);
    await page.getByText('Where a bar comes from').click();
    await page.getByRole('row', { name: /^Consolidated .* Yes .*, load \d+$/ }).waitFor();
    // The day before a split of ten for one.
    await page.getByLabel('Date').fill('2025-06-06');
    await page.getByRole('row', { name: /^2025-06-09 Split 0\.1$/ }).waitFor();
    const closes = page
      .getByRole('region', { name: 'The close that backtests read, by price mode' })
      .locator('tbody tr');
    const [traded, adjusted] = await closes.locator('td:last-child').allInnerTexts();
    expect(Number(adjusted)).toBeCloseTo(Number(traded) / 10, 2);
    expect(await findings(page)).toEqual([]);
    const { x, y } = (await chart.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(x + 40, y + 100);
    await eventually(
      () => page.getByLabel('Date').inputValue(),
      (date) => date < '2025-06-06',
    );
    // A Saturday.
    await page.getByLabel('Date').fill('2025-06-07');
    await page.getByText('ACRX.US has no bar on 2025-06-07.').waitFor();
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  });

  it('says which plans show it', async () => {
    const { page, context } = await site.open({}, await addPerson(site.api));
    await page.goto('/s/ACRX');
    await page.getByText('Where a bar comes from').click();
    await page.getByText('The plans Pro and Enterprise show').waitFor();
    await context.close();
  });
});

/** The color of the corner of the chart. */
const CORNER_OF_CHART =
  "String(document.querySelector('price-chart canvas').getContext('2d').getImageData(2, 2, 1, 1).data)";

/** Records what charts write, and the percentages on their axes with their heights. */
const WATCH_LABELS = `
  const { fillText } = CanvasRenderingContext2D.prototype;
  globalThis.written = [];
  globalThis.labels = [];
  globalThis.axes = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { d, f } = this.getTransform();
    written.push(text);
    if (text.endsWith('%') && this.canvas.width < 200) {
      // The labels of the pointer are on a canvas of their own.
      const axis = this.canvas.parentElement;
      if (!axes.includes(axis)) axes.push(axis);
      globalThis.labels.push({ axis: axes.indexOf(axis), text, height: y * d + f });
    }
    fillText.apply(this, arguments);
  };
`;

interface DrawnLabel {
  readonly axis: number;
  readonly text: string;
  readonly height: number;
}

/** The percentages of a page whose charts are redrawn: another theme does that. */
async function drawnPercentages(page: Page): Promise<readonly DrawnLabel[]> {
  const labels = () => page.evaluate<DrawnLabel[]>('globalThis.labels');
  await eventually(labels, ({ length }) => length > 0);
  await page.evaluate('globalThis.labels = []');
  await page.emulateMedia({ colorScheme: 'dark' });
  return eventually(labels, ({ length }) => length > 0);
}

/** Waits until figures are written at the ends of the lines of a chart. */
async function untilDrawn(page: Page, figures: readonly number[]): Promise<void> {
  const wanted = figures.map((figure) => `${figure > 0 ? '+' : ''}${figure.toFixed(1)}%`.replace('-', '−'));
  await eventually(
    () => page.evaluate<string[]>('globalThis.written'),
    (all) => wanted.every((one) => all.includes(one)),
  );
}

const percentOf = (text: string) => Number.parseFloat(text.replace('−', '-'));

/** The same with the pointer in the first pane whose axis has percentages: one of them is beside it, with its decimals. */
async function percentagesAtPointer(page: Page): Promise<readonly DrawnLabel[]> {
  const [{ axis }] = await drawnPercentages(page);
  const { x, y, height } = await page.evaluate<{ x: number; y: number; height: number }>(`(() => {
    axes[${axis}].scrollIntoView({ block: 'center' });
    const { x, y, height } = axes[${axis}].getBoundingClientRect();
    return { x, y, height };
  })()`);
  await page.mouse.move(x - 50, y + 0.37 * height);
  // The library's own format of percentages rounds to halves.
  const isExact = ({ axis: of, text }: DrawnLabel) => of === axis && !Number.isInteger(2 * percentOf(text));
  return eventually(
    () => page.evaluate<DrawnLabel[]>('globalThis.labels'),
    (labels) => labels.some(isExact),
  );
}

/** How far a label is from the line that the others of its axis are on, in pixels. */
function misplaced(labels: readonly DrawnLabel[]): number {
  const ofAxes = Map.groupBy(labels, ({ axis }) => axis);
  return Math.max(...Array.from(ofAxes.values(), misplacedOnAxis));
}

function misplacedOnAxis(labels: readonly DrawnLabel[]): number {
  const points = labels.map(({ text, height }) => ({ value: percentOf(text), height }));
  const [low, high] = [points[0], points[points.length - 1]];
  const pixels = (high.height - low.height) / (high.value - low.value);
  return Math.max(...points.map(({ value, height }) => Math.abs(low.height + (value - low.value) * pixels - height)));
}

describe('a chart', () => {
  it('shows the day under the cursor, takes the colors of the page, and keeps its zoom when marks are added', async () => {
    const { page, context, faults } = await site.open();
    let answerEvents = () => {};
    const asked = new Promise<void>((resolve) => {
      answerEvents = resolve;
    });
    await page.route('**/v1/events/*', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto('/s/ACRX?range=1y');
    const chart = page.getByRole('figure', { name: /Candles of ACRX\.US/ });
    await chart.locator('canvas').first().waitFor();
    const reported = () => page.locator('price-chart .chart-line b').first().innerText();
    const newest = await reported();
    const { x, y } = (await chart.boundingBox()) ?? { x: 0, y: 0 };
    const pointLeft = () => page.mouse.move(x + 40, y + 120);
    await pointLeft();
    const oldest = await eventually(reported, (text) => text !== newest);
    await page.mouse.move(x + 400, y + 120);
    await page.mouse.wheel(0, -600);
    await pointLeft();
    const zoomed = await eventually(reported, (text) => Date.parse(text) > Date.parse(oldest));
    answerEvents();
    await page.getByRole('region', { name: 'Splits and dividends' }).waitFor();
    await page.mouse.move(x + 400, y + 100);
    await pointLeft();
    await eventually(reported, (text) => text === zoomed);
    await page.mouse.move(0, 0);
    await eventually(reported, (text) => text === newest);
    const ground = () => page.evaluate<string>(CORNER_OF_CHART);
    const light = await ground();
    await page.getByText('English · System').click();
    await page.getByLabel('Dark').check();
    await eventually(ground, (color) => color !== light);
    await page.evaluate("document.querySelector('main').append(document.querySelector('price-chart'))");
    await chart.locator('canvas').first().waitFor();
    expect(await reported()).toBe(newest);
    expect(faults).toEqual([]);
    await context.close();
  });
});

const isPoint = ({ x, y }: { readonly x: number; readonly y: number }) => x > 0 && y > 0;

describe('drawings on a chart', () => {
  it('are made by clicks, kept in the account, removed, and not offered to guests', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/s/ACRX?range=1y&log=1');
    const chart = page.getByRole('figure', { name: /Candles of ACRX\.US/ });
    await chart.locator('canvas').first().waitFor();
    await page.getByText('Draw', { exact: true }).click();
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0 };
    expect(isPoint(box)).toBe(true);
    const click = (x: number, y: number) => page.mouse.click(box.x + x, box.y + y);
    const drawn = (count: number) => page.getByText(`Draw (${count})`).waitFor();
    await page.getByRole('button', { name: 'Level' }).click();
    await page.getByText('Click the price.').waitFor();
    await click(200, 120);
    await drawn(1);
    for (const [kind, count] of [
      ['Line', 2],
      ['Range', 3],
    ] as const) {
      await page.getByRole('button', { name: kind, exact: true }).click();
      await click(150, 100);
      await page.getByText('Click the second point.').waitFor();
      await click(300, 180);
      await drawn(count);
    }
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await drawn(3);
    const kept = await site.database.pool.query('select shape from drawings where user_id = $1 order by id', [
      person.id,
    ]);
    expect(kept.rows).toEqual([
      { shape: { kind: 'level', points: [expect.anything()], note: '' } },
      { shape: { kind: 'line', points: [expect.anything(), expect.anything()], note: '' } },
      { shape: { kind: 'range', points: [expect.anything(), expect.anything()], note: '' } },
    ]);
    await page.getByText('Draw (3)').click();
    await page.getByRole('button', { name: 'Remove the last' }).click();
    await drawn(2);
    expect(faults).toEqual([]);
    await context.close();

    const guest = await site.open();
    await guest.page.goto('/s/ACRX');
    await guest.page.getByText('Draw', { exact: true }).click();
    await guest.page.getByRole('button', { name: 'Level' }).click();
    await guest.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  });
});

describe('a picture of a chart', () => {
  it('is saved as PNG and as SVG with its lines and others', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/s/ACRX?range=6m&lines=sma(50)%3Brsi(14)&vs=LUMA.US');
    await page
      .getByRole('figure', { name: /Candles of ACRX\.US/ })
      .locator('canvas')
      .first()
      .waitFor();
    await page.locator('price-chart .chart-line').getByText('LUMA.US').waitFor();
    const save = async (name: string) => {
      const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await saved.createReadStream()) chunks.push(Buffer.from(chunk));
      return { name: saved.suggestedFilename(), content: Buffer.concat(chunks) };
    };
    const png = await save('PNG');
    expect([png.name, png.content.subarray(1, 4).toString()]).toEqual(['ACRX.png', 'PNG']);
    const svg = await save('SVG');
    expect(svg.name).toBe('ACRX.svg');
    const text = svg.content.toString();
    expect(text).toContain('ACRX · sma(50) · rsi(14) · LUMA.US');
    const counted = await page.evaluate<object>(`(() => {
      const picture = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml');
      const count = (name) => picture.getElementsByTagName(name).length;
      return { errors: count('parsererror'), lines: count('path'), isDrawn: count('rect') > 100 };
    })()`);
    expect(counted).toEqual({ errors: 0, lines: 3, isDrawn: true });
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('the axis of percentages', () => {
  it('has the figures of the drawdown, each at its height', async () => {
    const { page, context, faults } = await site.open();
    await page.addInitScript(WATCH_LABELS);
    await page.goto('/backtest?symbol=MTMX.US&strategy=donchian&time_range=5Y&run=1');
    await page.waitForSelector('run-chart canvas');
    const labels = await drawnPercentages(page);
    expect(labels.length).toBeGreaterThan(1);
    expect(misplaced(labels)).toBeLessThan(2);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has the figures of portfolios and of runs that are compared', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.addInitScript(WATCH_LABELS);
    const portfolio = { symbols: ['ACRX.US', 'MTMX.US'], strategy: 'buy_hold', time_range: '3Y' };
    await page.goto(`/portfolio?${new URLSearchParams({ run: JSON.stringify(portfolio) })}`);
    expect(misplaced(await percentagesAtPointer(page))).toBeLessThan(2);

    const [ids, gains]: [number[], number[]] = [[], []];
    for (const symbol of ['ACRX.US', 'MTMX.US']) {
      const body = { symbol, strategy: 'buy_hold', time_range: '3Y' };
      const { id, equity } = (await site.api.post('/v1/backtest', body, person.program)).body.data;
      ids.push(id);
      gains.push(100 * (equity.at(-1).equity / equity[0].equity - 1));
    }
    await page.goto(`/runs?compare=${ids.join()}`);
    await untilDrawn(page, gains);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('splits and dividends', () => {
  it('are marked in the chart, listed, and part of the total return', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/s/HRZ.B?range=1y');
    await page.getByRole('figure', { name: /Candles of HRZ\.B\.US/ }).waitFor();
    const paid = page.getByRole('region', { name: 'Splits and dividends' }).getByRole('row', { name: /Cash dividend/ });
    expect(await paid.first().innerText()).toMatch(/^\d{4}-\d\d-\d\d\s+Cash dividend\s+\$ \d+\.\d\d$/);
    const name = async () => page.getByRole('figure', { name: /Candles of/ }).getAttribute('aria-label');
    const plain = await name();
    const loaded = page.waitForResponse(/adjust=total/);
    await page.getByLabel('Prices', { exact: true }).selectOption('Total return');
    await (await loaded).finished();
    await eventually(name, (label) => label !== plain);
    await page.goto('/s/ACRX');
    await page.getByRole('row', { name: '2025-06-09 Split 10 : 1' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a backtest', () => {
  // The guests of a test run few in a minute.
  beforeEach(() => site.database.pool.query('delete from rate_limits'));

  it('begins with a finished example, which a change makes the reader’s own', async () => {
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/backtest');
    await page.locator('.head p', { hasText: /^Donchian breakout 40\/20, .* to May 29, 2026$/ }).waitFor();
    await page.getByText(/^An example, computed after the load of May 29, 2026/).waitFor();
    const neighbors = page.getByRole('group', { name: 'Neighboring values' });
    expect(await neighbors.getByRole('button').count()).toBe(9);
    expect(await neighbors.getByRole('button', { pressed: true }).innerText()).toMatch(/40\s+: Sharpe/);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'backtest-example');
    const before = await page.locator('.run-words').innerText();
    await page.getByLabel('Exit channel, bars').fill('30');
    await page.locator('.head p', { hasText: /^Donchian breakout 40\/30/ }).waitFor();
    expect(await page.locator('.run-words').innerText()).not.toBe(before);
    expect(new URL(page.url()).searchParams.get('p.exit_period')).toBe('30');
    await neighbors.getByRole('button', { name: /^20\s?: Sharpe/ }).click();
    await page.locator('.head p', { hasText: /^Donchian breakout 20\/30/ }).waitFor();
    await page.goBack();
    await page.locator('.head p', { hasText: /^Donchian breakout 40\/30/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is run from a form, reported in figures, a chart, and tables, and linked', async () => {
    // Each change runs by itself: more runs than a guest may make in a minute, or at once.
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/backtest?symbol=ACRX.US');
    await page.getByRole('heading', { level: 1, name: 'ACRX.US' }).waitFor();
    await page.getByLabel('Strategy').selectOption('donchian');
    await page.getByRole('radio', { name: '3Y' }).check();
    await page.getByText('Costs', { exact: true }).click();
    await page.getByLabel('Slippage, bp').fill('5');
    await page.getByText('5 bp slippage').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.head', { hasText: /^\s*ACRX\.US\s+Donchian breakout 20\/10, .* to May 29, 2026/ }).waitFor();
    await page.getByRole('figure', { name: /Equity on ACRX\.US/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('strategy')).toBe('donchian');
    await page.getByRole('region', { name: 'Trades' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'All columns' }).click();
    await page.getByRole('columnheader', { name: 'Exit reason' }).getByRole('button').click();
    await page
      .getByRole('region', { name: /Returns by month/ })
      .getByText('2025')
      .waitFor();
    await page.getByText('Python', { exact: true }).click();
    expect(await page.locator('code-samples pre').innerText()).toContain('"slippage_bps": 5');
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.locator('.head p', { hasText: /^Donchian breakout 20\/10/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows errors beside their fields, in the language of the page', async () => {
    const { page, context } = await site.open({ locale: 'zh-TW' });
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross');
    await page.getByLabel('快線').or(page.getByLabel(/快/)).first().fill('60');
    await page.keyboard.press('Enter');
    await page.locator('.field-error').first().waitFor();
    await page.goto('/backtest?symbol=NOPE&strategy=sma_cross&run=1');
    await page
      .getByText(/代號 NOPE\.US/)
      .or(page.getByText(/NOPE\.US/))
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  it('shows an error once, at its field, with the labels of the page', async () => {
    const { page, context } = await site.open({}, await addPerson(site.api));
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross');
    // A change runs by itself.
    await page.getByLabel('Fast average, bars').fill('60');
    const fieldError = page.locator('.field-error');
    await fieldError.waitFor();
    const text = await fieldError.innerText();
    expect(text).toContain('Slow average');
    expect(text).not.toMatch(/_period/);
    expect(await page.locator('label', { has: fieldError }).locator('input').getAttribute('name')).toMatch(
      /^p\.(fast|slow)_period$/,
    );
    expect(await page.getByText(text).filter({ visible: true }).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(1);
    await context.close();
  });

  it('is kept and shared after the login session has ended, and read by anybody', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/backtest?symbol=MTMX.US&strategy=sma_cross&time_range=3Y&run=1');
    await page.getByRole('heading', { level: 1, name: /^MTMX\.US/ }).waitFor();
    await page.getByLabel('Slow average, bars').fill('77');
    await site.database.pool.query('update sessions set revoked_at = now() where user_id = $1', [person.id]);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('E-mail').fill(person.email);
    await dialog.getByRole('button', { name: 'Send me a code' }).click();
    await dialog.getByLabel('Code').waitFor();
    await dialog.getByLabel('Code').fill(codeIn(await deliverMail(site.api, person.email)));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    const link = page.getByRole('link', { name: /\/r\/[\w-]{12}$/ });
    const address = (await link.getAttribute('href')) as string;
    expect(await page.getByLabel('Slow average, bars').inputValue()).toBe('77');
    await context.close();

    const path = new URL(address).pathname;
    const head = await (await fetch(`${site.url}${path}`, { headers: { accept: 'text/html' } })).text();
    expect(head).toMatch(/<meta property="og:title" content="MTMX · Moving-average crossover · [+-][\d.]+%">/);
    const guest = await site.open({ width: 360, theme: 'dark' });
    await guest.page.goto(path);
    await guest.page.getByRole('heading', { level: 1, name: /^MTMX\.US/ }).waitFor();
    await guest.page.getByRole('figure', { name: /Equity on MTMX\.US/ }).waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await guest.page.getByRole('link', { name: 'Try it yourself' }).click();
    await guest.page.waitForURL('**/backtest?symbol=MTMX.US&strategy=sma_cross**');
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });

  it('waits for another run where the plan allows one at a time', async () => {
    const { page, context } = await site.open({}, await addPerson(site.api));
    const body = { code: 429, key: 'error.concurrent_backtests', message: 'one at a time', data: null, retry_after: 1 };
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/v1/backtest')) statuses.push(response.status());
    });
    await page.route('**/v1/backtest', (route) =>
      statuses.length === 0 ? route.fulfill({ status: 429, json: body }) : route.continue(),
    );
    await page.goto('/backtest?symbol=ACRX.US&strategy=macd&run=1');
    await page.getByRole('heading', { name: 'ACRX.US' }).waitFor();
    await page.locator('run-chart canvas').first().waitFor();
    expect(statuses).toEqual([429, 200]);
    await context.close();
  });

  it('says that a limit is reached, when it ends, and which plan allows more', async () => {
    const { page, context } = await site.open();
    const spend = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"symbol":"ACRX"}' };
    for (let status = 200; status === 200; ) status = (await fetch(`${site.url}/v1/backtest`, spend)).status;
    await page.goto('/backtest?symbol=ACRX.US&strategy=macd&run=1');
    const notice = page.getByRole('alert');
    await notice.getByText(/You can make 5 calls of this kind in a minute\. The Free plan allows 20\./).waitFor();
    await notice.getByText(/It ends in \d+ seconds?/).waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

describe('a search', () => {
  it('is part of some plans, and reports figures, a heat map, a walk forward, and backtests to run', async () => {
    const address =
      '/optimize?symbol=ACRX.US&strategy=sma_cross&time_range=5Y&g.fast_period=10:40:10&g.slow_period=50:90:20';
    const guest = await site.open();
    await guest.page.goto(address);
    await guest.page.getByText('12 combinations at most').waitFor();
    // An address with instruments runs at once.
    await guest.page.getByText('Included in the Pro plan and above.').waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await guest.context.close();

    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto(address);
    await page.getByLabel('in steps of').last().fill('0');
    await page.getByLabel('in steps of').last().blur();
    await page.getByText('A step must be above 0').waitFor();
    expect(await page.getByRole('button', { name: 'Search', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('in steps of').last().fill('20');
    await page.locator('summary', { hasText: 'Walk forward' }).click();
    await page.getByRole('checkbox', { name: 'Walk forward' }).check();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^Of 12 combinations, this one is the best by Sharpe ratio/).waitFor();
    await page
      .getByText('The probability of overfitting')
      .or(page.getByText(/splits of the time/))
      .first()
      .waitFor();
    expect(await page.locator('.heat tbody td').count()).toBe(12);
    await page.getByRole('figure', { name: /^Equity of the walk forward/ }).waitFor();
    const [train] = await page.getByRole('region', { name: 'Windows' }).locator('tbody tr').allInnerTexts();
    expect(train).toMatch(/\t(10|20|30|40)\t(50|70|90)\t/);
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByText(/^Of 12 combinations, this one/).waitFor();
    const best = await page.locator('.heat .best a').getAttribute('href');
    expect(best).toMatch(
      /^\/backtest\?symbol=ACRX\.US&strategy=sma_cross&time_range=5Y&.*p\.fast_period=\d+&p\.slow_period=\d+/,
    );
    await page.getByRole('link', { name: 'Run', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'ACRX.US' }).waitFor();
    expect(faults).toEqual([]);
    await page.goto(`${address}&job=00000000-0000-4000-8000-000000000000`);
    await page.getByRole('heading', { name: 'The result is no longer available' }).waitFor();
    await context.close();
  });

  it('opens for guests with a finished example, whose best cell is marked', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/optimize');
    await page.locator('.head p', { hasText: /^Donchian breakout, .* to May 29, 2026$/ }).waitFor();
    await page.getByText(/^Of 64 combinations, this one is the best by Sharpe ratio/).waitFor();
    await page.getByText(/^An example, computed after the load of May 29, 2026/).waitFor();
    await page.getByText('64 combinations at most').waitFor();
    await page.getByRole('figure', { name: /^Equity of the walk forward/ }).waitFor();
    expect(await page.locator('.heat .best').count()).toBe(1);
    const grounds = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.heat .best, .heat .shade-1')].map((cell) => getComputedStyle(cell).backgroundColor)",
    );
    expect(new Set(grounds).size).toBe(2);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'optimize-example.en.light.1440');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('over the results of a screen tries portfolios, each of which can be run', async () => {
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/optimize?strategy=sma_cross&time_range=6M&g.fast_period=5:10:5&g.slow_period=20:40:20');
    await page.locator('select[name=universe_kind]').selectOption('screen');
    expect(await page.getByRole('checkbox', { name: 'Walk forward' }).count()).toBe(0);
    await page.getByLabel('Screening condition').fill('close >');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('input[name=where][aria-invalid=true]').waitFor();
    faults.length = 0;
    await page.getByLabel('Screening condition').fill('close > 1');
    await page.getByLabel('At most').fill('3');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '3 symbols' }).waitFor();
    await page.getByText(/^The list is that of a screen on /).waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'optimize-screen.en.light.1440');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '3 symbols' }).waitFor();
    await page.getByRole('link', { name: 'Run', exact: true }).first().click();
    await page.getByRole('heading', { name: /3 symbols/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a screen', () => {
  it('opens with a finished example for guests, whose rule only accounts change', async () => {
    const guest = await site.open();
    await guest.page.goto('/screener');
    await guest.page.getByRole('heading', { level: 1, name: 'Trend breakout' }).waitFor();
    await guest.page.getByRole('heading', { name: 'What followed' }).waitFor();
    await guest.page.getByRole('heading', { name: 'Passing by day' }).waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await guest.page.getByLabel('Add a condition').fill('close > 20');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  });

  it('has conditions that are added, changed, and removed, and leads to what it finds with the list beside it', async () => {
    // Each removal runs a screen: more at once than the free plan allows.
    const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { plan: 'pro' }));
    await page.goto('/screener');
    await page.getByRole('link', { name: 'Low-volatility trend' }).click();
    await page.getByRole('heading', { level: 1, name: 'Low-volatility trend' }).waitFor();
    for (const left = page.getByRole('button', { name: /^Remove / }); (await left.count()) > 1; ) {
      const count = await left.count();
      await left.first().click();
      await eventually(
        () => left.count(),
        (now) => now < count,
      );
    }
    await page.getByRole('button', { name: 'Rules', exact: true }).click();
    const condition = page.getByLabel('Condition 1');
    await condition.fill('close > 20');
    await condition.press('Enter');
    await page.locator('.rule-line code').getByText('close > 20').waitFor();
    await page.getByRole('columnheader', { name: 'Close' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Close' }).getByRole('button').click();
    const [first] = await page.locator('tbody tr').allInnerTexts();
    expect(Number(first.split('\t')[3])).toBeGreaterThan(20);
    await page.getByRole('cell', { name: /^Median of all/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/s/*');
    const list = page.getByRole('navigation', { name: 'Screener' });
    await list.getByRole('link').first().waitFor();
    await page.goBack();
    await page.locator('.rule-line code').getByText('close > 20').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

/** Does what a load does that corrects a bar. */
/** Processes keep bars in memory, so it raises their version, as a load does. */
async function reviseVolume(symbol: string, day: string, more: number): Promise<void> {
  await site.database.pool.query(
    `with bar as (
       update daily_bars d set volume = d.volume + $3 from instruments i
       where i.id = d.instrument_id and i.symbol = $1 and d.day = $2 and d.basis = 1 returning d.*),
     figures as (select instrument_id, basis, day, to_jsonb(bar) - array['instrument_id', 'basis', 'day'] as became from bar)
     insert into revisions (instrument_id, basis, day, was, became, recorded_at)
     select instrument_id, basis, day, became || jsonb_build_object('volume', (became->>'volume')::bigint - $3::bigint), became, now()
     from figures`,
    [symbol, day, more],
  );
  await bumpDataVersion(site.database.pool, 'bars');
}

describe('the trades of a run', () => {
  it('are the same in the CSV files of its page and of the API', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross&time_range=5Y&run=1');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('button', { name: 'Kept' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const { rows } = await site.database.pool.query('select id from backtests where user_id = $1', [person.id]);
    const exported = await site.api.get(`/api/backtest/${rows[0].id}/export`, person.console);
    const linesOf = (csv: string) => csv.trimEnd().split('\r\n').slice(1);
    expect(linesOf(exported.text).length).toBeGreaterThan(3);
    expect(linesOf(await text(await (await saved).createReadStream()))).toEqual(linesOf(exported.text));
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('kept runs', () => {
  it('are verified, listed, deleted, and compared', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/runs');
    await page.getByRole('heading', { name: 'Nothing is kept yet' }).waitFor();
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross&time_range=1Y&run=1');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('button', { name: 'Kept' }).waitFor();
    await page.getByText('Not verified since it was kept.').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Computing it again gives the same result to the last digit.').waitFor();
    await page.getByText(/The bars that it read are snapshot \d+ of the table market\.daily_bars\./).waitFor();
    await keepPicture(page, 'run-verified.en.light.1440');
    await page.getByRole('button', { name: 'Search for look-ahead' }).click();
    await page.getByText(/No look-ahead: cut after each of \d+ bars, the run trades the same\./).waitFor();
    await page.locator('summary').getByText('Receipt', { exact: true }).click();
    expect(await page.locator('.receipt code').allInnerTexts()).toEqual(
      Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
    );
    await page.goto('/runs');
    await page.getByRole('cell', { name: 'Reproduced' }).waitFor();
    await reviseVolume('ACRX', '2026-05-28', 7);
    await page.getByRole('link', { name: 'ACRX · Moving-average crossover' }).click();
    await page.getByRole('heading', { level: 1, name: 'ACRX.US' }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Loads have changed data that this run read.').waitFor();
    const bars = page.getByRole('region', { name: '1 bar differs' }).getByRole('row');
    expect(await bars.nth(1).innerText()).toMatch(/^2026-05-28\s+Volume\s+[\d,]+\s+[\d,]+$/);
    expect(await findings(page)).toEqual([]);
    await page.goto('/runs');
    await page.getByRole('region').getByRole('button', { name: 'Delete' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Nothing is kept yet' }).waitFor();

    const portfolio = { symbols: ['MTMX.US', 'ACRX.US'], strategy: 'sma_cross', time_range: '1Y' };
    const kept = await site.api.post('/v1/portfolio', portfolio, person.program);
    await page.goto(`/backtest?id=${kept.body.data.id}`);
    await page.waitForURL(`**/portfolio?id=${kept.body.data.id}`);
    // There is no backtest of the id.
    expect(faults.splice(0)).toEqual([expect.stringContaining('404')]);
    await page.goto('/runs');
    await page.getByRole('link', { name: '2 symbols · Moving-average crossover' }).click();
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    await page.goto('/runs');
    await page.getByRole('region').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Nothing is kept yet' }).waitFor();

    for (const time_range of ['1Y', '3Y', '5Y']) {
      const body = { symbol: 'MTMX.US', strategy: 'sma_cross', time_range };
      expect((await site.api.post('/v1/backtest', body, person.program)).status).toBe(200);
    }
    await page.goto('/runs');
    await page.getByRole('button', { name: 'Name and tags of MTMX Moving-average crossover' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Slow and steady');
    await page.getByLabel('Tags, separated by commas').fill('trend, monthly');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Slow and steady').waitFor();
    await page.getByLabel('Find by words').fill('tag:monthly mtmx 5y');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('1 of 1').waitFor();
    await page.getByLabel('Find by words').fill('strategy:sma >1000');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { name: 'No run has these words' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Kept runs' }).getByText('Slow and steady').waitFor();
    await page.keyboard.type('mtmx 5y');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/backtest\?id=\d+$/);
    await page.goto('/runs');
    await page.getByText('Select two to 4 runs to compare them.').waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Compare MTMX Moving-average crossover/ });
    for (const i of [0, 1, 2]) await boxes.nth(i).check();
    await page.getByRole('figure', { name: /^Equity of 3 runs/ }).waitFor();
    await page.getByText('The runs cover different ranges').waitFor();
    const sharpe = page.getByRole('row', { name: /^Sharpe ratio [−\d]/ });
    expect(await sharpe.getByRole('cell').count()).toBe(3);
    expect(
      await page
        .getByRole('row', { name: /^Histories that end with a loss/ })
        .getByRole('cell')
        .count(),
    ).toBe(3);
    expect(await page.locator('.side-by-side mark').allInnerTexts()).toEqual(
      Array(3).fill(expect.stringMatching(/ – /)),
    );
    await keepPicture(page, 'runs-compared');
    expect(await findings(page)).toEqual([]);
    await boxes.nth(2).uncheck();
    await page.getByRole('figure', { name: /^Equity of 2 runs/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '2 runs compared' }).waitFor();
    const again = await site.api.post('/v1/portfolio', portfolio, person.program);
    await page.reload();
    await page.getByRole('checkbox', { name: /^Compare 2 symbols/ }).check();
    await page.getByRole('figure', { name: /^Equity of 3 runs.*ACRX, MTMX/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).toMatch(new RegExp(`,p${again.body.data.id}$`));
    expect(faults).toEqual([]);
    await context.close();
  });
});
