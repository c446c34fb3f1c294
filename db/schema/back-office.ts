/** The tables of the back office: articles, exports, the audit log, and statistics. */
import {
  bigint,
  boolean,
  bytea,
  date,
  double,
  integer,
  integerArray,
  jsonb,
  nullable,
  oneOf,
  real,
  realArray,
  smallint,
  text,
  textArray,
  timestamptz,
  uuid,
} from './columns.ts';

export const BACK_OFFICE_TABLES = {
  access_records: {
    id: bigint,
    /** When the newest request of the row was served. */
    at: timestamptz,
    /** A browser's own id, or the keyed hash of a script's address and user agent. */
    visitor: text,
    user_id: nullable(bigint),
    client_kind: oneOf('web', 'api', 'sdk', 'mcp', 'skill', 'bot'),
    method: text,
    /** Path template of the route; for a page view, the page. */
    path: text,
    is_page: boolean,
    referrer: nullable(text),
    status: smallint,
    duration_ms: real,
    country: nullable(text),
    /** Earlier requests of the row's batch that differ in their times only: milliseconds before `at`, newest first. Null: none. */
    earlier_ms_ago: nullable(integerArray),
    earlier_duration_ms: nullable(realArray),
  },
  article_covers: {
    slug: text,
    content_type: oneOf('image/png', 'image/jpeg', 'image/webp'),
    content: bytea,
  },
  article_texts: {
    slug: text,
    locale: oneOf('en', 'zh-CN', 'zh-TW'),
    title: nullable(text),
    summary: nullable(text),
    body_md: nullable(text),
    status: oneOf('draft', 'published'),
    /** Moment of the first publication. Stays when the text becomes a draft again. */
    published_at: nullable(timestamptz),
    updated_at: timestamptz,
  },
  articles: {
    slug: text,
    category: oneOf('strategy', 'backtest', 'data', 'concept'),
    cover_url: nullable(text),
    tags: textArray,
    author_id: nullable(bigint),
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  audit_log: {
    id: bigint,
    at: timestamptz,
    /** Null after the account was deleted. The e-mail address stays. */
    actor_id: nullable(bigint),
    actor_email: nullable(text),
    action: text,
    target_type: text,
    target_id: nullable(text),
    result: oneOf('ok', 'failed'),
    details: jsonb<Readonly<Record<string, unknown>>>(),
    request_id: nullable(text),
  },
  backup_drills: {
    id: bigint,
    backup_id: bigint,
    state: oneOf('running', 'passed', 'damaged', 'failed'),
    started_at: timestamptz,
    ended_at: nullable(timestamptz),
    /** Null: nowhere yet. */
    server: nullable(oneOf('embedded', 'own')),
    /** Null: not all were restored and compared. */
    rows: nullable(bigint),
    error: nullable(text),
  },
  backups: {
    id: bigint,
    object_key: text,
    state: oneOf('running', 'done', 'failed'),
    started_at: timestamptz,
    ended_at: nullable(timestamptz),
    bytes: nullable(bigint),
    rows: nullable(bigint),
    sha256: nullable(text),
    error: nullable(text),
    /** Null: its object is there, or may be. */
    removed_at: nullable(timestamptz),
    /** A backup is restored by a version with the same migrations. */
    last_migration: text,
  },
  audit_refusals: {
    actor_id: bigint,
    action: text,
    actor_email: nullable(text),
    calls: integer,
    first_at: timestamptz,
    last_at: timestamptz,
  },
  daily_access: {
    day: date,
    client_kind: text,
    method: text,
    path: text,
    is_page: boolean,
    calls: bigint,
    errors: bigint,
    timed_calls: bigint,
    timed_ms: double,
  },
  daily_page_visitors: {
    day: date,
    visitors: bigint,
  },
  daily_usage: {
    user_id: bigint,
    day: date,
    endpoint: text,
    calls: bigint,
  },
  exports: {
    id: bigint,
    user_id: bigint,
    status: oneOf('pending', 'running', 'done', 'failed'),
    /** Bars of the market, or what the account has kept. */
    content: oneOf('market', 'account'),
    request: jsonb<unknown>(),
    /** The newest day that could be distributed when the export was requested; null: it has no bars. */
    through: nullable(date),
    /** Null: the export is made while its caller waits. */
    queue_job_id: nullable(uuid),
    request_id: nullable(text),
    /** Attempts so far. An attempt may change the row only while this is its number. */
    attempts: integer,
    progress_pct: real,
    /** Rows of the file; of the content `account`: files of the archive. */
    rows: nullable(bigint),
    bytes: nullable(bigint),
    checksum_sha256: nullable(text),
    /** Null until the file is complete, and after it was removed. */
    object_key: nullable(text),
    error: nullable(text),
    created_at: timestamptz,
    started_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    expires_at: timestamptz,
  },
  page_visitors: {
    day: date,
    visitor: text,
  },
  visiting_users: {
    user_id: bigint,
    client_kind: text,
    last_day: date,
  },
  visitors: {
    scope: text,
    visitor: text,
    last_day: date,
  },
};
