/** Faults of a commit: a writer that dies at any step, two writers at once, old readers during expiry, and a damaged table. */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import { selectLakeFiles } from '../../../db/lake/lake-files.ts';
import { selectTablePointer } from '../../../db/lake/lake-tables.ts';
import { required } from '../../../engine/util/values.ts';
import { examine } from '../../../jobs/health/check.ts';
import { HEALTH_CHECKS } from '../../../jobs/health/checks.ts';
import { readOnce } from '../../../jobs/health/installation.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { VERSION_HINT } from '../../../jobs/tables/commit.ts';
import { expireTables, unnamedObjects } from '../../../jobs/tables/expire.ts';
import { metadataKey, readMetadata } from '../../../jobs/tables/metadata.ts';
import { describeFindings } from '../../../ops/doctor/doctor.ts';
import { lakeDataKey, tableMetadataKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { type ObjectStorage, StorageFull } from '../../../storage/storage.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { everyNth } from '../../support/extent.ts';
import { testJobContext } from '../../support/job-context.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const DAY_MS = 86_400_000;
const TABLE = 'market.daily_bars';
const provider = new SampleProvider({ symbols: 12, now: () => NOW });

let database: TestDatabase;
let folder: string;
let storage: ObjectStorage;

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  folder = mkdtempSync(join(tmpdir(), 'market-tables-'));
  storage = openStorage({ folder });
  await write();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const contextOf = (given: ObjectStorage = storage, at = NOW) =>
  testJobContext({ pool: database.pool, storage: given, now: () => at });
const write = (given?: ObjectStorage) => writeLake(contextOf(given));

/** Changes bars, as a load does. */
async function correct(): Promise<void> {
  const { pool } = database;
  await pool.query(`update daily_bars set high = high * 1.01 where basis = 1 and day = '2024-08-01'`);
  await pool.query('update bar_blocks set data = null where basis = 1 and year = 2024');
  await pool.query('update bar_years set version = version + 1 where (basis, year) = (1, 2024)');
}

const pointer = async () => required(await selectTablePointer(database.pool, TABLE));
const read = async (address: string) =>
  buffer(required(await storage.get(address.replace('s3://market-data/', '')), address));

async function rowsOf<Row>(address: string): Promise<Row[]> {
  const decoder = new avro.streams.BlockDecoder();
  decoder.end(await read(address));
  return Array.fromAsync<Row>(decoder);
}

interface Entry {
  readonly status: number;
  readonly data_file: { readonly file_path: string; readonly record_count: number };
}

/** Reads a whole snapshot, and checks that every file is the one that it names. Returns its number of rows. */
async function readSnapshot(id?: number): Promise<number> {
  const metadata = required(await readMetadata(storage, await pointer()));
  const wanted = id ?? metadata['current-snapshot-id'];
  const snapshot = required(metadata.snapshots.find((one) => one['snapshot-id'] === wanted));
  let rows = 0;
  for (const manifest of await rowsOf<{ manifest_path: string }>(snapshot['manifest-list'])) {
    for (const { status, data_file: file } of await rowsOf<Entry>(manifest.manifest_path)) {
      if (status === 2) continue;
      const digest = createHash('sha256')
        .update(await read(file.file_path))
        .digest('hex');
      expect(file.file_path).toContain(digest);
      rows += file.record_count;
    }
  }
  expect(String(rows)).toBe(snapshot.summary['total-records']);
  return rows;
}

describe('a writer that is killed', () => {
  /** Every step of a write that changes a table, in order, and whether readers have the new snapshot after it. */
  const STEPS = [
    ['daily_bars/data/', false],
    ['daily_bars/metadata/\\d+-m0', false],
    ['daily_bars/metadata/snap-', false],
    ['daily_bars/metadata/v', false],
    ['screener_daily/metadata/v', false],
    ['^commit$', false],
    ['^committed$', true],
    ['daily_bars/metadata/version-hint', true],
  ] as const;

  it.each(everyNth(3, STEPS))(
    'before %s leaves one whole snapshot (a new one: %s), and the next one completes',
    async (step, isNew) => {
      await correct();
      const before = await pointer();
      const options = { execArgv: [], execPath: process.execPath };
      const writer = fork('test/jobs/tables/writer-process.ts', [database.url, folder, String(NOW), step], options);
      expect(await once(writer, 'exit')).toEqual([null, 'SIGKILL']);
      const after = await pointer();
      expect([after.snapshotId !== before.snapshotId, after.version !== before.version]).toEqual([isNew, isNew]);
      const rows = await readSnapshot();
      await write();
      expect((await pointer()).snapshotId).not.toBe(before.snapshotId);
      expect(await readSnapshot()).toBe(rows);
    },
  );
});

describe('two writers at once', () => {
  it('commit one after the other: the second starts again from the first', async () => {
    await correct();
    const before = await pointer();
    let isHeld = true;
    const slow: ObjectStorage = Object.assign(Object.create(storage), {
      putNew: async (key: string, content: Buffer) => {
        // The other one commits while this one stores its metadata.
        if (isHeld) {
          isHeld = false;
          await write();
        }
        return storage.putNew(key, content);
      },
    });
    await write(slow);
    const metadata = required(await readMetadata(storage, await pointer()));
    const added = metadata.snapshots.findIndex((one) => one['snapshot-id'] === before.snapshotId);
    // The second found nothing left to change.
    expect(metadata.snapshots.length - added - 1).toBe(1);
    await readSnapshot();
  });
});

describe('two writers of hints at once', () => {
  it('leave the hint of the newer version, whoever is slower', async () => {
    await correct();
    const hint = tableMetadataKey(TABLE, VERSION_HINT);
    const named = async () => (await read(hint)).toString();
    const before = await named();
    let other: Promise<void> | null = null;
    const slow: ObjectStorage = Object.assign(Object.create(storage), {
      put: async (key: string, content: Readable) => {
        if (key === hint && other === null) {
          await correct();
          other = write();
          // Longer than the other one needs for all of its work.
          for (let waited = 0; waited < 30 && (await named()) === before; waited++) await setTimeout(100);
        }
        return storage.put(key, content);
      },
    });
    await write(slow);
    await other;
    expect(await named()).toBe(String((await pointer()).version));
  });
});

describe('a full disk', () => {
  it('ends the write and changes nothing', async () => {
    await correct();
    const before = await pointer();
    const full: ObjectStorage = Object.assign(Object.create(storage), {
      putNew: async () => {
        throw new StorageFull();
      },
    });
    await expect(write(full)).rejects.toThrow('the storage is full');
    expect(await pointer()).toEqual(before);
    await readSnapshot();
    await write();
  });
});

async function doctorSays(at = NOW): Promise<string[]> {
  const installation = readOnce({ pool: database.pool, now: () => at, storage: () => storage });
  return describeFindings(await examine(HEALTH_CHECKS, installation)).filter((line) => line.includes('files of the'));
}

describe('damaged metadata', () => {
  it('is found by the doctor, and a table without metadata is replaced by a new one', async () => {
    expect(await doctorSays()).toEqual(['ok       the files of the market are complete']);
    const current = metadataKey(TABLE, (await pointer()).version);
    const whole = await read(current);
    await storage.put(current, Readable.from([whole.subarray(0, -10)]));
    expect((await doctorSays()).join()).toContain(`${current} is damaged: put it back from a copy of the storage`);
    await correct();
    await expect(write()).rejects.toThrow();
    const { tableUuid } = await pointer();
    await storage.remove(current);
    expect((await doctorSays()).join()).toContain(`${current} is missing`);
    await write();
    expect((await pointer()).tableUuid).not.toBe(tableUuid);
    await readSnapshot();
    expect(await doctorSays()).toEqual(['ok       the files of the market are complete']);
  });
});

describe('a damaged manifest', () => {
  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
    ['of another length', (whole: Buffer) => whole.subarray(0, -1)],
    ['without rows', () => Buffer.alloc(0)],
    ['of other bytes', (whole: Buffer) => Buffer.alloc(whole.length, 'x')],
  ])('%s is found by the doctor, with what to do', async (_, damaged) => {
    const metadata = required(await readMetadata(storage, await pointer()));
    const { 'manifest-list': list } = required(
      metadata.snapshots.find((one) => one['snapshot-id'] === metadata['current-snapshot-id']),
    );
    const [{ manifest_path: manifest }] = await rowsOf<{ manifest_path: string }>(list);
    const current = metadataKey(TABLE, (await pointer()).version);
    for (const address of [list, manifest]) {
      const key = address.replace('s3://market-data/', '');
      const whole = await read(address);
      await storage.put(key, Readable.from([damaged(whole)]));
      const said = (await doctorSays()).join();
      expect(said).toContain(
        `${list.replace('s3://market-data/', '')}, or a manifest that it names, is missing or damaged`,
      );
      expect(said).toContain(`remove ${current}: the next write makes a new table`);
      await storage.put(key, Readable.from([whole]));
    }
    expect(await doctorSays()).toEqual(['ok       the files of the market are complete']);
  });
});

describe('expiry', () => {
  it('removes old snapshots, and a day later the objects that only they named', async () => {
    const old = await pointer();
    await correct();
    await write();
    const later = NOW + 401 * DAY_MS;
    const expire = (at: number) => expireTables(contextOf(storage, at));
    await expire(NOW);
    const orphans = await unnamedObjects(database.pool, storage);
    const files = await selectLakeFiles(database.pool);
    expect(files.some(({ rows }) => rows === 0)).toBe(true);
    expect(await readSnapshot(old.snapshotId)).toBeGreaterThan(0);
    expect((await doctorSays(NOW + 2 * DAY_MS)).join()).not.toContain('are not removed');
    expect((await doctorSays(NOW + 4 * DAY_MS)).join()).toContain(`${orphans.length} in all, are not removed since`);
    await expire(NOW + 1.5 * DAY_MS);
    // Also files without rows, which no manifest names.
    expect(await Promise.all(files.map((file) => storage.has(lakeDataKey(file))))).not.toContain(false);
    // Killed writers had left some objects.
    expect((await Promise.all(orphans.map((key) => storage.has(key)))).some(Boolean)).toBe(false);
    expect(await readSnapshot(old.snapshotId)).toBeGreaterThan(0);
    const metadata = required(await readMetadata(storage, await pointer()));
    await expire(later);
    const kept = required(await readMetadata(storage, await pointer()));
    expect(kept.snapshots.map((one) => one['snapshot-id'])).toEqual([kept['current-snapshot-id']]);
    // A reader that began before finds all of its files for another day.
    const past = required(metadata.snapshots.find((one) => one['snapshot-id'] === old.snapshotId));
    expect((await read(past['manifest-list'])).length).toBeGreaterThan(0);
    await expire(later + 0.5 * DAY_MS);
    expect((await read(past['manifest-list'])).length).toBeGreaterThan(0);
    await expire(later + 1.5 * DAY_MS);
    await expect(read(past['manifest-list'])).rejects.toThrow();
    expect(await readSnapshot()).toBeGreaterThan(0);
    const { rows } = await database.pool.query(
      'select count(*)::int as count from lake_snapshots where table_name = $1',
      [TABLE],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('removes nothing while a commit is under way, or while a table cannot be read', async () => {
    const key = 'lake/tables/market/daily_bars/data/left.parquet';
    await storage.put(key, Readable.from(['left']));
    const at = NOW + 900 * DAY_MS;
    const expire = (day: number) => expireTables(contextOf(storage, at + day * DAY_MS));
    const connection = await database.pool.connect();
    await connection.query('begin');
    await connection.query('select pg_advisory_xact_lock_shared(7205001)');
    await expire(0);
    await expire(2);
    expect(await storage.has(key)).toBe(true);
    await connection.query('rollback');
    connection.release();
    const current = metadataKey(TABLE, (await pointer()).version);
    const whole = await read(current);
    await storage.put(current, Readable.from([whole.subarray(0, 100)]));
    await expect(expire(4)).rejects.toThrow();
    await storage.put(current, Readable.from([whole]));
    await expire(5);
    expect(await storage.has(key)).toBe(true);
    await expire(7);
    expect(await storage.has(key)).toBe(false);
  });
});
