import { belongsTo, type TableDefinition } from './table.ts';

/** The back office: articles, the audit log, exports of market data, access records, and visits. */
export const BACK_OFFICE_TABLES: Record<string, TableDefinition> = {
  // A row holds a request and the earlier ones of its batch that differ from it in their times only. A foreign key on user_id
  // would only cost time, because the batch that writes records locks their accounts.
  access_records: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.timestamp('at').notNullable();
    t.text('visitor').notNullable();
    t.bigInteger('user_id');
    t.text('client_kind').notNullable().checkIn(['web', 'api', 'sdk', 'mcp', 'skill', 'bot']);
    t.text('method').notNullable();
    t.text('path').notNullable();
    t.boolean('is_page').notNullable();
    t.text('referrer');
    t.smallint('status').notNullable();
    t.float('duration_ms').notNullable();
    t.text('country').checkRegex('^[A-Z]{2}$');
    t.specificType('earlier_ms_ago', 'integer[]').comment(
      'Earlier requests of this row, newest first: milliseconds before "at"',
    );
    t.specificType('earlier_duration_ms', 'real[]');
    t.check(
      'cardinality(earlier_ms_ago) is not distinct from cardinality(earlier_duration_ms)',
      {},
      'access_records_earlier_is_whole',
    );
    t.index(['at'], 'access_records_at', 'brin');
    t.index(['visitor'], 'access_records_browser', {
      predicate: knex.whereRaw("user_id is null and client_kind = 'web'"),
    });
    t.index(['user_id', knex.raw('at desc'), knex.raw('id desc')], 'access_records_user_at', {
      predicate: knex.whereNotNull('user_id'),
    });
  },

  daily_usage: (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'daily_usage_user_id_fkey');
    t.date('day').notNullable();
    t.text('endpoint').notNullable();
    t.bigInteger('calls').notNullable().checkPositive();
    t.primary(['user_id', 'day', 'endpoint']);
  },

  articles: (t) => {
    t.text('slug').primary();
    t.text('category').notNullable().checkIn(['strategy', 'backtest', 'data', 'concept']);
    t.text('cover_url');
    t.specificType('tags', 'text[]').notNullable().defaultTo('{}');
    t.bigInteger('author_id').references('users.id').onDelete('set null').withKeyName('articles_author_id_fkey');
    t.timestamp('created_at').notNullable();
    t.timestamp('updated_at').notNullable();
    t.check("slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120");
    t.index(['author_id'], 'articles_author');
  },

  article_covers: (t) => {
    t.text('slug').primary().references('articles.slug').onDelete('CASCADE');
    t.text('content_type').notNullable();
    t.binary('content').notNullable();
    t.check(`content_type in ('image/png', 'image/jpeg', 'image/webp')`, [], 'article_covers_content_type_check');
    t.comment('Uploaded cover pictures');
  },

  // A published text has a title and a body.
  article_texts: (t, knex) => {
    belongsTo(t.text('slug').notNullable(), 'articles.slug', 'article_texts_slug_fkey');
    t.text('locale').notNullable().checkIn(['en', 'zh-CN', 'zh-TW']);
    t.text('title');
    t.text('summary');
    t.text('body_md');
    t.text('status').notNullable().defaultTo('draft').checkIn(['draft', 'published']);
    t.timestamp('published_at');
    t.timestamp('updated_at').notNullable();
    t.check(
      "status = 'draft' or (title is not null and body_md is not null and published_at is not null)",
      {},
      'article_texts_published_is_whole',
    );
    t.check("title ~ '\\S' and summary ~ '\\S' and body_md ~ '\\S'", {}, 'article_texts_not_blank');
    t.primary(['slug', 'locale']);
    t.index(['locale', knex.raw('published_at desc'), 'slug'], 'article_texts_published', {
      predicate: knex.whereRaw("status = 'published'"),
    });
  },

  audit_log: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.timestamp('at').notNullable();
    t.bigInteger('actor_id').references('users.id').onDelete('set null').withKeyName('audit_log_actor_id_fkey');
    t.text('actor_email');
    t.text('action').notNullable();
    t.text('target_type').notNullable();
    t.text('target_id');
    t.text('result').notNullable().checkIn(['ok', 'failed']);
    t.jsonb('details').notNullable();
    t.text('request_id');
    t.index(['actor_id', knex.raw('id desc')], 'audit_log_actor');
    t.index(['target_type', 'target_id', knex.raw('id desc')], 'audit_log_target');
    t.index(['action', knex.raw('id desc')], 'audit_log_action');
    t.index(['at'], 'audit_log_at');
  },

  // An export goes pending → running → done | failed; a retry goes from failed to pending.
  exports: (t, knex) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'exports_user_id_fkey');
    t.text('status').notNullable().defaultTo('pending').checkIn(['pending', 'running', 'done', 'failed']);
    t.jsonb('request').notNullable();
    t.date('through').notNullable().comment('Newest day that might be distributed when the export was ordered');
    t.uuid('queue_job_id').unique({ indexName: 'exports_queue_job_id_key' });
    t.text('request_id');
    t.integer('attempts').notNullable().defaultTo(0);
    t.float('progress_pct').notNullable().defaultTo(0);
    t.bigInteger('rows');
    t.bigInteger('bytes');
    t.text('checksum_sha256');
    t.text('object_key').comment('Null before the file is whole and after it was cleaned up');
    t.text('error');
    t.timestamp('created_at').notNullable();
    t.timestamp('started_at');
    t.timestamp('finished_at');
    t.timestamp('expires_at').notNullable();
    t.check('progress_pct between 0 and 100');
    t.check("(status in ('pending', 'running')) = (finished_at is null)", {}, 'exports_finished');
    t.check("(status = 'failed') = (error is not null)", {}, 'exports_failed_says_why');
    t.check(
      "status <> 'done' or (rows is not null and bytes is not null and checksum_sha256 is not null)",
      {},
      'exports_done_is_whole',
    );
    t.check("object_key is null or status = 'done'", {}, 'exports_only_done_has_object');
    t.index(['user_id', knex.raw('id desc')], 'exports_user');
    t.index(['status', knex.raw('id desc')], 'exports_status');
    t.index(['expires_at'], 'exports_expiring', { predicate: knex.whereNotNull('object_key') });
  },

  // Calls of a day (UTC), and how long those answered with status 200 took.
  daily_access: (t) => {
    t.date('day').notNullable();
    t.text('client_kind').notNullable();
    t.text('method').notNullable();
    t.text('path').notNullable();
    t.boolean('is_page').notNullable();
    t.bigInteger('calls').notNullable();
    t.bigInteger('errors').notNullable();
    t.bigInteger('timed_calls').notNullable();
    t.double('timed_ms').notNullable();
    t.primary(['day', 'client_kind', 'method', 'path', 'is_page']);
  },

  // Visitors of pages on a day, kept for a few days, make daily_page_visitors exact.
  page_visitors: (t) => {
    t.date('day').notNullable();
    t.text('visitor').notNullable();
    t.primary(['day', 'visitor']);
  },

  daily_page_visitors: (t) => {
    t.date('day').primary();
    t.bigInteger('visitors').notNullable();
  },

  // A window that ends today saw exactly those whose last day is in it. The scope is a client kind, or page for visitors
  // of pages.
  visitors: (t) => {
    t.text('scope').notNullable();
    t.text('visitor').notNullable();
    t.date('last_day').notNullable();
    t.primary(['scope', 'visitor']);
    t.index(['scope', 'last_day'], 'visitors_last_day');
  },

  visiting_users: (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'visiting_users_user_id_fkey');
    t.text('client_kind').notNullable();
    t.date('last_day').notNullable();
    t.primary(['user_id', 'client_kind']);
    t.index(['last_day'], 'visiting_users_last_day');
  },

  // Without a reference to the account: the record of a refused action outlives it.
  audit_refusals: (t) => {
    t.bigInteger('actor_id').notNullable();
    t.text('action').notNullable();
    t.text('actor_email');
    t.integer('calls').notNullable().checkPositive();
    t.timestamp('first_at').notNullable();
    t.timestamp('last_at').notNullable();
    t.primary(['actor_id', 'action']);
  },
};
