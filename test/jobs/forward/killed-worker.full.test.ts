/** A real worker process that is killed while it appends to a forward record. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { sendUnlessWaiting } from '../../../jobs/queue/send.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { sealKept } from '../../support/forward-records.ts';
import { testJobContext } from '../../support/job-context.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { runNow } from '../../support/run-jobs.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const now = () => NOON_2026_06_01;
const folder = mkdtempSync(join(tmpdir(), 'killed-forward-'));
const storage = openStorage({ folder: join(folder, 'objects') });
let database: TestDatabase;
let api: TestApi;
let person: Person;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, storage, now, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'pro' });
  await buildSnapshot(testJobContext({ pool: database.pool, storage, now }));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM')));
});
afterAll(async () => {
  await api.close();
  await database.drop();
  removeTree(folder);
});

async function startWorker(): Promise<ChildProcess> {
  const worker = await startSampleWorker({ database, folder, now: NOON_2026_06_01 });
  workers.push(worker);
  return worker;
}

const waiting = async () => {
  const { rowCount } = await database.pool.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from forward_records%'`,
  );
  return rowCount ?? 0;
};

it('appends each session once, whoever appends it', async () => {
  const { pool } = database;
  const body = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' };
  const kept = await runNow(api, { storage }, { path: '/v1/backtest', body, headers: person.program });
  const id = await sealKept(kept.body.data.result.id, { pool, sealedOn: '2026-05-20' });
  const entries = async () => (await api.get(`/v1/my/forward/${id}/entries?size=100`, person.program)).body.data.items;

  // An append reads and computes everything, and waits for the record then.
  const barrier = await pool.connect();
  try {
    await barrier.query('begin');
    await barrier.query('select from forward_records where id = $1 for update', [id]);
    const doomed = await startWorker();
    await sendUnlessWaiting(api.services.boss, 'forward.append', { requestId: null });
    await eventually(waiting, (count) => count === 1);
    await endProcess(doomed, 'SIGKILL');
    expect(await entries()).toEqual([]);
  } finally {
    await barrier.query('rollback');
    barrier.release();
  }
  await startWorker();
  await sendUnlessWaiting(api.services.boss, 'forward.append', { requestId: null });
  const told = await eventually(entries, ({ length }) => length > 0);
  expect(told.map(({ session }: { session: string }) => session)).toEqual([
    '2026-05-21',
    '2026-05-22',
    '2026-05-26',
    '2026-05-27',
    '2026-05-28',
    '2026-05-29',
  ]);
});
