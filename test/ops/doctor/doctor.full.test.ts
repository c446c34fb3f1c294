/**
 * The doctor lists the root cause first, groups its consequences below it, and does not report problems that are over.
 *
 * @waits
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_COUNTRIES } from '../../../api/access/countries.ts';
import { presenceConnection } from '../../../db/connection-counts.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { type Config, readConfig } from '../../../ops/config.ts';
import { CHECKS, countriesCheck } from '../../../ops/doctor/checks.ts';
import {
  type Diagnosis,
  describeFindings,
  describe as describeProblems,
  type Examined,
  isBroken,
  runDoctor,
} from '../../../ops/doctor/doctor.ts';
import { MISSING_BINDING, withBrokenNode } from '../../support/broken-node.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { freePort } from '../../support/free-port.ts';
import { createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';

const NOW = Date.parse('2024-07-03T16:00:00Z');
let database: TestDatabase;
let folder: string;
let market: MarketFolder;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  market = createMarketFolder({
    'symbols.csv': 'symbol\nAAA\n',
    'daily/consolidated/2024-07-01.csv': 'symbol,date,open,high,low,close,volume\nAAA,2024-07-01,1,1,1,1,1\n',
  });
});
afterAll(async () => {
  await database.drop();
  market.remove();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await database?.drop();
  database = await createTestDatabase();
});

function patient(url = database.url, pool = database.pool): Examined {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, PROVIDER: 'files', PROVIDER_DIR: market.path });
  return { config, url, pool, now: () => NOW };
}

const problems = (findings: readonly Diagnosis[]) => findings.filter(isBroken);
const textOf = (finding: Diagnosis | undefined): string =>
  finding ? describeProblems(finding.check, finding.problems).join('\n') : '';
const names = (findings: readonly Diagnosis[]) => findings.map(({ check }) => check.name);

/** Opens connections as the processes of the service do. */
async function pretendRunning(...kinds: ('api' | 'worker' | 'scheduler')[]): Promise<Pool[]> {
  const pools = kinds.map((kind) =>
    createPool({ url: database.url, max: 1, applicationName: presenceConnection(kind) }),
  );
  await Promise.all(pools.map((pool) => pool.query('select 1')));
  return pools;
}

describe('the doctor', () => {
  it('has only existing checks as causes, each listed before its consequences', () => {
    const known = new Set<string>();
    for (const { name, reads = [], follows = [] } of CHECKS) {
      expect([name, [...reads, ...follows].filter((cause) => !known.has(cause))]).toEqual([name, []]);
      known.add(name);
    }
  });

  it('lists a missing process with its consequences', async () => {
    const running = await pretendRunning('api', 'scheduler');
    const findings = await runDoctor(patient());
    await Promise.all(running.map((pool) => pool.end()));
    const [worker, ...others] = problems(findings);
    expect(others).toEqual([]);
    expect(worker.check.name).toBe('a worker runs');
    expect(names(worker.consequences)).toEqual(['served data is fresh', 'the screener has a snapshot of it']);
    expect(describeFindings(findings).slice(0, 2)).toEqual([
      expect.stringMatching(/^PROBLEM {2}a worker runs: none is connected .*"npm run worker".*RUNBOOK\.md#worker/),
      expect.stringMatching(/^ +so also: served data is fresh: nothing is loaded/),
    ]);
  });

  it('runs a query, and reports how its process ended', async () => {
    const sql = async () => (await runDoctor(patient())).find(({ check }) => check.name === 'SQL answers');
    expect(textOf(await sql())).toBe('');
    const broken = await withBrokenNode(folder, sql);
    expect([broken && isBroken(broken), textOf(broken)]).toEqual([
      true,
      `the process of a query ended with exit code 7: ${MISSING_BINDING} (see ops/docs/RUNBOOK.md#sql)`,
    ]);
  });

  it('does not blame pending migrations for problems with another cause', async () => {
    await database.pool.query(`delete from knex_migrations where name = '001_schema'`);
    const running = await pretendRunning('api', 'scheduler');
    const findings = await runDoctor(patient());
    await Promise.all(running.map((pool) => pool.end()));
    const [migrations, worker, ...others] = problems(findings);
    expect(others).toEqual([]);
    expect([textOf(migrations), names(migrations.consequences)]).toEqual([
      expect.stringMatching(
        /^pending: 001_schema \(.*earlier version.*\); run "npm run ops -- db migrate" \(see \S+\)$/,
      ),
      [],
    ]);
    expect([worker.check.name, names(worker.consequences)]).toEqual([
      'a worker runs',
      ['served data is fresh', 'the screener has a snapshot of it'],
    ]);
  });

  it('lists what cannot be checked without a pending migration under it', async () => {
    await database.pool.query(`drop table snapshots; delete from knex_migrations where name = '001_schema'`);
    const findings = await runDoctor(patient());
    const migrations = findings.find(({ check }) => check.name === 'migrations are applied');
    expect(names(migrations?.consequences ?? [])).toEqual(['the screener has a snapshot of it']);
  });

  it('reports an unreachable database once', async () => {
    const url = 'postgresql://app:secret@127.0.0.1:1/none';
    const pool = createPool({ url, max: 1, applicationName: 'test' });
    const findings = await runDoctor(patient(url, pool));
    await pool.end();
    expect(names(problems(findings))).toEqual(['database answers']);
    expect(describeFindings(findings).join('\n')).not.toContain('secret');
  });

  it('recommends a password for the back office without calling its absence a problem', async () => {
    const line = async (env: object) => {
      const { config, ...rest } = patient();
      const findings = await runDoctor({ ...rest, config: { ...config, ...env } });
      return describeFindings(findings).find((text) => text.includes('the back office'));
    };
    expect(await line({ ADMIN_SESSIONS: 'any' })).toMatch(/^advice .*ADMIN_SESSIONS=password/);
    expect(await line({ ADMIN_SESSIONS: 'password' })).toMatch(/^ok/);
  });

  it('recommends the country package if it is not installed', async () => {
    const own = readConfig({ COUNTRY_DATABASE: import.meta.filename });
    const textFor = async (config: Config, packaged: string | null) =>
      (await countriesCheck(() => packaged).findProblems({ config }, 0)).map(({ text }) => text);
    expect(await textFor(readConfig({}), null)).toEqual([NO_COUNTRIES]);
    expect(await textFor(readConfig({}), '/countries.mmdb')).toEqual([]);
    expect(await textFor(own, null)).toEqual([]);
    expect(CHECKS.find(({ runbook }) => runbook === 'countries')?.isAdvice).toBe(true);
  });

  it('ignores failures after which a job of the queue has succeeded', async () => {
    const insert = (state: string, minute: number) =>
      database.pool.query(
        `insert into pgboss.job (name, state, completed_on, output, policy)
         values ('storage.sweep', $1, now() + make_interval(mins => $2), '{"message": "bucket 7 is away"}', 'stately')`,
        [state, minute],
      );
    const failing = async () => {
      const findings = await runDoctor(patient());
      return textOf(findings.find(({ check }) => check.name === 'no job fails for good'));
    };
    await insert('failed', 0);
    expect(await failing()).toContain('bucket 7 is away');
    await insert('completed', 1);
    expect(await failing()).toBe('');
    await insert('failed', 2);
    expect(await failing()).toContain('2 jobs of storage.sweep failed');
  });

  it('reports unexplained differences of kept backtests', async () => {
    const found = async () => {
      const findings = await runDoctor(patient());
      return textOf(findings.find(({ check }) => check.runbook === 'evidence'));
    };
    await database.pool.query(
      `with ada as (insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now()) returning id)
       insert into backtests (user_id, created_at, is_cached, summary, verdict, verified_at)
       select id, now(), false, '{}', 'unexplained', now() from ada`,
    );
    expect(await found()).toMatch(/^1 kept backtests differ .*"npm run ops -- verify --all"/);
    await database.pool.query(`update backtests set verdict = 'reproduced'`);
    expect(await found()).toBe('');
  });

  it('ignores a failed load after which one of its kind has succeeded', async () => {
    const insert = (status: string, request: object) =>
      database.pool.query(
        `insert into sync_jobs (job_type, status, requested_by, request, queue_job_id, error, started_at, finished_at)
         values ('daily_bars', $1, 'test', $2, gen_random_uuid(), $3, now(), now())`,
        [status, request, status === 'failed' ? 'bad file' : null],
      );
    const failing = async () => {
      const findings = await runDoctor(patient());
      return textOf(findings.find(({ check }) => check.name === 'loads end well'));
    };
    await insert('failed', { venue_mode: 'consolidated' });
    expect(await failing()).toContain('bad file');
    await insert('ok', { venue_mode: 'single_venue' });
    expect(await failing()).toContain('bad file');
    await insert('ok', { venue_mode: 'consolidated' });
    expect(await failing()).toBe('');
    await insert('failed', { venue_mode: 'consolidated' });
    await insert('ok', {});
    expect(await failing()).toBe('');
  });

  it('keeps a failed load of days until these are loaded, and not one of days that were never published', async () => {
    const insert = async (status: string, request: object) => {
      const { rows } = await database.pool.query(
        `insert into sync_jobs (job_type, status, requested_by, request, queue_job_id, error, started_at, finished_at)
         values ('daily_bars', $1, 'test', $2, gen_random_uuid(), $3, now(), now()) returning id`,
        [status, request, status === 'failed' ? 'bad file' : null],
      );
      return Number(rows[0].id);
    };
    const failing = async () => {
      const findings = await runDoctor(patient());
      return textOf(findings.find(({ check }) => check.name === 'loads end well'));
    };
    await database.pool.query(`insert into provider_ranges values (1, 'files', '2024-06-03', '2024-07-01', now())`);
    await insert('failed', { start: '2042-06-17', end: '2042-06-18' });
    expect(await failing()).toBe('');
    await insert('failed', { start: '2024-06-17', end: '2024-06-18' });
    expect(await failing()).toContain('bad file');
    const other = await insert('ok', { start: '2024-06-20', end: '2024-06-21' });
    expect(await failing()).toContain('bad file');
    const load = (job: number, day: string) =>
      database.pool.query(
        `insert into sync_units (sync_job_id, unit, rows_written, rows_rejected, rows_rejected_by_reason, basis, first_day, last_day, left_out, sources)
         values ($1, $2, 1, 0, '{}', 1, $3, $3, '{}', '[]')`,
        [job, day, day],
      );
    await load(other, '2024-06-17');
    expect(await failing()).toContain('bad file');
    await load(other, '2024-06-18');
    expect(await failing()).toBe('');
  });

  it('tells a feed that has stopped by the calendar, as advice and then as a problem', async () => {
    await database.pool.query(
      `insert into loaded_sessions (basis, day, rows, rejected, is_complete) values (1, '2024-07-01', 1, 0, true);
       insert into provider_ranges values (1, 'files', '2024-07-01', '2024-07-01', now())`,
    );
    const running = await pretendRunning('api', 'worker', 'scheduler');
    const at = async (now: string) => {
      const findings = await runDoctor({ ...patient(), now: () => Date.parse(now) });
      const found = findings.filter(({ check }) => check.name === 'new sessions arrive');
      return describeFindings(found).join('\n');
    };
    expect(await at('2024-07-04T16:00:00Z')).toBe('ok       new sessions arrive');
    expect(await at('2024-07-08T16:00:00Z')).toMatch(
      /^advice .*newest session is 2024-07-01, 3 sessions ago by the calendar/,
    );
    expect(await at('2024-07-16T16:00:00Z')).toMatch(/^advice .* 9 sessions ago/);
    expect(await at('2024-07-17T16:00:00Z')).toMatch(/^PROBLEM .* 10 sessions ago .*RUNBOOK\.md#feed/);
    await Promise.all(running.map((pool) => pool.end()));
  });

  it('offers the load of the sessions that are missing at the end, and says that nothing was compared', async () => {
    await database.pool.query(
      `insert into loaded_sessions (basis, day, rows, rejected, is_complete) values (1, '2024-07-01', 1, 0, true);
       insert into provider_ranges values (1, 'files', '2024-07-01', '2024-07-02', now())`,
    );
    const lines = describeFindings(await runDoctor(patient()));
    const findings = await runDoctor(patient());
    const fresh = findings
      .flatMap((finding) => [finding, ...finding.consequences])
      .find(({ check }) => check.name === 'served data is fresh');
    expect(textOf(fresh)).toContain('run "npm run ops -- sync run --start 2024-07-02 --end 2024-07-02"');
    expect(lines).toContain('-        another provider has the same bars: not compared');
  });

  it('says within five seconds that a bucket does not answer', async () => {
    const port = await freePort();
    const silent = createServer(() => {}).listen(port, '127.0.0.1');
    await once(silent, 'listening');
    const bucket = {
      S3_BUCKET: 'silent',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    };
    const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: folder, PROVIDER: 'sample', ...bucket });
    const since = performance.now();
    const findings = await runDoctor({ ...patient(), config });
    expect(performance.now() - since).toBeLessThan(deadline(5_000));
    expect(textOf(findings.find(({ check }) => check.name === 'object storage can be used'))).toMatch(
      /^no answer within 4 s/,
    );
    silent.closeAllConnections();
    silent.close();
  });

  it('lists each problem on its own line', async () => {
    await database.pool.query(
      `insert into sync_jobs (job_type, status, requested_by, request, queue_job_id, error, started_at, finished_at)
       select 'daily_bars', 'failed', 'test', jsonb_build_object('venue_mode', mode), gen_random_uuid(), mode, now(), now()
       from unnest(array['consolidated', 'single_venue']) mode`,
    );
    const lines = describeFindings(await runDoctor(patient())).filter((line) => line.includes('loads end well'));
    const line =
      /^PROBLEM {2}loads end well: job \d \(daily_bars\): \w+; run ".* sync retry \d" \(see ops\/docs\/RUNBOOK\.md#loads\)$/;
    expect(lines).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
  });
});
