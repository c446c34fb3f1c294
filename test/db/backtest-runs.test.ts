/** Statements of runs on tables that fill and empty again and again. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteOldRuns, finishRunWithResult, selectRun, startRun } from '../../db/backtests/backtest-runs.ts';
import { storedResult, useResult } from '../../db/backtests/run-results.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ROWS = 2_000;
const RESULT = storedResult({}, { trades: '[]', klines: '[]', equity: '[]' });
let database: TestDatabase;
/** A single connection, so that the test can read its prepared statements. */
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function fill(): Promise<void> {
  await pool.query(
    `insert into backtest_results (fingerprint, summary, trades, klines, equity)
     select sha256(i::text::bytea), '{}', '[]', '[]', '[]' from generate_series(1, $1::int) i`,
    [ROWS],
  );
  await pool.query(
    `insert into backtest_runs (id, kind, owner, is_saved, spec, request_id, created_at, status, is_cached, fingerprint,
       finished_at)
     select gen_random_uuid(), 'backtest', 'ip:192.0.2.1', false, '{}', 'test', now(), 'done', false, sha256(i::text::bytea), now()
     from generate_series(1, $1::int) i`,
    [ROWS],
  );
}

/** Deletes all runs, as housekeeping does every hour, and analyzes the tables, as the server does. */
async function empty(): Promise<void> {
  await pool.query(`update backtest_results set used_at = now() - interval '2 hours'`);
  await deleteOldRuns(pool, new Date(Date.now() + 7_200_000));
  for (const table of ['backtest_runs', 'backtest_results']) await pool.query(`vacuum analyze ${table}`);
}

async function useAll(): Promise<void> {
  const id = randomUUID();
  const fingerprint = createHash('sha256').update(id).digest();
  await startRun(pool, id, new Date());
  await useResult(pool, fingerprint);
  await finishRunWithResult(pool, id, { fingerprint, result: RESULT, selection: null, at: new Date() });
  await selectRun(pool, id);
}

it('finds a run by its key, even with a statement that was prepared while the table was empty', async () => {
  await fill();
  await empty();
  // PostgreSQL keeps a generic plan from the sixth execution.
  for (let i = 0; i < 8; i++) await useAll();
  await fill();
  const { rows } = await pool.query<{ name: string; parameters: number }>(
    `select name, cardinality(parameter_types) as parameters from pg_prepared_statements where name like '%backtest%'`,
  );
  expect(rows.length).toBe(4);
  for (const { name, parameters } of rows) {
    const values = Array.from({ length: parameters }, () => 'null').join(', ');
    const plan = await pool.query(`explain execute ${name}(${values})`);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(`${name}: ${text}`).not.toMatch(/Seq Scan on backtest/);
  }
});
