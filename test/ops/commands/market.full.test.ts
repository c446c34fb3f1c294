/** Accounts are kept when the market changes: one database, which records the provider of its market. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import {
  KEPT_TABLES,
  MARKET_TABLES,
  recordMarketSource,
  selectMarketSource,
} from '../../../db/market/market-source.ts';
import { createPool } from '../../../db/pool.ts';
import { findContentDifference } from '../../../jobs/market-source.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
let directory: string;
let database: TestDatabase;
let folder: MarketFolder;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-source-'));
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv': 'symbol,name,listed_on\nAAA,Alpha,2020-01-02\nBBB,Beta,2020-01-02\n',
    'daily/consolidated/2024-09.csv': `${BARS_HEADER}AAA,2024-09-03,10,11,9,10.5,1000\nBBB,2024-09-03,20,21,19,20.5,2000\nAAA,2024-09-04,10.5,12,10,11,1500\n`,
  });
  await loadEverything(database.pool, folder.provider());
  await addKept(database.pool);
});
afterAll(async () => {
  await database.drop();
  folder.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** Rows that do not depend on the source of the market. */
async function addKept(pool: pg.Pool): Promise<void> {
  const summary = JSON.stringify({ symbol: 'AAA.US' });
  await pool.query(
    `insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now());
     insert into api_keys (user_id, key_hash, prefix, name, created_at) values (1, 'h', 'md_12345678', 'key', now());
     insert into articles values ('stops', 'concept', null, '{}', 1, now(), now());
     insert into backtests (user_id, created_at, is_cached, summary) values (1, now(), false, '${summary}');
     insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version, engine_version, exported_at)
       values ('snapshots/a.arrow', 'c', 1, 1, 1, '2024-09-04', '2024-09-04', 'v', '1', now());
     insert into pgboss.job (name, data) values ('sync.symbols', '{}'), ('export', '{}')`,
  );
}

const variables = (provided: string, more: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: database.url,
  DATA_DIR: directory,
  PROVIDER: 'files',
  PROVIDER_DIR: provided,
  PORT: '0',
  ...more,
});

async function run(entry: string, env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'ops', entry), ...args], { env: { ...process.env, ...env } });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, errors };
}

const counts = async (tables: readonly string[]) => {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await database.pool.query(`select count(*)::int as count from ${table}`);
    found[table] = rows[0].count;
  }
  return found;
};

describe('another market than the recorded one', () => {
  beforeAll(() => recordMarketSource(database.pool, folder.provider().source, new Date()));

  it.each(['api', 'worker', 'scheduler'])('stops the %s with one line', async (name) => {
    const { code, output, errors } = await run(`processes/${name}.ts`, variables(folder.path, { PROVIDER: 'sample' }));
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors.split('\n')).toHaveLength(2);
    expect(errors).toContain(
      `has the market of the files in ${folder.path}, but the configured provider is the sample market of 250`,
    );
    expect(errors).toMatch(/"npm run ops -- market replace".*or set another DATABASE_URL/);
  });

  it('is not loaded by a worker that started before it was recorded', async () => {
    const other = createMarketFolder({ 'symbols.csv': 'symbol\nZZZ\n' });
    const job = await runSyncJob(database.pool, other.provider(), 'symbols');
    expect([job.status, job.error]).toEqual(['failed', expect.stringMatching(/^the database holds .* set up for .*$/)]);
    other.remove();
  });
});

describe('a folder that has moved', () => {
  const moved = () => join(directory, 'moved');

  it('is refused at start, and accepted when its content is the same', async () => {
    cpSync(folder.path, moved(), { recursive: true });
    const refused = await run('processes/scheduler.ts', variables(moved()));
    expect(refused).toEqual({ code: 1, output: '', errors: expect.stringContaining('market adopt') });
    const adopted = await run('commands/cli.ts', variables(moved()), 'market', 'adopt');
    expect(adopted).toMatchObject({ code: 0, output: expect.stringContaining(`now comes from ${moved()}`) });
    expect(await selectMarketSource(database.pool)).toMatchObject({ folder: moved() });
    const { rows } = await database.pool.query(
      'select action, actor_email, details from audit_log order by id desc limit 1',
    );
    expect(rows[0]).toEqual({
      action: 'market.adopt',
      actor_email: expect.stringMatching(/^ops:/),
      details: { from: folder.path, to: moved() },
    });
  });

  it.each<[string, string, (content: string) => string]>([
    ['a bar differs', 'daily/consolidated/2024-09.csv', (content) => content.replace('10,11,9,10.5', '10,11,9,10.6')],
    ['sessions are missing', 'daily/consolidated/2024-09.csv', (content) => content.replace(/AAA,2024-09-04.*\n/, '')],
    ['instruments are missing', 'symbols.csv', (content) => content.replace(/BBB.*\n/, '')],
  ])('is refused when %s', async (_, file, change) => {
    const other = mkdtempSync(join(directory, 'other-'));
    cpSync(folder.path, other, { recursive: true });
    writeFileSync(join(other, file), change(readFileSync(join(other, file), 'utf8')));
    const refused = await run('commands/cli.ts', variables(other), 'market', 'adopt');
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('does not have the loaded market: ') });
    expect(await selectMarketSource(database.pool)).toMatchObject({ folder: moved() });
  });

  it('may have grown', async () => {
    const path = join(folder.path, 'daily/consolidated/2024-10.csv');
    writeFileSync(path, `${BARS_HEADER}AAA,2024-10-01,11,12,10,11,1000\n`);
    expect(await findContentDifference(database.pool, folder.provider(), new AbortController().signal)).toBeNull();
  });
});

describe('replacing the market', () => {
  const replace = (...args: string[]) =>
    run('commands/cli.ts', variables('', { PROVIDER: 'sample', PROVIDER_DIR: '' }), 'market', 'replace', ...args);

  it('needs a confirmation, and a stopped service', async () => {
    const asked = await replace();
    expect(asked).toMatchObject({ code: 1, errors: expect.stringContaining('use --yes to agree') });
    const service = createPool({ url: database.url, max: 1, applicationName: 'worker-lease' });
    await service.query('select 1');
    const running = await replace('--yes');
    await service.end();
    expect(running).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The service is running on this database (1 worker)'),
    });
    expect(await counts(['instruments'])).toEqual({ instruments: 2 });
  });

  it('drops only what can be loaded again', async () => {
    const before = await counts(KEPT_TABLES);
    const { rows: versions } = await database.pool.query('select * from data_versions order by scope');
    expect(await replace('--yes')).toMatchObject({ code: 0, errors: '' });
    const after = await counts([...MARKET_TABLES, ...KEPT_TABLES]);
    expect(after).toEqual({
      ...Object.fromEntries(MARKET_TABLES.map((table) => [table, 0])),
      ...before,
      market_source: 1,
      audit_log: before.audit_log + 1,
    });
    expect(before).toMatchObject({ users: 1, api_keys: 1, articles: 1, backtests: 1 });
    expect(await selectMarketSource(database.pool)).toEqual({ provider: 'sample', folder: null, sampleSymbols: 250 });
    const { rows: bumped } = await database.pool.query('select * from data_versions order by scope');
    expect(bumped).toEqual(versions.map(({ scope, version }) => ({ scope, version: version + 1 })));
    const { rows: jobs } = await database.pool.query('select name from pgboss.job');
    expect(jobs).toEqual([{ name: 'export' }]);
  });

  it('never reuses the id of a dropped instrument', async () => {
    await database.pool.query('update market_source set provider = $1, folder = $2, sample_symbols = null', [
      'files',
      folder.path,
    ]);
    await runSyncJob(database.pool, folder.provider(), 'symbols');
    const { rows } = await database.pool.query('select min(id) as first from instruments');
    expect(rows[0].first).toBeGreaterThan(2);
  });
});
