/** Measures the site in a browser: the size of its first pages, the time until they can be used, and the drawing of a long run. */
import type { Browser, Page, Request } from 'playwright-core';
import { selectShowcaseSymbols } from '../../../db/market/instruments.ts';
import { required } from '../../../engine/util/values.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { withChromium } from '../../../ops/browser/chromium.ts';
import { type Bench, ensureLoaded, snapshotContext } from './market.ts';
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

/** How a page is visited. */
type Device = 'desktop' | 'phone';

const SCREENS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

/** A phone far from a mast: round trips in ms, bytes a second, and a processor this many times as slow. */
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const SLOW_PROCESSOR = { rate: 4 };

/** A new context has an empty browser cache. */
async function openPage(browser: Browser, port: number, device: Device = 'desktop'): Promise<Page> {
  const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}`, ...SCREENS[device] });
  const page = await context.newPage();
  if (device === 'desktop') return page;
  const chromium = await context.newCDPSession(page);
  await chromium.send('Network.enable');
  await chromium.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await chromium.send('Emulation.setCPUThrottlingRate', SLOW_PROCESSOR);
  return page;
}

/** Bytes of a page, its modules, and its styles, as sent, without the answers of the API and the font, which comes after the first paint. */
async function sentBytes(requests: readonly Request[]): Promise<number> {
  const files = requests.filter((request) => !/^\/(v1|api)\/|\.woff2$/.test(new URL(request.url()).pathname));
  const sizes = await Promise.all(files.map((request) => request.sizes()));
  return sizes.reduce(
    (sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize,
    0,
  );
}

async function visit(browser: Browser, port: number, path: string, ready: string, device: Device = 'desktop') {
  const page = await openPage(browser, port, device);
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
  // The set-up is folded at this width.
  await page.waitForSelector('backtest-form select', { state: 'attached' });
  const { drawn } = await inTurns({ drawn: () => page.evaluate<number>(DRAW_RUN) });
  await page.context().close();
  return drawn;
}

/** Fifty first visits in two minutes, each by somebody else. */
const UNLIMITED = { RATE_LIMIT_FACTOR: '1000' };

const ON_PHONE = 'on a phone: 150 ms round trips, 1.6 Mbit/s, a processor a fourth as fast, nothing kept';

const benchSite: Bench = async (market) => {
  await ensureLoaded(market);
  // The figures of the home page are part of the snapshot.
  await buildSnapshot(snapshotContext(market));
  const [symbol] = await selectShowcaseSymbols(market.pool, 1);
  const { child, port } = await startProcess('api', market.url, market.data, { ...market.source, ...UNLIMITED });
  try {
    return await withChromium(async (browser) => {
      // Each has an element that exists once the page can be used.
      const home = (device?: Device) => visit(browser, port, '/', 'dl[aria-busy="false"]', device);
      const chart = (device?: Device) => visit(browser, port, `/s/${required(symbol)}`, 'price-chart canvas', device);
      const docs = () => visit(browser, port, '/docs/reference', '.operations h1');
      // The service may still build its pages during the first visits, which do not count.
      for (const first of [home, chart, docs]) await first();
      const times = await inTurns({ home: async () => (await home()).ms, docs: async () => (await docs()).ms });
      const { kb } = await chart();
      const phone = await inTurns({
        home: async () => (await home('phone')).ms,
        chart: async () => (await chart('phone')).ms,
      });
      const shifts = await inTurns({
        home: async () => (await home()).shift,
        chart: async () => (await chart()).shift,
      });
      const firstPage =
        'a first visit of /s/{symbol}: page, modules, styles, and chart library, compressed, without the font';
      return new Map([
        ['site.first_page_kb', figure(kb, firstPage)],
        ['site.interactive_ms', figure(times.home, 'from the address to the market figures of /, nothing kept')],
        ['site.phone_home_ms', figure(phone.home, `to the market figures of / ${ON_PHONE}`)],
        ['site.phone_chart_ms', figure(phone.chart, `to the chart of /s/{symbol} ${ON_PHONE}`)],
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
