/** SQL over the lake: answers, formats, limits, and hostile queries, each in a real process. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import pino from 'pino';
import type { Response } from 'supertest';
import { waitMsFor } from '../../../api/runs/request.ts';
import { SQL_SCHEMA } from '../../../api/site/browser/sql-completion.ts';
import { selectLakeFile } from '../../../db/lake/lake-files.ts';
import { bumpDataVersion, selectDataVersion } from '../../../db/market/data-versions.ts';
import { required } from '../../../engine/util/values.ts';
import type { JobContext } from '../../../jobs/contracts/job-context.ts';
import { SQL_FORMATS, SQL_LIMITS, SQL_VIEWS } from '../../../jobs/contracts/sql.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { cacheLake } from '../../../jobs/sql/lake-cache.ts';
import { ask as askProcess, type QueryOutcome, runQuery } from '../../../jobs/sql/run-query.ts';
import { endSpare, keepSpare, type Sandbox, spareReady, startSandbox } from '../../../jobs/sql/spare.ts';
import { checkQuery, SQL_FUNCTIONS } from '../../../jobs/sql/statement.ts';
import { currentLake } from '../../../jobs/tables/lake-at.ts';
import { removeSqlResults } from '../../../jobs/worker/cleanup.ts';
import { lakeDataKey, SQL_RESULTS_PREFIX } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { MISSING_BINDING, withBrokenNode } from '../../support/broken-node.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { everyNth } from '../../support/extent.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { addCaller, startLoopServer } from '../../support/loop-server.ts';
import { runJobOf } from '../../support/run-jobs.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
/** Nobody ends or pauses a query. */
const freely = { signal: new AbortController().signal, isPaused: () => false };
/** It runs until it is ended. */
const ENDLESS = 'select count(*) from bars a, bars b, bars c where a.close + b.close + c.close < 0';

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let pro: Person;
let folder: string;

const given = () => ({ pool: database.pool, storage, now: () => NOW, workFolder: join(directory, 'work') });
const context = () => testJobContext(given());

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-sql-'));
  database = await createWrittenDatabase(provider, join(directory, 'objects'), [NOW]);
  storage = openStorage({ folder: join(directory, 'objects') });
  folder = await cacheLake(context(), required(await currentLake(context())));
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(async () => {
  endSpare();
  await api.close();
  await database.drop();
  removeTree(directory);
});

const run = async (query: string, limit = 100): Promise<QueryOutcome> =>
  (await runQuery(folder, { query, limit }, freely)).outcome;

async function rowsOf(query: string): Promise<unknown[][]> {
  const outcome = await run(query);
  if (outcome.type !== 'done') throw new Error(`${query}: ${JSON.stringify(outcome)}`);
  return outcome.result.rows;
}

/** Sends a call and does its job, as a worker does. */
async function ask(body: object, person = pro, others: Partial<JobContext> = {}): Promise<Response> {
  const [response] = await Promise.all([api.post('/v1/sql', body, person.program), doNextJob(others)]);
  return response;
}

async function doNextJob(others: Partial<JobContext> = {}): Promise<void> {
  const [{ id }] = await eventually(
    async () => (await database.pool.query<{ id: string }>(`select id from runs where status = 'queued'`)).rows,
    (rows) => rows.length > 0,
  );
  await runJobOf({ ...given(), ...others }, id);
}

/** Processor time of a turn of the event loop. */
const LONGEST_MS = 150;

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  DOUBLE: 'number',
  BIGINT: 'integer',
  INTEGER: 'integer',
  DATE: 'date',
  BOOLEAN: 'boolean',
};

it('has the views and columns that the site lists beside its editor', async () => {
  expect(SQL_SCHEMA.map(({ name }) => name)).toEqual(SQL_VIEWS);
  const described = SQL_VIEWS.map((name) => `select '${name}', column_name, column_type from (describe ${name})`);
  const rows: unknown[][] = (await ask({ query: described.join(' union all '), limit: 1_000 })).body.data.rows;
  for (const { name, columns } of SQL_SCHEMA) {
    const found = rows
      .filter(([view]) => view === name)
      .map(([, column, type]) => [column, COLUMN_TYPES[String(type)]]);
    expect([name, Object.fromEntries(found)]).toEqual([name, columns]);
  }
});

describe('a query', () => {
  it('agrees with the database on every view', async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int as bars, sum(volume)::float8 as volume from daily_bars where basis = 1 and day <= '2024-09-03'`,
    );
    expect(await rowsOf(`select count(*), sum(volume) from bars where venue_mode = 'consolidated'`)).toEqual([
      [rows[0].bars, rows[0].volume],
    ]);
    expect(await rowsOf('select min(year), max(year), count(distinct venue_mode) from bars')).toEqual([
      [expect.any(Number), 2024, 3],
    ]);
    expect(
      await rowsOf(`
        with newest as (select symbol, max(date) as date from bars_adjusted where venue_mode = 'consolidated' group by symbol)
        select count(*) > 20, bool_and(abs(a.close - b.close) < 1e-9)
        from newest join bars_adjusted a using (symbol, date) join bars b using (symbol, date)
        where a.venue_mode = 'consolidated' and b.venue_mode = 'consolidated'`),
    ).toEqual([[true, true]]);
    expect(await rowsOf(`select count(*) from symbols`)).toEqual([[api.market.directory.items.length]]);
    const others = `select (select count(*) from events) > 0, (select max(date) from sessions),
      (select count(rsi_14) from screener_daily where date = '2024-09-03') > 20`;
    expect(await rowsOf(others)).toEqual([[true, '2024-09-03', true]]);
    const windows = `select symbol, date, avg(close) over (partition by symbol order by date rows 19 preceding) as sma
      from bars_adjusted where venue_mode = 'consolidated' qualify row_number() over (partition by symbol order by date desc) = 1
      order by symbol limit 2`;
    expect(await rowsOf(windows)).toHaveLength(2);
  });

  it('has the requested format, cut off at the limit', async () => {
    const query = `select symbol, date, close, volume, close > 50 as dear, '=1+1' as formula from bars
      where venue_mode = 'consolidated' order by symbol, date`;
    const { body } = await ask({ query, limit: 3 });
    const { columns, rows, truncated, as_of: asOf } = body.data;
    expect(columns.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      'date',
      'number',
      'integer',
      'boolean',
      'text',
    ]);
    expect([rows.length, truncated, asOf]).toEqual([3, true, '2024-09-03']);
    const csv = await ask({ query, limit: 3, format: 'csv' });
    expect(csv.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv'),
      'content-disposition': 'attachment; filename="query-truncated.csv"',
      'x-truncated': 'true',
    });
    expect(csv.body.toString().trimEnd().split('\r\n')).toHaveLength(4);
    expect(csv.body.toString().replace('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
      'symbol,date,close,volume,dear,formula',
      [...rows[0].slice(0, 5), `"'=1+1"`].join(','),
    ]);
    const parquet = (await ask({ query, limit: 3, format: 'parquet' })).body;
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const file = new Uint8Array(parquet).buffer;
    expect(parquetMetadata(file).key_value_metadata).toEqual([{ key: 'truncated', value: 'true' }]);
    const objects = await parquetReadObjects({ file, compressors });
    expect(objects.map(({ symbol, close, volume, dear }) => [symbol, close, Number(volume), dear])).toEqual(
      rows.map(([symbol, , close, volume, dear]: unknown[]) => [symbol, close, volume, dear]),
    );
    const arrow = tableFromIPC((await ask({ query, limit: 3, format: 'arrow' })).body);
    expect(arrow.schema.metadata.get('truncated')).toBe('true');
    expect([arrow.numRows, arrow.getChild('close')?.toArray()]).toEqual([
      3,
      Float64Array.from(rows, ([, , close]: number[]) => close),
    ]);
  });

  it('is not marked as truncated when all its rows are there', async () => {
    const query = 'select symbol from symbols order by symbol limit 3';
    const json = await ask({ query, limit: 3 });
    expect([json.body.data.truncated, json.headers['x-truncated']]).toEqual([false, undefined]);
    const csv = await ask({ query, limit: 3, format: 'csv' });
    expect([csv.headers['x-truncated'], csv.headers['content-disposition']]).toEqual([
      undefined,
      'attachment; filename="query.csv"',
    ]);
    const file = new Uint8Array((await ask({ query, limit: 3, format: 'parquet' })).body).buffer;
    expect(parquetMetadata(file).key_value_metadata ?? []).toEqual([]);
  });

  it('has the same result when its call is repeated, also as a file', async () => {
    const call = { query: 'select symbol, date, close from bars order by all', limit: 20_000 };
    for (const format of ['json', 'csv'] as const) {
      const headers = { ...pro.program, 'idempotency-key': `again-${format}` };
      const first = await ask({ ...call, format }, { ...pro, program: headers });
      const again = await api.post('/v1/sql', { ...call, format }, headers);
      const shown = ({ status, body, headers: { 'x-truncated': cut, 'content-disposition': name } }: Response) => {
        return [status, Buffer.isBuffer(body) ? body.toString() : body, cut, name];
      };
      expect([again.headers['idempotent-replayed'], shown(again)]).toEqual(['true', shown(first)]);
      expect(shown(first).slice(2)).toEqual([
        'true',
        format === 'csv' ? expect.stringContaining('-truncated.csv') : undefined,
      ]);
    }
  });

  it('is removed from the storage with its run', async () => {
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of storage.list(SQL_RESULTS_PREFIX)) found.push(key);
      return found;
    };
    await ask({ query: 'select symbol from symbols', format: 'csv' });
    const [kept] = (await keys()).slice(-1);
    await removeSqlResults(context());
    expect(await keys()).toContain(kept);
    await database.pool.query('delete from runs');
    await removeSqlResults(context());
    expect(await keys()).toEqual([]);
  });

  it('is sent as bytes, so that even a large result does not block the event loop of the API', async () => {
    const userId = await addCaller(database.pool);
    const server = await startLoopServer(database.url, join(directory, 'objects'), userId, 60_000);
    const query = `select symbol, date, open, high, low, close, volume, open * 1.01 as a, high * 1.01 as b, low * 1.01 as c,
      close * 1.01 as d, md5(symbol || date) as e from bars`;
    try {
      for (const format of SQL_FORMATS) {
        const { value, ms } = await server.during(async () => {
          const body = JSON.stringify({ query, limit: 100_000, format });
          const headers = { 'content-type': 'application/json' };
          const answer = fetch(`http://127.0.0.1:${server.port}/v1/sql`, { method: 'POST', headers, body });
          await doNextJob();
          const response = await answer;
          const { byteLength } = await response.arrayBuffer();
          return { status: response.status, cut: response.headers.get('x-truncated'), isLarge: byteLength > 2_000_000 };
        });
        expect([format, value]).toEqual([format, { status: 200, cut: 'true', isLarge: true }]);
        expect([format, Math.max(ms, LONGEST_MS)]).toEqual([format, LONGEST_MS]);
      }
    } finally {
      server.stop();
    }
  });

  it('has a distinct name for each column, also if it only reads the maximum of a partition', async () => {
    const { body } = await ask({ query: 'select max(year) as a, max(venue_mode) as a from bars where year < 2024' });
    const names = body.data.columns.map(({ name }: { name: string }) => name);
    expect([new Set(names).size, body.data.rows]).toEqual([2, [[2023, 'single_venue']]]);
  });

  it('has every digit of a large integer, and null for infinity', async () => {
    expect(await rowsOf(`select 9007199254740993, 2::hugeint ** 0, null, 'inf'::double, [1, 2], {'a': 1}`)).toEqual([
      ['9007199254740993', 1, null, null, '[1,2]', '{"a":1}'],
    ]);
  });

  it('is refused on other plans, beyond the limits of a call, and with the reason when it is invalid', async () => {
    const free = await addPerson(api, undefined, { plan: 'free' });
    const refused = await api.post('/v1/sql', { query: 'select 1' }, free.program);
    expect([refused.status, refused.body.key]).toEqual([403, 'error.plan_capability']);
    const tooMany = await api.post('/v1/sql', { query: 'select 1', limit: 100_001 }, pro.program);
    expect([tooMany.status, tooMany.body.key]).toEqual([422, 'error.validation_failed']);
    const wrong = await ask({ query: 'select clos from bars' });
    expect([wrong.status, wrong.body.key]).toEqual([400, 'error.sql_invalid']);
    expect(wrong.body.message).toContain('clos');
    const hostile = await ask({ query: `select * from read_csv('/etc/passwd')` });
    expect([hostile.status, hostile.body.key]).toEqual([400, 'error.sql_not_allowed']);
    expect(hostile.body.message).toContain('read_csv()');
    const other = await ask({ query: 'select 1; -- and\n drop table bars' });
    expect([other.status, other.body.key]).toEqual([400, 'error.sql_not_allowed']);
    expect(other.body.message).toMatch(/^A query must be one SELECT over .*\. Not allowed: DROP$/);
    const databases = await ask({ query: 'show databases' });
    expect(databases.body.message).toMatch(/Not allowed: SHOW databases$/);
    const huge = await ask({ query: 'select 1e400' });
    expect(huge.body.message).toBe('The query is not valid: Out of Range Error: a number is too large');
  });

  it('can be read by its job when the caller does not wait', async () => {
    const accepted = await api.post('/v1/sql', { query: 'select 42' }, { ...pro.program, prefer: 'respond-async' });
    const { job_id: runId, location } = accepted.body.data;
    expect([accepted.status, accepted.headers.location]).toEqual([202, location]);
    await runJobOf(given(), runId);
    const { data } = (await api.get(location, pro.program)).body;
    expect([data.status, data.result.rows]).toEqual(['done', [[42]]]);
    // A call that waits as long as a query may run gets the error that ends it.
    expect(waitMsFor('sql', 30_000)).toBeGreaterThan(1000 * SQL_LIMITS.seconds);
    expect([waitMsFor('sql', 10_000), waitMsFor('backtest', 30_000)]).toEqual([10_000, 30_000]);
  });
});

const REFUSED = [
  // Files
  `select * from read_csv('/etc/passwd')`,
  `select * from read_csv_auto('/etc/passwd')`,
  `select * from read_text('/etc/passwd')`,
  `select * from read_blob('/etc/shadow')`,
  `select * from read_json('/proc/self/environ')`,
  `select * from read_parquet('symbols.parquet')`,
  `select * from parquet_scan('symbols.parquet')`,
  `select * from read_parquet('/dev/fd/3')`,
  `select * from '/dev/fd/3'`,
  `select * from parquet_metadata('symbols.parquet')`,
  `select * from glob('/*')`,
  `select * from sniff_csv('/etc/passwd')`,
  `select * from '/etc/passwd'`,
  `select * from 'symbols.parquet'`,
  `select * from "https://example.com/a.csv"`,
  `from read_csv('/etc/passwd')`,
  `select (select count(*) from read_text('/etc/passwd'))`,
  `with x as (select * from read_text('/etc/hostname')) select * from x`,
  `select * from bars where symbol in (select content from read_text('/etc/hostname'))`,
  `select * from bars join read_text('/etc/hostname') on true`,
  `select 1 union all select size from read_text('/etc/hostname')`,
  // Names of common table expressions where they do not count
  `select (with "symbols.parquet" as (select 1) select 1), (select count(*) from "symbols.parquet")`,
  `with a as (select * from "symbols.parquet"), "symbols.parquet" as (select 1) select * from a`,
  `with recursive "symbols.parquet" as (select count(*) as n from "symbols.parquet" union all select 1 where false) select 1`,
  `select (with duckdb_settings as (select 1) select 1), (select count(*) from duckdb_settings)`,
  // Writing, and other statements
  `copy (select 1) to '/tmp/x.csv'`,
  `copy bars to 'x.parquet'`,
  `export database '/tmp/x'`,
  `import database '/tmp/x'`,
  `create table x as select 1`,
  `create view x as select 1`,
  `create macro f() as 1`,
  `insert into symbols select * from symbols`,
  `delete from symbols`,
  `update symbols set name = 'x'`,
  `drop view bars`,
  `alter view bars rename to b`,
  `attach '/tmp/x.db'`,
  `attach ':memory:' as m`,
  `detach memory`,
  `use memory`,
  `vacuum`,
  `checkpoint`,
  `begin`,
  `prepare p as select 1`,
  `execute p`,
  `call pragma_version()`,
  // Several statements
  `select 1; select 2`,
  `select 1; copy (select 1) to '/tmp/x.csv'`,
  `select 1; set enable_external_access = true`,
  ``,
  `;`,
  `-- nothing`,
  // Settings and extensions
  `set enable_external_access = true`,
  `set memory_limit = '64GB'`,
  `reset lock_configuration`,
  `pragma database_list`,
  `pragma enable_profiling`,
  `install httpfs`,
  `load httpfs`,
  `select current_setting('home_directory')`,
  `select getenv('PATH')`,
  `select getvariable('x')`,
  // Facts about the database and its machine
  `select * from duckdb_settings()`,
  `select * from duckdb_secrets()`,
  `select * from duckdb_extensions()`,
  `select * from pragma_database_size()`,
  `select * from information_schema.tables`,
  `select * from pg_catalog.pg_class`,
  `select * from sqlite_master`,
  `select * from memory.main.bars`,
  `select * from query('select 1')`,
  `select * from query_table('bars')`,
  `select * from json_execute_serialized_sql('{}')`,
  `select json_serialize_sql('select 1')`,
  `select system.main.read_text('/etc/passwd')`,
  `select nextval('s')`,
  `select pg_sleep(10)`,
  `select * from repeat('x', 2000000000)`,
  `select version(), current_user, current_database()`,
  `select current_query()`,
  `select sleep_ms(10)`,
  `select json_serialize_plan('select 1')`,
  // Beside a SELECT
  `describe 'symbols.parquet'`,
  `summarize "symbols.parquet"`,
  `describe duckdb_settings`,
  `describe select * from read_text('/etc/passwd')`,
  `from (describe select * from read_text('/etc/passwd'))`,
  `summarize select getenv('PATH')`,
  `show databases`,
  `show variables`,
  `show tables from memory`,
  `explain select * from read_text('/etc/passwd')`,
  `explain analyze select * from 'symbols.parquet'`,
  `explain select 1; select 2`,
  `explain select 1; drop view bars`,
  `explain copy (select 1) to '/tmp/x.csv'`,
  `explain analyze create table x as select 1`,
  `explain (analyze) select 1`,
  `pragma table_info('symbols.parquet')`,
  `pragma table_info(duckdb_settings)`,
  `pragma table_info('bars'); drop view bars`,
  `pragma storage_info('bars')`,
  `pragma show_databases`,
];

/** Harmless: values alone, and questions about the views. */
const ALLOWED = [
  `describe bars`,
  `desc symbols`,
  `describe select symbol, row(open, close) as candle from bars`,
  `select column_name from (describe bars) where column_type = 'DOUBLE'`,
  `summarize sessions`,
  `summarize select close from bars where symbol = 'nothing'`,
  `show tables`,
  `show all tables`,
  `describe`,
  `pragma table_info('bars')`,
  `PRAGMA table_info(symbols);`,
  `explain select max(close) from bars`,
  ` explain analyze\n select count(*) from symbols`,
  `explain with newest as (select max(date) as date from bars) select * from newest`,
  `select row(1, 'a'), (1, 2), struct_concat({'a': 1}, {'b': 2}), struct_keys({'a': 1})`,
  `select map_keys(map {'a': 1}), map_values(map {'a': 1}), map_entries(map {'a': 1})`,
  `select list_reduce([1, 2, 3], lambda x, y: x + y), list_aggregate([1, 2], 'sum'), list_zip([1], [2]), flatten([[1], [2]])`,
  `select lpad('7', 3, '0'), rpad('7', 3, '0'), repeat('ab', 3), regexp_extract_all('a1b2', '[0-9]'), strip_accents('é')`,
  `select sha256('x'), hex('x'), to_base64('x'::blob), url_encode('a b'), jaro_winkler_similarity('a', 'b')`,
  `select json_extract('{"a": 1}', '$.a'), to_json({'a': 1}), json_object('a', 1), '{"a": 1}'::json ->> 'a'`,
  `select epoch_ms(timestamp '2024-01-02'), make_timestamp(2024, 1, 2, 3, 4, 5), weekday(date '2024-01-02'), now() > date '2000-01-01'`,
  `select current_date, current_timestamp, timestamp '2024-01-02' at time zone 'America/New_York'`,
  `select geomean(close), weighted_avg(close, volume), approx_top_k(symbol, 3), arg_max(symbol, volume) from bars`,
  `select asinh(1), bit_count(5), 5!, round_even(2.5, 0), [1.0, 2.0]::double[2] <-> [2.0, 3.0]::double[2]`,
  `select uuid() <> uuid(), random() < 1`,
  `select key, value from json_each('{"a": 1}')`,
  `select generate_series(1, 3), range(3), string_to_array('a,b', ','), array_to_string(['a', 'b'], '-')`,
];

/** Reach settings, the session, the machine, or the parser; are of no use in a query; or have effects. */
const REFUSED_FUNCTIONS = [
  /^__internal_/,
  /^icu_/,
  /^st_/,
  /^pg_(?!size_pretty$|typeof$)/,
  /^has_\w+_privilege$/,
  /^inet_/,
  /^current_(setting|user|role|catalog|database|schemas?|query(_id)?|connection_id|transaction_id)$/,
  /^(session_)?user$/,
  /^(getvariable|get_block_size|in_search_path|txid_current|version|stats|vector_type|setseed|sleep_ms|write_log)$/,
  /^(currval|nextval)$/,
  /^json_(serialize_plan|serialize_sql|deserialize_sql)$/,
  /^(array_to_string_comma_default|col_description|obj_description|shobj_description|map_to_pg_oid)$/,
  /^(format_type|format_pg_type|parse_duckdb_log_message|timetz_byte_comparable|variant_\w+)$/,
  /^(cast_to_type|make_type|get_type|replace_type|remap_struct|create_sort_key|combine|finalize)$/,
];

/** Cost too much: ended by memory or by the size of the result. */
const EXHAUSTING = [
  `select string_agg(a.symbol || b.symbol || c.symbol, '') from bars a, bars b, symbols c`,
  `select list(a.close) from bars a, bars b, bars c`,
  `select length(format('{:>2000000000}', 'x'))`,
  `select length(printf('%2000000000d', 1))`,
  `select array_agg(i) from range(1000000000) t(i)`,
  `with recursive r as (select 'x' as s union all select s || s from r) select max(length(s)) from r`,
  `select length(repeat('x', 2000000000))`,
  `select length(lpad('x', 2000000000, 'y'))`,
  `select len(list_resize([1], 1000000000))`,
];

describe('the spare process', () => {
  it('runs one query and ends, and is replaced if it has died', async () => {
    const first = required(keepSpare(folder));
    expect(keepSpare(folder)).toBe(first);
    await spareReady();
    expect(await rowsOf('select 1')).toEqual([[1]]);
    await eventually(
      async () => isRunning(first),
      (runs) => !runs,
    );
    const second = required(keepSpare(folder));
    expect(second).not.toBe(first);
    process.kill(second, 'SIGKILL');
    await eventually(
      async () => isRunning(second),
      (runs) => !runs,
    );
    expect(await rowsOf('select 2')).toEqual([[2]]);
    expect(await ask({ query: 'select 3' })).toMatchObject({ status: 200 });
    const third = required(keepSpare(folder));
    endSpare();
    await eventually(
      async () => isRunning(third),
      (runs) => !runs,
    );
  });
});

describe('a query whose process dies', () => {
  it('fails with an error, and the log has how the process ended', async () => {
    endSpare();
    const logged: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const answer = await withBrokenNode(directory, () => ask({ query: 'select 1' }, pro, { log }));
    expect([answer.status, answer.body.key]).toEqual([503, 'error.sql_unavailable']);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { exitCode: 7, signal: null, stderr: MISSING_BINDING, msg: expect.stringContaining('ended with exit code 7') },
    ]);
    endSpare();
  });

  it('is reported with the signal, and differs from one that lacks memory', async () => {
    const script = (text: string) => spawn('/bin/sh', ['-c', text], { stdio: 'pipe' });
    const outcomeOf = async (child: Sandbox) => (await askProcess(child, { query: ENDLESS, limit: 1 }, freely)).outcome;
    const killed = startSandbox(folder);
    killed.stdout.once('data', () => killed.kill('SIGSEGV'));
    expect(await outcomeOf(killed)).toMatchObject({ type: 'died', exitCode: null, signal: 'SIGSEGV' });
    expect(await outcomeOf(script('echo "std::bad_alloc" >&2; kill -ABRT $$'))).toEqual({
      type: 'exceeded',
      limit: 'memory',
    });
  });
});

describe('harmless queries', () => {
  it('are answered', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const verdicts = await Promise.all(ALLOWED.map((query) => checkQuery(connection, query)));
    connection.closeSync();
    const wrong = verdicts.flatMap((verdict, i) => ('statement' in verdict ? [] : [ALLOWED[i]]));
    // A process for each takes long.
    for (const query of everyNth(4, ALLOWED)) {
      const outcome = await run(query);
      if (outcome.type !== 'done') wrong.push(`${query}: ${JSON.stringify(outcome)}`);
    }
    expect(wrong).toEqual([]);
    expect((await rowsOf('show tables')).flat().sort()).toEqual([...SQL_VIEWS].sort());
    expect((await rowsOf('describe bars')).map(([name]) => name)).toEqual(
      (await rowsOf(`pragma table_info('bars')`)).map(([, name]) => name),
    );
  });

  it('may call every function of DuckDB that only computes values', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const known = await connection.runAndReadAll(
      `select distinct lower(function_name) from duckdb_functions() where function_type in ('scalar', 'aggregate', 'macro')`,
    );
    connection.closeSync();
    const names = known.getRows().map(([name]) => String(name));
    const isRefused = (name: string) => REFUSED_FUNCTIONS.some((pattern) => pattern.test(name));
    expect(names.filter((name) => SQL_FUNCTIONS.has(name) === isRefused(name))).toEqual([]);
  });
});

const isRunning = (pid: number) => existsSync(`/proc/${pid}/exe`);

describe('hostile queries', () => {
  it('are refused before any part of them runs', async () => {
    expect(REFUSED.length).toBeGreaterThanOrEqual(60);
    const before = filesOf(folder);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const verdicts = await Promise.all(REFUSED.map((query) => checkQuery(connection, query)));
    connection.closeSync();
    // A process for each would take long: every tenth shows that it asks, and those that it would run show what stops them.
    const tried = REFUSED.filter((_, i) => 'statement' in verdicts[i] || i % 10 === 0);
    expect(tried.length).toBeLessThan(REFUSED.length / 4);
    const wrong: string[] = [];
    for (const query of tried) {
      const outcome = await run(query);
      if (outcome.type !== 'refused' && outcome.type !== 'invalid') wrong.push(`${query}: ${JSON.stringify(outcome)}`);
    }
    expect(wrong).toEqual([]);
    expect(filesOf(folder)).toEqual(before);
    expect(await rowsOf('select 1')).toEqual([[1]]);
  });

  it('are ended when they exceed a limit, and the next one is answered', async () => {
    for (const query of everyNth(3, EXHAUSTING)) {
      const outcome = await run(query);
      expect([query, outcome.type]).toEqual([query, expect.stringMatching(/^(exceeded|invalid|died)$/)]);
    }
    expect(await rowsOf('select 1')).toEqual([[1]]);
  });

  it('end with their job', async () => {
    const abort = new AbortController();
    const running = runQuery(folder, { query: ENDLESS, limit: 1 }, { ...freely, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('canceled')), 500);
    await expect(running).rejects.toThrow('canceled');
  });

  it('stop while their job is paused', async () => {
    const pid = keepSpare(folder);
    await spareReady();
    const stateOf = async () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    const abort = new AbortController();
    let isPaused = false;
    const context = { signal: abort.signal, isPaused: () => isPaused };
    const running = runQuery(folder, { query: ENDLESS, limit: 1 }, context);
    for (const paused of [true, false, true]) {
      isPaused = paused;
      await eventually(stateOf, (state) => (state === 'T') === paused);
    }
    abort.abort(new Error('canceled'));
    await expect(running).rejects.toThrow('canceled');
  });

  it('are ended by the system when their worker is killed', async () => {
    const pid = keepSpare(folder);
    await spareReady();
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    endSpare();
    expect(limits).toMatch(new RegExp(`^Max cpu time +${3 * SQL_LIMITS.seconds} `, 'm'));
  });

  it('cannot write anything', () => {
    for (const { path, mode } of filesOf(folder)) expect([path, mode & 0o222]).toEqual([path, 0]);
    expect(statSync(folder).mode & 0o222).toBe(0);
  });
});

function filesOf(root: string) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => {
    const { size, mtimeMs, mode } = statSync(join(root, path));
    return { path, size, mtimeMs, mode };
  });
}

describe('as of an earlier load', () => {
  const query = `select symbol, date, close from bars where venue_mode = 'consolidated' and date = '2024-08-01'
    order by symbol limit 2`;
  const rowsAt = async (load?: string | number) => (await ask({ query, as_of_load: load })).body.data;

  it('reads the tables of that load, and says which version and snapshots these are', async () => {
    const { pool } = database;
    const first = await rowsAt();
    await pool.query(`update daily_bars set close = close * 2, high = high * 2 where basis = 1 and day = '2024-08-01'`);
    await pool.query('update bar_blocks set data = null where basis = 1 and year = 2024');
    await pool.query('update bar_years set version = version + 1 where (basis, year) = (1, 2024)');
    await bumpDataVersion(pool, 'bars');
    await writeLake(context());
    const now = await rowsAt();
    expect(now.rows.map(([, , close]: number[]) => close)).toEqual(
      first.rows.map(([, , close]: number[]) => 2 * close),
    );
    expect(now.data_version).toBe(await selectDataVersion(pool));
    expect(now.snapshots['market.daily_bars']).not.toBe(first.snapshots['market.daily_bars']);
    expect(now.snapshots['market.sessions']).toBe(first.snapshots['market.sessions']);
    for (const load of [first.data_version, first.snapshots['market.daily_bars']]) {
      expect(await rowsAt(load)).toMatchObject({
        rows: first.rows,
        as_of: first.as_of,
        data_version: first.data_version,
        snapshots: first.snapshots,
      });
    }
    expect((await rowsAt(now.data_version)).rows).toEqual(now.rows);
    const csv = await ask({ query, as_of_load: first.data_version, format: 'csv' });
    expect(csv.headers['x-data-version']).toBe(first.data_version);
    const counts = `select ${SQL_VIEWS.map((view) => `(select count(*) from ${view}) as ${view}`)}`;
    const past = await ask({ query: counts, as_of_load: first.data_version });
    expect(past.body.data.rows).toEqual((await ask({ query: counts })).body.data.rows);
  });

  it('refuses loads that are unknown or have expired, with the range that is kept', async () => {
    const { rows } = await database.pool.query<{ first: Date; last: Date }>(
      'select min(committed_at) as first, max(committed_at) as last from lake_snapshots',
    );
    const kept = { first: rows[0].first.toISOString(), last: rows[0].last.toISOString() };
    for (const load of ['adjustments=0,bars=0,provider=0,symbols=0', 12]) {
      const { status, body } = await api.post('/v1/sql', { query, as_of_load: load }, pro.program);
      expect([status, body.key]).toEqual([404, 'error.load_not_kept']);
      expect(body.message).toContain(`from ${kept.first} to ${kept.last}`);
    }
    for (const load of ['last week', -1, 1.5, true]) {
      expect((await api.post('/v1/sql', { query, as_of_load: load }, pro.program)).status).toBe(422);
    }
  });
});

describe('the cache of the lake', () => {
  it('waits for the first write after an upgrade, which stores the files under other keys', async () => {
    const { pool } = database;
    await pool.query('update lake set schema_version = schema_version - 1');
    expect(await currentLake(context())).toBeNull();
    await pool.query('update lake set schema_version = schema_version + 1');
    expect(await currentLake(context())).not.toBeNull();
  });

  it('is bounded in bytes by account and in all, and drops what was used least recently', async () => {
    const lake = required(await currentLake(context()));
    const work = join(directory, 'bounded-work');
    let now = NOW;
    const bytes = 1_000;
    /** A state of the lake with a file of its own, as an earlier load has. */
    const past = (n: number) => {
      const content = Buffer.alloc(bytes, n);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { ...lake, files: [{ path: 'symbols.parquet', sha256, bytes, content }] };
    };
    const limits = { account: 2 * bytes, all: 4 * bytes };
    const ask = (n: number, owner: number) => {
      now += 121_000;
      return cacheLake({ ...context(), workFolder: work, now: () => now }, past(n), owner, limits);
    };
    const root = join(work, 'lake-cache');
    const versions = () => readdirSync(root).filter((name) => name !== 'store');
    const held = () => filesOf(join(root, 'store')).reduce((sum, { size }) => sum + size, 0);
    const [first, second] = [await ask(1, 7), await ask(2, 7)];
    expect(await ask(1, 7)).toBe(first);
    await ask(3, 7);
    expect(versions().map((name) => join(root, name))).toContain(first);
    expect(versions().map((name) => join(root, name))).not.toContain(second);
    expect([versions().length, held()]).toEqual([2, 2 * bytes]);
    for (const n of [4, 5, 6, 7, 8]) await ask(n, n);
    expect([versions().length, held()]).toEqual([4, 4 * bytes]);
    // Files that queries read now stay, so there is no room for more.
    const busy = { ...context(), workFolder: work, now: () => now };
    for (const n of [5, 6, 7, 8]) await cacheLake(busy, past(n), n, limits);
    await expect(cacheLake(busy, past(9), 9, limits)).rejects.toThrow('fill the cache');
    expect(held()).toBe(4 * bytes);
    removeTree(work);
  });

  it('contains only files that agree with the manifest', async () => {
    const work = join(directory, 'other-work');
    const path = 'symbols.parquet';
    const file = required(await selectLakeFile(database.pool, path));
    writeFileSync(join(directory, 'objects', lakeDataKey(file)), 'something else');
    const lake = required(await currentLake(context()));
    await expect(cacheLake({ ...context(), workFolder: work }, lake)).rejects.toThrow(
      `${path} is not what the manifest says`,
    );
    expect(readdirSync(join(work, 'lake-cache')).filter((name) => name !== 'store')).toEqual([]);
  });
});
