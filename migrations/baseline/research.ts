import { belongsTo, type TableDefinition } from './table.ts';

/** Strategies that accounts write as rules, watches that evaluate strategies after each load, their signals, and drawings on charts. */
export const RESEARCH_TABLES: Record<string, TableDefinition> = {
  // Every version is kept: a run names the one that it used.
  own_strategies: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'own_strategies_user_id_fkey');
    t.text('name').notNullable();
    t.integer('version').notNullable().comment('The newest');
    t.text('slug').unique({ indexName: 'own_strategies_slug_key' }).comment('Never changes once it was drawn');
    t.boolean('is_shared').notNullable().defaultTo(false);
    t.timestamp('created_at').notNullable();
    t.timestamp('updated_at').notNullable();
    t.check('length(name) between 1 and 100');
    t.check('version >= 1');
    t.check('slug is not null or not is_shared', {}, 'own_strategies_shared_by_slug');
    t.unique(['user_id', 'name'], { indexName: 'own_strategies_user_id_name_key' });
  },

  own_strategy_versions: (t) => {
    belongsTo(t.bigInteger('strategy_id').notNullable(), 'own_strategies.id', 'own_strategy_versions_strategy_id_fkey');
    t.integer('version').notNullable();
    t.text('description').notNullable();
    t.json('rules').notNullable().comment('Texts: entry, exit, stop, trail');
    t.json('parameters').notNullable().comment('Name → default, min, max');
    t.timestamp('created_at').notNullable();
    t.check('version >= 1');
    t.primary(['strategy_id', 'version']);
  },

  watches: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'watches_user_id_fkey');
    t.text('name').notNullable();
    t.text('strategy').notNullable();
    belongsTo(t.bigInteger('strategy_id'), 'own_strategies.id', 'watches_strategy_id_fkey');
    t.integer('strategy_version').comment('Null: the newest');
    t.json('params').notNullable();
    t.specificType('instrument_ids', 'integer[]');
    t.json('screen').comment('where, asset_types');
    t.json('rotation').comment('The specification');
    t.boolean('sends_mail').notNullable();
    t.timestamp('created_at').notNullable();
    t.check('length(name) between 1 and 100');
    t.check('num_nonnulls(instrument_ids, screen, rotation) = 1', {}, 'watches_of_symbols_or_a_screen');
    t.check("(strategy = 'rules') = (strategy_id is not null)", {}, 'watches_of_a_saved_strategy');
    t.unique(['user_id', 'name'], { indexName: 'watches_user_id_name_key' });
    t.index(['strategy_id'], 'watches_strategy');
  },

  signal_evaluations: (t) => {
    belongsTo(t.bigInteger('watch_id').notNullable(), 'watches.id', 'signal_evaluations_watch_id_fkey');
    t.date('session').notNullable();
    t.text('data_version').notNullable();
    t.timestamp('evaluated_at').notNullable();
    t.boolean('is_correction').notNullable().comment('Other signals than an earlier evaluation of the session gave');
    t.primary(['watch_id', 'session', 'data_version']);
  },

  signals: (t) => {
    belongsTo(t.bigInteger('watch_id').notNullable(), 'watches.id', 'signals_watch_id_fkey');
    t.date('session').notNullable();
    t.integer('instrument_id').notNullable();
    t.text('symbol').notNullable().comment('As it was at the evaluation');
    t.text('kind').notNullable().checkIn(['entry', 'exit']);
    t.text('reason').notNullable();
    t.double('close').notNullable();
    t.json('figures').notNullable().comment('Values of the rule by their text; null: undefined');
    t.boolean('is_correction').notNullable();
    t.primary(['watch_id', 'session', 'instrument_id']);
  },

  signal_digests: (t, knex) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'signal_digests_user_id_fkey');
    t.date('session').notNullable();
    t.timestamp('sent_at');
    t.primary(['user_id', 'session']);
    t.index(['session'], 'signal_digests_unsent', { predicate: knex.whereNull('sent_at') });
  },

  drawings: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'drawings_user_id_fkey');
    t.integer('instrument_id').notNullable();
    t.json('shape').notNullable().comment('Kind, points, and note');
    t.timestamp('created_at').notNullable();
    t.index(['user_id', 'instrument_id'], 'drawings_of_account');
  },
};
