import type { Knex } from 'knex';

/** Accounts, their keys and sessions, what they did, and every request's access record. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id bigint generated always as identity primary key,
      email text not null unique check (email = lower(email)),
      login text unique check (login = lower(login) and login not like '%@%'),
      password_hash text,
      nickname text,
      name text not null,
      phone text,
      language text not null check (language in ('en', 'zh-CN', 'zh-TW')),
      plan text not null default 'free' check (plan in ('free', 'pro', 'enterprise')),
      plan_expires_at timestamptz,
      status text not null default 'active' check (status in ('active', 'banned', 'disabled')),
      is_admin boolean not null default false,
      token_version integer not null default 0,
      register_ip text,
      register_country text check (register_country ~ '^[A-Z]{2}$'),
      last_login_ip text,
      last_login_country text check (last_login_country ~ '^[A-Z]{2}$'),
      login_count integer not null default 0,
      created_at timestamptz not null,
      last_login_at timestamptz,
      constraint users_login_has_time check ((login_count = 0) = (last_login_at is null))
    );

    create table login_codes (
      id bigint generated always as identity primary key,
      email text not null unique,
      locale text not null,
      code_hash bytea,
      tries smallint not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );

    create table sessions (
      id uuid primary key,
      user_id bigint not null references users on delete cascade,
      created_at timestamptz not null,
      revoked_at timestamptz
    );
    create index sessions_user on sessions (user_id);

    create table refresh_tokens (
      token_hash bytea primary key,
      session_id uuid not null references sessions on delete cascade,
      expires_at timestamptz not null,
      rotated_at timestamptz
    );
    create index refresh_tokens_session on refresh_tokens (session_id);

    create table api_keys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      key_hash bytea not null unique,
      prefix text not null,
      name text not null,
      enabled boolean not null default true,
      created_at timestamptz not null,
      last_used_at timestamptz
    );
    create index api_keys_user on api_keys (user_id);

    create table login_events (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      at timestamptz not null,
      kind text not null check (kind in ('register', 'login', 'admin_login')),
      ip text,
      country text check (country ~ '^[A-Z]{2}$')
    );
    create index login_events_user on login_events (user_id, id desc);

    create table access_records (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      visitor text not null,
      user_id bigint references users on delete cascade,
      client_kind text not null check (client_kind in ('web', 'api', 'sdk', 'mcp', 'skill', 'bot')),
      method text not null,
      path text not null,
      is_page boolean not null,
      referrer text,
      status smallint not null,
      duration_ms real not null,
      country text check (country ~ '^[A-Z]{2}$')
    );
    create index access_records_at on access_records using brin (at);
    create index access_records_user on access_records (user_id, id desc) where user_id is not null;
    create index access_records_browser on access_records (visitor) where user_id is null and client_kind = 'web';

    create table daily_usage (
      user_id bigint not null references users on delete cascade,
      day date not null,
      endpoint text not null,
      calls bigint not null check (calls > 0),
      primary key (user_id, day, endpoint)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table daily_usage, access_records, login_events, api_keys, refresh_tokens, sessions, login_codes, users;
  `);
}
