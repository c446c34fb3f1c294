/** The Iceberg REST catalog: its answers, its refusals, and the data behind it, read by pyiceberg from a real process. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPythonEnvironment, PythonUnavailable } from '../../../ops/python/environment.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';

let service: ClientService;
let key: string;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('pro');
}, 240_000);
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

describe('the catalog', () => {
  it('lists namespaces, tables, and views', async () => {
    expect((await call('/config?warehouse=any')).body).toMatchObject({ defaults: {}, overrides: {} });
    expect((await call('/namespaces')).body).toEqual({ namespaces: [['market']] });
    expect((await call('/namespaces/market')).body).toEqual({ namespace: ['market'], properties: {} });
    const { body } = await call('/namespaces/market/tables');
    expect(body.identifiers.map(({ name }: { name: string }) => name)).toEqual([
      'daily_bars',
      'events',
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

  it('refuses in its own words', async () => {
    expect(await errorOf('/namespaces/market/tables/none')).toEqual([404, 'NoSuchTableException']);
    expect(await errorOf('/namespaces/none/tables')).toEqual([404, 'NoSuchNamespaceException']);
    expect(await errorOf('/namespaces/market/views/none')).toEqual([404, 'NoSuchViewException']);
    expect(await errorOf('/nothing')).toEqual([404, 'NotFoundException']);
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

  it('are read by pyiceberg, which knows only the address and the key', async () => {
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    const python = await openPythonEnvironment('ops/engines/requirements.txt', { progress }).catch((error) => {
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
      expect(found).toMatchObject({ namespaces: [['market']], exists: [true, false] });
      expect(found.history.length).toBeGreaterThan(1_000);
    }
  }, 240_000);
});
