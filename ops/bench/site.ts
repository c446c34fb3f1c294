/** Measures the site in a browser: the size of its first pages, the time until they can be used, and the drawing of a long run. */
import type { Browser, Page } from 'playwright-core';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { required } from '../../engine/util/required.ts';
import { withChromium } from '../browser/chromium.ts';
import { type Bench, ensureLoaded } from './market.ts';
import { IS_QUICK, summarize } from './measure.ts';
import { endChild, startApi } from './processes.ts';
import { figure } from './report.ts';

const ROUNDS = IS_QUICK ? 1 : 5;
const BARS = 5_000;
const TRADES = 500;

/** Selector of an element that exists once a page can be used. */
const READY = { home: 'dl[aria-busy="false"]', symbol: 'price-chart canvas', docs: '.sidebar-heading-type' } as const;

/** Adds up the layout shifts of the page while it loads. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Returns the milliseconds until a run of many bars and trades is drawn; its element is of the page. */
const DRAW_RUN = `(async () => {
  await customElements.whenDefined('run-chart');
  const day = (i) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);
  const price = (i) => 100 + 20 * Math.sin(i / 40) + i / 50;
  const days = Array.from({ length: ${BARS} }, (_, i) => i);
  const klines = days.map((i) => ({ ts: day(i), open: price(i), high: price(i) + 1, low: price(i) - 1, close: price(i + 1), volume: 1e6 }));
  const equity = days.map((i) => ({ ts: day(i), equity: 1000 * price(i), drawdown_pct: 10 * Math.abs(Math.sin(i / 70)), buy_hold: 900 * price(i) }));
  const step = ${BARS / TRADES};
  const trades = Array.from({ length: ${TRADES} }, (_, i) => ({ seq: i + 1, entry_date: day(i * step), exit_date: day(i * step + step - 1) }));
  const chart = document.createElement('run-chart');
  chart.result = { klines, equity, trades, cost: { initial_capital: 100000 } };
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const start = performance.now();
  document.querySelector('main').replaceChildren(chart);
  await chart.updateComplete;
  await frame();
  await frame();
  return performance.now() - start;
})()`;

/** A new context has an empty browser cache. */
async function openPage(browser: Browser, port: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 900 },
  });
  return context.newPage();
}

interface Visit {
  /** Bytes of the page, its modules, and its styles, as sent. */
  readonly kb: number;
  readonly ms: number;
  readonly shift: number;
}

async function visit(browser: Browser, port: number, [path, ready]: readonly [string, string]): Promise<Visit> {
  const page = await openPage(browser, port);
  await page.addInitScript(WATCH_SHIFTS);
  const bytes = await countBytes(page);
  const start = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForSelector(ready);
  const ms = performance.now() - start;
  await page.waitForLoadState('load');
  const shift = await page.evaluate<number>('globalThis.shifted');
  await page.context().close();
  return { ms, shift, kb: bytes.sum / 1000 };
}

/** Counts the bytes of pages, modules, and styles as sent, without the answers of the API. */
async function countBytes(page: Page): Promise<{ sum: number }> {
  const counted = { sum: 0 };
  const session = await page.context().newCDPSession(page);
  const answers = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    if (/^\/(v1|api)\//.test(new URL(url).pathname)) answers.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!answers.has(requestId)) counted.sum += encodedDataLength;
  });
  await session.send('Network.enable');
  return counted;
}

async function visits(browser: Browser, port: number, page: readonly [string, string]): Promise<Visit[]> {
  // The service compresses the files on the first visit.
  await visit(browser, port, page);
  const made: Visit[] = [];
  for (let round = 0; round < ROUNDS; round++) made.push(await visit(browser, port, page));
  return made;
}

async function drawRun(browser: Browser, port: number): Promise<number[]> {
  const page = await openPage(browser, port);
  await page.goto('/backtest');
  await page.waitForSelector('backtest-form button');
  const drawn: number[] = [];
  for (let round = 0; round < ROUNDS; round++) drawn.push(await page.evaluate<number>(DRAW_RUN));
  await page.context().close();
  return drawn;
}

const benchSite: Bench = async (market) => {
  await ensureLoaded(market);
  const [symbol] = await selectShowcaseSymbols(market.pool, 1);
  const { child, port } = await startApi(market.url, market.data, market.source);
  try {
    return await withChromium(async (browser) => {
      const home = await visits(browser, port, ['/', READY.home]);
      const chart = await visits(browser, port, [`/s/${required(symbol)}`, READY.symbol]);
      const docs = await visits(browser, port, ['/docs', READY.docs]);
      const drawn = summarize(await drawRun(browser, port));
      const ms = (of: readonly Visit[]) => summarize(of.map((one) => one.ms));
      const shift = Math.max(...[...home, ...chart].map((one) => one.shift));
      const firstPage = 'a first visit of /s/{symbol}: page, modules, styles, and chart library, compressed';
      return [
        figure('site.first_page_kb', chart[0].kb, firstPage),
        figure('site.interactive_ms', ms(home), 'from the address to the market figures of /, nothing kept'),
        figure('site.docs_ms', ms(docs), 'from the address to the operations of /docs, nothing kept'),
        figure('site.candles_ms', drawn, `${BARS} candles and ${TRADES} trades on the screen`),
        figure('site.layout_shift', shift, 'the largest of both pages'),
      ];
    });
  } finally {
    await endChild(child);
  }
};

export const SITE = { site: benchSite };
