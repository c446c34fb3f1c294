/** A real worker process that is killed while it writes the rows of a column. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const now = () => NOON_2026_06_01;
const folder = mkdtempSync(join(tmpdir(), 'killed-columns-'));
const objects = join(folder, 'objects');
let database: TestDatabase;
let api: TestApi;
let person: Person;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, storage: openStorage({ folder: objects }), now, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'pro' });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM')));
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function startWorker(): Promise<ChildProcess> {
  const worker = await startSampleWorker({ database, folder, now: NOON_2026_06_01 });
  workers.push(worker);
  return worker;
}

/** Sends a column of two rows; returns the address of its run. */
async function send(day: string): Promise<string> {
  const body = `symbol,date,value\nACRX,${day},1\nLUMA,${day},2\n`;
  const headers = { ...person.program, 'content-type': 'text/csv', prefer: 'respond-async' };
  const { status, body: answer } = await api.put('/v1/my/columns/score', body, headers);
  expect(status).toBe(202);
  return answer.data.location;
}

const ended = (location: string) =>
  eventually(
    async () => (await api.get(`${location}?wait=5`, person.program)).body.data,
    ({ status }) => status === 'done' || status === 'failed',
  );
const column = async () => (await api.get('/v1/my/columns/score', person.program)).body.data;
const uploads = () => readdirSync(objects, { recursive: true }).filter((name) => /uploads\/.+/.test(String(name)));

it('leaves the version before it whole, and the next worker writes the new one once', async () => {
  const doomed = await startWorker();
  expect(await ended(await send('2024-01-02'))).toMatchObject({ status: 'done', result: { column: { version: 1 } } });
  const before = await column();

  // A write counts the rows of its account when it has written them, and waits there.
  const barrier = await database.pool.connect();
  let location: string;
  try {
    await barrier.query('begin');
    await barrier.query('select from users where id = $1 for no key update', [person.id]);
    location = await send('2024-02-01');
    await eventually(
      () =>
        database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
        ),
      ({ rowCount }) => rowCount === 1,
    );
    await endProcess(doomed, 'SIGKILL');
  } finally {
    await barrier.query('rollback');
    barrier.release();
  }
  expect(await column()).toEqual(before);
  expect(uploads()).toHaveLength(1);

  await startWorker();
  expect(await ended(location)).toMatchObject({ status: 'done', result: { column: { version: 2, rows: 2 } } });
  const { rows } = await database.pool.query('select version, rows::int from column_versions order by version');
  expect(rows).toEqual([
    { version: 1, rows: 2 },
    { version: 2, rows: 2 },
  ]);
  // The file is removed after the run has ended.
  await eventually(
    () => Promise.resolve(uploads()),
    ({ length }) => length === 0,
  );
});
