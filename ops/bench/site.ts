/** Measures the site in a browser: the size of its first pages, the time until they can be used, and the drawing of a long run. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { present } from '../../engine/present.ts';
import { withChromium } from '../browser/chromium.ts';
import { type Figure, figure, inTurns, type Measurement, summarize } from './harness.ts';
import { type Server, startServer } from './http.ts';
import { type BenchMarket, ensureLoaded } from './market.ts';

const ROUNDS = 5;
const BARS = 5_000;
const TRADES = 500;

/** Selector of an element that exists once a page can be used. */
const READY = { home: 'dl[aria-busy="false"]', symbol: 'price-chart canvas', docs: '.opblock' } as const;

/** Adds up the layout shifts of the page while it loads. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Returns the milliseconds until a run of many bars and trades is drawn; the module is already loaded. */
const DRAW_RUN = `(async () => {
  await import('/assets/elements/run-chart.ts');
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

interface Visit {
  /** Bytes of the page, its modules, and its styles, as sent. */
  readonly kb: number;
  readonly ms: number;
  readonly shift: number;
}

/** Makes a first visit: the browser cache is empty. */
async function visit(browser: Browser, { port }: Server, path: string, isReady: string): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFTS);
  const bytes = await countBytes(context, page);
  const start = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForSelector(isReady);
  const ms = performance.now() - start;
  await page.waitForLoadState('load');
  const shift = await page.evaluate<number>('globalThis.shifted');
  await context.close();
  return { ms, shift, kb: bytes.sum / 1000 };
}

/** Counts the bytes of pages, modules, and styles as sent, without the answers of the API. */
async function countBytes(context: BrowserContext, page: Page): Promise<{ sum: number }> {
  const counted = { sum: 0 };
  const session = await context.newCDPSession(page);
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

async function drawRun(browser: Browser, { port }: Server): Promise<Measurement> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  await page.goto('/backtest');
  await page.waitForSelector('backtest-form button');
  const { drawn } = await inTurns(ROUNDS, { drawn: () => page.evaluate<number>(DRAW_RUN) });
  await context.close();
  return drawn;
}

export async function benchSite(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  const [symbol] = await selectShowcaseSymbols(market.pool, 1);
  const server = await startServer('ours', market.url, market.objects);
  const pages = { home: '/', symbol: `/s/${present(symbol)}`, docs: '/docs' } as const;
  const names = ['home', 'symbol', 'docs'] as const;
  try {
    return await withChromium(async (browser) => {
      // The service compresses the files on the first visit.
      for (const name of names) await visit(browser, server, pages[name], READY[name]);
      const visits: Record<keyof typeof pages, Visit[]> = { home: [], symbol: [], docs: [] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of names) {
          visits[name].push(await visit(browser, server, pages[name], READY[name]));
        }
      }
      const ms = (of: readonly Visit[]) => summarize(of.map((one) => one.ms));
      const [home, chart] = [visits.home[0], visits.symbol[0]];
      const shift = Math.max(...[...visits.home, ...visits.symbol].map((one) => one.shift));
      return [
        figure(
          'site.first_page_kb',
          chart.kb,
          '< 120',
          'a first visit of /s/{symbol}: page, modules, styles, and chart library, compressed',
        ),
        figure('site.home_kb', home.kb, '', 'a first visit of /'),
        figure(
          'site.interactive_ms',
          ms(visits.home),
          '< 1000',
          'from the address to the market figures of /, nothing kept',
        ),
        figure('site.chart_ms', ms(visits.symbol), '', 'from the address to the candles of /s/{symbol}, nothing kept'),
        figure('site.docs_ms', ms(visits.docs), '< 2000', 'from the address to the operations of /docs, nothing kept'),
        figure(
          'site.candles_ms',
          await drawRun(browser, server),
          '< 200',
          `${BARS} candles and ${TRADES} trades on the screen`,
        ),
        figure('site.layout_shift', shift, '<= 0.01', 'the largest of both pages'),
      ];
    });
  } finally {
    server.child.kill();
  }
}
