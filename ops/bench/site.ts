/** Measures the site in a browser: the size of its first pages, the time until they can be used, and the drawing of a long run. */
import type { Browser, Page, Request } from 'playwright-core';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { required } from '../../engine/util/values.ts';
import { withChromium } from '../browser/chromium.ts';
import { type Bench, ensureLoaded } from './market.ts';
import { figure, inTurns, timed } from './measure.ts';
import { endChild, startProcess } from './processes.ts';

const BARS = 5_000;
const TRADES = 500;

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
  const viewport = { width: 1280, height: 900 };
  return (await browser.newContext({ baseURL: `http://127.0.0.1:${port}`, viewport })).newPage();
}

/** Bytes of a page, its modules, and its styles, as sent, without the answers of the API. */
async function sentBytes(requests: readonly Request[]): Promise<number> {
  const files = requests.filter((request) => !/^\/(v1|api)\//.test(new URL(request.url()).pathname));
  const sizes = await Promise.all(files.map((request) => request.sizes()));
  return sizes.reduce(
    (sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize,
    0,
  );
}

async function visit(browser: Browser, port: number, path: string, ready: string) {
  const page = await openPage(browser, port);
  await page.addInitScript(WATCH_SHIFTS);
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  const ms = await timed(async () => {
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForSelector(ready);
  });
  await page.waitForLoadState('load');
  const shift = await page.evaluate<number>('globalThis.shifted');
  const kb = (await sentBytes(requests)) / 1000;
  await page.context().close();
  return { ms, shift, kb };
}

async function drawRun(browser: Browser, port: number): Promise<number[]> {
  const page = await openPage(browser, port);
  await page.goto('/backtest');
  await page.waitForSelector('backtest-form select');
  const { drawn } = await inTurns({ drawn: () => page.evaluate<number>(DRAW_RUN) });
  await page.context().close();
  return drawn;
}

const benchSite: Bench = async (market) => {
  await ensureLoaded(market);
  const [symbol] = await selectShowcaseSymbols(market.pool, 1);
  const { child, port } = await startProcess('api', market.url, market.data, market.source);
  try {
    return await withChromium(async (browser) => {
      // Each has an element that exists once the page can be used.
      const home = () => visit(browser, port, '/', 'dl[aria-busy="false"]');
      const chart = () => visit(browser, port, `/s/${required(symbol)}`, 'price-chart canvas');
      const docs = () => visit(browser, port, '/docs/reference', '.sidebar-heading-type');
      // The service compresses the files on the first visit, which does not count.
      for (const first of [home, chart, docs]) await first();
      const times = await inTurns({ home: async () => (await home()).ms, docs: async () => (await docs()).ms });
      const { kb } = await chart();
      const shifts = await inTurns({
        home: async () => (await home()).shift,
        chart: async () => (await chart()).shift,
      });
      const firstPage = 'a first visit of /s/{symbol}: page, modules, styles, and chart library, compressed';
      return new Map([
        ['site.first_page_kb', figure(kb, firstPage)],
        ['site.interactive_ms', figure(times.home, 'from the address to the market figures of /, nothing kept')],
        ['site.docs_ms', figure(times.docs, 'from the address to the operations of /docs/reference, nothing kept')],
        ['site.candles_ms', figure(await drawRun(browser, port), `${BARS} candles, ${TRADES} trades on the screen`)],
        ['site.layout_shift', figure(Math.max(...shifts.home, ...shifts.chart), 'the largest of / and /s/{symbol}')],
      ]);
    });
  } finally {
    await endChild(child);
  }
};

export const SITE = { site: benchSite };
