import type { Knex } from 'knex';

/**
 * The back office: articles in three languages, the audit log, exports of market data, and visits added up so that a
 * year of them is read without reading the access records.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(ARTICLES);
  await knex.raw(AUDIT);
  await knex.raw(EXPORTS);
  await knex.raw(VISITS);
}

/** A published text has a title and a body, whoever writes the row. */
const ARTICLES = `
  create table articles (
    slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
    category text not null check (category in ('strategy', 'backtest', 'data', 'concept')),
    cover_url text,
    tags text[] not null default '{}',
    author_id bigint references users on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index articles_author on articles (author_id);

  create table article_texts (
    slug text not null references articles on delete cascade,
    locale text not null check (locale in ('en', 'zh-CN', 'zh-TW')),
    title text,
    summary text,
    body_md text,
    status text not null default 'draft' check (status in ('draft', 'published')),
    published_at timestamptz,
    updated_at timestamptz not null,
    primary key (slug, locale),
    constraint article_texts_published_is_whole
      check (status = 'draft' or (title is not null and body_md is not null and published_at is not null)),
    constraint article_texts_not_blank
      check (title ~ '\\S' and summary ~ '\\S' and body_md ~ '\\S')
  );
  create index article_texts_published on article_texts (locale, published_at desc, slug) where status = 'published';
`;

/** Append-only: the one change that is let through clears the reference to an account that is deleted. */
const AUDIT = `
  create table audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor_id bigint references users on delete set null,
    actor_email text,
    action text not null,
    target_type text not null,
    target_id text,
    result text not null check (result in ('ok', 'failed')),
    details jsonb not null,
    request_id text
  );
  create index audit_log_actor on audit_log (actor_id, id desc);
  create index audit_log_target on audit_log (target_type, target_id, id desc);
  create index audit_log_action on audit_log (action, id desc);
  create index audit_log_at on audit_log (at);

  create function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and new.actor_id is null
      and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id' then
      return new;
    end if;
    raise exception 'the audit log is append-only';
  end $$;
  create trigger audit_log_append_only before update or delete on audit_log
    for each row execute function refuse_audit_change();
  create trigger audit_log_not_truncated before truncate on audit_log
    for each statement execute function refuse_audit_change();
`;

/** pending -> running -> done | failed; a retry goes from failed to pending. */
const EXPORTS = `
  create table exports (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    status text not null default 'pending' check (status in ('pending', 'running', 'done', 'failed')),
    request jsonb not null,
    through date not null,
    queue_job_id uuid unique,
    request_id text,
    attempts integer not null default 0,
    progress_pct real not null default 0 check (progress_pct between 0 and 100),
    rows bigint,
    bytes bigint,
    checksum_sha256 text,
    object_key text,
    error text,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz not null,
    constraint exports_finished check ((status in ('pending', 'running')) = (finished_at is null)),
    constraint exports_failed_says_why check ((status = 'failed') = (error is not null)),
    constraint exports_done_is_whole
      check (status <> 'done' or (rows is not null and bytes is not null and checksum_sha256 is not null)),
    constraint exports_only_done_has_object check (object_key is null or status = 'done')
  );
  create index exports_user on exports (user_id, id desc);
  create index exports_status on exports (status, id desc);
  create index exports_expiring on exports (expires_at) where object_key is not null;
  comment on column exports.through is 'Newest day that might be distributed when the export was ordered';
  comment on column exports.object_key is 'Null before the file is whole and after it was cleaned up';
`;

/**
 * daily_access: what was called on a day (UTC), and how long answers with status 200 took.
 * page_visitors: who saw a page on a day; kept for a few days, it makes daily_page_visitors exact.
 * visitors, visiting_users: the last day on which each was seen. A window that ends today saw exactly those whose last
 * day is in it. The scope of a visitor is a client kind, or `page` for those who saw a page.
 */
const VISITS = `
  create table daily_access (
    day date not null,
    client_kind text not null,
    method text not null,
    path text not null,
    is_page boolean not null,
    calls bigint not null,
    errors bigint not null,
    timed_calls bigint not null,
    timed_ms double precision not null,
    primary key (day, client_kind, method, path, is_page)
  );
  create table page_visitors (
    day date not null,
    visitor text not null,
    primary key (day, visitor)
  );
  create table daily_page_visitors (
    day date primary key,
    visitors bigint not null
  );
  create table visitors (
    scope text not null,
    visitor text not null,
    last_day date not null,
    primary key (scope, visitor)
  );
  create index visitors_last_day on visitors (scope, last_day);
  create table visiting_users (
    user_id bigint not null references users on delete cascade,
    client_kind text not null,
    last_day date not null,
    primary key (user_id, client_kind)
  );
  create index visiting_users_last_day on visiting_users (last_day);

  create view access_days as
    select (at at time zone 'UTC')::date as day, * from access_records;
  insert into daily_access
    select day, client_kind, method, path, is_page, count(*), count(*) filter (where status >= 400),
      count(*) filter (where status = 200), coalesce(sum(duration_ms) filter (where status = 200), 0)
    from access_days group by 1, 2, 3, 4, 5;
  insert into page_visitors select distinct day, visitor from access_days where is_page;
  insert into daily_page_visitors select day, count(*) from page_visitors group by day;
  insert into visitors
    select client_kind, visitor, max(day) from access_days group by 1, 2
    union all select 'page', visitor, max(day) from access_days where is_page group by visitor;
  insert into visiting_users
    select user_id, client_kind, max(day) from access_days where user_id is not null group by 1, 2;
  drop view access_days;

  create index backtests_created on backtests (created_at);
  create index users_created on users (created_at);
`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index users_created, backtests_created;
    drop table visiting_users, visitors, daily_page_visitors, page_visitors, daily_access, exports, audit_log,
      article_texts, articles;
    drop function refuse_audit_change;
  `);
}
