/** Migrations of a database that has rows of an earlier version. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { reopenSyncJob, selectSyncJob } from '../../db/queue/sync-jobs.ts';
import { selectSyncUnits } from '../../db/queue/sync-units.ts';
import type { RequestedRun } from '../../db/runs/admissions.ts';
import { selectRun } from '../../db/runs/runs.ts';
import * as loadUnits from '../../migrations/013_load_units.ts';
import * as runSpecs from '../../migrations/028_run_specs.ts';
import * as specChanged from '../../migrations/046_spec_changed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Knex;
beforeAll(async () => {
  database = await createTestDatabase();
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('counts the rejections of a load by reason, and repeats the units that were not recorded as clean', async () => {
  const { pool } = database;
  await loadUnits.down(db);
  const { rows } = await pool.query<{ id: number }>(
    `insert into sync_jobs (job_type, status, requested_by, request, queue_job_id, rows_rejected, error, finished_at)
     values ('daily_bars', 'failed', 'test', '{}', gen_random_uuid(), 3, 'too many', now()) returning id`,
  );
  const [{ id }] = rows;
  await pool.query(
    `insert into rejected_rows (sync_job_id, basis, reason, source, content)
     values ($1, 1, 'bad_price', 'a:2', ''), ($1, 1, 'unknown_instrument', 'a:3', ''), ($1, 1, 'bad_price', 'b:2', '')`,
    [id],
  );
  await pool.query(
    `insert into sync_units (sync_job_id, unit, rows_written, rows_rejected) values ($1, 'clean', 10, 0), ($1, 'other', 9, 3)`,
    [id],
  );

  await loadUnits.up(db);
  expect((await selectSyncJob(pool, id))?.rows_rejected_by_reason).toEqual({ bad_price: 2, unknown_instrument: 1 });
  expect((await pool.query('select unit, reason from rejected_bars')).rowCount).toBe(3);
  expect(await reopenSyncJob(pool, id, crypto.randomUUID())).toBe(true);
  expect([...(await selectSyncUnits(pool, id)).keys()]).toEqual(['clean']);
  expect((await pool.query('select from rejected_rows')).rowCount).toBe(0);
});

describe('specifications of runs', () => {
  /** Records a run as version 0.1.0 does. */
  const insertEarlier = async (spec: object, status = 'queued') => {
    const id = randomUUID();
    await database.pool.query(
      `insert into backtest_runs (id, kind, owner, is_saved, "order", created_at, status, finished_at)
       values ($1, 'backtest', 'ip:192.0.2.1', false, $2, now(), $3, case $3 when 'cancelled' then now() end)`,
      [id, spec, status],
    );
    return id;
  };
  const earlierSpecOf = async (id: string) =>
    (await database.pool.query('select "order" from backtest_runs where id = $1', [id])).rows[0].order;

  it('are kept, and processes of both versions read those of each other', async () => {
    const { pool } = database;
    await runSpecs.down(db);
    const [queued, ended] = [
      await insertEarlier({ symbol: 'OLD' }),
      await insertEarlier({ symbol: 'OVER' }, 'cancelled'),
    ];
    await runSpecs.up(db);
    expect((await selectRun(pool, ended))?.spec).toEqual({ symbol: 'OVER' });
    expect((await selectRun(pool, queued))?.spec).toEqual({ symbol: 'OLD' });
    expect(await earlierSpecOf(queued)).toEqual({ symbol: 'OLD' });

    const beside = await insertEarlier({ symbol: 'BESIDE' });
    expect((await selectRun(pool, beside))?.spec).toEqual({ symbol: 'BESIDE' });
    const run: RequestedRun = {
      id: randomUUID(),
      kind: 'backtest',
      owner: 'ip:192.0.2.1',
      user_id: null,
      is_saved: false,
      history_max: null,
      spec: { symbol: 'NEW' },
      request_id: 'test',
      created_at: new Date(),
      max: 9,
      seconds_max: null,
    };
    await pool.query(`select from admit($1, '{backtest}')`, [JSON.stringify([run])]);
    expect(await earlierSpecOf(run.id)).toEqual({ symbol: 'NEW' });
  });

  it('that differ from their receipts keep that verdict', async () => {
    const { pool } = database;
    await specChanged.down(db);
    await pool.query(
      `insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now())`,
    );
    await pool.query(
      `insert into backtests (user_id, created_at, is_cached, summary, verdict, verified_at)
       select id, now(), false, '{}', 'order_changed', now() from users`,
    );
    await specChanged.up(db);
    expect((await pool.query('select verdict from backtests')).rows).toEqual([{ verdict: 'spec_changed' }]);
  });
});
