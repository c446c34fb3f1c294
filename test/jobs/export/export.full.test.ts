/** Exports by real worker processes into a bucket, while workers, the database, and the bucket fail. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { selectAccountExport, selectExport } from '../../../db/queue/exports.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { removeOrphans } from '../../../jobs/worker/remove-orphans.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { type S3Call, type S3Fault, S3Server } from '../../support/s3-server.ts';

const NOW = Date.parse('2024-06-28T22:00:00Z');
const REQUEST = { start: '2015-01-01', end: '2024-06-27', venue_mode: 'single_venue' };

let database: TestDatabase;
let s3: S3Server;
let api: TestApi;
let admin: Person;
let folder: string;
let expected: string;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-worker-'));
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 110, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'single_venue' });
  const { rows } = await database.pool.query(
    `select string_agg(concat_ws(',', i.symbol || '.US', b.day, b.open, b.high, b.low, b.close, b.volume, 'single_venue'), e'\\n'
       order by i.symbol collate "C", b.day) as csv
     from daily_bars b join instruments i on i.id = b.instrument_id where b.basis = 2 and b.day <= '2024-06-27'`,
  );
  expected = `symbol,date,open,high,low,close,volume,venue_mode\n${rows[0].csv}\n`;
  // More than two parts of an upload.
  expect(expected.length).toBeGreaterThan(11 << 20);
  s3 = await S3Server.start();
  const storage = openStorage({ s3: s3.settings });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  // The account of a test may be deleted, the last administrator may not.
  await addAdmin(api);
});
afterAll(async () => {
  await api.close();
  s3.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  s3.reset();
  admin = await addAdmin(api);
});
afterEach(async () => {
  s3.intercept = () => undefined;
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGKILL')));
});

async function startWorker(): Promise<ChildProcess> {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = s3.settings;
  const worker = await startProcess('worker', {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PROVIDER: 'sample',
    FIXED_NOW: new Date(NOW).toISOString(),
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: required(accessKeyId),
    S3_SECRET_ACCESS_KEY: required(secretAccessKey),
  });
  workers.push(worker);
  return worker;
}

async function requestExport(): Promise<number> {
  const { status, body } = await api.post('/api/admin/data/export', REQUEST, admin.console);
  expect(status).toBe(202);
  return body.data.id;
}

const view = async (id: number) => (await api.get(`/api/admin/data/exports/${id}`, admin.console)).body.data;
/** Reads the record from the database, because the API would limit so many calls. */
const record = async (id: number) => required(await selectExport(database.pool, id));
const ended = (id: number) =>
  eventually(
    () => record(id),
    ({ status }) => status === 'done' || status === 'failed',
  );

/** Retries at once, because the tests check the result of the export and not the length of the pauses. */
const withoutPauses = () =>
  database.pool.query(
    `update pgboss.job set retry_delay = 0, retry_backoff = false, start_after = now() where name = 'export'`,
  );

/** Holds back every call of an operation; `arrived` resolves with the first, `release` lets them continue. */
function hold(operation: string, fault?: S3Fault) {
  const arrived = Promise.withResolvers<S3Call>();
  const released = Promise.withResolvers<void>();
  s3.intercept = async (call) => {
    if (call.operation !== operation) return undefined;
    arrived.resolve(call);
    await released.promise;
    return fault;
  };
  return { arrived: arrived.promise, release: () => released.resolve() };
}

async function expectWhole(id: number): Promise<void> {
  const { body, status } = await api.get(`/api/admin/data/exports/${id}/download`, admin.console);
  expect(status).toBe(200);
  // Not toBe: a difference of megabytes takes minutes to show.
  expect(body.toString() === expected).toBe(true);
  expect((await view(id)).rows).toBe(expected.split('\n').length - 2);
}

/** Expects the given number of objects after the nightly removal of orphans. */
async function expectNoOrphans(objects: number): Promise<void> {
  const now = () => Date.now() + 2 * 86_400_000;
  await removeOrphans(testJobContext({ pool: database.pool, storage: openStorage({ s3: s3.settings }), now }));
  expect([s3.objects.size, s3.uploads.size]).toEqual([objects, 0]);
}

describe('an export', () => {
  it('is uploaded in parts, and is complete', async () => {
    await startWorker();
    const id = await requestExport();
    expect(await ended(id)).toMatchObject({ status: 'done', error: null, progressPct: 100, attempts: 1 });
    await expectWhole(id);
    expect(s3.calls.filter(({ operation }) => operation === 'UploadPart').length).toBeGreaterThan(2);
    await expectNoOrphans(1);
  });

  it.each(['UploadPart', 'CompleteMultipartUpload'])('survives the death of its worker at %s', async (operation) => {
    const held = hold(operation);
    const doomed = await startWorker();
    const id = await requestExport();
    await held.arrived;
    expect((await view(id)).status).toBe('running');
    expect((await api.get(`/api/admin/data/exports/${id}/download`, admin.console)).status).toBe(409);
    await endProcess(doomed, 'SIGKILL');
    s3.intercept = () => undefined;
    held.release();
    await startWorker();
    expect((await ended(id)).status).toBe('done');
    await expectWhole(id);
    await expectNoOrphans(1);
  });

  it('of an account survives the death of its worker, and leaves one file', async () => {
    const held = hold('PutObject');
    const doomed = await startWorker();
    expect((await api.post('/api/account/data-export', undefined, admin.console)).status).toBe(202);
    await held.arrived;
    await endProcess(doomed, 'SIGKILL');
    s3.intercept = () => undefined;
    held.release();
    await startWorker();
    const done = await eventually(
      () => selectAccountExport(database.pool, admin.id),
      (one) => one?.status === 'done',
    );
    expect(done).toMatchObject({ attempts: 2, objectKey: `users/${admin.id}/exports/${done?.id}/2.zip` });
    expect((await api.get('/api/account/data-export/file', admin.console)).status).toBe(200);
    await expectNoOrphans(1);
  });

  it('survives a database that closes every connection during the export', async () => {
    const held = hold('UploadPart');
    await startWorker();
    const id = await requestExport();
    await held.arrived;
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (application_name in ('job', 'worker', 'queue') or application_name like 'worker-lease%')`,
    );
    held.release();
    s3.intercept = () => undefined;
    await eventually(withoutPauses, ({ rowCount }) => rowCount !== 0);
    expect((await ended(id)).status).toBe('done');
    await expectWhole(id);
    await expectNoOrphans(1);
  });

  it('survives an outage of the bucket', async () => {
    let refused = 0;
    s3.intercept = ({ operation }) => {
      // Longer than one attempt of the job tries.
      if (operation !== 'UploadPart' || refused >= 16) return undefined;
      refused++;
      return 'drop';
    };
    await startWorker();
    const id = await requestExport();
    await eventually(withoutPauses, () => refused >= 16);
    expect((await ended(id)).status).toBe('done');
    await expectWhole(id);
    await expectNoOrphans(1);
  });

  it('fails with a reason when the bucket remains unavailable, and succeeds when it is retried', async () => {
    s3.intercept = ({ operation }) => (operation === 'UploadPart' ? { status: 403, code: 'AccessDenied' } : undefined);
    await startWorker();
    const id = await requestExport();
    const failed = await eventually(
      async () => {
        await withoutPauses();
        return record(id);
      },
      ({ status }) => status === 'failed',
    );
    expect(failed).toMatchObject({ error: '403 AccessDenied', bytes: null, rows: null, attempts: 4 });
    await expectNoOrphans(0);
    s3.intercept = () => undefined;
    expect((await api.post(`/api/admin/data/exports/${id}/retry`, {}, admin.console)).status).toBe(202);
    expect((await ended(id)).status).toBe('done');
    await expectWhole(id);
  });

  it('fails at once when the bucket is full, and leaves nothing in it', async () => {
    s3.intercept = ({ operation }) => (operation === 'UploadPart' ? { status: 403, code: 'QuotaExceeded' } : undefined);
    await startWorker();
    const failed = await ended(await requestExport());
    // Without StorageFull among what is permanent it is tried four times.
    expect(failed).toMatchObject({ status: 'failed', error: 'the storage is full', attempts: 1 });
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  });

  it('ends when its account is deleted, and leaves nothing behind', async () => {
    const held = hold('CompleteMultipartUpload');
    await startWorker();
    const id = await requestExport();
    await held.arrived;
    const deletion = await api.delete('/api/auth/me', { email: admin.email }, admin.console);
    expect(deletion.status).toBe(200);
    held.release();
    const { pool } = database;
    const jobs = () =>
      pool.query(`select from pgboss.job where name in ('export', 'storage.remove') and state < 'completed'`);
    await eventually(jobs, ({ rowCount }) => rowCount === 0);
    expect(await selectExport(pool, id)).toBeNull();
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  });

  it('stops when it is canceled', async () => {
    const held = hold('UploadPart');
    await startWorker();
    const id = await requestExport();
    await held.arrived;
    expect((await api.post(`/api/admin/data/exports/${id}/cancel`, {}, admin.console)).status).toBe(202);
    held.release();
    s3.intercept = () => undefined;
    await eventually(
      async () => s3.uploads.size,
      (uploads) => uploads === 0,
    );
    expect(await view(id)).toMatchObject({ status: 'failed', error: 'cancelled by an administrator' });
    await eventually(
      async () => s3.objects.size,
      (objects) => objects === 0,
    );
    await expectNoOrphans(0);
  });
});
