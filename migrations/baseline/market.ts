import { actorId, belongsTo, type TableDefinition } from './table.ts';

/** The market: instruments, their bars and events, what is known of their loading, and the snapshots made of them. */
export const MARKET_TABLES: Record<string, TableDefinition> = {
  instruments: (t) => {
    t.specificType('id', 'integer generated always as identity').primary();
    t.text('provider_key').notNullable().unique({ indexName: 'instruments_provider_key_key' });
    t.text('symbol').notNullable().unique({ indexName: 'instruments_symbol_key', deferrable: 'deferred' });
    t.text('ticker').notNullable();
    t.text('name').notNullable();
    t.text('asset_type').notNullable();
    t.text('primary_venue').notNullable();
    t.text('currency').notNullable();
    t.date('listed_on');
    t.date('delisted_on');
    t.boolean('is_popular').notNullable();
    t.integer('lot_size').notNullable().checkPositive();
  },

  previous_tickers: (t) => {
    belongsTo(t.integer('instrument_id').notNullable(), 'instruments.id', 'previous_tickers_instrument_id_fkey');
    t.text('ticker').notNullable();
    t.date('last_day').notNullable();
    t.primary(['instrument_id', 'last_day']);
  },

  adjustments: (t) => {
    belongsTo(t.integer('instrument_id').notNullable(), 'instruments.id', 'adjustments_instrument_id_fkey');
    t.text('event_key').notNullable();
    t.date('ex_date').notNullable();
    t.text('kind').notNullable().checkIn(['split', 'reverse_split', 'stock_dividend', 'cash_dividend', 'spin_off']);
    t.double('factor').notNullable();
    t.check("factor > 0 and factor < 'Infinity'");
    t.primary(['instrument_id', 'event_key']);
  },

  daily_bars: (t) => {
    t.integer('instrument_id').notNullable();
    t.smallint('basis').notNullable();
    t.date('day').notNullable();
    t.double('open').notNullable();
    t.double('high').notNullable();
    t.double('low').notNullable();
    t.double('close').notNullable();
    t.bigInteger('volume').notNullable();
    t.primary(['instrument_id', 'basis', 'day']);
    t.comment('The truth: bars as traded, one row per instrument, basis and day');
  },

  bar_blocks: (t, knex) => {
    t.integer('instrument_id').notNullable();
    t.smallint('basis').notNullable();
    t.smallint('year').notNullable();
    t.binary('data');
    t.primary(['instrument_id', 'basis', 'year']);
    t.index(['basis', 'year'], 'bar_blocks_stale', { predicate: knex.whereNull('data') });
    t.comment('Packed copy of daily_bars per year, for long reads; null data = stale, read the rows');
  },

  bar_seals: (t) => {
    t.smallint('basis').primary();
    t.date('sealed_through').notNullable();
    t.comment('Days up to here are in bar_blocks, later ones are read as rows');
  },

  loaded_sessions: (t, knex) => {
    t.smallint('basis').notNullable();
    t.date('day').notNullable();
    t.integer('rows').notNullable();
    t.integer('rejected').notNullable();
    t.boolean('is_complete').notNullable();
    t.timestamp('loaded_at').notNullable().defaultTo(knex.raw('now()'));
    t.check('rows >= 0');
    t.check('rejected >= 0');
    t.primary(['basis', 'day']);
    t.comment('Sessions that a load has covered; 0 rows = the provider had none');
  },

  provider_ranges: (t) => {
    t.smallint('basis').primary();
    t.text('provider').notNullable();
    t.date('first_session').notNullable();
    t.date('newest_session').notNullable();
    t.timestamp('checked_at').notNullable();
  },

  data_versions: (t) => {
    t.text('scope').primary().checkIn(['symbols', 'adjustments', 'bars', 'provider']);
    t.bigInteger('version').notNullable().defaultTo(0);
  },

  // The newest row is the one that is served. Format 1 has no means.
  snapshots: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.text('object_key').notNullable().unique({ indexName: 'snapshots_object_key_key' });
    t.text('checksum_sha256').notNullable();
    t.bigInteger('bytes').notNullable();
    t.integer('instruments').notNullable();
    t.integer('bars').notNullable();
    t.date('as_of').notNullable();
    t.date('through').notNullable();
    t.text('data_version').notNullable();
    t.text('engine_version').notNullable();
    t.timestamp('exported_at').notNullable();
    t.smallint('format').notNullable().defaultTo(1);
    t.text('means_key').unique({ indexName: 'snapshots_means_key_key' });
    t.text('means_checksum_sha256');
    t.bigInteger('means_bytes');
    t.check(
      '(format = 1) = (means_key is null) and (means_key is null) = (means_checksum_sha256 is null) and (means_key is null) = (means_bytes is null)',
      {},
      'snapshots_means',
    );
  },

  session_checks: (t, knex) => {
    t.smallint('basis').notNullable();
    t.date('day').notNullable();
    t.integer('rows').notNullable();
    t.integer('rows_before');
    t.integer('zero_volume').notNullable();
    t.integer('jumps').notNullable();
    t.specificType('problems', 'text[]').notNullable();
    t.text('released_by');
    actorId(t, knex, 'session_checks', 'released_by');
    t.timestamp('checked_at').notNullable();
    t.primary(['basis', 'day']);
    t.comment('What was found in a loaded session; problems hold the snapshot back until somebody releases it');
  },

  // No start mixes two markets.
  market_source: (t) => {
    t.boolean('only_row').primary().defaultTo(true);
    t.text('provider').notNullable();
    t.text('folder');
    t.integer('sample_symbols');
    t.timestamp('recorded_at').notNullable();
    t.check('only_row');
    t.comment('Where the market rows came from; no row before the first load');
  },

  // Loads of sessions and lists that are new write none.
  revisions: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.integer('instrument_id').notNullable();
    t.smallint('basis');
    t.text('event_key');
    t.date('day').notNullable();
    t.jsonb('was').comment('Null: there was none');
    t.jsonb('became').comment('Null: it was removed');
    t.bigInteger('sync_job_id');
    t.timestamp('recorded_at').notNullable();
    t.check('(basis is null) <> (event_key is null)', {}, 'revisions_of_bar_or_event');
    t.check('was is distinct from became', {}, 'revisions_change_something');
    t.index(['instrument_id', 'id'], 'revisions_instrument');
    t.index(['recorded_at', 'id'], 'revisions_recorded');
    t.comment('What loads changed of bars (basis) and events (event_key) that had been served');
  },

  past_snapshots: (t) => {
    t.bigIncrements('id');
    t.date('day').notNullable();
    t.text('data_version').notNullable();
    t.text('engine_version').notNullable();
    t.smallint('format').notNullable();
    t.text('object_key').notNullable().unique({ indexName: 'past_snapshots_object_key_key' });
    t.text('checksum_sha256');
    t.bigInteger('bytes');
    t.text('means_key').notNullable().unique({ indexName: 'past_snapshots_means_key_key' });
    t.text('means_checksum_sha256');
    t.bigInteger('means_bytes');
    t.integer('instruments');
    t.integer('bars');
    t.timestamp('built_at');
    t.timestamp('used_at').notNullable();
    t.check(
      'num_nonnulls(checksum_sha256, bytes, means_checksum_sha256, means_bytes, instruments, bars, built_at) in (0, 7)',
      {},
      'past_snapshots_built',
    );
    t.index(['day'], 'past_snapshots_day');
  },

  comparisons: (t, knex) => {
    t.bigIncrements('id');
    t.smallint('basis').notNullable();
    t.text('against').notNullable();
    t.text('folder');
    t.date('start_day').notNullable();
    t.date('end_day').notNullable();
    t.double('tolerance_pct').notNullable();
    t.double('volume_tolerance_pct').notNullable();
    t.text('requested_by').notNullable();
    actorId(t, knex, 'comparisons', 'requested_by');
    t.timestamp('requested_at').notNullable();
    t.uuid('queue_job_id').notNullable();
    t.double('progress_pct').notNullable().defaultTo(0);
    t.jsonb('result');
    t.timestamp('finished_at');
    t.text('refusal');
    t.check('tolerance_pct >= 0');
    t.check('volume_tolerance_pct >= 0');
    t.check('start_day <= end_day');
    t.check('num_nonnulls(result, refusal) = num_nonnulls(finished_at)', {}, 'comparisons_finished');
  },

  // The largest differences, for lists with filters; the file of a comparison has all of them.
  comparison_differences: (t) => {
    belongsTo(
      t.bigInteger('comparison_id').notNullable(),
      'comparisons.id',
      'comparison_differences_comparison_id_fkey',
    );
    belongsTo(t.integer('instrument_id').notNullable(), 'instruments.id', 'comparison_differences_instrument_id_fkey');
    t.date('day').notNullable();
    t.text('kind').notNullable().checkIn(['differs', 'only_here', 'only_there']);
    t.double('open');
    t.double('high');
    t.double('low');
    t.double('close');
    t.bigInteger('volume');
    t.double('other_open');
    t.double('other_high');
    t.double('other_low');
    t.double('other_close');
    t.bigInteger('other_volume');
    t.double('price_pct');
    t.double('volume_pct');
    t.primary(['comparison_id', 'instrument_id', 'day']);
  },

  // Recorded when a load changes a name: providers do not publish former names.
  previous_names: (t) => {
    belongsTo(t.integer('instrument_id').notNullable(), 'instruments.id', 'previous_names_instrument_id_fkey');
    t.text('name').notNullable();
    t.date('last_day').notNullable();
    t.primary(['instrument_id', 'last_day']);
  },

  market_overviews: (t) => {
    t.date('day').primary();
    t.smallint('format').notNullable();
    t.specificType('overview', 'json').notNullable();
    t.comment('The market at each of the newest sessions, made with the snapshot');
  },
};
