/** The overview of the market, against figures that are computed here from the bars as they were traded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpBar, type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01 } from '../../support/market-folder.ts';

const PATH = '/v1/market/overview';
const TICKERS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH', 'III', 'JJJ', 'FUND'];
const NEWEST = '2026-05-29';
const PAST = '2026-05-05';
const SPLIT = '2026-05-12';

let database: TestDatabase;
let market: MadeUpMarket;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;

const build = (now = NOON_2026_06_01) =>
  buildSnapshot(testJobContext({ pool: database.pool, storage, now: () => now }));
const open = (now = NOON_2026_06_01) =>
  openTestApi({ database, provider: market.folder.provider(), storage, now: () => now });

/** BBB splits 4:1, CCC has no bar in the newest session, DDD rises to its end. */
function changeMarket({ bars, events }: MadeUpMarket): void {
  events.push(`BBB,${SPLIT},split,0.25`);
  for (const bar of bars.BBB.filter(({ date }) => date < SPLIT)) {
    for (const column of ['open', 'high', 'low', 'close'] as const) bar[column] *= 4;
  }
  bars.CCC.pop();
  for (const [i, bar] of bars.DDD.slice(-5).entries()) {
    bar.close = 900 + i;
    bar.high = 910 + i;
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-overview-'));
  storage = openStorage({ folder: directory });
  market = madeUpMarket(TICKERS, '2024-07-01', NEWEST);
  changeMarket(market);
  market.write();
  const types = TICKERS.map((ticker) => `${ticker},${ticker === 'FUND' ? 'etf' : 'stock'}\n`);
  market.folder.write('symbols.csv', `symbol,asset_type\n${types.join('')}`);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

const overview = async (query = '') => {
  const { status, body } = await api.get(`${PATH}${query}`);
  expect(status).toBe(200);
  return body.data;
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const deviation = (values: readonly number[]) =>
  Math.sqrt(sum(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1));
const percent = (to: number, from: number | undefined) => (from === undefined ? null : 100 * (to / from - 1));

/** The bars of a stock through a day, with prices on the share count of that day. */
function through(ticker: string, date: string): MadeUpBar[] {
  const isSplit = (bar: MadeUpBar) => ticker === 'BBB' && bar.date < SPLIT && SPLIT <= date;
  return market.bars[ticker]
    .filter((bar) => bar.date <= date)
    .map((bar) => {
      const [price, shares] = isSplit(bar) ? [0.25, 4] : [1, 1];
      const { open, high, low, close, volume } = bar;
      return {
        date: bar.date,
        open: open * price,
        high: high * price,
        low: low * price,
        close: close * price,
        volume: volume * shares,
      };
    });
}

/** The figures of a stock at a day; null: it has no bar. */
function stockAt(ticker: string, date: string) {
  const bars = through(ticker, date);
  const last = required(bars.at(-1));
  if (last.date !== date) return null;
  const before = (count: number) => bars.at(-1 - count);
  const closes = bars.map(({ close }) => close);
  const signs = closes.slice(1).map((close, i) => Math.sign(close - closes[i]));
  const broken = signs.toReversed().findIndex((sign) => sign !== signs.at(-1));
  const older = bars.slice(-253, -1);
  return {
    symbol: `${ticker}.US`,
    close: last.close,
    dollarVolume: last.close * last.volume,
    day: percent(last.close, before(1)?.close),
    week: percent(last.close, before(5)?.close),
    month: percent(last.close, before(21)?.close),
    ytd: percent(last.close, bars.findLast((bar) => bar.date < `${date.slice(0, 4)}-01-01`)?.close),
    year: percent(last.close, before(252)?.close),
    gap: percent(last.open, before(1)?.close),
    volumeRatio: last.volume / mean(bars.slice(-21, -1).map(({ volume }) => volume)),
    streak: required(signs.at(-1)) * broken,
    isHigh: older.length === 252 && older.every(({ high }) => high < last.high),
    isLow: older.length === 252 && older.every(({ low }) => low > last.low),
    isAboveSma: closes.length < 200 ? null : last.close > mean(closes.slice(-200)),
    closes: closes.slice(-24),
  };
}

const SESSIONS = () => market.bars.AAA.map(({ date }) => date);
const sessionsThrough = (date: string, count: number) =>
  SESSIONS()
    .filter((one) => one <= date)
    .slice(-count);
const stocksAt = (date: string) =>
  TICKERS.filter((ticker) => ticker !== 'FUND').flatMap((ticker) => stockAt(ticker, date) ?? []);
const returnsAt = (date: string) => stocksAt(date).flatMap(({ day }) => day ?? []);

function breadthAt(date: string) {
  const stocks = stocksAt(date);
  const returns = returnsAt(date);
  return {
    date,
    rising: returns.filter((value) => value > 0).length,
    falling: returns.filter((value) => value < 0).length,
    unchanged: returns.filter((value) => value === 0).length,
    new_highs: stocks.filter(({ isHigh }) => isHigh).length,
    new_lows: stocks.filter(({ isLow }) => isLow).length,
  };
}

function aboveSmaAt(date: string): number {
  const known = stocksAt(date).flatMap(({ isAboveSma }) => isAboveSma ?? []);
  return (100 * known.filter(Boolean).length) / known.length;
}

/** A number to six digits after the point, as the service rounds figures. */
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 5));

function expectedItem(stock: ReturnType<typeof stocksAt>[number]) {
  return {
    symbol: stock.symbol,
    name: expect.any(String),
    close: near(stock.close),
    dollar_volume: near(stock.dollarVolume),
    return_1d_pct: near(stock.day),
    return_1w_pct: near(stock.week),
    return_1m_pct: near(stock.month),
    return_ytd_pct: near(stock.ytd),
    return_1y_pct: near(stock.year),
    volume_ratio: near(stock.volumeRatio),
    gap_pct: near(stock.gap),
    streak: stock.streak,
  };
}

describe('without data', () => {
  it('is refused, and says that it is not ready', async () => {
    api = await open();
    expect(await api.get(PATH)).toMatchObject({ status: 503 });
    expect(await api.get(`${PATH}?as_of=${PAST}`)).toMatchObject({ status: 503 });
    await api.close();
  });
});

describe('a session', () => {
  beforeAll(async () => {
    await loadEverything(database.pool, market.folder.provider());
    await build();
    api = await open();
  });

  it.each([
    ['the newest', NEWEST, ''],
    ['an older one', PAST, `?as_of=${PAST}`],
  ])('has the figures of its bars: %s', async (_, date, query) => {
    const { figures, ...found } = await overview(query);
    const returns = returnsAt(date);
    const dispersions = sessionsThrough(date, 252).map((one) => deviation(returnsAt(one)));
    const own = deviation(returns);
    const dollarVolumes = sessionsThrough(date, 21).map((one) => sum(stocksAt(one).map((stock) => stock.dollarVolume)));
    const [yesterday] = sessionsThrough(date, 2);
    const { date: _date, ...breadth } = breadthAt(date);
    expect(found).toMatchObject({ as_of: date, counted: returns.length, missing_sessions: { count: 0, ranges: [] } });
    expect(figures).toEqual({
      ...breadth,
      median_return_pct: near(median(returns)),
      median_return_1w_pct: near(median(stocksAt(date).flatMap(({ week }) => week ?? []))),
      above_sma_200_pct: near(aboveSmaAt(date)),
      above_sma_200_change: near(aboveSmaAt(date) - aboveSmaAt(yesterday)),
      dollar_volume: near(required(dollarVolumes.at(-1))),
      dollar_volume_vs_mean_pct: near(percent(required(dollarVolumes.at(-1)), mean(dollarVolumes.slice(0, -1)))),
      dispersion_pct: near(own),
      dispersion_percentile: Math.round((100 * dispersions.filter((one) => one <= own).length) / dispersions.length),
    });
    expect(found.days).toEqual(sessionsThrough(date, 60).map(breadthAt));
  });

  it('has highs and lows to compare', async () => {
    const { days } = await overview();
    expect(sum(days.map((day: { new_highs: number }) => day.new_highs))).toBeGreaterThan(5);
    expect(days.at(-1).new_highs).toBeGreaterThan(0);
  });

  it.each([
    ['the newest', NEWEST, ''],
    ['one before a split', PAST, `?as_of=${PAST}`],
  ])('lists stocks by dollar volume, without funds: %s', async (_, date, query) => {
    const { universe } = await overview(query);
    const named = date === NEWEST ? {} : { current_symbol: expect.any(String) };
    const expected = stocksAt(date).sort((a, b) => b.dollarVolume - a.dollarVolume);
    expect(universe).toEqual(expected.map((stock) => ({ ...named, ...expectedItem(stock) })));
  });

  it('tells the stocks that have no bar in it', async () => {
    expect((await overview()).without_bar).toBe(1);
    expect((await overview(`?as_of=${PAST}`)).without_bar).toBe(0);
  });

  it('has the largest movers, with their closes', async () => {
    const { movers } = await overview();
    const stocks = stocksAt(NEWEST);
    type Figure = (stock: (typeof stocks)[number]) => number | null;
    const measures: Readonly<Record<string, { readonly direction: Figure; readonly size: Figure }>> = {
      return: { direction: ({ day }) => day, size: ({ day }) => day },
      volume: { direction: ({ day }) => day, size: ({ volumeRatio }) => volumeRatio },
      gap: { direction: ({ gap }) => gap, size: ({ gap }) => gap },
      streak: { direction: ({ streak }) => streak, size: ({ streak }) => streak },
    };
    const symbols = (list: readonly { symbol: string }[]) => list.map(({ symbol }) => symbol);
    for (const [measure, { direction, size }] of Object.entries(measures)) {
      const largest = (sign: 1 | -1) =>
        stocks
          .filter((stock) => Math.sign(direction(stock) ?? 0) === sign)
          .sort((a, b) => Math.abs(size(b) ?? 0) - Math.abs(size(a) ?? 0) || b.dollarVolume - a.dollarVolume)
          .slice(0, 8);
      expect([measure, symbols(movers[measure].rising)]).toEqual([measure, symbols(largest(1))]);
      expect([measure, symbols(movers[measure].falling)]).toEqual([measure, symbols(largest(-1))]);
    }
    expect(movers.streak.rising[0].symbol).toBe('DDD.US');
    for (const { symbol, closes } of [...movers.return.rising, ...movers.return.falling]) {
      const stock = required(stocks.find((one) => one.symbol === symbol));
      expect(closes).toEqual(stock.closes.map((close) => Number(close.toPrecision(5))));
    }
  });

  it('knows the sessions beside it', async () => {
    const [before, date] = sessionsThrough(PAST, 2);
    const after = SESSIONS()[SESSIONS().indexOf(date) + 1];
    expect(await overview(`?as_of=${date}`)).toMatchObject({ previous_session: before, next_session: after });
    expect(await overview()).toMatchObject({ next_session: null, timeliness: { max_date: NEWEST } });
  });

  it('is refused when no overview of it is kept, and the nearest is named', async () => {
    const [oldest] = sessionsThrough(NEWEST, 60);
    const { status, body } = await api.get(`${PATH}?as_of=2026-01-05`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(oldest)]);
    expect((await api.get(`${PATH}?as_of=2026-05-24`)).body.message).toContain('2026-05-22');
    expect((await api.get(`${PATH}?as_of=2026-06-02`)).status).toBe(400);
    expect((await api.get(`${PATH}?as_of=soon`)).status).toBe(400);
  });

  it('answers guests from memory, and 304 to those who have it', async () => {
    const { headers } = await api.get(PATH);
    expect((await api.get(PATH, { 'If-None-Match': headers.etag })).status).toBe(304);
  });
});

describe('an overview of a past session', () => {
  it('is what it was while its session was the newest', async () => {
    const later = await overview(`?as_of=${PAST}`);
    await api.close();
    const then = Date.parse(`${PAST}T16:00:00Z`) + 86_400_000;
    await build(then);
    api = await open(then);
    const { next_session: _next, timeliness: _timeliness, ...now } = await overview();
    const { next_session: __next, timeliness: __timeliness, ...was } = later;
    const withoutNames = (answer: object) =>
      JSON.parse(JSON.stringify(answer, (key, value) => (key === 'current_symbol' ? undefined : value)));
    expect(withoutNames(was)).toEqual(withoutNames(now));
    await api.close();
    await build();
    api = await open();
  });
});

describe('a session that is not completely loaded', () => {
  it('is named, and is no day of the breadth', async () => {
    const [missing] = sessionsThrough(NEWEST, 3);
    await database.pool.query('update loaded_sessions set is_complete = false where day = $1', [missing]);
    await database.pool.query(`update data_versions set version = version + 1 where scope = 'bars'`);
    await build();
    await api.close();
    api = await open();
    const found = await overview();
    expect(found.missing_sessions).toEqual({ count: 1, ranges: [{ start: missing, end: missing }] });
    expect(found.days.map(({ date }: { date: string }) => date)).toEqual(
      sessionsThrough(NEWEST, 61).filter((date) => date !== missing),
    );
  });
});
