/** The Iceberg REST catalog: its answers, its refusals, and the data behind it, read by pyiceberg from a real process. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IcebergError, IcebergRestCatalog } from 'iceberg-js';
import supertest from 'supertest';
import type { TableFileSource } from '../../../api/tables/objects.ts';
import { selectTablePointer } from '../../../db/lake/lake-tables.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { metadataKey } from '../../../jobs/tables/metadata.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { openTestApi } from '../../support/api.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { openPythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { S3Server } from '../../support/s3-server.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');

let service: ClientService;
let key: string;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('pro');
});
afterAll(() => service.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

async function call(path: string, given: RequestInit & { key?: string | null } = {}): Promise<Answer> {
  const { key: own = key, headers, ...init } = given;
  const authorization: Record<string, string> = own === null ? {} : { authorization: `Bearer ${own}` };
  const answer = await fetch(`${service.url}/iceberg/v1${path}`, {
    ...init,
    headers: { ...authorization, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

const errorOf = async (path: string, given?: Parameters<typeof call>[1]) => {
  const { status, body } = await call(path, given);
  const { code, type } = body.error;
  expect(code).toBe(status);
  return [status, type];
};

const BARS = '/namespaces/market/tables/daily_bars';

describe('what the tables have', () => {
  const get = async (path: string) => {
    const answer = await fetch(`${service.url}${path}`);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };

  it('is told to anyone, as the catalog tells it', async () => {
    const { catalog, tables, views } = (await get('/v1/tables')).body.data;
    expect([catalog, views]).toEqual([`${service.url}/iceberg`, ['market.daily_bars_adjusted']]);
    const { identifiers } = (await call('/namespaces/market/tables')).body;
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(
      identifiers.map(({ name }: { name: string }) => `market.${name}`),
    );
    const { data } = (await get('/v1/tables/market.daily_bars')).body;
    const { metadata } = (await call(BARS)).body;
    const [{ summary, ...newest }] = metadata.snapshots;
    expect(data).toMatchObject({
      ...tables[0],
      snapshot_id: newest['snapshot-id'],
      rows: Number(summary['total-records']),
      bytes: Number(summary['total-files-size']),
      snapshots: metadata.snapshots.length,
      partitions: ['venue_mode', 'year(date)'],
      sort: ['symbol', 'date'],
    });
    expect(data.columns.slice(0, 2)).toEqual([
      { name: 'symbol', type: 'string', required: true },
      { name: 'date', type: 'date', required: true },
    ]);
    expect(data.newest_snapshots).toEqual([
      {
        snapshot_id: newest['snapshot-id'],
        committed_at: new Date(newest['timestamp-ms']).toISOString(),
        data_version: summary['data-version'],
        newest_session: summary['newest-session'],
        rows_added: data.rows,
        rows_removed: 0,
        rows: data.rows,
        bytes: data.bytes,
        tags: [`session-${summary['newest-session']}`],
      },
    ]);
  });

  it('is not found for other names', async () => {
    for (const name of ['daily_bars', 'market.none', 'market.daily_bars_adjusted']) {
      expect((await get(`/v1/tables/${name}`)).status).toBe(404);
    }
  });
});

describe('the catalog', () => {
  it('lists namespaces, tables, and views', async () => {
    expect((await call('/config?warehouse=any')).body).toMatchObject({ defaults: {}, overrides: {} });
    expect((await call('/namespaces')).body).toEqual({ namespaces: [['market'], ['research']] });
    expect((await call('/namespaces/market')).body).toEqual({ namespace: ['market'], properties: {} });
    const { body } = await call('/namespaces/market/tables');
    expect(body.identifiers.map(({ name }: { name: string }) => name)).toEqual([
      'daily_bars',
      'events',
      'revisions',
      'screener_daily',
      'sessions',
      'symbols',
    ]);
    expect((await call('/namespaces/market/views')).body).toEqual({
      identifiers: [{ namespace: ['market'], name: 'daily_bars_adjusted' }],
    });
    const view = (await call('/namespaces/market/views/daily_bars_adjusted')).body.metadata;
    expect(view).toMatchObject({ 'format-version': 1, versions: [{ 'default-namespace': ['market'] }] });
    for (const path of ['/namespaces/market', BARS, '/namespaces/market/views/daily_bars_adjusted']) {
      expect((await call(path, { method: 'HEAD' })).status).toBe(204);
    }
  });

  it('loads a table, with all or only named snapshots, once for each version', async () => {
    const whole = await call(BARS);
    const { metadata, config } = whole.body;
    expect(metadata).toMatchObject({ 'format-version': 2, location: 's3://market-data/lake/tables/market/daily_bars' });
    expect(config).toMatchObject({ 's3.session-token': key, 's3.endpoint': `${service.url}/iceberg/objects` });
    const etag = String(whole.headers.get('etag'));
    const again = await call(BARS, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, null]);
    const named = await call(`${BARS}?snapshots=refs`);
    expect([named.status, named.headers.get('etag') === etag]).toEqual([200, false]);
    const id = metadata['current-snapshot-id'];
    expect((await call(`${BARS}?snapshot=${id}`)).body.metadata).toMatchObject({ 'current-snapshot-id': id });
    const gone = await call(`${BARS}?snapshot=1`);
    expect([gone.status, gone.body.error]).toEqual([
      404,
      {
        code: 404,
        type: 'NoSuchSnapshotException',
        message: expect.stringMatching(/^Snapshot 1 is unknown or has expired: 1 snapshots from \S+ to \S+ are kept$/),
      },
    ]);
  });

  it('gives every read a tag', async () => {
    for (const path of ['/config', '/namespaces', '/namespaces/market', '/namespaces/market/tables', BARS]) {
      const etag = String((await call(path)).headers.get('etag'));
      const again = await call(path, { headers: { 'if-none-match': etag } });
      expect([path, again.status, again.headers.get('etag')]).toEqual([path, 304, etag]);
    }
  });

  it('takes parameters that only other catalogs know', async () => {
    expect((await call(`${BARS}?pageSize=10&snapshots=refs`)).status).toBe(200);
    expect((await call('/namespaces?pageToken=&parent=')).body.namespaces.length).toBe(2);
  });

  it('refuses in its own words', async () => {
    expect(await errorOf('/namespaces/market/tables/none')).toEqual([404, 'NoSuchTableException']);
    expect(await errorOf('/namespaces/none/tables')).toEqual([404, 'NoSuchNamespaceException']);
    expect(await errorOf('/namespaces/market/views/none')).toEqual([404, 'NoSuchViewException']);
    for (const path of ['/nothing', '/market.ducklake'])
      expect(await errorOf(path)).toEqual([404, 'NotFoundException']);
    expect(await errorOf(`${BARS}?snapshots=some`)).toEqual([400, 'BadRequestException']);
    expect(await errorOf('/namespaces', { key: null })).toEqual([401, 'NotAuthorizedException']);
    expect(await errorOf('/namespaces', { key: `md_${'0'.repeat(64)}` })).toEqual([401, 'NotAuthorizedException']);
    expect(await errorOf('/namespaces', { key: await service.addKey('free') })).toEqual([403, 'ForbiddenException']);
    const writes = [
      ['POST', '/namespaces'],
      ['DELETE', '/namespaces/market'],
      ['POST', '/namespaces/market/tables'],
      ['POST', BARS],
      ['DELETE', BARS],
      ['POST', '/tables/rename'],
      ['POST', '/transactions/commit'],
    ] as const;
    for (const [method, path] of writes) {
      expect([method, path, ...(await errorOf(path, { method }))]).toEqual([method, path, 403, 'ForbiddenException']);
    }
    const metrics = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await call(`${BARS}/metrics`, metrics)).status).toBe(204);
  });

  it('gives a token for the key of a client', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_secret: key, scope: 'catalog' });
    const given = await call('/oauth/tokens', { method: 'POST', body, key: null });
    expect([given.status, given.body]).toEqual([
      200,
      expect.objectContaining({ access_token: key, token_type: 'bearer' }),
    ]);
    const wrong = new URLSearchParams({ grant_type: 'client_credentials', client_secret: 'md_no' });
    expect(await errorOf('/oauth/tokens', { method: 'POST', body: wrong, key: null })).toEqual([
      401,
      'NotAuthorizedException',
    ]);
  });
});

describe('a client of catalogs', () => {
  const MARKET = { namespace: ['market'] };
  const BARS_ID = { ...MARKET, name: 'daily_bars' };

  it('finds tables, loads them once for each version, and gets refusals that it understands', async () => {
    const auth = { type: 'bearer', token: key } as const;
    const catalog = new IcebergRestCatalog({ baseUrl: `${service.url}/iceberg`, auth });
    expect(await catalog.listNamespaces()).toMatchObject({ namespaces: [MARKET, { namespace: ['research'] }] });
    expect((await catalog.listTables(MARKET)).identifiers).toContainEqual(BARS_ID);
    expect([await catalog.tableExists(BARS_ID), await catalog.tableExists({ ...MARKET, name: 'none' })]).toEqual([
      true,
      false,
    ]);
    const loaded = required(await catalog.loadTableResult(BARS_ID));
    expect(loaded.metadata).toMatchObject({ 'format-version': 2, 'current-schema-id': 0 });
    expect(await catalog.loadTable(BARS_ID, { ifNoneMatch: required(loaded.etag) })).toBeNull();
    const refused = async (work: Promise<unknown>) => {
      const error = await work.catch((thrown) => thrown);
      if (!(error instanceof IcebergError)) throw new Error('the client was not refused', { cause: error });
      return [error.status, error.icebergType];
    };
    expect(await refused(catalog.createNamespace({ namespace: ['own'] }))).toEqual([403, 'ForbiddenException']);
    expect(await refused(catalog.dropTable(BARS_ID))).toEqual([403, 'ForbiddenException']);
    expect(await refused(catalog.loadTable({ ...MARKET, name: 'none' }))).toEqual([404, 'NoSuchTableException']);
  });

  it('leaves records of its calls, which count in the category of accounts', async () => {
    const own = await service.addKey('pro');
    const first = await call(BARS, { key: own });
    const next = await call('/namespaces', { key: own });
    const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));
    expect(left(first) - left(next)).toBe(1);
    const records = async () => {
      const { rows } = await service.database.pool.query<{ method: string; path: string; status: number }>(
        `select method, path, status from access_records where user_id = (select max(id) from users) order by path`,
      );
      return rows;
    };
    expect(await eventually(records, ({ length }) => length === 2)).toEqual([
      { method: 'GET', path: '/iceberg/v1/namespaces', status: 200 },
      { method: 'GET', path: '/iceberg/v1/namespaces/{namespace}/tables/{table}', status: 200 },
    ]);
  });
});

type Get = (path: string, headers: Record<string, string>) => Promise<supertest.Response>;

describe('with a bucket', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await S3Server.start();
  });
  afterAll(() => s3.stop());

  async function withApi<T>(tableFiles: TableFileSource, work: (get: Get) => Promise<T>): Promise<T> {
    const storage = openStorage({ s3: s3.settings });
    const pointer = required(await selectTablePointer(service.database.pool, 'market.daily_bars'));
    const metadata = await call(BARS);
    await storage.put(
      metadataKey(pointer.name, pointer.version),
      Readable.from([JSON.stringify(metadata.body.metadata)]),
    );
    const provider = new SampleProvider({ symbols: 50, now: () => NOW });
    const options = { database: service.database, provider, storage, tableFiles, realCallers: true };
    const api = await openTestApi(options);
    const get: Get = (path, headers) => supertest(api.app).get(path).set(headers);
    try {
      return await work(get);
    } finally {
      await api.close();
    }
  }

  const read = (tableFiles: TableFileSource) =>
    withApi(tableFiles, async (get) => {
      const table = await get(`/iceberg/v1${BARS}`, { authorization: `Bearer ${key}` });
      const path = String(table.body['metadata-location']).replace('s3://', '');
      const file = await get(`/iceberg/objects/${path}`, { 'x-amz-security-token': key, range: 'bytes=0-9' });
      return { config: table.body.config, path, status: file.status };
    });

  it('readers use their own credentials', async () => {
    expect(await read('bucket')).toEqual({
      config: {},
      path: expect.stringMatching(/^flatfiles\/lake\/tables\/market\/daily_bars\/metadata\/v\d+\.metadata\.json$/),
      status: 404,
    });
  });

  it('the service serves the files to holders of keys, where its operator wants that', async () => {
    const { config, status } = await read('service');
    expect(config).toMatchObject({ 's3.endpoint': 'http://test/iceberg/objects', 's3.session-token': key });
    expect(status).toBe(206);
  });
});

describe('the files of tables', () => {
  const read = (path: string, headers: Record<string, string> = {}, own: string | null = key) =>
    fetch(`${service.url}/iceberg/objects/${path}`, {
      headers: { ...(own === null ? {} : { 'x-amz-security-token': own }), ...headers },
    });

  it('are served whole and in parts to the holders of keys, and nothing else is', async () => {
    const { body } = await call(BARS);
    const path = String(body['metadata-location']).replace('s3://', '');
    const whole = await read(path);
    const text = await whole.text();
    expect([whole.status, JSON.parse(text)]).toEqual([200, body.metadata]);
    const part = await read(path, { range: 'bytes=2-5' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      text.slice(2, 6),
      `bytes 2-5/${text.length}`,
    ]);
    const refused = async (...given: Parameters<typeof read>) => {
      const answer = await read(...given);
      return [answer.status, /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1]];
    };
    expect(await refused(path, {}, null)).toEqual([403, 'AccessDenied']);
    expect(await refused(path, {}, `md_${'1'.repeat(64)}`)).toEqual([403, 'AccessDenied']);
    expect(await refused(path, {}, await service.addKey('free'))).toEqual([403, 'AccessDenied']);
    expect(await refused(path.replace('metadata/v', 'metadata/w'))).toEqual([404, 'NoSuchKey']);
    expect(await refused(path, { range: 'bytes=99999999-' })).toEqual([416, 'InvalidRange']);
    for (const other of [
      'market-data/lake/v1/symbols.parquet',
      'other/lake/tables/x',
      'market-data/lake/tables/..%2Fx',
    ]) {
      expect(await refused(other)).toEqual([404, 'NoSuchKey']);
    }
  });

  it('are not found under names that are none, or are folders, and HEAD is answered as GET is', async () => {
    const file = String((await call(BARS)).body['metadata-location']).replace('s3://', '');
    const folder = file.slice(0, file.lastIndexOf('/'));
    const headers = { 'x-amz-security-token': key, 'accept-encoding': 'identity' };
    const both = async (path: string) => {
      const answers = [];
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(`${service.url}/iceberg/objects/${path}`, { method, headers });
        const named = ['content-length', 'content-type', 'etag', 'accept-ranges'];
        answers.push([answer.status, ...named.map((name) => answer.headers.get(name))]);
        await answer.arrayBuffer();
      }
      expect([path, answers[1]]).toEqual([path, answers[0]]);
      return answers[0][0];
    };
    expect(await both(file)).toBe(200);
    const tables = 'market-data/lake/tables';
    for (const path of [
      folder,
      `${file}/below`,
      `${tables}/.hidden`,
      `${tables}/a//b`,
      `${tables}/a%20b`,
      `${tables}/a%00b`,
      `${tables}/%zz`,
      `${tables}/${'x'.repeat(300)}`,
      `${tables}/${'x/'.repeat(300)}x`,
      `${tables}/`,
      'market-data/',
      '',
    ]) {
      expect([path, await both(path)]).toEqual([path, 404]);
    }
  });

  it('are read by few at a time, and readers that go away leave their places', async () => {
    const path = String((await call(BARS)).body['metadata-location']).replace('s3://', '');
    const wholes = Array.from({ length: 150 }, () => read(path).then((answer) => answer.text()));
    expect(new Set(await Promise.all(wholes)).size).toBe(1);
    const gone = Array.from({ length: 40 }, async () => {
      const abort = new AbortController();
      const answer = await fetch(`${service.url}/iceberg/objects/${path}`, {
        headers: { 'x-amz-security-token': key },
        signal: abort.signal,
      });
      abort.abort();
      return answer.status;
    });
    expect(new Set(await Promise.all(gone))).toEqual(new Set([200]));
    expect((await read(path)).status).toBe(200);
  });

  it('are read by pyiceberg, which knows only the address and the key', async () => {
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    const python = await openPythonEnvironment('test/judges/engines/pyiceberg.txt', { progress }).catch((error) => {
      if (!(error instanceof PythonUnavailable)) throw error;
      process.stderr.write(`SKIPPED: pyiceberg does not read the catalog (${error.message})\n`);
      return null;
    });
    if (python === null) return;
    const { rows: files } = await service.database.pool.query(
      `select split_part(split_part(path, '/', 1), '.', 1) as name, sum(rows)::int as rows from lake_files group by 1`,
    );
    const [{ symbol }] = (await service.database.pool.query('select symbol from instruments order by id limit 1')).rows;
    for (const properties of [{ token: key }, { credential: `client:${key}` }]) {
      const given = { uri: `${service.url}/iceberg`, properties, symbol: `${symbol}.US` };
      const found = await python.run<Answer['body']>('test/api/tables/read_catalog.py', given);
      expect(found.rows).toEqual(Object.fromEntries(files.map(({ name, rows }) => [name, rows])));
      expect(found).toMatchObject({ namespaces: [['market'], ['research']], exists: [true, false] });
      expect(found.history.length).toBeGreaterThan(1_000);
    }
  });
});
