/** The doctor lists the root cause first, groups its consequences below it, and does not report problems that are over. */
import { mkdtempSync, rmSync } from 'node:fs';
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
    await database.pool.query(`delete from knex_migrations where name = '001_baseline'`);
    const running = await pretendRunning('api', 'scheduler');
    const findings = await runDoctor(patient());
    await Promise.all(running.map((pool) => pool.end()));
    const [migrations, worker, ...others] = problems(findings);
    expect(others).toEqual([]);
    expect([textOf(migrations), names(migrations.consequences)]).toEqual([
      expect.stringMatching(
        /^pending: 001_baseline \(.*earlier version.*\); run "npm run ops -- db migrate" \(see \S+\)$/,
      ),
      [],
    ]);
    expect([worker.check.name, names(worker.consequences)]).toEqual([
      'a worker runs',
      ['served data is fresh', 'the screener has a snapshot of it'],
    ]);
  });

  it('lists what cannot be checked without a pending migration under it', async () => {
    await database.pool.query(`drop table snapshots; delete from knex_migrations where name = '001_baseline'`);
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
