import { belongsTo, type TableDefinition } from './table.ts';

/** Accounts, their keys and sessions, the counters of their calls, and the answers of calls with an idempotency key. */
export const ACCOUNT_TABLES: Record<string, TableDefinition> = {
  // A take is committed asynchronously: a crash of the database forgets the last fraction of a second.
  rate_limits: (t) => {
    t.text('key').primary();
    t.double('bucket_seconds').notNullable();
    t.integer('call_limit').notNullable();
    t.bigInteger('bucket').notNullable();
    t.specificType('totals', 'bigint[]')
      .notNullable()
      .defaultTo('{0}')
      .comment(
        'Units granted until the end of each bucket, the newest first; from the 63rd on they have left the window',
      );
    t.integer('granted').notNullable().defaultTo(0).comment('Units of the last statement that took some');
    t.integer('leased')
      .notNullable()
      .defaultTo(0)
      .comment('How many of the units that it asked for were for later calls');
    t.double('leased_until')
      .notNullable()
      .defaultTo(0)
      .comment('Limiter seconds until which a process may give units back');
  },

  users: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.text('email').notNullable().unique({ indexName: 'users_email_key' });
    t.text('login').unique({ indexName: 'users_login_key' });
    t.text('password_hash');
    t.text('nickname');
    t.text('name').notNullable();
    t.text('phone');
    t.text('language').notNullable().checkIn(['en', 'zh-CN', 'zh-TW']);
    t.text('plan').notNullable().defaultTo('free').checkIn(['free', 'pro', 'enterprise']);
    t.timestamp('plan_expires_at');
    t.text('status').notNullable().defaultTo('active').checkIn(['active', 'banned', 'disabled']);
    t.boolean('is_admin').notNullable().defaultTo(false);
    t.integer('token_version').notNullable().defaultTo(0);
    t.text('register_ip');
    t.text('register_country').checkRegex('^[A-Z]{2}$');
    t.text('last_login_ip');
    t.text('last_login_country').checkRegex('^[A-Z]{2}$');
    t.integer('login_count').notNullable().defaultTo(0);
    t.timestamp('created_at').notNullable();
    t.timestamp('last_login_at');
    t.check('email = lower(email)');
    t.check("login = lower(login) and login not like '%@%'");
    t.check('(login_count = 0) = (last_login_at is null)', {}, 'users_login_has_time');
    t.index(['created_at'], 'users_created');
  },

  sessions: (t) => {
    t.uuid('id').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'sessions_user_id_fkey');
    t.timestamp('created_at').notNullable();
    t.timestamp('revoked_at');
    t.text('login_method').notNullable().defaultTo('code').checkIn(['code', 'password']);
    t.index(['user_id'], 'sessions_user');
  },

  refresh_tokens: (t) => {
    t.binary('token_hash').primary();
    belongsTo(t.uuid('session_id').notNullable(), 'sessions.id', 'refresh_tokens_session_id_fkey');
    t.timestamp('expires_at').notNullable();
    t.timestamp('rotated_at');
    t.index(['session_id'], 'refresh_tokens_session');
  },

  api_keys: (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'api_keys_user_id_fkey');
    t.binary('key_hash').notNullable().unique({ indexName: 'api_keys_key_hash_key' });
    t.text('prefix').notNullable();
    t.text('name').notNullable();
    t.boolean('enabled').notNullable().defaultTo(true);
    t.timestamp('created_at').notNullable();
    t.timestamp('last_used_at');
    t.smallint('slot')
      .checkPositive()
      .comment('Whose counters the key uses, from 1; free again when it is deleted. Null: those of the last slot');
    t.boolean('disabled_by_restore').notNullable().defaultTo(false);
    t.check('not (enabled and disabled_by_restore)', {}, 'api_keys_restored_is_disabled');
    t.unique(['user_id', 'slot'], { indexName: 'api_keys_slot', useConstraint: false });
  },

  login_events: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'login_events_user_id_fkey');
    t.timestamp('at').notNullable();
    t.text('kind').notNullable().checkIn(['register', 'login', 'admin_login']);
    t.text('ip');
    t.text('country').checkRegex('^[A-Z]{2}$');
    t.index(['user_id', knex.raw('id desc')], 'login_events_user');
  },

  // The limiter has its own time, which no wall clock can set.
  limiter_clock: (t) => {
    t.boolean('only_row').primary().defaultTo(true);
    t.double('seconds').notNullable().comment('How far a process last said that the time was');
    t.double('anchor').notNullable().defaultTo(0).comment('Time of the limiter at the moment anchor_at');
    t.double('anchor_at')
      .notNullable()
      .defaultTo(0)
      .comment('Unix time of the database, believed for two seconds at most');
    t.check('only_row');
  },

  idempotency_answers: (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'idempotency_answers_user_id_fkey');
    t.binary('call_hash').notNullable().comment('SHA-256 of method, path and key');
    t.binary('body_hash').notNullable().comment('SHA-256 of the body with its keys in order');
    t.uuid('claim').notNullable();
    t.timestamp('created_at').notNullable();
    t.timestamp('held_until').comment(
      'While the first call is under way: renewed by its process, by the clock of the database',
    );
    t.smallint('status');
    t.jsonb('headers');
    t.jsonb('file').comment('Name and content type of a file; null: an envelope');
    t.binary('body').comment('Compressed by gzip');
    t.integer('body_pieces').checkPositive().comment('How many pieces a long answer has, whose body is null');
    t.check('octet_length(call_hash) = 32');
    t.check('octet_length(body_hash) = 32');
    t.check('status between 200 and 299');
    t.check('(status is null) = (held_until is not null)', {}, 'idempotency_answers_held_until_answered');
    t.primary(['user_id', 'call_hash']);
    t.check(
      '(status is null) = (headers is null) and (status is null) = (num_nonnulls(body, body_pieces) = 0) and num_nonnulls(body, body_pieces) < 2',
      {},
      'idempotency_answers_answered_in_full',
    );
    t.index(['created_at'], 'idempotency_answers_created');
    t.unique(['claim'], { indexName: 'idempotency_answers_claim', useConstraint: false });
  },

  // Long answers are kept in pieces alone.
  idempotency_pieces: (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'idempotency_pieces_user_id_fkey');
    t.uuid('claim').notNullable();
    t.integer('seq').notNullable();
    t.binary('bytes').notNullable().comment('Compressed by gzip');
    t.primary(['claim', 'seq']);
    t.index(['user_id'], 'idempotency_pieces_user');
  },

  login_requests: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.text('email').notNullable();
    t.binary('challenge_hash')
      .notNullable()
      .unique({ indexName: 'login_requests_challenge_hash_key' })
      .comment('SHA-256 of what the answer to the request gave');
    t.text('address').notNullable().comment('Keyed hash of the address that the request came from');
    t.boolean('is_known').notNullable().comment('Whether the account had last signed in from that address');
    t.text('locale').notNullable();
    t.binary('code_hash');
    t.smallint('tries').notNullable().defaultTo(0);
    t.timestamp('created_at').notNullable();
    t.timestamp('expires_at').notNullable();
    t.check('octet_length(challenge_hash) = 32');
    t.index(['email', knex.raw('id desc')], 'login_requests_email');
    t.index(['expires_at'], 'login_requests_expiry');
  },
};
