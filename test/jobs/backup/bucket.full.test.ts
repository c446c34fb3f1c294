/** Backups in a bucket, and the drill that restores one. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { closeRestoredAccess } from '../../../db/backup/backup.ts';
import { selectBackups, selectLastDrill, selectStoredBackups } from '../../../db/backup/backups.ts';
import { MS_PER_DAY } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { runDrill } from '../../../jobs/backup/drill.ts';
import { enqueueDueBackups } from '../../../jobs/backup/enqueue.ts';
import { runBackup } from '../../../jobs/backup/run.ts';
import type { BackupSettings } from '../../../jobs/contracts/backup.ts';
import { PermanentFailure } from '../../../jobs/contracts/job-context.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { FolderStorage } from '../../../storage/folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder, loadEverything } from '../../support/market-folder.ts';
import { S3Server } from '../../support/s3-server.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
let directory: string;
let database: TestDatabase;
let boss: PgBoss;
let s3: S3Server;
let storage: FolderStorage;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'backups-'));
  database = await createTestDatabase();
  boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
  s3 = await S3Server.start();
  storage = new FolderStorage(join(directory, 'objects'));
  const market = createMarketFolder({
    'symbols.csv': 'symbol,name,listed_on,previous_symbols\nAAA,"Älpha\tTab\\N",2020-01-02,OLD:2021-01-04\n',
    'adjustments.csv': 'symbol,ex_date,kind,factor\nAAA,2024-09-04,split,0.25\n',
    'daily/consolidated/2024-09.csv': `${BARS_HEADER}AAA,2024-09-03,10,11,9,10.5,1000\n`,
  });
  await loadEverything(database.pool, market.provider());
  market.remove();
  await database.pool.query(
    `insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now());
     insert into api_keys (user_id, key_hash, prefix, name, enabled, created_at) values (1, '\\x00ff', 'md_1', 'on', true, now())`,
  );
  // More than one part of an upload.
  await storage.put('users/1/exports/1/1.csv', Readable.from([randomBytes(40_000_000)]));
});
beforeEach(async () => {
  s3.reset();
  await database.pool.query('delete from backups; delete from pgboss.job');
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
  s3.stop();
  rmSync(directory, { recursive: true, force: true });
});

function contextAt(now: number, given: Partial<BackupSettings> = {}) {
  const backups: BackupSettings = {
    location: 'flatfiles/market',
    bucket: s3.settings,
    prefix: 'market/',
    minute: 150,
    daily: 2,
    weekly: 0,
    includesObjects: true,
    ...given,
  };
  const { pool, url: databaseUrl } = database;
  return testJobContext({ pool, databaseUrl, storage, backups, workFolder: directory, now: () => now });
}

const listed = async () => (await selectBackups(database.pool, { page: 1, size: 20 })).items;
const small = { includesObjects: false };

describe('a backup', () => {
  it('is one object, uploaded in parts, with its size and SHA-256', async () => {
    await runBackup(contextAt(NOON));
    const [[key, content]] = [...s3.objects];
    expect(key).toMatch(/^market\/2026-11-20T12-00-00-000Z-[0-9a-f-]{36}\.backup$/);
    expect(s3.calls.filter(({ operation }) => operation === 'UploadPart')).toHaveLength(3);
    expect(await listed()).toEqual([
      expect.objectContaining({
        key,
        state: 'done',
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        error: null,
        removedAt: null,
      }),
    ]);
  });

  it('that fails says why, and leaves nothing in the bucket', async () => {
    s3.intercept = ({ operation }) => (operation === 'UploadPart' ? { status: 403, code: 'AccessDenied' } : undefined);
    await expect(runBackup(contextAt(NOON))).rejects.toThrow('403 AccessDenied');
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
    expect(await listed()).toEqual([
      expect.objectContaining({ state: 'failed', error: '403 AccessDenied', removedAt: new Date(NOON) }),
    ]);
  });

  it('ends what a dead worker has left, and touches nothing else', async () => {
    const left = { key: 'market/left.backup', initiated: new Date(), parts: new Map() };
    s3.uploads.set('left', left);
    s3.uploads.set('foreign', { ...left, key: 'market/foreign' });
    s3.objects.set('market/foreign', Buffer.from('x'));
    await database.pool.query(
      `insert into backups (object_key, state, started_at, last_migration) values ('market/left.backup', 'running', now(), 'x')`,
    );
    await runBackup(contextAt(NOON, small));
    expect([...s3.uploads.keys()]).toEqual(['foreign']);
    expect(s3.objects.size).toBe(2);
    expect((await listed()).map(({ state, error }) => [state, error])).toEqual([
      ['done', null],
      ['failed', 'it was interrupted'],
    ]);
  });

  it('that is no longer kept is removed, with objects of others left alone', async () => {
    s3.objects.set('market/2026-01-01.backup', Buffer.from('x'));
    for (const day of [0, 1, 2, 3]) await runBackup(contextAt(NOON + day * MS_PER_DAY, small));
    expect((await listed()).map(({ removedAt }) => removedAt !== null)).toEqual([false, false, true, true]);
    expect([...s3.objects.keys()].sort()).toEqual([
      'market/2026-01-01.backup',
      ...(await selectStoredBackups(database.pool)).map(({ key }) => key).sort(),
    ]);
  });

  it('that a restore has interrupted keeps its object, which is the one that was restored', async () => {
    await database.pool.query(
      `insert into backups (object_key, state, started_at, last_migration) values ('market/own.backup', 'running', now(), 'x')`,
    );
    s3.objects.set('market/own.backup', Buffer.from('x'));
    await closeRestoredAccess(database.pool, new Date(NOON));
    await runBackup(contextAt(NOON, small));
    expect(s3.objects.has('market/own.backup')).toBe(true);
  });
});

describe('the drill', () => {
  const drill = () => runDrill(contextAt(NOON));
  const lastDrill = () => selectLastDrill(database.pool);

  it('restores the newest backup by itself and compares every row', async () => {
    await runBackup(contextAt(NOON));
    const [{ rows }] = await listed();
    expect(rows).toBeGreaterThan(10);
    await drill();
    expect(await lastDrill()).toMatchObject({ state: 'passed', server: 'embedded', rows, error: null });
    expect(existsSync(join(directory, 'backup_drill'))).toBe(false);
  });

  it.each([
    ['a byte has changed', (content: Buffer) => content.fill(content[5000] ^ 1, 5000, 5001), 'it is damaged'],
    ['its end is missing', (content: Buffer) => content.subarray(0, content.length - 2000), 'it is cut off'],
    [
      'a row has changed in a file that can be read',
      (content: Buffer) =>
        gzipSync(Buffer.from(gunzipSync(content).toString('latin1').replace('ada@example', 'eve@example'), 'latin1')),
      'rows of users are missing or damaged',
    ],
    [
      'it is another whole backup',
      (content: Buffer) => gzipSync(gunzipSync(content), { level: 9 }),
      'its SHA-256 is not that of the backup',
    ],
  ])('finds a backup damaged when %s', async (_name, change, error) => {
    await runBackup(contextAt(NOON, small));
    const [[key, content]] = [...s3.objects];
    s3.objects.set(key, change(Buffer.from(content)));
    await expect(drill()).rejects.toThrow(new PermanentFailure(`${key}: ${error}`));
    expect(await lastDrill()).toMatchObject({ state: 'damaged', rows: null, error });
    const [damaged] = await selectStoredBackups(database.pool);
    expect(damaged).toMatchObject({ isDamaged: true, isProven: false });
  });

  it('finds a backup that is gone, and fails where the bucket does not answer', async () => {
    await runBackup(contextAt(NOON, small));
    s3.objects.clear();
    await expect(drill()).rejects.toThrow('its object is gone');
    expect(await lastDrill()).toMatchObject({ state: 'damaged', error: 'its object is gone' });
    s3.intercept = () => ({ status: 500, code: 'InternalError' });
    await expect(drill()).rejects.toThrow('does not answer');
    expect(await lastDrill()).toMatchObject({ state: 'failed' });
  });
});

describe('the scheduler', () => {
  async function dueAt(now: number): Promise<string[]> {
    await database.pool.query('delete from pgboss.job');
    await enqueueDueBackups(database.pool, boss, required(contextAt(now).backups), now);
    const { rows } = await database.pool.query<{ name: string }>('select name from pgboss.job order by 1');
    return rows.map(({ name }) => name);
  }
  const record = (state: string, at: number) =>
    database.pool.query(
      `insert into backups (object_key, state, started_at, ended_at, last_migration, bytes, rows, sha256)
       values (gen_random_uuid(), $1, $2, case when $1 <> 'running' then $2::timestamptz end, 'x', $3::int, $3::int, $3::int::text)`,
      [state, new Date(at), state === 'done' ? 1 : null],
    );

  it('queues a backup each day, and a failed one again after an hour', async () => {
    expect(await dueAt(NOON)).toEqual(['backup.write']);
    await record('failed', NOON);
    expect(await dueAt(NOON + 59 * 60_000)).toEqual([]);
    expect(await dueAt(NOON + 60 * 60_000)).toEqual(['backup.write']);
    await record('running', NOON);
    expect(await dueAt(NOON + 11 * 3_600_000)).toEqual([]);
    await record('done', NOON);
    expect(await dueAt(Date.parse('2026-11-21T02:29:00Z'))).toEqual([]);
    expect(await dueAt(Date.parse('2026-11-21T02:30:00Z'))).toEqual(['backup.write']);
  });

  it('queues no second backup while one runs that has not recorded itself yet', async () => {
    expect(await dueAt(NOON)).toEqual(['backup.write']);
    await database.pool.query(`update pgboss.job set state = 'active'`);
    await enqueueDueBackups(database.pool, boss, required(contextAt(NOON).backups), NOON);
    expect((await database.pool.query('select from pgboss.job')).rowCount).toBe(1);
  });

  it('queues a drill each week, and after a failure each day', async () => {
    await runBackup(contextAt(NOON, small));
    expect(await dueAt(NOON)).toEqual(['backup.drill']);
    await runDrill(contextAt(NOON));
    const isDrillDue = async (days: number) => (await dueAt(NOON + days * MS_PER_DAY)).includes('backup.drill');
    expect([await isDrillDue(6.9), await isDrillDue(7)]).toEqual([false, true]);
    await database.pool.query(`update backup_drills set state = 'failed'`);
    expect([await isDrillDue(0.9), await isDrillDue(1)]).toEqual([false, true]);
  });
});
