/** The history of a screen, compared with the same screen on every shorter history, each adjusted to its own end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectAdjustments } from '../../../db/market/adjustments.ts';
import { selectSeries } from '../../../db/market/bars.ts';
import { type Adjustment, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { newestDistributableDay, sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES, sliceSeries } from '../../../engine/market/series.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const NEWEST = '2024-09-03';
const EARLIER = '2024-08-15';
const WHERE = 'dollar_volume > 5000000 and (close > sma(50) or close > 1000000) and high > highest(20)';
const PARTS = ['dollar_volume > 5000000', '(close > sma(50) or close > 1000000)', 'high > highest(20)'];
const CONDITIONS = [
  { field: 'dollar_volume', op: 'gt', value: 5_000_000 },
  { field: 'above_sma', op: 'is_true', period: 50 },
  { field: 'new_high', op: 'is_true', period: 20 },
];

interface Instrument {
  readonly symbol: string;
  readonly traded: BarSeries;
  readonly events: readonly Adjustment[];
}

let database: TestDatabase;
let storage: ObjectStorage;
let api: TestApi;
let person: Person;
let instruments: Instrument[];
const directory = mkdtempSync(join(tmpdir(), 'market-screen-history-'));

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 40, now: () => NOW });
  database = await createSampleDatabase(provider);
  storage = openStorage({ folder: directory });
  const { pool } = database;
  await buildSnapshot(testJobContext({ pool, storage, now: () => NOW }));
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'enterprise' });
  const items = api.market.directory.items.filter(({ instrument }) => ['stock', 'etf'].includes(instrument.assetType));
  const ids = items.map(({ id }) => id);
  const [primary, consolidated] = await Promise.all([
    selectSeries(pool, ids, 'primary_session'),
    selectSeries(pool, ids, 'consolidated'),
  ]);
  const events = await selectAdjustments(pool);
  instruments = items.map(({ id, qualified }) => ({
    symbol: qualified,
    traded: spliceSeries(
      primary.get(id) ?? EMPTY_SERIES,
      consolidated.get(id) ?? EMPTY_SERIES,
      newestDistributableDay(NOW),
    ),
    events: events.get(id) ?? [],
  }));
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

/** The conditions that fail at a bar, by the bars up to it alone. */
function failedAt({ traded, events }: Instrument, index: number): number[] {
  const from = Math.max(0, index - 60);
  const { close, high, volume } = adjustToLastBar(sliceSeries(traded, from, index + 1), events);
  const at = index - from;
  const last = close[at];
  const mean = close.slice(-50).reduce((sum, price) => sum + price, 0) / 50;
  const holds = [
    last * volume[at] > 5_000_000,
    index >= 49 && last > mean,
    index >= 20 && high[at] > Math.max(...high.slice(at - 20, at)),
  ];
  return holds.flatMap((is, place) => (is ? [] : [place]));
}

const memo = new Map<string, number[]>();
function failed(instrument: Instrument, index: number): number[] {
  const key = `${instrument.symbol} ${index}`;
  const known = memo.get(key) ?? failedAt(instrument, index);
  memo.set(key, known);
  return known;
}

/** The newest bar at a session; -1: none within a week. */
function indexAt({ traded: { day } }: Instrument, session: Day): number {
  const index = day.findLastIndex((one) => one <= session);
  return index >= 0 && session - day[index] <= 7 ? index : -1;
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function expectedHistory(newest: Day, from: Day, among: readonly Instrument[] = instruments) {
  const sessions = sessionsBetween(newest - 120, newest).slice(-60);
  const passes = (one: Instrument, index: number) => index >= 0 && failed(one, index).length === 0;
  const [before, now] = sessions.slice(-2);
  const changed = (then: Day, after: Day, at: Day) =>
    among
      .filter((one) => passes(one, indexAt(one, after)) && !passes(one, indexAt(one, then)))
      .map((one) => ({ symbol: one.symbol, conditions: indexAt(one, at) < 0 ? [] : failed(one, indexAt(one, at)) }))
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const followed: Record<'all' | 'passed', number[]> = { all: [], passed: [] };
  for (const one of among) {
    const { traded, events } = one;
    const bars = traded.day.filter((day) => day <= newest).length;
    const { day, close } = adjustToLastBar(sliceSeries(traded, 0, bars), events);
    const hasEnded = newest - day[bars - 1] > 7;
    for (let index = 0; index < bars - 1; index++) {
      if (day[index] < from || (index + 20 >= bars && !hasEnded)) continue;
      const change = close[Math.min(index + 20, bars - 1)] / close[index] - 1;
      followed.all.push(change);
      if (passes(one, index)) followed.passed.push(change);
    }
  }
  const judged = (changes: readonly number[]) => ({
    count: changes.length,
    median_pct: Math.round(medianOf(changes.map((change) => Math.round(change * 10_000))) * 10) / 1_000,
    rose_pct: Math.round((10_000 * changes.filter((change) => change > 0).length) / changes.length) / 100,
  });
  return {
    sessions: sessions.map((session) => ({
      date: formatDay(session),
      passing: among.filter((one) => passes(one, indexAt(one, session))).length,
    })),
    entered: changed(before, now, before),
    left: changed(now, before, now),
    followed: { since: formatDay(from), bars: 20, passed: judged(followed.passed), all: judged(followed.all) },
  };
}

function daysIn(instrument: Instrument, newest: Day): number {
  let count = 0;
  for (let index = indexAt(instrument, newest); index >= 0 && failed(instrument, index).length === 0; index--) count++;
  return count;
}

const run = async (body: object) => {
  const { body: state } = await runNow(api, { storage }, { path: '/v1/screener', body, headers: person.program });
  return state.data.result;
};
const body = { where: WHERE, limit: 500, history: { years: 1 }, columns: { month: 'roc(20)' } };

describe('the history of a screen', () => {
  it.each([
    ['of the newest session', {}, NEWEST, '2023-09-03'],
    ['as of a day, without what came later', { as_of: EARLIER }, EARLIER, '2023-08-15'],
  ])('%s is that of every shorter history', async (_, more, newest, from) => {
    const { history, items, funnel, total, changes } = await run({ ...body, ...more });
    const { medians, ...rest } = history;
    const expected = expectedHistory(requireDay(newest), requireDay(from));
    expect(expected.followed.passed.count).toBeGreaterThan(100);
    expect(expected.entered.length + expected.left.length).toBeGreaterThan(0);
    expect(rest).toEqual(expected);
    expect(history.sessions.at(-1).passing).toBe(total);
    expect(changes.entered).toEqual(history.entered.map(({ symbol }: { symbol: string }) => symbol));
    expect(funnel.map(({ condition }: { condition: object }) => condition)).toEqual(PARTS.map((where) => ({ where })));
    expect(funnel.at(-1).remaining).toBe(total);
    const bySymbol = new Map(instruments.map((one) => [one.symbol, one]));
    for (const { symbol, current_symbol = symbol, days_in } of items) {
      const instrument = bySymbol.get(current_symbol);
      expect([symbol, days_in]).toEqual([symbol, instrument && daysIn(instrument, requireDay(newest))]);
    }
    expect(medians.passing.change_pct).toBeCloseTo(
      medianOf(items.map(({ change_pct }: { change_pct: number }) => change_pct)),
      5,
    );
    expect(medians.passing.columns.month).toBeCloseTo(
      medianOf(items.map(({ columns }: { columns: { month: number } }) => columns.month)),
      5,
    );
    expect(medians.all.dollar_volume).not.toBe(medians.passing.dollar_volume);
  });

  it('of a list counts its instruments alone', async () => {
    const listed = instruments.filter((_, i) => i % 3 === 0);
    const symbols = listed.map(({ symbol }) => symbol);
    const { history, total } = await run({ ...body, symbols });
    const { medians: _medians, ...rest } = history;
    expect(rest).toEqual(expectedHistory(requireDay(NEWEST), requireDay('2023-09-03'), listed));
    expect(rest.followed.passed.count).toBeGreaterThan(20);
    expect(history.sessions.at(-1).passing).toBe(total);
  });

  it('of conditions is that of the same rule', async () => {
    const byRule = await run({ ...body, columns: undefined });
    const byFields = await run({ ...body, columns: undefined, where: undefined, conditions: CONDITIONS });
    expect({ ...byFields.history.followed.all, count: 0 }).not.toEqual(byFields.history.followed.passed);
    // Fields need their look-back before an instrument counts at all.
    expect(byFields.history.followed.passed).toEqual(byRule.history.followed.passed);
    expect(byFields.history.sessions).toEqual(byRule.history.sessions);
    expect(byFields.history.entered).toEqual(byRule.history.entered);
  });

  it('is left out where rules compare instruments, whose funnel still has each part', async () => {
    const { history, funnel, items, total } = await run({ ...body, where: 'close > 20 and rank(roc(60)) > 0.5' });
    expect([history, items[0].days_in]).toEqual([undefined, undefined]);
    expect(funnel.map(({ rule }: { rule: string }) => rule)).toEqual(['close > 20', 'rank(roc(60)) > 0.5']);
    expect(funnel[1].remaining).toBe(total);
    expect(funnel[0].remaining).toBeGreaterThan(total);
    const alone = await run({ ...body, where: 'rank(roc(60)) > 0.5' });
    expect(alone.total).toBeGreaterThan(total);
  });

  it('follows rules that name another instrument', async () => {
    const { symbol } = instruments[0];
    const ticker = symbol.replace(/\.US$/, '');
    const { history, total } = await run({ ...body, where: `close > 20 and of('${ticker}', close > 0)` });
    const { total: alone } = await run({ ...body, where: 'close > 20' });
    expect([history.sessions.at(-1).passing, total]).toEqual([alone, alone]);
  });

  it.each([0, 31, 1.5])('may not span %s years', async (years) => {
    const { status, body: answer } = await api.post('/v1/screener', { history: { years } }, person.program);
    expect([status, answer.detail[0].loc]).toEqual([422, ['body', 'history', 'years']]);
  });
});

describe('the closes of an item', () => {
  it('are its newest ones, on the share count of the last', async () => {
    const { items } = (await api.post('/v1/screener', { closes: 60, limit: 500 }, person.program)).body.data;
    const bySymbol = new Map(instruments.map((one) => [one.symbol, one]));
    for (const { symbol, closes } of items) {
      const { traded, events } = bySymbol.get(symbol) ?? { traded: EMPTY_SERIES, events: [] };
      const expected = [...adjustToLastBar(traded, events).close.slice(-60)];
      expect(closes).toHaveLength(expected.length);
      for (const [i, close] of expected.entries()) expect(closes[i]).toBeCloseTo(close, 5);
    }
  });
});

describe('a ready-made screen', () => {
  it('finds the same by its rule as by its conditions', async () => {
    const { presets } = (await api.get('/api/screener/presets')).body.data;
    let found = 0;
    for (const { code, where } of presets) {
      const ask = async (screen: object) => (await api.post('/v1/screener', screen, person.program)).body.data;
      const [byPreset, byRule] = [await ask({ preset: code, limit: 500 }), await ask({ where, limit: 500 })];
      const symbols = ({ items }: { items: { symbol: string }[] }) => items.map(({ symbol }) => symbol).sort();
      expect([code, symbols(byRule)]).toEqual([code, symbols(byPreset)]);
      found += byPreset.total;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('is shown to guests, with a history that is computed once', async () => {
    const { pool } = database;
    const example = () => api.get('/api/screener/examples/trend_breakout');
    const first = await example();
    expect([first.status, first.body.message, first.body.data?.history]).toEqual([200, first.body.message, undefined]);
    const { rows: queued } = await pool.query<{ id: string }>(`select id from runs where owner = 'service'`);
    expect(queued).toHaveLength(1);
    await runJobOf({ pool, storage, now: () => NOW }, queued[0].id);
    const { body: second } = await eventually(example, ({ body: { data } }) => data.history !== undefined);
    expect(second.data.history.sessions).toHaveLength(60);
    expect(second.data.items.every(({ closes }: { closes: number[] }) => closes.length === 60)).toBe(true);
    const { rows } = await pool.query(`select from runs where owner = 'service'`);
    expect(rows).toHaveLength(1);
    expect((await api.get('/api/screener/examples/no_such')).status).toBe(400);
  });
});
