/** A worker that is killed while it uploads a backup: the next one begins anew, and nothing half is left. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pino from 'pino';
import { selectBackups } from '../../../db/backup/backups.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { sendUnlessWaiting } from '../../../jobs/queue/send.ts';
import { FolderStorage } from '../../../storage/folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { S3Server } from '../../support/s3-server.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

let folder: string;
let database: TestDatabase;
let s3: S3Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'killed-backup-'));
  database = await createTestDatabase();
  s3 = await S3Server.start();
  await new FolderStorage(join(folder, 'objects')).put('exports/1.csv', Readable.from([randomBytes(40_000_000)]));
});
afterAll(async () => {
  await database.drop();
  s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const startWorker = () =>
  startSampleWorker(
    { database, folder, now: NOON_2026_06_01 },
    {
      WORKER_SLOTS: 'background=1',
      BACKUP_BUCKET: `${s3.settings.bucket}/market`,
      S3_ENDPOINT: s3.settings.endpoint,
      S3_REGION: s3.settings.region,
      S3_ACCESS_KEY_ID: s3.settings.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey ?? '',
    },
  );

it('a backup whose worker is killed midway begins anew', async () => {
  const midway = Promise.withResolvers<void>();
  let parts = 0;
  s3.intercept = ({ operation }) => {
    if (operation !== 'UploadPart' || ++parts < 2) return undefined;
    midway.resolve();
    return 'hang';
  };
  const boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
  await sendUnlessWaiting(boss, 'backup.write', { requestId: null });
  await boss.stop({ graceful: false });
  const first = await startWorker();
  await midway.promise;
  await endProcess(first, 'SIGKILL');
  expect([s3.uploads.size, s3.objects.size]).toEqual([1, 0]);
  s3.intercept = () => undefined;

  const second = await startWorker();
  try {
    const read = async () => (await selectBackups(database.pool, { page: 1, size: 10 })).items;
    const [done, killed] = await eventually(read, ([newest]) => newest.state === 'done', 120_000);
    expect(done).toMatchObject({ bytes: s3.objects.get(done.key)?.length, error: null });
    expect(killed).toMatchObject({ state: 'failed', error: 'it was interrupted', removedAt: expect.any(Date) });
    expect([s3.uploads.size, s3.objects.size]).toEqual([0, 1]);
  } finally {
    await endProcess(second, 'SIGTERM');
  }
});
