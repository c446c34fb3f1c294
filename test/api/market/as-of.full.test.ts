/** Screens, static facts, and search as of a past day: as they would have been seen then. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContext } from '../../../api/access/request-context.ts';
import { screenUniverse } from '../../../api/screener/as-of.ts';
import { screenerBody } from '../../../api/screener/request.ts';
import { transaction } from '../../../db/pool.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { removePastSnapshots } from '../../../jobs/screen/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { upsertProvidedInstruments } from '../../../jobs/sync/symbols.ts';
import { PAST_SNAPSHOT_PREFIXES } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
/** An instant at which the requested session was the newest. */
const THEN = Date.parse('2024-08-16T16:00:00Z');
const DAY = '2024-08-15';
/** Its newest close was preliminary, and the sample market never had another one. */
const RESTATED = 'LUMA.US';
const LONG_AGO = '2023-06-15';

interface Answer {
  readonly data_freshness: { readonly as_of: string };
  readonly items: readonly Item[];
}

interface Item {
  readonly symbol: string;
  readonly current_symbol?: string;
}

interface Service {
  readonly database: TestDatabase;
  readonly storage: ObjectStorage;
  readonly api: TestApi;
  readonly person: Person;
}

const directory = mkdtempSync(join(tmpdir(), 'market-as-of-'));
const opened: Service[] = [];
let today: Service;

async function open(name: string, at: number): Promise<Service> {
  const provider = new SampleProvider({ symbols: 50, now: () => at });
  const database = await createSampleDatabase(provider);
  const storage = openStorage({ folder: join(directory, name) });
  const api = await openTestApi({ database, provider, storage, now: () => at, realCallers: true });
  const service = { database, storage, api, person: await addPerson(api, undefined, { plan: 'enterprise' }) };
  opened.push(service);
  return service;
}

beforeAll(async () => {
  today = await open('today', NOW);
});
afterAll(async () => {
  for (const { api, database } of opened) {
    await api.close();
    await database.drop();
  }
  rmSync(directory, { recursive: true });
});

const SCREEN = {
  conditions: [
    { field: 'close', op: 'gte', value: 5 },
    { field: 'rsi', op: 'lt', period: 14, value: 65 },
    { field: 'above_sma', op: 'is_true', period: 100 },
  ],
  sort: { field: 'roc_pct', period: 60, order: 'desc' },
};

const screen = (body: object, headers = today.person.program) => today.api.post('/v1/screener', body, headers);
const outcome = async (body: object) => {
  const { status, body: answer } = await screen(body);
  return [status, answer.key, answer.message];
};
const stored = async () => {
  const keys: string[] = [];
  for (const prefix of PAST_SNAPSHOT_PREFIXES) for await (const { key } of today.storage.list(prefix)) keys.push(key);
  return keys;
};
const given = () => ({ storage: today.storage });
const build = (body: object) =>
  runNow(today.api, given(), { path: '/v1/screener', body, headers: today.person.program });

describe('a screen as of a day', () => {
  it('has the figures that a service of that day would have answered', async () => {
    const then = await open('then', THEN);
    const { pool } = then.database;
    await buildSnapshot(testJobContext({ pool, storage: then.storage, now: () => THEN }));
    const seen = await eventually(
      () => then.api.post('/v1/screener', SCREEN, then.person.program),
      ({ status }) => status === 200,
    );
    const state = await build({ ...SCREEN, as_of: DAY });
    const { result, status } = state.body.data;
    expect(status).toBe('done');
    const comparable = ({ data_freshness: freshness, items, ...rest }: Answer) => ({
      ...rest,
      as_of: freshness.as_of,
      elapsed_ms: 0,
      items: items.filter(({ symbol }) => symbol !== RESTATED).map(({ current_symbol: _, ...item }) => item),
    });
    expect(comparable(result)).toEqual(comparable(seen.body.data));
    expect(result.total).toBeGreaterThan(3);
    expect(result.data_freshness.as_of).toBe(DAY);
  });

  it('has bars and events as they were served then, without later corrections', async () => {
    const { pool } = today.database;
    const day = '2024-08-14';
    const { rows } = await pool.query<{ id: number; symbol: string; before: number }>(
      `select i.id, i.symbol || '.US' as symbol, (select close from daily_bars p where p.instrument_id = i.id and p.basis = 1
         and p.day = '2024-08-13') as before from daily_bars d join instruments i on i.id = d.instrument_id
       where d.basis = 1 and d.day = $1 and d.volume > 0 and i.asset_type = 'stock'
         and not exists (select from adjustments a where a.instrument_id = i.id and a.ex_date > '2023-01-01') order by i.symbol limit 1`,
      [day],
    );
    const [{ id, symbol, before }] = rows;
    const was = { open: 70, high: 80, low: 60, close: 77.5, volume: 4321 };
    const split = { kind: 'split', ex_date: day, factor: 0.5 };
    await pool.query(
      `insert into revisions (instrument_id, basis, event_key, day, was, became, recorded_at) values
         ($1, 1, null, $2, $3, '{}', '2024-08-20'), ($1, 1, null, $2, '{}', null, '2024-08-21'),
         ($1, 1, null, '2024-08-13', '{}', null, '2024-08-14'), ($1, null, 'split@late', $2, $4, null, '2024-08-20')`,
      [id, day, was, split],
    );
    const { items } = (await build({ as_of: day, limit: 500 })).body.data.result;
    const item = items.find((one: Item) => one.symbol === symbol);
    expect(item).toMatchObject({ close: 77.5, volume: 4321 });
    expect(item.change_pct).toBeCloseTo(100 * (77.5 / (before * split.factor) - 1), 3);
  });

  it('includes instruments that have been delisted since', async () => {
    const { rows } = await today.database.pool.query(
      `select symbol || '.US' as symbol from instruments where delisted_on between '2023-07-01' and '2024-09-01'`,
    );
    const { items } = (await build({ as_of: LONG_AGO, asset_type: ['stock', 'etf'], limit: 500 })).body.data.result;
    const found = new Set(items.map((item: { symbol: string }) => item.symbol));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ symbol }) => found.has(symbol))).toBe(true);
  });

  it('has the symbols of that day, and those of today', async () => {
    const { pool } = today.database;
    const { rows } = await pool.query(
      `select i.symbol || '.US' as symbol, t.ticker, t.last_day::text as last_day from previous_tickers t
       join instruments i on i.id = t.instrument_id
       where exists (select from daily_bars d where d.instrument_id = i.id and d.day = t.last_day) order by last_day desc limit 1`,
    );
    const [{ symbol, ticker, last_day: day }] = rows;
    const { items } = (await build({ as_of: day, limit: 500 })).body.data.result;
    expect(items.find((item: Item) => item.current_symbol === symbol)).toMatchObject({ symbol: `${ticker}.US` });
    expect(items.some((item: Item) => item.symbol === symbol)).toBe(false);
  });

  it('is answered at once, without another build, while its snapshot exists', async () => {
    expect(await stored()).toHaveLength(8);
    const again = await screen({ ...SCREEN, as_of: DAY, limit: 2 });
    expect([again.status, again.body.data.items.length]).toEqual([200, 2]);
    expect(await stored()).toHaveLength(8);
  });

  it('is refused for a day without data, with the nearest session with data', async () => {
    expect(await outcome({ as_of: '2023-06-17' })).toEqual([
      400,
      'error.no_data_on_day',
      expect.stringContaining('2023-06-16'),
    ]);
    expect(await outcome({ as_of: '1950-01-04' })).toEqual([
      400,
      'error.no_data_on_day',
      expect.stringContaining('19'),
    ]);
    // It may be distributed from midnight on.
    expect(await outcome({ as_of: '2024-09-04' })).toEqual([
      400,
      'error.no_data_on_day',
      expect.stringContaining('2024-09-03'),
    ]);
    expect((await outcome({ as_of: 'yesterday' }))[1]).toBe('error.invalid_date');
  });

  it('gives a universe without look-ahead', async () => {
    const { services } = today.api;
    const context = createContext(
      Object.assign(JSON.parse('{"headers":{},"method":"POST","url":"/"}'), { get: () => undefined }),
      'en',
      'en',
    );
    const caller = { kind: 'guest', counter: 'test:universe', plan: 'enterprise' } as const;
    const body = screenerBody.parse({ ...SCREEN, limit: 5 });
    const { asOf, items } = await screenUniverse({ services, context, caller }, body, requireDay(DAY));
    const { data } = (await screen({ ...SCREEN, as_of: DAY, limit: 5 })).body;
    expect(formatDay(asOf)).toBe(DAY);
    expect(items.map(({ qualified }) => qualified)).toEqual(data.items.map((item: Item) => item.current_symbol));
  });

  it('loses its snapshot after a day without use, with all its objects', async () => {
    const later = testJobContext({
      pool: today.database.pool,
      storage: today.storage,
      now: () => NOW + 25 * 3_600_000,
    });
    await removePastSnapshots(later);
    expect(await stored()).toEqual([]);
  });
});

describe('facts as of a day', () => {
  it('have the ticker of the day, and not later ones', async () => {
    const { rows } = await today.database.pool.query(
      `select symbol || '.US' as symbol, t.ticker, t.last_day::text as last_day from previous_tickers t
       join instruments i on i.id = t.instrument_id order by last_day desc limit 1`,
    );
    const [{ symbol, ticker, last_day: lastDay }] = rows;
    const facts = async (asked: string, day: string) =>
      (await today.api.get(`/v1/static/${asked}?as_of=${day}`, today.person.program)).body;
    const { data } = await facts(ticker, lastDay);
    expect([data.symbol, data.current_symbol, data.raw_symbol, data.previous_symbols]).toEqual([
      `${ticker}.US`,
      symbol,
      ticker,
      [],
    ]);
    expect((data.history_end ?? '') <= lastDay).toBe(true);
    const { data: now } = (await today.api.get(`/v1/static/${symbol}`, today.person.program)).body;
    expect(now.raw_symbol).not.toBe(ticker);
    expect(now).not.toHaveProperty('current_symbol');
    const search = async (day: string) =>
      (await today.api.get(`/v1/symbols?q=${ticker}&as_of=${day}`, today.person.program)).body.data.items;
    expect((await search(lastDay))[0]).toMatchObject({
      symbol: `${ticker}.US`,
      current_symbol: symbol,
      raw_symbol: ticker,
    });
  });

  it('distinguish two holders of one ticker, and do not exist before a listing', async () => {
    const symbolOn = async (day: string) =>
      (await today.api.get(`/v1/static/QILL?as_of=${day}`, today.person.program)).body;
    const early = (await symbolOn('2018-01-02')).data;
    expect([early.symbol, early.current_symbol, early.is_delisted]).toEqual(['QILL.US', 'QILL-201908.US', false]);
    expect((await symbolOn('2024-06-03')).data.symbol).toBe('QILL.US');
    expect((await symbolOn('1980-01-02')).key).toBe('error.symbol_not_found');
    expect((await symbolOn('someday')).key).toBe('error.invalid_date');
  });

  it('have the name of the day, if loads have recorded the change', async () => {
    const { api, database, person } = today;
    const provided = await Array.fromAsync(new SampleProvider({ symbols: 50, now: () => NOW }).instruments());
    const [{ name: first }] = provided.filter(({ ticker }) => ticker === 'TMRK');
    const load = (name: string, on: string) =>
      transaction(database.pool, (connection) => {
        const instruments = provided.map((one) => (one.ticker === 'TMRK' ? { ...one, name } : one));
        return upsertProvidedInstruments(connection, instruments, requireDay(on));
      });
    await load('Third Mark Trust', '2024-08-20');
    await load('A slip of the same day', '2024-08-28');
    await load('Timber Mark', '2024-08-28');
    const read = async (path: string) => (await api.get(path, person.program)).body.data;
    await eventually(
      () => read('/v1/static/TMRK'),
      ({ name }) => name === 'Timber Mark',
    );
    for (const [day, name] of [
      ['2024-08-19', first],
      ['2024-08-20', 'Third Mark Trust'],
      ['2024-08-27', 'Third Mark Trust'],
      ['2024-08-28', 'Timber Mark'],
    ]) {
      expect([day, (await read(`/v1/static/TMRK?as_of=${day}`)).name]).toEqual([day, name]);
    }
    const found = async (day: string) => (await read(`/v1/symbols?q=third+mark&as_of=${day}`)).items;
    expect(await found('2024-08-20')).toMatchObject([{ symbol: 'TMRK.US', name: 'Third Mark Trust' }]);
    expect(await found('2024-08-28')).toEqual([]);
    const past = { conditions: [{ field: 'close', op: 'gt', value: 0 }], limit: 500, as_of: '2024-08-20' };
    const { items } = (await build(past)).body.data.result;
    expect(items.find(({ symbol }: Item) => symbol === 'TMRK.US')).toMatchObject({ name: 'Third Mark Trust' });
  });

  it('are refused for a day after the newest session that may be distributed', async () => {
    for (const path of ['/v1/static/QILL?', '/v1/symbols?q=qi&']) {
      const asked = async (day: string) => (await today.api.get(`${path}as_of=${day}`, today.person.program)).body;
      expect((await asked('2024-09-03')).code).toBe(0);
      for (const day of ['2024-09-04', '2124-01-01']) {
        expect(await asked(day)).toMatchObject({
          key: 'error.session_not_distributable',
          message: expect.stringContaining('2024-09-03'),
        });
      }
    }
  });
});
