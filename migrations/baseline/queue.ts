import { actorId, belongsTo, type TableDefinition } from './table.ts';

/** The work of loading the market, and records of jobs that the queue does not keep. */
export const QUEUE_TABLES: Record<string, TableDefinition> = {
  sync_jobs: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.text('job_type').notNullable().checkIn(['symbols', 'adjustments', 'daily_bars']);
    t.text('status').notNullable().defaultTo('running').checkIn(['running', 'ok', 'failed']);
    t.text('requested_by').notNullable();
    actorId(t, knex, 'sync_jobs', 'requested_by');
    t.jsonb('request').notNullable();
    t.uuid('queue_job_id').notNullable().unique({ indexName: 'sync_jobs_queue_job_id_key' });
    t.text('request_id');
    t.float('progress_pct').notNullable().defaultTo(0);
    t.integer('symbols_total');
    t.integer('symbols_done').notNullable().defaultTo(0);
    t.bigInteger('rows_written').notNullable().defaultTo(0);
    t.bigInteger('rows_rejected').notNullable().defaultTo(0);
    t.integer('attempts').notNullable().defaultTo(0);
    t.text('error');
    t.timestamp('queued_at').notNullable().defaultTo(knex.raw('now()'));
    t.timestamp('started_at');
    t.timestamp('finished_at');
    t.jsonb('rows_rejected_by_reason').notNullable().defaultTo('{}');
    t.check('progress_pct between 0 and 100');
    t.check("(status = 'running') = (finished_at is null)", {}, 'sync_jobs_finished');
    t.check("status <> 'failed' or error is not null", {}, 'sync_jobs_failed_says_why');
    t.check("status <> 'ok' or started_at is not null", {}, 'sync_jobs_ok_was_started');
    t.index(['job_type', knex.raw('id desc')], 'sync_jobs_type');
    t.index(['job_type'], 'sync_jobs_running', { predicate: knex.whereRaw("status = 'running'") });
  },

  sync_units: (t, knex) => {
    belongsTo(t.bigInteger('sync_job_id').notNullable(), 'sync_jobs.id', 'sync_units_sync_job_id_fkey');
    t.text('unit').notNullable();
    t.bigInteger('rows_written').notNullable();
    t.bigInteger('rows_rejected').notNullable();
    t.timestamp('finished_at').notNullable().defaultTo(knex.raw('now()'));
    t.jsonb('rows_rejected_by_reason').notNullable().defaultTo('{}');
    t.text('error').comment('Why the unit was not loaded; null: it was');
    t.smallint('basis').comment('Null: the unit was not loaded, or by a version that did not record what it covers');
    t.date('first_day');
    t.date('last_day');
    t.specificType('left_out', 'date[]')
      .notNullable()
      .defaultTo('{}')
      .comment('Sessions of the unit that kept their earlier rows');
    t.specificType('instrument_ids', 'integer[]').comment('Null: all');
    t.jsonb('sources').notNullable().defaultTo('[]').comment('Files that it was read from: name, bytes, sha256');
    t.primary(['sync_job_id', 'unit']);
    t.check(
      '(basis is null) = (first_day is null) and (basis is null) = (last_day is null)',
      {},
      'sync_units_covers_days',
    );
    t.index(['basis', 'last_day'], 'sync_units_days');
  },

  sync_watermarks: (t) => {
    t.text('job_type').primary().checkIn(['symbols', 'adjustments']);
    t.date('through').notNullable();
  },

  rejected_rows: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('sync_job_id').notNullable(), 'sync_jobs.id', 'rejected_rows_sync_job_id_fkey');
    t.smallint('basis');
    t.text('reason').notNullable();
    t.text('source').notNullable();
    t.text('content').notNullable();
    t.text('unit').comment('The unit of the load that the row came from; null for lists');
    t.index(['sync_job_id'], 'rejected_rows_job');
  },

  job_claims: (t, knex) => {
    t.text('queue').notNullable();
    t.uuid('job_id').notNullable();
    t.integer('attempt').notNullable();
    t.bigInteger('worker_key').notNullable();
    t.timestamp('claimed_at').notNullable().defaultTo(knex.raw('now()'));
    t.primary(['queue', 'job_id']);
    t.index(['worker_key'], 'job_claims_worker');
  },

  paused_queues: (t, knex) => {
    t.text('queue').primary();
    t.text('paused_by').notNullable();
    actorId(t, knex, 'paused_queues', 'paused_by');
    t.timestamp('paused_at').notNullable();
  },

  // Names of the workers that hold claims, for the attempts of their jobs.
  workers: (t, knex) => {
    t.bigInteger('worker_key').primary().comment('That of its claims');
    t.text('name').notNullable().comment('Machine and process');
    t.timestamp('started_at').notNullable().defaultTo(knex.raw('now()'));
  },

  // The queue keeps only the last error of a job; this has those of all failed attempts.
  job_attempts: (t) => {
    t.text('queue').notNullable();
    t.uuid('job_id').notNullable();
    t.integer('attempt').notNullable().checkPositive();
    t.text('worker');
    t.timestamp('taken_at').notNullable();
    t.timestamp('ended_at').notNullable();
    t.text('error');
    t.primary(['job_id', 'attempt']);
  },
};
