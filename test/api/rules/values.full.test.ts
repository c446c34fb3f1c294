/** Values of the language of rules over candles, compared with indicators by their definitions. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdjustMode, adjustSeries, effectiveEvents } from '../../../engine/market/adjust.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, joinSeries, type Period, resample } from '../../../engine/market/series.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { readHistory } from '../../../jobs/runs/history.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { referenceIndicators } from '../../support/reference-engine.ts';

const NOW = Date.parse('2026-10-01T16:00:00Z');
const VALUES = 'sma(20); rsi(14); highest(10); 100 * (close / sma(20) - 1); volume; dollar_volume';

let database: TestDatabase;
let api: TestApi;
let symbols: string[];

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 20, now: () => NOW });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, now: () => NOW, plan: 'pro' });
  symbols = api.market.directory.items.slice(0, 6).map(({ qualified }) => qualified);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

interface Candle {
  readonly ts: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const candlesOf = async (symbol: string, query: string): Promise<Candle[]> =>
  (await api.get(`/v1/kline/${symbol}?days=10000&${query}`)).body.data.bars;
const ask = (symbol: string, query: string, values = VALUES) =>
  api.get(`/v1/rules/values/${symbol}?values=${encodeURIComponent(values)}&${query}`);

function seriesOf(candles: readonly Candle[]): BarSeries {
  const series = allocateSeries(candles.length);
  for (const [i, { ts, ...bar }] of candles.entries()) {
    series.day[i] = requireDay(ts);
    for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) series[name][i] = bar[name];
  }
  return series;
}

/** Candles are served with six decimals, so that indicators of them are almost those of exact prices. */
function expectNear(figures: readonly (number | null)[], expected: readonly number[]): void {
  expect(figures).toHaveLength(expected.length);
  for (const [i, figure] of figures.entries()) {
    const wanted = expected[i];
    if (Number.isNaN(wanted)) expect([i, figure]).toEqual([i, null]);
    else expect(Math.abs((figure ?? Number.NaN) - wanted)).toBeLessThan(1e-4 * Math.max(1, Math.abs(wanted)));
  }
}

/** The candles of a symbol, and those of the bars that runs read before them. */
async function wholeCandles(symbol: string, period: Period, mode: AdjustMode): Promise<BarSeries> {
  const served = seriesOf(await candlesOf(symbol, 'adjust=none'));
  const { id } = required(api.market.directory.items.find(({ qualified }) => qualified === symbol));
  const last = served.day[served.length - 1];
  const { series, events } = await readHistory(database.pool, id, served.day[0] - 1);
  return resample(adjustSeries(joinSeries([series, served]), effectiveEvents(events, last, mode)), period);
}

describe('values over candles', () => {
  it.each([
    ['day', 'qfq', 'split'],
    ['day', 'total', 'total'],
    ['week', 'qfq', 'split'],
    ['day', 'none', 'none'],
  ] as const)('are the indicators of the candles and of the bars before them: %s, %s', async (period, adjust, mode) => {
    const query = `period=${period}&adjust=${adjust}`;
    let before = 0;
    for (const symbol of symbols) {
      const candles = await candlesOf(symbol, query);
      const { data } = (await ask(symbol, `${query}&days=10000`)).body;
      expect(data.dates).toEqual(candles.map(({ ts }) => ts));
      if (candles.length === 0) continue;
      const all = await wholeCandles(symbol, period, mode);
      const served = all.length - candles.length;
      before += served;
      const is = referenceIndicators(all);
      const at = (figure: (t: number) => number) => candles.map((_, i) => figure(served + i));
      const [sma, rsi, highest, distance, volume, money] = data.values;
      expectNear(sma.figures, at(is.sma(20)));
      expectNear(rsi.figures, at(is.rsi(14)));
      expectNear(highest.figures, at(is.highestBefore(10)));
      const mean = is.sma(20);
      expectNear(
        distance.figures,
        at((t) => 100 * (all.close[t] / mean(t) - 1)),
      );
      const units = [sma, rsi, highest, distance, volume, money].map(({ unit }) => unit);
      expect(units).toEqual(['price', 'other', 'price', 'other', 'shares', 'money']);
    }
    expect(before).toBeGreaterThan(100);
  });

  it('know months, dividends, and the age of an instrument', async () => {
    const [symbol] = symbols;
    const values = 'monthly(sma_of(close, 60)); dividend; age; 1e-9 * close / lag(close, 1)';
    const { data } = (await ask(symbol, 'days=400', values)).body;
    const [months, dividends, ages, small] = data.values.map(({ figures }: { figures: (number | null)[] }) => figures);
    expect([months, ages, small].map((figures) => figures.filter((one: number | null) => one === null))).toEqual([
      ...[[], [], []],
    ]);
    expect(new Set(months).size).toBeLessThan(25);
    expect(ages.at(-1) - ages[0]).toBeGreaterThan(17);
    expect(dividends.every((one: number | null) => one !== null && one >= 0)).toBe(true);
    expect(small.every((one: number | null) => one !== null && one > 1e-10)).toBe(true);
  });

  it('use candles before the range, and end with it', async () => {
    const [symbol] = symbols;
    const all = (await ask(symbol, 'adjust=qfq&days=10000')).body.data;
    const [start, end] = [all.dates.at(-40), all.dates.at(-11)];
    const part = (await ask(symbol, `adjust=qfq&start=${start}&end=${end}`)).body.data;
    expect(part.dates).toEqual(all.dates.slice(-40, -10));
    expect(part.values[0].figures).toEqual(all.values[0].figures.slice(-40, -10));
    const newest = (await ask(symbol, 'adjust=qfq&days=30')).body.data;
    expect([newest.count, newest.dates.at(-1)]).toEqual([30, all.dates.at(-1)]);
  });

  it.each([
    ['close > 5', [400, 'error.rule_invalid', ['query', 'values', 0]]],
    ['close; smaa(5)', [400, 'error.rule_invalid', ['query', 'values', 1]]],
    ['close; bars_held', [400, 'error.rule_invalid', ['query', 'values', 1]]],
    ['rank(close)', [400, 'error.rule_invalid', ['query', 'values', 0]]],
    ['close;', [400, 'error.rule_invalid', ['query', 'values', 1]]],
    [Array.from({ length: 9 }, () => 'close').join(';'), [422, 'error.validation_failed', ['query', 'values']]],
  ])('refuse %s', async (values, expected) => {
    const { status, body } = await ask(symbols[0], '', values);
    expect([status, body.key, body.detail[0].loc]).toEqual(expected);
  });

  it('of a guest begin with the candles of a guest', async () => {
    const guest = await openTestApi({
      database,
      provider: new SampleProvider({ symbols: 20, now: () => NOW }),
      now: () => NOW,
      realCallers: true,
    });
    const [symbol] = symbols;
    const { bars } = (await guest.get(`/v1/kline/${symbol}?days=10000`)).body.data;
    const { data } = (await guest.get(`/v1/rules/values/${symbol}?values=close&days=10000`)).body;
    await guest.close();
    expect(data.limited_by_plan).toBe(true);
    expect(data.dates).toEqual(bars.map(({ ts }: Candle) => ts));
  });
});

it('reads other instruments at the same candles', async () => {
  const [symbol, other] = symbols;
  const ticker = other.replace('.US', '');
  const values = `of('${ticker}', close); beta('${ticker}', 60)`;
  const [of, beta] = (await ask(symbol, 'days=300', values)).body.data.values;
  const closes = new Map((await candlesOf(other, 'adjust=none')).map(({ ts, close }) => [ts, close]));
  const { dates } = (await ask(symbol, 'days=300')).body.data;
  expectNear(
    of.figures,
    dates.map((date: string) => closes.get(date) ?? Number.NaN),
  );
  expect(beta.figures.at(-1)).toEqual(expect.any(Number));
  expect((await ask(symbol, 'days=5', "of('NONE', close)")).status).toBe(400);
});
