import { belongsTo, type TableDefinition } from './table.ts';

/** Runs, their results for an hour, and the backtests that accounts keep. */
export const RUN_TABLES: Record<string, TableDefinition> = {
  // A run goes queued → running → done | failed | cancelled. Its turn is its place among the runs of its lane.
  runs: (t, knex) => {
    t.uuid('id').primary();
    t.text('kind')
      .notNullable()
      .checkIn(['backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql']);
    t.text('owner').notNullable();
    belongsTo(t.bigInteger('user_id'), 'users.id', 'runs_user_id_fkey');
    t.boolean('is_saved').notNullable();
    t.float('progress_pct').notNullable().defaultTo(0);
    t.integer('history_max');
    t.text('status').notNullable().defaultTo('queued').checkIn(['queued', 'running', 'done', 'failed', 'cancelled']);
    t.json('spec').notNullable();
    t.binary('fingerprint');
    t.boolean('is_cached');
    t.bigInteger('backtest_id');
    t.text('error_code');
    t.jsonb('error_details');
    t.text('request_id');
    t.timestamp('created_at').notNullable();
    t.timestamp('started_at');
    t.timestamp('finished_at');
    t.integer('turn').notNullable().defaultTo(0);
    t.json('selection');
    t.integer('seconds_max')
      .checkPositive()
      .comment('Processor seconds of a worker that the run may cost; null: any number');
    t.float('worker_seconds').comment('What it has cost; null before its end');
    t.check('progress_pct between 0 and 100');
    t.check("(status in ('queued', 'running')) = (finished_at is null)", {}, 'runs_finished');
    t.check("(status = 'failed') = (error_code is not null)", {}, 'runs_failed_says_why');
    t.check("status <> 'done' or (fingerprint is not null and is_cached is not null)", {}, 'runs_done_has_result');
    t.check('not is_saved or user_id is not null', {}, 'runs_saved_has_account');
    t.check('turn >= 0');
    t.index(['owner'], 'runs_active', { predicate: knex.whereRaw("status in ('queued', 'running')") });
    t.index(['user_id'], 'runs_user', { predicate: knex.whereNotNull('user_id') });
    t.index(['finished_at'], 'runs_ended', { predicate: knex.whereNotNull('finished_at') });
  },

  // Results are unlogged: a crash of the database loses nothing that cannot be computed again.
  backtest_results: (t, knex) => {
    t.binary('fingerprint').primary();
    t.text('summary').notNullable();
    t.text('trades');
    t.text('klines');
    t.text('equity');
    t.timestamp('used_at').notNullable().defaultTo(knex.raw('now()'));
    t.text('positions');
    t.text('contributions');
    t.text('rebalances');
    t.binary('klines_sha256');
    t.check('klines is not null or klines_sha256 is null', {}, 'backtest_results_have_klines');
  },

  backtests: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'backtests_user_id_fkey');
    t.timestamp('created_at').notNullable();
    t.boolean('is_cached').notNullable();
    t.json('summary').notNullable();
    t.text('slug').unique({ indexName: 'backtests_slug_key' }).checkRegex('^[A-Za-z0-9_-]{12}$');
    t.boolean('is_shared').notNullable().defaultTo(false);
    t.json('spec');
    t.json('selection');
    t.text('kind').notNullable().defaultTo('backtest').checkIn(['backtest', 'portfolio']);
    t.text('verdict').checkIn([
      'reproduced',
      'data_revised',
      'engine_changed',
      'both',
      'spec_changed',
      'unexplained',
      'no_receipt',
    ]);
    t.timestamp('verified_at');
    t.json('look_ahead');
    t.check('not is_shared or slug is not null', {}, 'backtests_shared_has_slug');
    t.check('(verdict is null) = (verified_at is null)', {}, 'backtests_verdict_has_time');
    t.index(['user_id', knex.raw('id desc')], 'backtests_user');
    t.index(['created_at'], 'backtests_created');
    t.index(['id'], 'backtests_unexplained', { predicate: knex.whereRaw("verdict = 'unexplained'") });
  },

  // Deleting a run does not lower the count of an account's trials.
  trials: (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'trials_user_id_fkey');
    t.binary('search').notNullable().comment('Digest of instrument, strategy, adjustment and execution');
    t.binary('combination').notNullable().comment('Digest of the parameters as they take effect');
    t.check('length(search) = 16');
    t.check('length(combination) = 16');
    t.primary(['user_id', 'search', 'combination']);
    t.comment('Combinations of parameters that an account has computed; never lowered but with the account');
  },

  strategy_proofs: (t) => {
    t.text('strategy').primary();
    t.text('engine_version').notNullable();
    t.text('symbol').notNullable();
    t.integer('prefixes').notNullable().checkPositive();
    t.timestamp('proved_at').notNullable();
    t.comment('The last run of each strategy that was free of look-ahead on every prefix');
  },

  // Long parts of results are stored in pieces too, so that no API process ever holds one as a whole.
  result_pieces: (t) => {
    t.binary('fingerprint').notNullable();
    t.text('part').notNullable().checkIn(['trades', 'klines', 'equity', 'positions', 'contributions', 'rebalances']);
    t.integer('seq').notNullable().comment('From 0; each piece but the last has 262144 bytes');
    t.binary('bytes').notNullable();
    t.primary(['fingerprint', 'part', 'seq']);
  },

  rotation_chunks: (t) => {
    t.uuid('pass_id').notNullable();
    t.integer('seq').notNullable();
    t.uuid('run_id').notNullable().references('runs.id').onDelete('CASCADE').index();
    t.uuid('job_id').notNullable();
    t.text('kind').notNullable();
    t.binary('work').notNullable();
    t.timestamp('claimed_at');
    t.binary('result');
    t.float('worker_seconds');
    t.primary(['pass_id', 'seq']);
    t.check(`kind in ('facts', 'values')`, [], 'rotation_chunks_kind_check');
    t.comment('Parts of running rotations whose panels do not fit in the memory of one thread');
  },
};
