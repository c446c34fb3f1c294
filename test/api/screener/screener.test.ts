/** The screener over HTTP: every field compared with candles, missing and stale data, and new snapshots under load. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import { selectAdjustments } from '../../../db/market/adjustments.ts';
import { selectSeries } from '../../../db/market/bars.ts';
import { selectSnapshots } from '../../../db/market/snapshots.ts';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { newestDistributableDay } from '../../../engine/market/calendar.ts';
import { type BarSeries, EMPTY_SERIES } from '../../../engine/market/series.ts';
import { spliceSeries, type VenueBasis } from '../../../engine/market/venue-basis.ts';
import { FIELDS } from '../../../engine/screener/fields.ts';
import { required } from '../../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../../engine/version.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { referenceIndicators } from '../../support/reference-engine.ts';
import { runNow } from '../../support/run-jobs.ts';

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
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const build = () => buildSnapshot(testJobContext({ pool: database.pool, storage, now: () => NOW }));
const screen = (body: object) => api.post('/v1/screener', body, person.program);

/** The whole history of a symbol, spliced and adjusted, as a backtest sees it. */
async function historyOf(symbol: string): Promise<BarSeries> {
  const id = required(api.market.directory.items.find(({ qualified }) => qualified === symbol)?.id);
  const { pool } = database;
  const of = async (venueBasis: VenueBasis) => (await selectSeries(pool, [id], venueBasis)).get(id) ?? EMPTY_SERIES;
  const traded = spliceSeries(await of('primary_session'), await of('consolidated'), newestDistributableDay(NOW));
  return adjustToLastBar(traded, (await selectAdjustments(pool)).get(id) ?? []);
}

/** Each field by its definition at the last bar of a whole history. */
function referenceFields(series: BarSeries, n: number): Record<string, number> {
  const bars = Array.from(series.day, (_, i) => ({
    open: series.open[i],
    high: series.high[i],
    low: series.low[i],
    close: series.close[i],
    volume: series.volume[i],
  }));
  const is = referenceIndicators(series);
  const t = bars.length - 1;
  const [last, before] = [bars[t], bars[t - 1]];
  const window = bars.slice(-n);
  const [top, bottom] = [Math.max(...window.map(({ high }) => high)), Math.min(...window.map(({ low }) => low))];
  const sma = is.sma(n);
  const usual = bars.slice(-n - 1, -1).reduce((sum, { volume }) => sum + volume, 0) / n;
  return {
    close: last.close,
    change_pct: 100 * (last.close / before.close - 1),
    gap_pct: 100 * (last.open / before.close - 1),
    volume: last.volume,
    dollar_volume: last.close * last.volume,
    volume_ratio: last.volume / usual,
    sma: sma(t),
    ema: is.ema(n)(t),
    price_vs_sma_pct: 100 * (last.close / sma(t) - 1),
    sma_slope_pct: 100 * (sma(t) / sma(t - 5) - 1),
    above_sma: Number(last.close > sma(t)),
    roc_pct: is.roc(n)(t),
    rsi: is.rsi(n)(t),
    atr_pct: (100 * is.atr(n)(t)) / last.close,
    volatility_pct: is.volatility(n)(t),
    near_high_pct: (100 * last.close) / top,
    new_high: Number(last.high > is.highestBefore(n)(t)),
    new_low: Number(last.low < is.lowestBefore(n)(t)),
    pullback_from_high_pct: (100 * (top - last.close)) / top,
    range_position_pct: (100 * (last.close - bottom)) / (top - bottom),
    days_since_high: n - 1 - window.findLastIndex(({ high }) => high === top),
  };
}

const served = () => api.services.snapshots.current?.record.id ?? 0;
const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];

describe('POST /v1/screener', () => {
  it('answers 503 until there is a snapshot, and 403 to guests', async () => {
    expect(outcome(await screen({}))).toEqual([503, 'error.snapshot_unavailable']);
    expect(outcome(await api.post('/v1/screener', {}))).toEqual([403, 'error.login_required']);
    await build();
    await eventually(
      async () => served(),
      (id) => id > 0,
    );
    expect((await screen({})).status).toBe(200);
  });

  it('lists every eligible symbol by dollar volume for an empty body', async () => {
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

  it.each([40, 200, 252])(
    'computes every field over %i bars as its definition over the whole history',
    async (period) => {
      const conditions = FIELDS.map(({ code, kind, defaultPeriod }) => ({
        field: code,
        ...(kind === 'number' ? { op: 'gte', value: -1e15 } : {}),
        ...(defaultPeriod === null ? {} : { period }),
      })).filter(({ op }) => op !== undefined);
      const flags = ['above_sma', 'new_high', 'new_low'];
      const hits = (await screen({ conditions, limit: 500 })).body.data.items.slice(0, 15);
      expect(hits).toHaveLength(15);
      const isTrue = new Map<string, Set<string>>();
      for (const field of flags) {
        const { items } = (await screen({ conditions: [{ field, op: 'is_true', period }], limit: 500 })).body.data;
        isTrue.set(field, new Set(items.map(({ symbol }: { symbol: string }) => symbol)));
      }
      const lengths: number[] = [];
      for (const { symbol, values } of hits) {
        const history = await historyOf(symbol);
        lengths.push(history.length);
        const expected = referenceFields(history, period);
        for (const [key, value] of Object.entries(values as Record<string, number>)) {
          const wanted = expected[key.split(':')[0]];
          const isClose = Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted) + 5.1e-7;
          expect(value).toBe(Number(value.toFixed(6)));
          expect([symbol, key, isClose, value, wanted]).toEqual([symbol, key, true, value, wanted]);
        }
        for (const field of flags) {
          expect([symbol, field, isTrue.get(field)?.has(symbol)]).toEqual([symbol, field, expected[field] === 1]);
        }
      }
    },
  );

  it('combines conditions, sorts, and returns the computed figures', async () => {
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

  it('looks at listed symbols only, and compares them with each other', async () => {
    const all = (await screen({ limit: 500 })).body.data.items.map(({ symbol }: { symbol: string }) => symbol);
    const symbols = [...all.slice(0, 3), all[0].toLowerCase()];
    const { data } = (await screen({ symbols })).body;
    expect(data).toMatchObject({ scanned: 3, eligible: 3, total: 3, not_scanned: [] });
    expect(data.items.map(({ symbol }: { symbol: string }) => symbol)).toEqual(all.slice(0, 3));
    expect((await screen({ limit: 1 })).body.data).not.toHaveProperty('not_scanned');
    const gone = api.market.directory.items.find(({ isDelisted }) => isDelisted)?.qualified ?? '';
    expect((await screen({ symbols: [all[0], gone] })).body.data).toMatchObject({ scanned: 1, not_scanned: [gone] });
    const ranked = { symbols: all.slice(0, 3), where: 'rank(close) < 0.5' };
    const job = { path: '/v1/screener', body: ranked, headers: person.program };
    expect((await runNow(api, { storage }, job)).body.data.result).toMatchObject({ scanned: 3, total: 1 });
  });

  it('has presets', async () => {
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
    [{ symbols: [] }, 422, 'error.validation_failed'],
    [{ symbols: ['NOSUCH'] }, 404, 'error.symbol_not_found'],
    [{ symbols: ['AAPL'], asset_type: 'etf' }, 422, 'error.validation_failed'],
    [{ colour: 'red' }, 422, 'error.validation_failed'],
  ])('refuses %j', async (body, status, key) => {
    expect(outcome(await screen(body))).toEqual([status, key]);
  });
});

describe('the snapshot', () => {
  it('is a table that other tools can read: DuckDB finds the same symbols by SQL', async () => {
    const [{ objectKey }] = await selectSnapshots(database.pool, 1);
    const table = tableFromIPC(await buffer(required(await storage.get(objectKey))));
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      'create table bars (symbol varchar, day integer, high double, low double, close double, volume double)',
    );
    const appender = await connection.createAppender('bars');
    const names = ['symbol', 'date', 'high', 'low', 'close', 'volume'] as const;
    const columns = names.map((name) => required(table.getChild(name)));
    for (let i = 0; i < table.numRows; i++) {
      const [symbol, , ...numbers] = columns.map((column) => column.get(i));
      appender.appendVarchar(symbol);
      appender.appendInteger(Math.round(Number(columns[1].get(i)) / 86_400_000));
      for (const number of numbers) appender.appendDouble(number);
      appender.endRow();
    }
    appender.closeSync();
    const result = await connection.runAndReadAll(`
      with ranked as (
        select *, row_number() over (partition by symbol order by day desc) as r from bars),
      figures as (
        select symbol, max(day) as day, max(close) filter (r = 1) as close, count(*) as n,
          avg(close) filter (r <= 100) as sma, max(high) filter (r <= 120) as top,
          max(volume) filter (r = 1) as volume, avg(volume) filter (r between 2 and 21) as usual
        from ranked group by symbol)
      select symbol from figures
      where n >= 120 and close > sma and 100 * close / top >= 80 and volume > 0.8 * usual
        and day >= (select max(day) from bars) - 7 order by symbol`);
    const bySql = result.getRows().map(([symbol]) => symbol);
    const { items } = (
      await screen({
        limit: 500,
        asset_type: ['stock', 'etf', 'warrant', 'preferred', 'unit'],
        conditions: [
          { field: 'above_sma', op: 'is_true', period: 100 },
          { field: 'near_high_pct', op: 'gte', value: 80, period: 120 },
          { field: 'volume_ratio', op: 'gt', value: 0.8, period: 20 },
        ],
      })
    ).body.data;
    expect(bySql.length).toBeGreaterThan(3);
    expect(items.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(bySql);
  });

  it('is replaced without a failed request, and only three are kept', async () => {
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
    expect(readdirSync(join(directory, 'snapshots'))).toHaveLength(4);
    expect(readdirSync(join(directory, 'snapshot-means'))).toHaveLength(3);
    const manifest = JSON.parse(await text((await storage.get('snapshots/manifest.json')) as never));
    expect(manifest).toMatchObject({ as_of: '2026-05-29', engine_version: ENGINE_VERSION, rows: expect.any(Number) });
  });

  it('does not change for a market that ended years ago', async () => {
    const later = () => Date.parse('2031-06-02T16:00:00Z');
    const [before] = await selectSnapshots(database.pool, 1);
    await buildSnapshot(testJobContext({ pool: database.pool, storage, now: later }));
    const [after] = await selectSnapshots(database.pool, 1);
    expect(after.id).toBeGreaterThan(before.id);
    expect([after.asOf, after.bars, after.instruments]).toEqual(['2026-05-29', before.bars, before.instruments]);
  });

  it('that is damaged is never served; the previous one is', async () => {
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
    writeFileSync(join(directory, before.means?.objectKey ?? ''), 'half a file');
    const third = await openTestApi({ database, provider, storage, now: () => NOW });
    expect(third.services.snapshots.current?.record.id).toBeLessThan(before.id);
    await third.close();
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
