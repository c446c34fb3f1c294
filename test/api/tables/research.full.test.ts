/** The tables of kept runs: whose they are, what they have, and when they go. */
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { accountPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { openPythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');

let service: ClientService;
let storage: ObjectStorage;
let api: TestApi;
let ada: Person;
let ben: Person;
let sweepId: string;
let portfolioId: number;
let rebalances: ReturnType<typeof JSON.parse>[];

const cells = () => `sweep_cells_${sweepId.replaceAll('-', '')}`;
const rotation = () => `rebalances_${portfolioId}`;

beforeAll(async () => {
  service = await openClientService();
  const { database } = service;
  storage = openStorage({ folder: join(service.directory, 'objects') });
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  ada = await addPerson(api, undefined, { plan: 'pro' });
  ben = await addPerson(api, undefined, { plan: 'enterprise' });
  const run = { strategy: 'sma_cross', grid: { fast_period: [5, 10], slow_period: [20, 40] } };
  const sweep = await api.post('/v1/sweeps', { universe: 'all', runs: [run], time_range: '1Y' }, ada.program);
  sweepId = sweep.body.data.job_id;
  const body = {
    universe: { all: true },
    rotation: { every: 'month', score: 'roc(60)', hold: { top: 3 } },
    time_range: '1Y',
  };
  const kept = await api.post('/v1/portfolio', body, ada.program);
  portfolioId = kept.body.data.id;
  rebalances = kept.body.data.rebalances;
  await eventually(
    () => api.get(`/v1/sweeps/${sweepId}?wait=5`, ada.program),
    ({ body: { data } }) => data.status === 'done',
    60_000,
  );
});
afterAll(async () => {
  await api.close();
  await service.close();
});

async function call(path: string, { key }: Person, init: RequestInit = {}) {
  const answer = await fetch(`${service.url}/iceberg${path}`, { headers: { authorization: `Bearer ${key}` }, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const TABLES = '/v1/namespaces/research/tables';
const namesOf = async (person: Person) =>
  (await call(TABLES, person)).body.identifiers.map(({ name }: { name: string }) => name);

async function objectOf(address: string, { key }: Person) {
  const path = address.replace('s3://', '');
  const answer = await fetch(`${service.url}/iceberg/objects/${path}`, { headers: { 'x-amz-security-token': key } });
  return { status: answer.status, content: Buffer.from(await answer.arrayBuffer()) };
}

const objectsOf = async (person: Person) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(accountPrefix(person.id))) keys.push(key);
  return keys;
};

async function rowsOf(content: Buffer): Promise<Record<string, unknown>[]> {
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  return parquetReadObjects({ file: new Uint8Array(content).buffer, compressors });
}

it('are listed for their account alone', async () => {
  expect(await namesOf(ada)).toEqual([cells(), rotation()]);
  expect(await namesOf(ben)).toEqual([]);
  expect((await call('/v1/namespaces/research/views', ada)).body).toEqual({ identifiers: [] });
});

it('are for others what does not exist', async () => {
  for (const name of [cells(), rotation()]) {
    const path = `${TABLES}/${name}`;
    expect((await call(path, ada, { method: 'HEAD', headers: { authorization: `Bearer ${ada.key}` } })).status).toBe(
      204,
    );
    const { body } = await call(path, ada);
    const unknown = (await call(`${TABLES}/${name.replace(/\w$/, 'x')}`, ben)).body.error;
    expect((await call(path, ben)).body.error).toEqual({
      ...unknown,
      message: `Table does not exist: research.${name}`,
    });
    expect(unknown).toMatchObject({ code: 404, type: 'NoSuchTableException' });
    expect(
      (await call(`${path}/metrics`, ben, { method: 'POST', headers: { authorization: `Bearer ${ben.key}` } })).status,
    ).toBe(404);
    const addresses = [body['metadata-location'], body.metadata.snapshots[0]['manifest-list']];
    for (const address of addresses) {
      expect((await objectOf(address, ada)).status).toBe(200);
      expect((await objectOf(address, ben)).status).toBe(404);
    }
  }
  const others = [
    `users/${ada.id}/backtests/${portfolioId}/equity.json`,
    `users/${ada.id}/sweeps/${sweepId}/result.json`,
  ];
  for (const key of others) {
    expect(await storage.has(key)).toBe(true);
    expect((await objectOf(storage.locationOf(key), ada)).status).toBe(404);
  }
});

it('are the same at every call, and are stored once', async () => {
  const [first, again] = [await call(`${TABLES}/${rotation()}`, ada), await call(`${TABLES}/${rotation()}`, ada)];
  expect(again.body).toEqual(first.body);
  const keys = (await objectsOf(ada)).filter((key) => key.startsWith(`users/${ada.id}/backtests/${portfolioId}/`));
  expect(keys.filter((key) => key.includes('/data/'))).toHaveLength(1);
  expect(keys.filter((key) => key.includes('/metadata/'))).toHaveLength(3);
});

it('have the cells of a sweep and the rebalances of a rotation, as pyiceberg reads them', async () => {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const python = await openPythonEnvironment('test/judges/engines/pyiceberg.txt', { progress }).catch((error) => {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: pyiceberg does not read the tables of kept runs (${error.message})\n`);
    return null;
  });
  if (python === null) return;
  const given = { uri: `${service.url}/iceberg`, token: ada.key, cells: cells(), rebalances: rotation() };
  const found = await python.run<Record<string, unknown[]>>('test/api/tables/read_research.py', given);
  const file = await api.get(`/v1/sweeps/${sweepId}/cells.parquet`, ada.program);
  const expected = await rowsOf(file.body);
  expect(expected.length).toBeGreaterThan(100);
  expect(found.cells).toEqual(expected.map(({ symbol, params, total_pnl_pct }) => ({ symbol, params, total_pnl_pct })));
  const held = rebalances.flatMap(({ ts, weights, entered }) =>
    Object.entries(weights).map(([symbol, weight]) => [
      ts,
      symbol,
      weight,
      entered.includes(symbol) ? 'entered' : 'kept',
    ]),
  );
  const left = rebalances.flatMap(({ ts, left: gone }) => gone.map((symbol: string) => [ts, symbol, 0, 'left']));
  expect(held.length).toBeGreaterThan(20);
  expect(left.length).toBeGreaterThan(0);
  expect(found.rebalances.map(String).sort()).toEqual([...held, ...left].map(String).sort());
});

describe('go', () => {
  it('with their run', async () => {
    const { body } = await call(`${TABLES}/${cells()}`, ada);
    expect((await api.delete(`/v1/sweeps/${sweepId}`, undefined, ada.program)).status).toBe(200);
    expect(await namesOf(ada)).toEqual([rotation()]);
    expect((await call(`${TABLES}/${cells()}`, ada)).status).toBe(404);
    await eventually(
      () => objectOf(body['metadata-location'], ada),
      ({ status }) => status === 404,
    );
    const left = await eventually(
      async () => (await objectsOf(ada)).filter((key) => key.includes(sweepId)),
      ({ length }) => length === 0,
    );
    expect(left).toEqual([]);
  });

  it('with their account', async () => {
    expect((await objectsOf(ada)).length).toBeGreaterThan(0);
    expect((await api.delete('/api/auth/me', { email: ada.email }, ada.console)).status).toBe(200);
    expect(
      await eventually(
        () => objectsOf(ada),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });
});
