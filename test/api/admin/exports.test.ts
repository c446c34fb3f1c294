/** Exports of market data: contents of the files, access to them, and their expiry. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { expireExports, removeExportOrphans } from '../../../jobs/export/expire.ts';
import { runExport } from '../../../jobs/export/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runSyncJob } from '../../support/market-folder.ts';

/** A Wednesday; the session before is the newest that may be distributed, and that of the day is already loaded. */
const NOW = Date.parse('2026-06-03T22:00:00Z');
const DAY = 86_400_000;
let clock = NOW;
let folder: string;
let storage: ObjectStorage;
let database: TestDatabase;
let api: TestApi;
let admin: Person;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  storage = openStorage({ folder });
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 60, now: () => NOW + 3 * DAY });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'adjustments');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated' });
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'single_venue', start: '2026-05-01' });
  api = await openTestApi({ database, provider, storage, now: () => clock, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  clock = NOW;
  admin = await addAdmin(api);
});

const PATH = '/api/admin/data/exports';
const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
const requestExport = (body: object, person = admin) => api.post('/api/admin/data/export', body, person.console);
const get = (path: string, headers = {}, person = admin) =>
  api.get(`${PATH}${path}`, { ...person.console, ...headers });
const post = (path: string, person = admin) => api.post(`${PATH}${path}`, {}, person.console);
const RANGE = { start: '2026-05-04', end: '2026-06-30' };
const WHOLE = { start: '2024-07-01', end: '2026-06-30' };

/** Runs a queued export as the worker does. */
async function work(id: number, more: object = {}): Promise<void> {
  await runExport(testJobContext({ pool: database.pool, storage, now: () => clock, ...more }), { exportId: id });
}

async function objects(): Promise<string[]> {
  return (await Array.fromAsync(storage.list('users/')))
    .map(({ key }) => key)
    .filter((key) => key.includes('/exports/'));
}

interface Row {
  readonly symbol: string;
  readonly date: string;
  readonly open: number;
  readonly close: number;
  readonly volume: number;
  readonly venue_mode: string;
}

function rowsOf(csv: Buffer): Row[] {
  const { data, errors, meta } = Papa.parse<Row>(csv.toString(), {
    header: true,
    dynamicTyping: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  expect(meta.fields?.join(',')).toBe('symbol,date,open,high,low,close,volume,venue_mode');
  return data.map((row) => ({ ...row, date: String(row.date) }));
}

/** Returns the same bars as the API serves them. */
async function klines(symbol: string, query: string): Promise<Omit<Row, 'venue_mode'>[]> {
  const { body } = await api.get(`/v1/kline/${symbol}?days=10000&${query}`);
  return body.data.bars.map(({ ts, ...bar }: { ts: string }) => ({ symbol: body.data.symbol, date: ts, ...bar }));
}

async function symbolsOfMarket(): Promise<{ id: number; symbol: string }[]> {
  const { rows } = await database.pool.query('select id, symbol from instruments order by symbol');
  return rows;
}

describe('a small export', () => {
  it('is answered with its file, recorded, audited, and can be downloaded again', async () => {
    const [first, second] = await symbolsOfMarket();
    const { status, headers, body } = await requestExport({
      symbols: [second.symbol.toLowerCase(), `${first.symbol}.US`],
      ...RANGE,
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const id = Number(headers['x-export-id']);
    expect(headers['content-disposition']).toBe(`attachment; filename="export-${id}.csv"`);
    const range = `start=${RANGE.start}&end=${RANGE.end}`;
    const expected = [...(await klines(first.symbol, range)), ...(await klines(second.symbol, range))];
    expect(rowsOf(body)).toEqual(expected.map((row) => ({ ...row, venue_mode: 'consolidated' })));
    expect(expected.at(-1)?.date).toBe('2026-06-02');
    const { data } = (await get(`/${id}`)).body;
    expect(data).toMatchObject({
      id,
      status: 'done',
      owner: { id: admin.id, email: admin.email },
      progress_pct: 100,
      error: null,
      rows: expected.length,
      bytes: body.length,
      checksum_sha256: createHash('sha256').update(body).digest('hex'),
      request: { symbols: [second.symbol, first.symbol], ...RANGE, format: 'csv', adjust: 'none' },
      expires_at: new Date(NOW + 7 * DAY).toISOString(),
    });
    expect((await get(`/${id}/download`)).body.equals(body)).toBe(true);
    const { body: audit } = await api.get(`/api/admin/audit?target_type=export&target_id=${id}`, admin.console);
    expect(audit.data.items.map(({ action, result }: Record<string, string>) => `${action} ${result}`)).toEqual([
      ...['export.download ok', 'export.create ok'],
    ]);
  });

  it('adjusts as candles do', async () => {
    const { rows } = await database.pool.query(
      `select distinct i.symbol from adjustments a join instruments i on i.id = a.instrument_id
       where a.kind in ('split', 'reverse_split') and a.ex_date between '2024-08-01' and '2026-06-01'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const symbols = rows.map(({ symbol }) => symbol).sort();
    const { body } = await requestExport({ symbols, ...WHOLE, adjust: 'qfq' });
    const expected = [];
    for (const symbol of symbols) expected.push(...(await klines(symbol, 'adjust=qfq')));
    expect(rowsOf(body).map(({ venue_mode, ...row }) => row)).toEqual(expected);
    const traded = rowsOf((await requestExport({ symbols, ...WHOLE })).body);
    expect(traded.map(({ close }) => close)).not.toEqual(rowsOf(body).map(({ close }) => close));
  });

  it('is available as gzip or Parquet with the same rows', async () => {
    const symbols = (await symbolsOfMarket()).slice(0, 50).map(({ symbol }) => symbol);
    const csv = (await requestExport({ symbols, ...WHOLE })).body;
    const gzip = await requestExport({ symbols, ...WHOLE, format: 'csv.gz' });
    expect([gzip.headers['content-type'], gunzipSync(gzip.body).equals(csv)]).toEqual(['application/gzip', true]);
    const parquet = await requestExport({ symbols, ...WHOLE, format: 'parquet' });
    expect(parquet.headers['content-type']).toBe('application/vnd.apache.parquet');
    const file = parquet.body.buffer.slice(parquet.body.byteOffset, parquet.body.byteOffset + parquet.body.length);
    const ZSTD = (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes));
    const read = await parquetReadObjects({ file, compressors: { ZSTD } });
    expect(
      read.map((row) => ({ ...row, date: row.date.toISOString().slice(0, 10), volume: Number(row.volume) })),
    ).toEqual(rowsOf(csv));
  });

  it('can have another venue basis', async () => {
    const symbols = (await symbolsOfMarket()).slice(0, 5).map(({ symbol }) => symbol);
    const rows = rowsOf((await requestExport({ symbols, ...WHOLE, venue_mode: 'single_venue' })).body);
    expect([rows.length > 0, new Set(rows.map(({ venue_mode }) => venue_mode))]).toEqual([
      true,
      new Set(['single_venue']),
    ]);
    expect(rows.map(({ date }) => date).sort()[0]).toBe('2026-05-01');
  });

  it('may be empty, with only a header', async () => {
    const [{ symbol }] = await symbolsOfMarket();
    const { body } = await requestExport({ symbols: [symbol], start: '2026-06-03', end: '2026-06-05' });
    expect(body.toString()).toBe('symbol,date,open,high,low,close,volume,venue_mode\n');
  });

  it.each([
    [{ symbols: ['NOPE'], ...RANGE }, 404, 'error.symbol_not_found'],
    [{ symbols: ['$$'], ...RANGE }, 400, 'error.invalid_symbol'],
    [{ symbols: ['AAPL.HK'], ...RANGE }, 400, 'error.market_not_open'],
    [{ start: '2026-06-31', end: '2026-07-01' }, 400, 'error.invalid_date'],
    [{ start: '2026-06-03', end: '2026-06-02' }, 400, 'error.invalid_date_range'],
    [{ ...RANGE, adjust: 'hfq' }, 400, 'error.invalid_adjust'],
    [{ start: '2026-06-01' }, 422, 'error.validation_failed'],
    [{ ...RANGE, symbols: [] }, 422, 'error.validation_failed'],
    [{ ...RANGE, format: 'xlsx' }, 422, 'error.validation_failed'],
    [{ ...RANGE, venue_mode: 'dark_pool' }, 422, 'error.validation_failed'],
    [{ ...RANGE, everything: true }, 422, 'error.validation_failed'],
  ])('refuses %j', async (body, status, key) => {
    const before = (await get('')).body.data.total;
    const refused = await requestExport(body);
    expect([refused.status, refused.body.key]).toEqual([status, key]);
    expect((await get('')).body.data.total).toBe(before);
  });

  it('leaves only a record if its file cannot be stored', async () => {
    const broken = { ...storage, put: () => Promise.reject(new Error('the disk is full')), remove: async () => {} };
    const other = await openTestApi({
      database,
      now: () => clock,
      realCallers: true,
      storage: broken as unknown as ObjectStorage,
      provider: api.services.provider,
    });
    try {
      const [{ symbol }] = await symbolsOfMarket();
      const { status } = await other.post('/api/admin/data/export', { symbols: [symbol], ...RANGE }, admin.console);
      expect(status).toBe(500);
      const [failed] = (await get('?status=failed')).body.data.items;
      expect(failed).toMatchObject({ status: 'failed', error: 'the disk is full', bytes: null });
    } finally {
      await other.close();
    }
  });
});

describe('a large export', () => {
  it.each([
    ['the whole market', {}],
    ['an asset type', { asset_type: 'etf' }],
    ['more than five years', { symbols: 1, start: '2019-01-01' }],
    ['more than fifty symbols', { symbols: 51 }],
  ])('is queued: %s', async (_, { symbols: count, ...more }: { symbols?: number; asset_type?: string }) => {
    const all = await symbolsOfMarket();
    const symbols = count && all.slice(0, count).map(({ symbol }) => symbol);
    const { status, headers, body: bytes } = await requestExport({ symbols, ...WHOLE, ...more });
    const body = bytes;
    expect([status, body.data.status]).toEqual([202, 'pending']);
    expect(headers.location).toBe(`${PATH}/${body.data.id}`);
    expect(outcome(await get(`/${body.data.id}/download`))).toEqual([409, 'error.export_not_finished']);
    await work(body.data.id);
    const { data } = (await get(`/${body.data.id}`)).body;
    expect(data).toMatchObject({ status: 'done', progress_pct: 100 });
    const rows = rowsOf((await get(`/${body.data.id}/download`)).body);
    expect(rows).toHaveLength(data.rows);
    const { rows: stored } = await database.pool.query(
      `select i.symbol || '.US' as symbol, b.day as date, b.open, b.high, b.low, b.close, b.volume, 'consolidated' as venue_mode
       from daily_bars b join instruments i on i.id = b.instrument_id
       where b.basis = 1 and b.day <= '2026-06-02' and ($1::text[] is null or i.symbol = any($1))
         and ($2::text is null or i.asset_type = $2) order by i.symbol collate "C", b.day`,
      [symbols ?? null, more.asset_type ?? null],
    );
    expect(rows).toEqual(stored);
  });

  const requestWhole = async (person = admin): Promise<number> => (await requestExport(WHOLE, person)).body.data.id;

  it('belongs to the account that requested it', async () => {
    const id = await requestWhole();
    await work(id);
    const other = await addAdmin(api);
    expect(outcome(await get(`/${id}/download`, {}, other))).toEqual([403, 'error.export_forbidden']);
    const lists = async (query: string) =>
      (await get(query, {}, other)).body.data.items.map((item: { id: number }) => item.id);
    expect(await lists('')).toEqual([]);
    expect(await lists('?mine=false')).toContain(id);
    expect(await lists('?mine=false&status=pending')).not.toContain(id);
    expect(outcome(await get('/999999/download'))).toEqual([404, 'error.not_found']);
    for (const bad of ['?status=gone', '?mine=maybe', '/0', '/x/download']) {
      expect(outcome(await get(bad))).toEqual([422, 'error.validation_failed']);
    }
    const { body } = await api.get(`/api/admin/audit?action=export.download&actor=${other.id}`, admin.console);
    expect(body.data.items).toMatchObject([{ result: 'failed', details: { error: 'export_forbidden' } }]);
  });

  it('can be downloaded in parts', async () => {
    const id = await requestWhole();
    await work(id);
    const whole = await get(`/${id}/download`);
    const { length } = whole.body;
    const { etag } = whole.headers;
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(length) });
    const part = (range: string, headers = {}) => get(`/${id}/download`, { range, ...headers });
    const [head, tail] = [await part('bytes=0-99'), await part('bytes=100-', { 'if-range': etag })];
    expect([head.status, tail.status]).toEqual([206, 206]);
    expect(head.headers['content-range']).toBe(`bytes 0-99/${length}`);
    expect(Buffer.concat([head.body, tail.body]).equals(whole.body)).toBe(true);
    expect((await part('bytes=-5')).body.equals(whole.body.subarray(-5))).toBe(true);
    expect((await part('bytes=0-0,5-6')).status).toBe(200);
    expect((await part('bytes=100-', { 'if-range': '"another"' })).status).toBe(200);
    expect((await part('nonsense')).status).toBe(200);
    const beyond = await part(`bytes=${length}-`);
    expect([...outcome(beyond), beyond.headers['content-range']]).toEqual([
      ...[416, 'error.range_not_satisfiable', `bytes */${length}`],
    ]);
  });

  it('expires after seven days: the file is deleted, the record stays', async () => {
    const id = await requestWhole();
    await work(id);
    clock = NOW + 7 * DAY - 1;
    const context = () => testJobContext({ pool: database.pool, storage, now: () => clock });
    const later = await addAdmin(api);
    await database.pool.query('update exports set user_id = $1 where id = $2', [later.id, id]);
    await expireExports(context());
    expect((await get(`/${id}/download`, {}, later)).status).toBe(200);
    clock = NOW + 7 * DAY;
    // At once, even before the job has run.
    expect(outcome(await get(`/${id}/download`, {}, later))).toEqual([410, 'error.export_expired']);
    await expireExports(context());
    expect((await objects()).filter((key) => key.includes(`/exports/${id}/`))).toEqual([]);
    expect((await get(`/${id}`, {}, later)).body.data).toMatchObject({ status: 'done', rows: expect.any(Number) });
    expect(outcome(await get(`/${id}/download`, {}, later))).toEqual([410, 'error.export_expired']);
  });

  it('is answered with 410 after its file was deleted', async () => {
    const id = await requestWhole();
    await work(id);
    for (const key of await objects()) if (key.includes(`/exports/${id}/`)) await storage.remove(key);
    expect(outcome(await get(`/${id}/download`))).toEqual([410, 'error.export_expired']);
  });

  it('can be canceled while it waits or runs, and leaves no file', async () => {
    const [waiting, running] = [await requestWhole(), await requestWhole()];
    const cancelled = await post(`/${waiting}/cancel`);
    expect([cancelled.status, cancelled.body.data]).toMatchObject([
      202,
      { status: 'failed', error: 'cancelled by an administrator' },
    ]);
    await work(waiting);
    expect(outcome(await post(`/${waiting}/cancel`))).toEqual([409, 'error.wrong_state']);
    let cancelling: ReturnType<typeof post> | undefined;
    const slow: Partial<ObjectStorage> = {
      put: async (key, content) => {
        // Everything is read but not stored yet when it is canceled.
        const bytes = await storage.put(key, content);
        cancelling = post(`/${running}/cancel`);
        await cancelling;
        return bytes;
      },
      remove: (key) => storage.remove(key),
    };
    await work(running, { storage: slow });
    expect((await cancelling)?.status).toBe(202);
    expect((await get(`/${running}`)).body.data).toMatchObject({ status: 'failed', bytes: null });
    expect((await objects()).filter((key) => key.includes(`/exports/${running}/`))).toEqual([]);
    const { rows } = await database.pool.query(
      `select state from pgboss.job where name = 'export' order by created_on desc limit 2`,
    );
    expect(rows).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(outcome(await post('/999999/cancel'))).toEqual([404, 'error.not_found']);
  });

  it('reports why it failed after its last attempt, and can be retried', async () => {
    const id = await requestWhole();
    const broken = { put: () => Promise.reject(new Error('the disk is full')), remove: async () => {} };
    await expect(work(id, { storage: broken, isLastAttempt: false })).rejects.toThrow('the disk is full');
    expect((await get(`/${id}`)).body.data).toMatchObject({ status: 'running', error: null });
    expect(outcome(await post(`/${id}/retry`))).toEqual([409, 'error.wrong_state']);
    await expect(work(id, { storage: broken })).rejects.toThrow();
    expect((await get(`/${id}`)).body.data).toMatchObject({ status: 'failed', error: 'the disk is full' });
    expect(outcome(await get(`/${id}/download`))).toEqual([409, 'error.export_not_finished']);
    const retried = await post(`/${id}/retry`);
    expect([retried.status, retried.body.data]).toMatchObject([
      202,
      { status: 'pending', error: null, progress_pct: 0 },
    ]);
    await work(id);
    expect((await get(`/${id}`)).body.data.status).toBe('done');
    expect(await objects()).toContain(`users/${admin.id}/exports/${id}/3.csv`);
    const { body } = await api.get(`/api/admin/audit?target_type=export&target_id=${id}`, admin.console);
    expect(body.data.items.map(({ action, result }: Record<string, string>) => `${action} ${result}`)).toEqual([
      'export.retry ok',
      'export.download failed',
      'export.retry failed',
      'export.create ok',
    ]);
  });

  it('reports its progress', async () => {
    const id = await requestWhole();
    const seen: number[] = [];
    const { pool } = database;
    const watched = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return async (text: string, values: unknown[]) => {
          const result = await pool.query(text, values);
          if (String(text).includes('progress_pct = $3')) seen.push((await get(`/${id}`)).body.data.progress_pct);
          return result;
        };
      },
    });
    await work(id, { pool: watched });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every((pct, i) => pct >= (seen[i - 1] ?? 0) && pct < 100)).toBe(true);
  });

  it('is deleted with its account, even while it runs, and leaves no file', async () => {
    const [leaver, stayer] = [await addAdmin(api), admin];
    const id = await requestWhole(leaver);
    const slow: Partial<ObjectStorage> = {
      put: async (key, content) => {
        const bytes = await storage.put(key, content);
        const { status } = await api.delete('/api/auth/me', { email: leaver.email }, leaver.console);
        expect(status).toBe(200);
        return bytes;
      },
      remove: (key) => storage.remove(key),
    };
    await work(id, { storage: slow });
    expect(outcome(await get(`/${id}`, {}, stayer))).toEqual([404, 'error.not_found']);
    expect((await objects()).filter((key) => key.startsWith(`users/${leaver.id}/`))).toEqual([]);
  });

  it('is completed only by the newest attempt if an earlier worker is still running', async () => {
    const id = await requestWhole();
    const slow: Partial<ObjectStorage> = {
      put: async (key, content) => {
        const bytes = await storage.put(key, content);
        // Considered dead, and started again by another worker.
        await work(id);
        return bytes;
      },
      remove: (key) => storage.remove(key),
    };
    await work(id, { storage: slow });
    expect((await objects()).filter((key) => key.includes(`/exports/${id}/`))).toEqual([
      `users/${admin.id}/exports/${id}/2.csv`,
    ]);
    expect((await get(`/${id}/download`)).status).toBe(200);
  });

  it('has its orphans deleted, and only those', async () => {
    const [kept, running] = [await requestWhole(), await requestWhole()];
    await work(kept);
    await database.pool.query(`update exports set status = 'running' where id = $1`, [running]);
    const put = (key: string) => storage.put(key, Readable.from(['x']));
    const orphans = [`users/${admin.id}/exports/${kept}/9.csv`, 'users/1/exports/999999/1.csv'];
    for (const key of [...orphans, `users/${admin.id}/exports/${running}/1.csv`]) await put(key);
    await removeExportOrphans(testJobContext({ pool: database.pool, storage }));
    const left = await objects();
    expect(left).toEqual(
      expect.arrayContaining([`users/${admin.id}/exports/${kept}/1.csv`, `users/${admin.id}/exports/${running}/1.csv`]),
    );
    expect(left.filter((key) => orphans.includes(key))).toEqual([]);
  });

  it('has nothing deleted if most files are unknown, which means another storage', async () => {
    const foreign = openStorage({ folder: join(folder, 'foreign') });
    const keys = Array.from({ length: 11 }, (_, i) => `users/1/exports/${900_000 + i}/1.csv`);
    for (const key of keys) await foreign.put(key, Readable.from(['x']));
    const context = testJobContext({ pool: database.pool, storage: foreign });
    await expect(removeExportOrphans(context)).rejects.toThrow('11 of 11 stored exports are unknown');
    expect((await Array.fromAsync(foreign.list('users/'))).map(({ key }) => key)).toEqual(keys);
  });
});
