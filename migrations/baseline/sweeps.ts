import { belongsTo, type TableDefinition } from './table.ts';

/** Sweeps: strategies over many instruments, cut into chunks that any worker takes. */
export const SWEEP_TABLES: Record<string, TableDefinition> = {
  // A sweep goes queued → running → done | failed; at most one of an account runs.
  sweeps: (t, knex) => {
    t.uuid('id').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'sweeps_user_id_fkey');
    t.text('status').notNullable().defaultTo('queued').checkIn(['queued', 'running', 'done', 'failed']);
    t.json('spec').notNullable();
    t.text('request_id');
    t.bigInteger('cells').notNullable().checkPositive();
    t.bigInteger('cells_done').notNullable().defaultTo(0);
    t.integer('chunks').notNullable().checkPositive();
    t.integer('chunks_done').notNullable().defaultTo(0);
    t.bigInteger('cells_bytes');
    t.text('cells_sha256');
    t.text('error_code');
    t.timestamp('created_at').notNullable();
    t.timestamp('started_at');
    t.timestamp('finished_at');
    t.json('note_codes');
    t.integer('seconds_max').checkPositive();
    t.float('worker_seconds').notNullable().defaultTo(0);
    t.integer('plan_rank').notNullable().defaultTo(0);
    t.json('request');
    t.check('cells_done between 0 and cells');
    t.check('chunks_done between 0 and chunks');
    t.check("(status in ('done', 'failed')) = (finished_at is not null)", {}, 'sweeps_finished');
    t.check("status <> 'running' or started_at is not null", {}, 'sweeps_started');
    t.check("(status = 'failed') = (error_code is not null)", {}, 'sweeps_failed_says_why');
    t.check(
      "status <> 'done' or (chunks_done = chunks and cells_bytes is not null and cells_sha256 is not null)",
      {},
      'sweeps_done_is_whole',
    );
    t.index(['user_id', knex.raw('created_at desc')], 'sweeps_user');
    t.unique(['user_id'], { indexName: 'sweeps_running', predicate: knex.whereRaw("status = 'running'") });
    t.index(['created_at'], 'sweeps_waiting', { predicate: knex.whereRaw("status = 'queued'") });
  },

  // A chunk counts once: only its newest attempt can end it, in the transaction that adds its cells to the sweep.
  sweep_chunks: (t, knex) => {
    belongsTo(t.uuid('sweep_id').notNullable(), 'sweeps.id', 'sweep_chunks_sweep_id_fkey');
    t.integer('seq').notNullable();
    t.uuid('job_id').notNullable().unique({ indexName: 'sweep_chunks_job_id_key' });
    t.json('instruments').notNullable();
    t.integer('cells').notNullable().checkPositive();
    t.integer('turn');
    t.integer('attempt').notNullable().defaultTo(0);
    t.timestamp('started_at');
    t.timestamp('done_at');
    t.check('seq >= 0');
    t.primary(['sweep_id', 'seq']);
    t.index(['turn'], 'sweep_chunks_turns', { predicate: knex.whereRaw('turn is not null and done_at is null') });
  },
};
