/** Statements of runs on tables that fill and empty again and again. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { createPool, type Pool } from '../../../db/pool.ts';
import { placeOf, readPart, type StoredResult, storedResult, touchResult } from '../../../db/runs/run-results.ts';
import { deleteOldRuns, selectRun } from '../../../db/runs/runs.ts';
import { keysOf, required } from '../../../engine/util/values.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { Completions } from '../../../jobs/queue/settlement.ts';
import { takeJobs } from '../../../jobs/queue/take-jobs.ts';
import { enqueueRuns } from '../../../jobs/runs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ROWS = 2_000;
const RESULT = storedResult({}, { trades: '[]', klines: '[]', equity: '[]' });
const END = { backtestId: null, selection: null, trials: null, at: new Date(), workerSeconds: 0 };
let database: TestDatabase;
/** A single connection, so that the test can read its prepared statements. */
let pool: Pool;
let boss: Awaited<ReturnType<typeof openBoss>>;
let completions: Completions;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
  const { url } = database;
  const log = pino({ level: 'silent' });
  boss = await openBoss({ url, log });
  completions = new Completions({ pool, boss, worker: 'test' });
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await pool.end();
  await database.drop();
});

async function fill(): Promise<void> {
  await pool.query(
    `insert into backtest_results (fingerprint, summary, lengths, body)
     select sha256(i::text::bytea), $2, $3, $4 from generate_series(1, $1::int) i`,
    [ROWS, RESULT.summary, RESULT.lengths, RESULT.body],
  );
  await pool.query(
    `insert into runs (id, kind, owner, is_saved, spec, request_id, created_at, status, is_cached, fingerprint,
       finished_at)
     select gen_random_uuid(), 'backtest', 'ip:192.0.2.1', false, '{}', 'test', now(), 'done', false, sha256(i::text::bytea), now()
     from generate_series(1, $1::int) i`,
    [ROWS],
  );
}

/** Deletes all runs, as cleanup does every hour, and analyzes the tables, as the server does. */
async function empty(): Promise<void> {
  await pool.query(`update backtest_results set used_at = now() - interval '2 hours'`);
  await deleteOldRuns(pool, new Date(Date.now() + 7_200_000));
  for (const table of ['runs', 'backtest_results']) await pool.query(`vacuum analyze ${table}`);
}

interface Adding {
  readonly owner?: string;
  readonly planRank?: number;
  readonly on?: Pool;
}

/** Records runs of one moment, each of its own owner unless another is named. */
function add(ids: readonly string[], { owner, planRank = 0, on = pool }: Adding = {}): Promise<boolean[]> {
  const run = {
    kind: 'backtest',
    userId: null,
    isKept: false,
    historyMax: null,
    spec: {},
    requestId: 'test',
    at: new Date(),
    max: owner ? 9 : 1,
    bounds: { planRank, secondsMax: null },
  } as const;
  return enqueueRuns(
    on,
    boss,
    'backtest',
    ids.map((id) => ({ ...run, id, owner: owner ?? `ip:${id}` })),
  );
}

const newIds = (n: number): string[] => Array.from({ length: n }, () => randomUUID());

/** A run from being queued to the end of its work. */
async function start(): Promise<{ id: string; attempt: number; fingerprint: Uint8Array }> {
  const id = randomUUID();
  expect(await add([id])).toEqual([true]);
  const worker = { workerKey: 1, engineVersion: id, at: new Date() };
  const taken = await takeJobs({ fetching: pool, boss, worker }, { queue: 'backtest', batchSize: 1 }, []);
  const [{ attempt, run: started }] = required(taken);
  return { id, attempt, fingerprint: required(started).fingerprint };
}

/** A run from being queued to being read. */
async function useAll(): Promise<void> {
  const { id, attempt, fingerprint } = await start();
  await touchResult(pool, fingerprint);
  await completions.add('backtest', { id, attempt, end: { ...END, fingerprint, result: RESULT } });
  const { summary, lengths } = RESULT;
  expect(await selectRun(pool, id)).toMatchObject({ status: 'done', result: { summary, lengths, body: '[][][]' } });
}

it('finds a run by its key, even with a statement that was prepared while the table was empty', async () => {
  await fill();
  await empty();
  // PostgreSQL keeps a generic plan from the sixth execution.
  for (let i = 0; i < 8; i++) await useAll();
  await fill();
  const { rows } = await pool.query<{ name: string; parameters: number }>(
    `select name, cardinality(parameter_types) as parameters from pg_prepared_statements where statement ~ 'backtest_'`,
  );
  expect(rows.length).toBe(4);
  for (const { name, parameters } of rows) {
    const values = Array.from({ length: parameters }, () => 'null').join(', ');
    const plan = await pool.query(`explain execute ${name}(${values})`);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(`${name}: ${text}`).not.toMatch(/Seq Scan on backtest/);
    // An index still holds all that has ended since the table was vacuumed, so it is never read as a whole.
    const scans = text.match(/ using (runs|job_claims)_\w+ on .*\n.*/g) ?? [];
    for (const scan of scans) expect(`${name}: ${scan}`).toMatch(/Index Cond: .*id = /);
  }
});

it('keeps the plans of the statements that admit runs, also among many runs', async () => {
  await empty();
  await fill();
  await pool.query('analyze');
  const db = createPool({ url: database.url, max: 1, applicationName: 'test-plans' });
  let plans = '';
  db.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      plans += message;
    });
  });
  for (const set of [
    `load 'auto_explain'`,
    'set auto_explain.log_nested_statements = on',
    'set auto_explain.log_parameter_max_length = 0',
    'set client_min_messages = log',
  ]) {
    await db.query(set);
  }
  // PostgreSQL compares the costs of plans from the sixth execution.
  for (let i = 0; i < 7; i++) {
    for (const runs of [1, 3]) await add(newIds(runs), { on: db });
  }
  await db.query('set auto_explain.log_min_duration = 0');
  for (const runs of [1, 3]) {
    plans = '';
    const ids = newIds(runs);
    expect(await add(ids, { on: db })).not.toContain(false);
    const admission = plans.slice(plans.indexOf('insert into runs'), plans.indexOf('INSERT INTO pgboss'));
    expect(admission).toMatch(/insert into runs/);
    // A plan for the values at hand has them in its conditions.
    for (const id of ids) expect(admission).not.toContain(id);
  }
  await db.end();
  await pool.query(`delete from pgboss.job where name = 'backtest'`);
});

it('lets accounts take turns, and within a turn the higher plan come first', async () => {
  await pool.query(`delete from pgboss.job where name = 'backtest'`);
  const [many, pro, free] = [newIds(3), newIds(2), newIds(1)];
  await add(many, { owner: 'user:1', planRank: 1 });
  for (const id of pro) await add([id], { owner: 'user:2', planRank: 2 });
  await add(free, { owner: 'user:3', planRank: 1 });
  const taken: string[] = [];
  for (let i = 0; i < 6; i++) {
    const [job] = await boss.fetch('backtest');
    taken.push(job.id);
    expect(job.groupId).toMatch(/^user:[123]$/);
  }
  expect(taken).toEqual([pro[0], many[0], free[0], pro[1], many[1], many[2]]);
  await pool.query(`delete from pgboss.job where name = 'backtest'`);
  await pool.query(`delete from runs where owner like 'user:%'`);
});

describe('the parts of a result', () => {
  const SHORT = { trades: '["é"]', klines: '["中"]', rebalances: '[3]' };

  async function ended(result: StoredResult): Promise<string> {
    const { id, attempt, fingerprint } = await start();
    expect(await completions.add('backtest', { id, attempt, end: { ...END, fingerprint, result } })).toBe(true);
    return id;
  }
  const resultOf = async (id: string) => required(required(await selectRun(pool, id)).result);

  it.each<[string, typeof SHORT & { readonly equity?: string }]>([
    ['short', SHORT],
    ['long', { ...SHORT, equity: JSON.stringify('中'.repeat(400_000)) }],
  ])('that are %s are read as they were stored', async (length, parts) => {
    const result = await resultOf(await ended(storedResult({ a: 1 }, parts)));
    expect(result).toMatchObject({ summary: '{"a":1}', tearSheet: null });
    for (const part of keysOf(parts)) {
      expect((await buffer(readPart(pool, result, required(placeOf(result.lengths, part))))).toString()).toBe(
        parts[part],
      );
    }
    expect(placeOf(result.lengths, 'positions')).toBeNull();
    expect(result.body).toBe(length === 'short' ? '["é"]["中"][3]' : null);
  });

  it('are those of the earlier run when its result is used again', async () => {
    const { id, attempt, fingerprint } = await start();
    await completions.add('backtest', {
      id,
      attempt,
      end: { ...END, fingerprint, result: { ...RESULT, tearSheet: '{}' } },
    });
    const again = await start();
    await completions.add('backtest', { ...again, end: { ...END, fingerprint, result: null } });
    expect(await selectRun(pool, again.id)).toMatchObject({ isCached: true, result: await resultOf(id) });
  });
});
