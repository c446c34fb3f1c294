/** Loads of versions that did not record the outcome of units: their rejections are counted by reason, and a retry repeats the rest. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { reopenSyncJob, selectSyncJob } from '../../db/queue/sync-jobs.ts';
import { selectSyncUnits } from '../../db/queue/sync-units.ts';
import { down, up } from '../../migrations/013_load_units.ts';
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

it('migrates an older database, and rolls back', async () => {
  const { pool } = database;
  await down(db);
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

  await up(db);
  expect((await selectSyncJob(pool, id))?.rows_rejected_by_reason).toEqual({ bad_price: 2, unknown_instrument: 1 });
  expect((await pool.query('select unit, reason from rejected_bars')).rowCount).toBe(3);
  expect(await reopenSyncJob(pool, id, crypto.randomUUID())).toBe(true);
  expect([...(await selectSyncUnits(pool, id)).keys()]).toEqual(['clean']);
  expect((await pool.query('select from rejected_rows')).rowCount).toBe(0);
});
