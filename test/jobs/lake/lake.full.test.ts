/** The lake: written by its job, read back by DuckDB and hyparquet, served over HTTP. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { selectLakeFile, selectLakeFiles } from '../../../db/lake/lake-files.ts';
import { FIELDS } from '../../../engine/screener/fields.ts';
import { required } from '../../../engine/util/values.ts';
import { examine } from '../../../jobs/health/check.ts';
import { HEALTH_CHECKS } from '../../../jobs/health/checks.ts';
import { readOnce } from '../../../jobs/health/installation.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { describeFindings } from '../../../ops/doctor/doctor.ts';
import { lakeDataKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let stored: ObjectStorage;
let api: TestApi;
let pro: Person;
let failAt: string | null = null;

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-lake-'));
  stored = openStorage({ folder: directory });
  await write();
  await buildSnapshot(context());
  api = await openTestApi({ database, provider, storage: stored, now: () => NOW, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const recording = (): ObjectStorage => ({
  put: async (key, content) => {
    if (failAt !== null && key.includes(failAt)) throw new Error('the storage has gone');
    return stored.put(key, content);
  },
  putNew: (key, content) => stored.putNew(key, content),
  locationOf: (key) => stored.locationOf(key),
  get: (key, range) => stored.get(key, range),
  has: (key) => stored.has(key),
  size: (key) => stored.size(key),
  remove: (key) => stored.remove(key),
  list: (prefix) => stored.list(prefix),
  removeUnfinished: (before) => stored.removeUnfinished(before),
  check: () => stored.check(),
});

const context = (at = NOW) => testJobContext({ pool: database.pool, storage: recording(), now: () => at });

/** The paths of the files that a write changes. */
async function write(at = NOW): Promise<string[]> {
  const before = new Map((await selectLakeFiles(database.pool)).map(({ path, sha256 }) => [path, sha256]));
  await writeLake(context(at));
  const after = await selectLakeFiles(database.pool);
  return after.filter(({ path, sha256 }) => before.get(path) !== sha256).map(({ path }) => path);
}

/** The object of a file of the lake. */
const keyOf = async (path: string) => lakeDataKey(required(await selectLakeFile(database.pool, path)));

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

/** A table of the lake in SQL. */
async function table(name: string): Promise<string> {
  const files = (await selectLakeFiles(database.pool)).filter(({ path }) => path.split(/[/.]/)[0] === name);
  return `read_parquet([${files.map((file) => `'${directory}/${lakeDataKey(file)}'`).join(', ')}])`;
}
const qualified = () => api.market.directory.items.map((item) => item.qualified);

describe('the files of the lake', () => {
  it('have every bar that may be distributed, by symbol and date, with statistics in every row group', async () => {
    const { rows } = await database.pool.query(
      `select case basis when 1 then 'consolidated' when 2 then 'single_venue' else 'primary_session' end as venue_mode,
         extract(year from day)::int as year, count(*)::int as bars, sum(volume)::text as volume, max(day)::text as newest
       from daily_bars where day <= '2024-09-03' group by 1, 2 order by 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(6);
    expect(
      await query(
        `select venue_mode, year(date)::int as year, count(*)::int as bars, sum(volume)::varchar as volume,
           max(date)::varchar as newest from ${await table('daily_bars')} group by 1, 2 order by 1, 2`,
      ),
    ).toEqual(rows);
    const key = await keyOf('daily_bars/venue_mode=consolidated/year=2024/part-0.parquet');
    const bytes = await buffer(key);
    const file = new Uint8Array(bytes).buffer;
    const { row_groups: groups } = parquetMetadata(file);
    const bounds = groups.map(({ columns }) => required(columns[0].meta_data?.statistics));
    expect(bounds.every(({ min_value: min, max_value: max }) => required(min) <= required(max))).toBe(true);
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const objects = await parquetReadObjects({ file, compressors });
    const places = objects.map(({ symbol, date }) => `${symbol} ${date.toISOString()}`);
    expect(places).toEqual([...places].sort());
  });

  it('give the adjusted prices of the API by their factors', async () => {
    const [split] = await query(
      `select e.symbol from ${await table('events')} e where kind in ('split', 'reverse_split') and ex_date > '2024-07-05'
         and exists (select 1 from ${await table('daily_bars')} b where b.symbol = e.symbol and b.date > e.ex_date and venue_mode = 'consolidated')
       order by 1 limit 1`,
    );
    const symbol = String(split.symbol);
    const adjusted = await query(
      `select date::varchar as date, round(close * s.split_factor / b.split_factor, 6) as close,
         round(volume / (s.split_factor / b.split_factor))::bigint::double as volume
       from ${await table('daily_bars')} b join ${await table('symbols')} s using (symbol)
       where venue_mode = 'consolidated' and symbol = '${symbol}' order by date`,
    );
    const kline = await api.get(`/v1/kline/${symbol}?start=2024-07-01&end=2024-09-03&adjust=qfq`, pro.program);
    expect(adjusted).toEqual(
      kline.body.data.bars.map(({ ts, close, volume }: Record<string, unknown>) => ({
        date: String(ts).slice(0, 10),
        close,
        volume,
      })),
    );
    expect(adjusted.length).toBeGreaterThan(30);
  });

  it('list symbols, events, and sessions', async () => {
    const symbols = await query(`select symbol from ${await table('symbols')}`);
    expect(symbols.map(({ symbol }) => symbol)).toEqual(qualified().sort());
    const [{ sessions }] = await query(
      `select count(*)::int as sessions from ${await table('sessions')} where venue_mode = 'consolidated' and is_complete`,
    );
    const { rows } = await database.pool.query(
      `select count(*)::int as sessions from loaded_sessions where basis = 1 and is_complete and day <= '2024-09-03'`,
    );
    expect(sessions).toBe(rows[0].sessions);
  });

  it('have the figures of a screen at the newest session, field by field', async () => {
    const conditions = FIELDS.map(({ code, kind }) => ({
      field: code,
      op: kind === 'boolean' ? 'is_true' : 'gte',
      value: -1e18,
    }));
    const days = await query(
      `select * from ${await table('screener_daily')} where date = '2024-09-03' order by symbol`,
    );
    const bySymbol = new Map(days.map((row) => [row.symbol, row]));
    let compared = 0;
    for (const condition of conditions) {
      const body = { conditions: [condition], asset_type: ['stock', 'etf'], limit: 500 };
      const { items } = (await api.post('/v1/screener', body, pro.program)).body.data;
      for (const { symbol, as_of: asOf, values } of items) {
        if (asOf !== '2024-09-03') continue;
        const [[name, value]] = Object.entries(values).filter(([key]) => key.split(':')[0] === condition.field);
        expect([symbol, name, required(bySymbol.get(symbol))[name.replace(':', '_')]]).toEqual([symbol, name, value]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(400);
  });
});

/** Changes the bars of a day, as a load does. */
async function correct(day: string): Promise<void> {
  const { pool } = database;
  await pool.query(`update daily_bars set high = high * 1.02 where basis = 1 and day = $1`, [day]);
  await pool.query(`update bar_blocks set data = null where basis = 1 and year = 2024`);
  await pool.query(`update bar_years set version = version + 1 where (basis, year) = (1, 2024)`);
}

describe('a later write', () => {
  it('writes no file when nothing has changed', async () => {
    expect(await write()).toEqual([]);
  });

  it('writes only the years in which a correction or an event changes something', async () => {
    await correct('2024-08-01');
    expect(await write()).toEqual([
      'daily_bars/venue_mode=consolidated/year=2024/part-0.parquet',
      'screener_daily/year=2024/part-0.parquet',
    ]);
    await database.pool.query(
      `insert into adjustments select id, 'test', '2024-08-15', 'split', 0.5 from instruments where symbol = $1`,
      [required(qualified()[0]).replace('.US', '')],
    );
    const changed = await write();
    expect(changed.filter((path) => /year=20(1|20|21|22|23)/.test(path))).toEqual([]);
    expect(changed).toContain('events.parquet');
  });

  it('adds the revisions of days that may be distributed', async () => {
    const revision = (basis: number | null, day: string, was: object | null, became: object | null) =>
      database.pool.query(
        `insert into revisions (instrument_id, basis, event_key, day, was, became, recorded_at)
         select min(id), $1, case when $1::smallint is null then 'e' end, $2, $3, $4, '2024-09-03T22:00:00.123Z'
         from instruments`,
        [basis, day, was, became],
      );
    const bar = { open: 1, high: 3, low: 0.5, close: 2, volume: 100 };
    await revision(1, '2024-08-01', bar, { ...bar, high: 4 });
    await revision(null, '2024-08-15', null, { kind: 'split', ex_date: '2024-08-15', factor: 0.5 });
    await revision(1, '2024-09-04', bar, null);
    expect(await write()).toEqual(['revisions.parquet']);
    expect(
      await query(
        `select symbol, date::varchar as date, venue_mode, was_high, is_high, is_volume::int as is_volume, was_event, is_event,
           is_factor, epoch_ms(recorded_at)::varchar as recorded_at from ${await table('revisions')} order by id`,
      ),
    ).toEqual([
      {
        symbol: expect.stringMatching(/\.US$/),
        date: '2024-08-01',
        venue_mode: 'consolidated',
        was_high: 3,
        is_high: 4,
        is_volume: 100,
        was_event: null,
        is_event: null,
        is_factor: null,
        recorded_at: String(Date.parse('2024-09-03T22:00:00.123Z')),
      },
      expect.objectContaining({
        date: '2024-08-15',
        venue_mode: null,
        was_event: null,
        is_event: 'split',
        is_factor: 0.5,
      }),
    ]);
    expect(await write()).toEqual([]);
  });

  it('leaves out a session until it may be distributed', async () => {
    const newest = async () => (await api.get('/v1/files', pro.program)).body.data.newest_session;
    await write(NOW - 86_400_000);
    expect(await newest()).toBe('2024-08-30');
    const [{ max }] = await query(`select max(date)::varchar as max from ${await table('daily_bars')}`);
    expect(max).toBe('2024-08-30');
    await write();
    expect(await newest()).toBe('2024-09-03');
  });

  const PATH = 'daily_bars/venue_mode=consolidated/year=2024/part-0.parquet';
  const servedDigest = async () => (await api.get(`/v1/files/${PATH}`, pro.program)).headers.etag;
  const digestIn = async (content: Promise<Buffer>) =>
    `"${createHash('sha256')
      .update(await content)
      .digest('hex')}"`;

  it('serves the earlier files when it fails before its commit, and repairs that in the next run', async () => {
    const before = await servedDigest();
    await correct('2024-08-02');
    failAt = 'screener_daily/data';
    await expect(write()).rejects.toThrow('the storage has gone');
    expect([await servedDigest(), await digestIn(buffer(await keyOf(PATH)))]).toEqual([before, before]);
    failAt = null;
    await write();
    const after = await servedDigest();
    expect([after === before, await digestIn(buffer(await keyOf(PATH)))]).toEqual([false, after]);
  });

  it('removes the copies under fixed paths that earlier versions wrote', async () => {
    const key = 'lake/v1/daily_bars/venue_mode=consolidated/year=1990/part-0.parquet';
    await stored.put(key, Readable.from(['old']));
    await write();
    expect(await stored.has(key)).toBe(false);
  });
});

describe('the doctor', () => {
  const doctorSays = async () => {
    const installation = readOnce({ pool: database.pool, now: () => NOW, storage: () => stored });
    return describeFindings(await examine(HEALTH_CHECKS, installation)).filter((line) => line.includes('files of the'));
  };
  const onCall = async () => {
    const admin = await addAdmin(api);
    const { problems } = (await api.get('/api/admin/on-call', admin.console)).body.data;
    return problems.filter(({ kind }: { kind: string }) => kind === 'lake_behind');
  };

  it('reports a file that is missing, has another size, or lacks sessions', async () => {
    expect(await doctorSays()).toEqual(['ok       the files of the market are complete']);
    expect(await onCall()).toEqual([]);
    const key = await keyOf('events.parquet');
    const whole = await buffer(key);
    await stored.remove(key);
    expect(await onCall()).toMatchObject([
      { kind: 'lake_behind', count: 1, detail: 'events.parquet', runbook: 'ops/docs/RUNBOOK.md#lake' },
    ]);
    await stored.put(key, Readable.from([whole.subarray(0, -1)]));
    expect(await doctorSays()).toEqual([
      expect.stringMatching(/1 of \d+ files are missing or of another size, events/),
    ]);
    await stored.put(key, Readable.from([whole]));
    expect(await onCall()).toEqual([]);
    const setNewest = (day: string) => database.pool.query('update lake set newest_session = $1', [day]);
    // Lacking one session is not a problem, because files are written after the load.
    await setNewest('2024-08-30');
    expect(await onCall()).toEqual([]);
    await setNewest('2024-08-29');
    const command = 'npm run ops -- jobs failures --queue lake.write';
    expect(await onCall()).toMatchObject([{ kind: 'lake_behind', count: 2, command }]);
    expect(await doctorSays()).toEqual([expect.stringContaining('they are 2 sessions behind')]);
    await setNewest('2024-09-03');
    expect(await onCall()).toEqual([]);
  });
});

describe('the lake over HTTP', () => {
  it('lists its files, and serves each with the listed digest', async () => {
    const { data } = (await api.get('/v1/files', pro.program)).body;
    expect(data.files.length).toBeGreaterThan(10);
    for (const { path, bytes, sha256 } of data.files) {
      const { headers, body } = await api.get(`/v1/files/${path}`, pro.program);
      expect([headers.etag, body.length, createHash('sha256').update(body).digest('hex')]).toEqual([
        `"${sha256}"`,
        bytes,
        sha256,
      ]);
    }
  });

  it('resumes a download, and refuses unknown paths, ranges beyond the end, and other plans', async () => {
    const whole = (await api.get('/v1/files/symbols.parquet', pro.program)).body;
    const part = await api.get('/v1/files/symbols.parquet', { ...pro.program, range: 'bytes=100-' });
    expect([part.status, Buffer.concat([whole.subarray(0, 100), part.body]).equals(whole)]).toEqual([206, true]);
    const { etag } = part.headers;
    const again = await api.get('/v1/files/symbols.parquet', { ...pro.program, 'if-none-match': etag });
    expect([again.status, again.headers.etag, again.headers['content-length']]).toEqual([304, etag, undefined]);
    const whole200 = [200, undefined, undefined, etag];
    const changed412 = [412, 'error.precondition_failed', undefined, undefined];
    const statusOf = async (headers: Record<string, string>) => {
      const answer = await api.get('/v1/files/symbols.parquet', { ...pro.program, ...headers });
      const { status, body, headers: sent } = answer;
      return [status, body.key, sent['content-range'], sent.etag];
    };
    const first = [206, undefined, `bytes 0-9/${whole.length}`, etag];
    const everything = [206, undefined, `bytes 0-${whole.length - 1}/${whole.length}`, etag];
    expect(await statusOf({ range: `bytes=-${whole.length + 1}` })).toEqual(everything);
    for (const ifMatch of [etag, '*', `"another", ${etag}`]) {
      expect(await statusOf({ 'if-match': ifMatch })).toEqual(whole200);
      expect(await statusOf({ 'if-match': ifMatch, range: 'bytes=0-9' })).toEqual(first);
    }
    for (const ifMatch of ['"another"', `W/${etag}`, etag.replaceAll('"', '')]) {
      expect(await statusOf({ 'if-match': ifMatch })).toEqual(changed412);
      expect(await statusOf({ 'if-match': ifMatch, range: 'bytes=0-9' })).toEqual(changed412);
      expect(await statusOf({ 'if-match': ifMatch, 'if-none-match': etag })).toEqual(changed412);
    }
    expect((await statusOf({ 'if-match': etag, 'if-none-match': etag }))[0]).toBe(304);
    expect(await statusOf({ 'if-none-match': '"another"', range: 'bytes=0-9' })).toEqual(first);
    expect(await statusOf({ 'if-range': etag, range: 'bytes=0-9' })).toEqual(first);
    for (const ifRange of ['"another"', `W/${etag}`, 'Mon, 02 Sep 2024 00:00:00 GMT']) {
      expect(await statusOf({ 'if-range': ifRange, range: 'bytes=0-9' })).toEqual(whole200);
      expect(await statusOf({ 'if-range': ifRange, range: 'bytes=99999999-' })).toEqual(whole200);
    }
    const outcome = async (path: string, headers = pro.program) => {
      const { status, body } = await api.get(path, headers);
      return [status, body.key];
    };
    expect(await outcome('/v1/files/symbols.parquet', { ...pro.program, range: 'bytes=99999999-' })).toEqual([
      416,
      'error.range_not_satisfiable',
    ]);
    for (const path of ['nothing.parquet', 'a/b/c', '..%2f..%2fusers', 'daily_bars', 'x'.repeat(200)]) {
      expect(await outcome(`/v1/files/${path}`)).toEqual([404, 'error.not_found']);
    }
    const free = await addPerson(api, undefined, { plan: 'free' });
    expect(await outcome('/v1/files', free.program)).toEqual([403, 'error.plan_capability']);
    expect(await outcome('/v1/files/symbols.parquet', free.program)).toEqual([403, 'error.plan_capability']);
  });
});

async function buffer(key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of required(await stored.get(key))) chunks.push(chunk);
  return Buffer.concat(chunks);
}
