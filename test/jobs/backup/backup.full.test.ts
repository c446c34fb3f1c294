/** Backup to one file and restore: every row and object comes back, or nothing does. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { selectTableShapes } from '../../../db/backup/backup.ts';
import { startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { recordMarketSource } from '../../../db/market/market-source.ts';
import { MIGRATION_NAMES } from '../../../db/migrate.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { ArchiveWriter, fileSource, newArchiveFile } from '../../../jobs/backup/archive.ts';
import { openBackup, restoreBackup } from '../../../jobs/backup/restore.ts';
import { writeBackupFile } from '../../../jobs/backup/write.ts';
import { operatorIntent } from '../../../ops/commands/audited-command.ts';
import { ensureEmbeddedDatabase } from '../../../ops/embedded/database.ts';
import { FolderStorage } from '../../../storage/folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));
const AT = new Date('2026-11-20T12:00:00Z');
let directory: string;
let source: TestDatabase;
let market: MarketFolder;
let storage: FolderStorage;
let file: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
  source = await createTestDatabase();
  storage = new FolderStorage(join(directory, 'source/objects'));
  market = createMarketFolder({
    'symbols.csv':
      'symbol,name,listed_on,previous_symbols\nAAA,"Älpha\tTab\\N",2020-01-02,OLD:2021-01-04\nBBB,Beta,2020-01-02,\n',
    'adjustments.csv': 'symbol,ex_date,kind,factor\nAAA,2024-09-04,split,0.25\n',
    'daily/consolidated/2024-09.csv': `${BARS_HEADER}AAA,2024-09-03,10,11,9,10.5,1000\nBBB,2024-09-03,20,21,19,20.5,2000\nCCC,2024-09-03,1,1,1,1,1\n`,
  });
  await loadEverything(source.pool, market.provider());
  await recordMarketSource(source.pool, market.provider().source, AT);
  await addRows(source.pool);
  await storage.put('users/2/backtests/1/klines.json', Readable.from([randomBytes(3_000_000).toString('hex')]));
  await storage.put('users/2/backtests/1/trades.json', Readable.from(['[]']));
  await storage.put('exports/empty.csv', Readable.from([]));
  file = join(directory, 'market.backup');
  await backUp(source, file);
});
afterAll(async () => {
  await source.drop();
  market.remove();
  rmSync(directory, { recursive: true, force: true });
});

const backUp = ({ pool }: Pick<TestDatabase, 'pool'>, path: string) =>
  writeBackupFile({ pool, storage, path, at: AT, onProgress: () => {} });

/** Inserts rows of every kind, with gaps in their ids. */
async function addRows(pool: Pool): Promise<void> {
  await pool.query(
    `insert into users (email, name, language, created_at) values ('gone@example.com', 'Gone', 'en', now()),
       ('ada@example.com', E'Ada\\n"Lovelace"\\t\\\\', 'zh-TW', now()), ('bob@example.com', 'Bob', 'en', now());
     delete from users where id = 1;
     insert into api_keys (user_id, key_hash, prefix, name, enabled, created_at) values
       (2, '\\x00ff0a5c', 'md_1', 'on', true, now()), (2, 'b', 'md_2', 'off', false, now());
     insert into sessions values (gen_random_uuid(), 2, now(), null), (gen_random_uuid(), 3, now(), now());
     insert into refresh_tokens select 't', id, now() + interval '1 day' from sessions where revoked_at is null;
     insert into login_requests (email, challenge_hash, address, is_known, locale, created_at, expires_at)
       values ('ada@example.com', sha256('c'), 'a', false, 'en', now(), now());
     insert into login_events (user_id, at, kind) values (2, now(), 'register');
     insert into access_records (at, visitor, user_id, client_kind, method, path, is_page, status, duration_ms)
       values (now(), 'v', 2, 'api', 'GET', '/v1', false, 200, 0.1);
     insert into daily_usage values (2, '2026-11-20', '/v1', 3);
     insert into rate_limits values ('k', 1, 60, 5, '{1,2,3}', 1);
     insert into articles values ('stops', 'concept', null, '{"a,b","c\\"d"}', 2, now(), now());
     insert into article_texts values ('stops', 'zh-CN', '止损', null, E'# 一\\r\\n二', 'published', now(), now());
     insert into audit_log (at, actor_id, actor_email, action, target_type, result, details)
       values (now(), 2, 'ada@example.com', 'user.view', 'user', 'ok', '{"a": [1, null]}');
     insert into backtests (user_id, created_at, is_cached, summary) values (2, now(), false, '{"symbol":  "AAA.US"}');
     insert into runs (id, kind, owner, user_id, is_saved, spec, created_at)
       values (gen_random_uuid(), 'backtest', 'user:2', 2, true, '{}', now());
     insert into backtest_results (fingerprint, summary, lengths, body) values ('f', '{}', '{"trades": 2}', '[]');
     insert into exports (user_id, request, through, created_at, expires_at) values (2, '{}', '2026-11-20', now(), now());
     insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version, engine_version, exported_at)
       values ('snapshots/a.arrow', 'c', 1, 1, 1, '2024-09-04', '2024-09-04', 'v', '1', now());
     insert into visitors values ('web', 'v', '2026-11-20');
     insert into paused_queues (queue, paused_by, paused_at) values ('export', 'ops', now());
     insert into job_claims values ('export', gen_random_uuid(), 0, 1, now());
     insert into pgboss.job (name, data) values ('export', '{}')`,
  );
}

/** Returns the number of rows and their digest per table. */
async function contentOf(pool: Pool): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const { name } of await selectTableShapes(pool)) {
    const { rows } = await pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as content from ${name} t`,
    );
    content[name] = rows[0].content;
  }
  return content;
}

async function runOps(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    S3_BUCKET: '',
    PROVIDER: 'files',
    PROVIDER_DIR: market.path,
    ...variables,
  };
  const child = spawn(process.execPath, [CLI, ...args], { env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, errors };
}

const counts = async (pool: Pool, sql: string) => (await pool.query(sql)).rows[0];

/** Tables that a restore changes on purpose. */
const CHANGED = [
  'account_events',
  'users',
  'sessions',
  'refresh_tokens',
  'login_requests',
  'api_keys',
  'job_claims',
  'runs',
  'audit_log',
];

describe('a backup', () => {
  it('is one file that only its owner can read, and leaves nothing else behind', async () => {
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(directory).sort()).toEqual(['market.backup', 'source']);
  });

  it('never replaces a file', async () => {
    const refused = await runOps({ DATABASE_URL: source.url, DATA_DIR: join(directory, 'source') }, 'backup', file);
    expect(refused).toEqual({ code: 1, output: '', errors: expect.stringContaining('exists already') });
  });

  it('that cannot be written leaves nothing behind', async () => {
    // The file has failed before the first entry is written; its reason is what counts.
    await expect(backUp(source, join(directory, 'nowhere/x'))).rejects.toThrow('ENOENT');
    const full = join(directory, 'full');
    const { pool } = source;
    const onProgress = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    await expect(writeBackupFile({ pool, storage, path: full, at: AT, onProgress })).rejects.toThrow('ENOSPC');
    expect(readdirSync(directory).filter((name) => name.startsWith('full'))).toEqual([]);
  });
});

it('a backup reports why its file cannot be written', async () => {
  // No file of this shell may grow beyond 16 KiB.
  const command = `ulimit -f 16; exec ${process.execPath} ${CLI} backup ${join(directory, 'large.backup')}`;
  const env = { ...process.env, DATABASE_URL: source.url, DATA_DIR: join(directory, 'source'), S3_BUCKET: '' };
  const child = spawn('sh', ['-c', command], { env });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/^The backup failed: EFBIG: .*\n$/) });
  expect(readdirSync(directory).filter((name) => name.startsWith('large'))).toEqual([]);
});

describe('a restore into an empty folder', () => {
  const folder = () => join(directory, 'restored');
  let pool: Pool;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const restored = await runOps({ DATA_DIR: folder() }, 'restore', file);
    expect(restored).toMatchObject({ code: 0, errors: '' });
    expect(restored.output).toMatch(
      /^Restored [\d,]+ rows and 3 objects as of 2026-11-20T12:00:00\.000Z\.\n1 sessions have ended, 1 API keys/m,
    );
    const server = await startEmbeddedPostgres(folder(), pino({ level: 'silent' }));
    const url = await ensureEmbeddedDatabase(server.url);
    pool = createPool({ url, max: 2, applicationName: 'test' });
    stop = server.stop;
  });
  afterAll(async () => {
    await pool?.end();
    await stop?.();
  });

  it('has every row of every table', async () => {
    const [before, after] = [await contentOf(source.pool), await contentOf(pool)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const name of Object.keys(before)) {
      if (!CHANGED.includes(name)) expect([name, after[name]]).toEqual([name, before[name]]);
    }
    const filled = Object.values(before).filter((content) => !content.startsWith('0 '));
    expect(filled.length).toBeGreaterThan(30);
    const name = 'select name from users where id = 2';
    expect(await counts(pool, name)).toEqual(await counts(source.pool, name));
    expect(await counts(pool, 'select count(*) from audit_log')).toEqual({ count: 2 });
  });

  it('revokes sessions and disables API keys', async () => {
    expect(await counts(pool, 'select count(*) from sessions where revoked_at is null')).toEqual({ count: 0 });
    expect(await counts(pool, 'select count(*) from sessions')).toEqual({ count: 2 });
    expect(await counts(pool, 'select count(*) from refresh_tokens')).toEqual({ count: 0 });
    expect(await counts(pool, 'select min(token_version) as version from users')).toEqual({ version: 1 });
    const { rows } = await pool.query('select name, enabled, disabled_by_restore as held from api_keys order by id');
    expect(rows).toEqual([
      { name: 'on', enabled: false, held: true },
      { name: 'off', enabled: false, held: false },
    ]);
  });

  it('cancels unfinished runs, and has an empty queue', async () => {
    expect(await counts(pool, 'select status from runs')).toEqual({ status: 'cancelled' });
    expect(await counts(pool, 'select count(*) from job_claims')).toEqual({ count: 0 });
    expect(await counts(pool, 'select count(*) from pgboss.job')).toEqual({ count: 0 });
    expect(await counts(pool, 'select count(*)::int > 5 as queues from pgboss.queue')).toEqual({ queues: true });
  });

  it('continues the sequences of the backup', async () => {
    const { rows } = await pool.query(
      `insert into users (email, name, language, created_at) values ('new@example.com', 'New', 'en', now()) returning id`,
    );
    expect(rows[0].id).toBe(4);
    const listed = `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public'
      and sequencename not like 'knex%' and sequencename not in ('users_id_seq', 'audit_log_id_seq', 'account_events_id_seq') order by 1`;
    const names: { name: string }[] = (await source.pool.query(listed)).rows;
    for (const { name } of names) {
      const next = `select nextval('${name}') as next`;
      expect([name, await counts(pool, next)]).toEqual([name, await counts(source.pool, next)]);
    }
  });

  it('has all triggers', async () => {
    await expect(pool.query('delete from audit_log')).rejects.toThrow('the audit log is append-only');
    expect(await counts(pool, `select count(*) from pg_trigger where tgenabled = 'D'`)).toEqual({ count: 0 });
  });

  it('has every object', async () => {
    const restored = new FolderStorage(join(folder(), 'objects'));
    for await (const { key } of storage.list('')) {
      const [was, is] = await Promise.all(
        [storage.get(key), restored.get(key)].map(async (found) => text(required(await found))),
      );
      expect([key, is === was]).toEqual([key, true]);
    }
  });

  it('can enable the keys that it disabled, and no others', async () => {
    const url = await ensureEmbeddedDatabase(
      `postgresql://app:${readFileSync(join(folder(), 'postgres.password'), 'utf8')}@127.0.0.1:${await portOf(folder())}/postgres`,
    );
    const enabled = await runOps({ DATABASE_URL: url, DATA_DIR: folder() }, 'restore', '--enable-keys');
    expect(enabled).toMatchObject({ code: 0, output: expect.stringMatching(/^1 API keys/) });
    const { rows } = await pool.query('select enabled from api_keys order by id');
    expect(rows).toEqual([{ enabled: true }, { enabled: false }]);
    expect(
      await counts(pool, 'select action, actor_email ~ $$^ops:$$ as by_ops from audit_log order by id desc limit 1'),
    ).toEqual({
      action: 'database.enable_keys',
      by_ops: true,
    });
  });
});

const portOf = async (folder: string) => readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];

describe('a database in use', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createTestDatabase();
    await target.pool.query(
      `insert into users (email, name, language, created_at) values ('kept@example.com', 'Kept', 'en', now())`,
    );
  });
  afterAll(() => target.drop());
  const restore = (path: string, ...args: string[]) =>
    runOps({ DATABASE_URL: target.url, DATA_DIR: join(directory, 'target') }, 'restore', path, ...args);
  const emails = async () =>
    (await target.pool.query('select email from users order by 1')).rows.map(({ email }) => email);

  it('is unchanged without --replace, without confirmation, and while the service runs', async () => {
    expect(await restore(file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The database is not empty (users)'),
    });
    expect(await restore(file, '--replace')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('use --yes to agree'),
    });
    const worker = createPool({ url: target.url, max: 1, applicationName: 'worker-lease' });
    await worker.query('select 1');
    expect(await restore(file, '--replace', '--yes')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is running'),
    });
    await worker.end();
    expect(await emails()).toEqual(['kept@example.com']);
  });

  it.each<[string, (whole: Buffer) => Buffer, string]>([
    ['is cut off', (whole) => whole.subarray(0, whole.length - 2_000), 'it is cut off'],
    ['is cut off early', (whole) => whole.subarray(0, 30), 'it is cut off'],
    [
      'is damaged',
      (whole) => {
        const damaged = Buffer.from(whole);
        for (let i = whole.length >> 1; i < (whole.length >> 1) + 64; i++) damaged[i] ^= 0xff;
        return damaged;
      },
      'it is damaged|missing or damaged',
    ],
    ['is something else', () => Buffer.from('PK and more'), 'it is damaged'],
  ])('is unchanged by a file that %s', async (_, change, why) => {
    const path = join(directory, 'broken.backup');
    writeFileSync(path, change(readFileSync(file)));
    const refused = await restore(path, '--replace', '--yes');
    expect(refused).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(new RegExp(`cannot be restored: .*(${why}).*\\. Nothing was changed\\.\\n$`)),
    });
    expect(await emails()).toEqual(['kept@example.com']);
  });

  it('is unchanged by a backup of a newer version, and by a missing file', async () => {
    const path = join(directory, 'newer.backup');
    const archive = new ArchiveWriter(newArchiveFile(path));
    const migrations = [...MIGRATION_NAMES, '999_of_the_future'];
    await archive.addManifest({ format: 1, created_at: AT.toISOString(), migrations, tables: [], objects: 0 });
    await archive.finish([]);
    expect(await restore(path, '--replace', '--yes')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it is of a newer version; restore it with that one'),
    });
    expect(await restore(join(directory, 'none'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('(ENOENT)'),
    });
  });

  it('is unchanged when a restore fails midway', async () => {
    const before = await contentOf(target.pool);
    const backup = await openBackup(fileSource(file));
    const intent = operatorIntent({ action: 'database.restore', target: 'database', targetId: 'x' });
    const onProgress = () => {
      throw new Error('the lights went out');
    };
    const restoring = restoreBackup(backup, { url: target.url, storage: null, at: AT, intent, onProgress });
    await expect(restoring).rejects.toThrow('the lights went out');
    expect(await contentOf(target.pool)).toEqual(before);
  });

  it('is replaced completely after confirmation', async () => {
    await target.pool.query(`insert into pgboss.job (name, data) values ('export', '{}')`);
    expect(await restore(file, '--replace', '--yes')).toMatchObject({ code: 0, errors: '' });
    expect(await emails()).toEqual(['ada@example.com', 'bob@example.com']);
    expect(await counts(target.pool, 'select count(*) from pgboss.job')).toEqual({ count: 0 });
    expect(await counts(target.pool, `select count(*) from pg_trigger where tgname = 'job_changed'`)).not.toEqual({
      count: 0,
    });
    expect(existsSync(join(directory, 'target/objects/users/2/backtests/1/trades.json'))).toBe(true);
  });
});

describe('a backup of an earlier version', () => {
  it('is refused, since only one with the schema of this version fits', async () => {
    const path = join(directory, 'earlier.backup');
    const archive = new ArchiveWriter(newArchiveFile(path));
    const migrations = ['001_baseline', '012_actors_by_id'];
    await archive.addManifest({ format: 1, created_at: AT.toISOString(), migrations, tables: [], objects: 0 });
    await archive.finish([]);
    await expect(openBackup(fileSource(path))).rejects.toThrow('it is of an earlier version; restore it with that one');
  });
});
