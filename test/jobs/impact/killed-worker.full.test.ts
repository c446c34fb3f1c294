/** A real worker process that is killed at each step of the impact of a load, and a run that ends while the impact is computed. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { planImpact, selectImpacts, selectLoadImpacts } from '../../../db/runs/impacts.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { enqueueDueImpacts } from '../../../jobs/impact/enqueue.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { correct, loadBar } from '../../support/corrections.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { runNow } from '../../support/run-jobs.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const now = () => NOON_2026_06_01;
const RUN = { symbol: 'ACRX', strategy: 'buy_hold', time_range: '1Y', include_statistics: false };
const folder = mkdtempSync(join(tmpdir(), 'killed-impact-'));
const storage = openStorage({ folder: join(folder, 'objects') });
const workers: ChildProcess[] = [];
let database: TestDatabase;
let api: TestApi;
let person: Person;
let kept: number;

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now });
  database = await createSampleDatabase(provider);
  const webhookNetworks = ['127.0.0.0/8'];
  api = await openTestApi({ database, provider, storage, now, realCallers: true, webhookNetworks });
  person = await addPerson(api, undefined, { plan: 'pro' });
  const run = { path: '/v1/backtest', body: RUN, headers: person.program };
  kept = (await runNow(api, { storage }, run)).body.data.result.id;
  await api.post('/v1/my/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['run.revised'] }, person.program);
  await database.pool.query('update users set mails_revisions = true');
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

let close = 100;

/** Loads another last close of the instrument that the runs read. */
async function reload(): Promise<number> {
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(`select id from instruments where symbol = 'ACRX'`);
  close += 10;
  const bar = { id: rows[0].id, day: requireDay('2026-05-29'), close, basis: 'consolidated' } as const;
  return correct(pool, (connection, syncJobId) => loadBar(connection, { syncJobId, at: new Date(now()) }, bar));
}

/** Works while a lock is held for which a statement with some text can be awaited. */
async function whileLocked(lock: string, text: string, work: (waiting: () => Promise<unknown>) => Promise<void>) {
  const { pool } = database;
  const barrier = await pool.connect();
  const count = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`%${text}%`],
    );
    return rowCount;
  };
  try {
    await barrier.query('begin');
    await barrier.query(lock);
    await work(() => eventually(count, (waiting) => waiting === 1));
  } finally {
    await barrier.query('rollback');
    barrier.release();
  }
}

const queueDue = () => enqueueDueImpacts(database.pool, api.services.boss);

/** Reads what was told of a load. */
async function told(load: number) {
  const { pool } = database;
  const { items } = await selectImpacts(pool, { loads: [load] }, { page: 1, size: 10 });
  const { rows: deliveries } = await pool.query(
    `select from webhook_deliveries where event = 'run.revised' and (data ->> 'load')::bigint = $1`,
    [load],
  );
  const { rows: mails } = await pool.query('select from impact_mails where sync_job_id = $1', [load]);
  return { runs: items.map(({ id }) => id), deliveries: deliveries.length, mails: mails.length };
}

const STEPS = [
  { step: 'is planned', lock: 'lock table kept_reads in share mode', text: 'with runs as materialized' },
  { step: 'is computed', lock: 'select from impacts for update', text: 'update impacts set state', isPlanned: true },
  { step: 'is told', lock: 'select from backtests for no key update', text: 'update backtests b set revised' },
];

it.each(STEPS)('tells of a run once when the worker is killed while the impact $step', async (given) => {
  const { lock, text, isPlanned = false } = given;
  const { pool } = database;
  const load = await reload();
  if (isPlanned) await planImpact(pool, load);
  else await pool.query('delete from kept_reads');
  await whileLocked(lock, text, async (waiting) => {
    const doomed = await startWorker();
    await queueDue();
    await waiting();
    await endProcess(doomed, 'SIGKILL');
    expect(await told(load)).toMatchObject({ deliveries: 0, mails: 0 });
  });
  await startWorker();
  await eventually(
    async () => (await selectLoadImpacts(pool, [load]))[0]?.isPublished,
    (isPublished) => isPublished === true,
  );
  await queueDue();
  expect(await told(load)).toEqual({ runs: [kept], deliveries: 1, mails: 1 });
});

it('waits for a run that has read what was before the load, and tells of it', async () => {
  const { pool } = database;
  const compute = () => computeImpacts(testJobContext({ pool, storage, now }));
  const status = async (load: number) => (await selectLoadImpacts(pool, [load]))[0];
  let load = 0;
  await startWorker();
  // A run locks its account to keep what it has computed.
  const lock = `select from users where id = ${person.id} for no key update`;
  await whileLocked(lock, 'from users where id', async (waiting) => {
    const asked = { ...RUN, params: {}, time_range: '6M' };
    expect((await api.post('/v1/backtest', asked, { ...person.program, prefer: 'respond-async' })).status).toBe(202);
    await waiting();
    load = await reload();
    await compute();
    expect(await status(load)).toMatchObject({ hit: 1, changed: 1, isDone: false });
    expect(await told(load)).toMatchObject({ deliveries: 0 });
  });
  await eventually(
    async () => {
      await compute();
      return status(load);
    },
    ({ isPublished }) => isPublished,
  );
  expect(await status(load)).toMatchObject({ hit: 2, changed: 2 });
  const { runs, deliveries } = await told(load);
  expect([runs.length, deliveries]).toEqual([2, 1]);
});
