/** The command line about backups in a bucket. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));
const BUCKET = { BACKUP_BUCKET: 'backups/market', S3_ENDPOINT: 'http://127.0.0.1:9' };

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-commands-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function backup(command: string, settings: Readonly<Record<string, string>> = BUCKET) {
  const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder, ...settings };
  const child = spawn(process.execPath, [CLI, 'backup', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: out + error, code };
}

it('queues a backup or a drill once, logged, and refuses where they are off', async () => {
  expect(await backup('now', {})).toMatchObject({
    code: 1,
    output: expect.stringContaining('BACKUP_BUCKET is not set'),
  });
  for (const command of ['now', 'now', 'drill']) expect(await backup(command)).toMatchObject({ code: 0 });
  const jobs = await database.pool.query(
    `select name, count(*)::int from pgboss.job where name like 'backup.%' group by 1 order by 1`,
  );
  expect(jobs.rows).toEqual([
    { name: 'backup.drill', count: 1 },
    { name: 'backup.write', count: 1 },
  ]);
  const log = await database.pool.query('select action from audit_log order by id');
  expect(log.rows.map(({ action }) => action)).toEqual(['database.backup', 'database.backup', 'database.drill']);
});

it('lists the backups and the last drill', async () => {
  expect((await backup('list', {})).output).toContain('Backups are off: BACKUP_BUCKET is not set.');
  await database.pool.query(
    `insert into backups (object_key, state, started_at, ended_at, last_migration, bytes, rows, sha256, error, removed_at) values
       ('market/1.backup', 'done', '2026-11-18T02:30:00Z', '2026-11-18T02:31:05Z', 'x', 2500000, 77, 'a', null, '2026-11-25T02:30:00Z'),
       ('market/2.backup', 'failed', '2026-11-19T02:30:00Z', '2026-11-19T02:30:02Z', 'x', null, null, null, '403 AccessDenied', null),
       ('market/3.backup', 'done', '2026-11-20T02:30:00Z', '2026-11-20T02:31:00Z', 'x', 2600000, 78, 'b', null, null)`,
  );
  expect((await backup('list')).output).toContain('No drill has restored one yet.');
  await database.pool.query(
    `insert into backup_drills (backup_id, state, started_at, ended_at, server, rows)
     select id, 'passed', '2026-11-20T03:00:00Z', '2026-11-20T03:01:00Z', 'embedded', 78 from backups where object_key = 'market/3.backup'`,
  );
  const { output } = await backup('list');
  expect(output).toContain('Backups in backups/market');
  expect(output).toMatch(/3 +2026-11-20 02:30\S* +60 +done +2.6 MB +78 +market\/3.backup/);
  expect(output).toMatch(/2 +2026-11-19 02:30\S* +2 +failed +403 AccessDenied/);
  expect(output).toMatch(/1 +2026-11-18 02:30\S* +65 +removed +2.5 MB +77 +market\/1.backup/);
  expect(output).toMatch(/The last drill, 2026-11-20 03:00\S* UTC, backup 3 in an embedded PostgreSQL: passed/);
});
