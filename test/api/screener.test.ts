/** The screener over HTTP: every field against candles, missing and stale data, and switching snapshots under load. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectSnapshots } from '../../db/snapshots.ts';
import { FIELDS, findField } from '../../engine/screener/fields.ts';
import { allocateSeries } from '../../engine/series.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../jobs/snapshot/build-snapshot.ts';
import { type ObjectStorage, openStorage } from '../../storage/storage.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { testJobContext } from '../support/job-context.ts';
import { loadEverything } from '../support/market-folder.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let person: Person;
const provider = new SampleProvider({ symbols: 60, now: () => NOW });

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-screener-'));
  storage = openStorage({ folder: directory });
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  person = await addPerson(api);
  await database.pool.query(`update users set plan = 'enterprise'`);
}, 120_000);
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const build = () => buildSnapshot(testJobContext({ pool: database.pool, storage, now: () => NOW }));
const screen = (body: object) => api.post('/v1/screener', body, person.program);
const served = () => api.services.snapshots.current?.record.id ?? 0;
const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];

describe('POST /v1/screener', () => {
  it('is 503 until there is a snapshot, and 403 for guests', async () => {
    expect(outcome(await screen({}))).toEqual([503, 'error.snapshot_unavailable']);
    expect(outcome(await api.post('/v1/screener', {}))).toEqual([403, 'error.login_required']);
    await build();
    await eventually(
      async () => served(),
      (id) => id > 0,
    );
    expect((await screen({})).status).toBe(200);
  });

  it('lists every eligible symbol by dollar volume when nothing is asked', async () => {
    const { data } = (await screen({ limit: 500 })).body;
    expect(data).toMatchObject({
      asset_types: ['stock', 'etf'],
      venue_scope: { mixed: false, consolidated_only: true, notes: [] },
      data_freshness: { distribution_mode: 'eod_only', as_of: '2026-05-29', delayed: true },
    });
    expect(data.total).toBe(data.eligible);
    expect(data.items).toHaveLength(data.total);
    const volumes = data.items.map((item: { dollar_volume: number }) => item.dollar_volume);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    const all = (await screen({ asset_type: ['stock', 'etf', 'warrant', 'preferred', 'unit'], limit: 500 })).body.data;
    expect(all.scanned).toBeGreaterThan(data.scanned);
    const page = (await screen({ limit: 3, offset: 2 })).body.data;
    expect(page.items).toEqual(data.items.slice(2, 5));
  });

  it('computes every field as a calculation over the adjusted candles does', async () => {
    const conditions = FIELDS.filter(({ kind }) => kind === 'number').map(({ code, defaultPeriod }) => ({
      ...{ field: code, op: 'gte', value: -1e15 },
      ...(defaultPeriod === null ? {} : { period: Math.min(defaultPeriod, 40) }),
    }));
    const { data } = (await screen({ conditions, limit: 500 })).body;
    expect(data.total).toBeGreaterThan(20);
    for (const item of data.items.slice(0, 15)) {
      const { bars } = (await api.get(`/v1/kline/${item.symbol}?days=260&adjust=qfq`, person.program)).body.data;
      const series = allocateSeries(bars.length);
      for (const [i, bar] of bars.entries()) {
        for (const column of ['open', 'high', 'low', 'close', 'volume'] as const) series[column][i] = bar[column];
      }
      for (const [key, value] of Object.entries(item.values)) {
        const [code, period] = key.split(':');
        const window = { bars: series, from: 0, to: series.length };
        const expected = (findField(code) as NonNullable<ReturnType<typeof findField>>).compute(
          window,
          Number(period ?? 0),
        );
        // Candles are rounded to 6 decimals, volumes to shares.
        expect([
          item.symbol,
          key,
          Math.abs((value as number) - expected) <= 1e-3 * Math.max(1, Math.abs(expected)),
        ]).toEqual([item.symbol, key, true]);
      }
    }
  });

  it('joins conditions, sorts, and says what it computed', async () => {
    const { data } = (
      await screen({
        conditions: [
          { field: 'above_sma', op: 'is_true', period: 50 },
          { field: 'rsi', op: 'between', value: 50, value2: 80 },
        ],
        sort: { field: 'roc_pct', period: 20, order: 'asc' },
      })
    ).body;
    expect(data.total).toBeGreaterThan(0);
    expect(data.total).toBeLessThan(data.eligible);
    for (const { values } of data.items) {
      expect(values).toEqual({ 'above_sma:50': true, 'rsi:14': expect.any(Number), 'roc_pct:20': expect.any(Number) });
      expect(values['rsi:14'] >= 50 && values['rsi:14'] <= 80).toBe(true);
    }
    const order = data.items.map(({ values }: { values: Record<string, number> }) => values['roc_pct:20']);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('knows its presets', async () => {
    const { data } = (await api.get('/api/screener/presets?lang=zh-TW')).body;
    expect(data.presets.map(({ code }: { code: string }) => code)).toHaveLength(4);
    expect(data.presets[0].name).toBe('趨勢突破');
    for (const { code, conditions, sort } of data.presets) {
      const [ready, spelled] = [
        (await screen({ preset: code })).body.data,
        (await screen({ conditions, sort })).body.data,
      ];
      expect({ ...ready, elapsed_ms: 0 }).toEqual({ ...spelled, elapsed_ms: 0 });
    }
  });

  it.each([
    [{ preset: 'luck' }, 400, 'error.invalid_preset'],
    [{ conditions: [{ field: 'colour', op: 'gt', value: 1 }] }, 400, 'error.invalid_screener_field'],
    [{ conditions: [{ field: 'close', op: 'near', value: 1 }] }, 400, 'error.invalid_screener_operator'],
    [{ conditions: [{ field: 'close', op: 'is_true' }] }, 400, 'error.invalid_screener_operator'],
    [{ conditions: [{ field: 'new_high', op: 'gt', value: 1 }] }, 400, 'error.invalid_screener_operator'],
    [{ sort: { field: 'luck' } }, 400, 'error.invalid_screener_field'],
    [{ conditions: [{ field: 'close', op: 'gt' }] }, 422, 'error.validation_failed'],
    [{ conditions: [{ field: 'close', op: 'between', value: 1 }] }, 422, 'error.validation_failed'],
    [{ conditions: [{ field: 'close', op: 'between', value: 2, value2: 1 }] }, 422, 'error.validation_failed'],
    [{ conditions: [{ field: 'sma', op: 'gt', value: 1, period: 253 }] }, 422, 'error.validation_failed'],
    [{ conditions: [{ field: 'sma', op: 'gt', value: 1, period: 1 }] }, 422, 'error.validation_failed'],
    [{ conditions: Array(21).fill({ field: 'close', op: 'gt', value: 1 }) }, 422, 'error.validation_failed'],
    [{ limit: 501 }, 422, 'error.validation_failed'],
    [{ offset: -1 }, 422, 'error.validation_failed'],
    [{ asset_type: 7 }, 422, 'error.validation_failed'],
    [{ colour: 'red' }, 422, 'error.validation_failed'],
  ])('refuses %j', async (body, status, key) => {
    expect(outcome(await screen(body))).toEqual([status, key]);
  });
});

describe('the snapshot', () => {
  it('is switched without a failed request, and only three are kept', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      const before = served();
      const building = build();
      let isBuilt = false;
      building.finally(() => {
        isBuilt = true;
      });
      while (!isBuilt) statuses.push((await screen({ conditions: [{ field: 'ema', op: 'gt', value: 0 }] })).status);
      await building;
      await eventually(
        async () => served(),
        (id) => id > before,
      );
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await selectSnapshots(database.pool, 10)).toHaveLength(3);
    expect(readdirSync(join(directory, 'snapshots')).sort()).toHaveLength(4);
    const manifest = JSON.parse(await text((await storage.get('snapshots/manifest.json')) as never));
    expect(manifest).toMatchObject({ as_of: '2026-05-29', engine_version: '1.0.0', rows: expect.any(Number) });
  });

  it('that is damaged is never served: the one before it is', async () => {
    const good = served();
    await build();
    await eventually(
      async () => served(),
      (id) => id > good,
    );
    const [newest, before] = await selectSnapshots(database.pool, 2);
    writeFileSync(join(directory, newest.objectKey), 'half a file');
    const other = await openTestApi({ database, provider, storage, now: () => NOW });
    expect(other.services.snapshots.current?.record.id).toBe(before.id);
    await other.close();
  });

  it('that lacks more than one session is stale', async () => {
    const statusWith = async (day: string) => {
      await database.pool.query('update snapshots set as_of = $1', [day]);
      const other = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
      const response = await other.post('/v1/screener', {}, person.program);
      await other.close();
      return outcome(response);
    };
    expect(await statusWith('2026-05-28')).toEqual([200, undefined]);
    expect(await statusWith('2026-05-27')).toEqual([503, 'error.snapshot_unavailable']);
  });
});
