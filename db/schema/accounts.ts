/** The tables of accounts, credentials, and limits. */
import {
  bigint,
  bigintArray,
  boolean,
  bytea,
  double,
  integer,
  jsonb,
  nullable,
  oneOf,
  smallint,
  text,
  textArray,
  timestamptz,
  uuid,
} from './columns.ts';

export const ACCOUNT_TABLES = {
  api_keys: {
    id: bigint,
    user_id: bigint,
    key_hash: bytea,
    /** The first characters of the key, by which its owner recognizes it. */
    prefix: text,
    name: text,
    enabled: boolean,
    created_at: timestamptz,
    last_used_at: nullable(timestamptz),
    /** The counters that the key uses; null for a key from before slots. */
    slot: nullable(smallint),
    disabled_by_restore: boolean,
    scopes: textArray,
    expires_at: nullable(timestamptz),
    trial_limit: integer,
    /** The OAuth client of a grant; null for a key. */
    client_id: nullable(text),
  },
  oauth_records: {
    model: text,
    id_hash: bytea,
    api_key_id: nullable(bigint),
    payload: jsonb<Readonly<Record<string, unknown>>>(),
    consumed_at: nullable(timestamptz),
    expires_at: timestamptz,
  },
  key_trials: {
    api_key_id: bigint,
    spec: bytea,
    trials: integer,
  },
  idempotency_answers: {
    user_id: bigint,
    call_hash: bytea,
    body_hash: bytea,
    claim: uuid,
    created_at: timestamptz,
    held_until: nullable(timestamptz),
    status: nullable(smallint),
    headers: nullable(jsonb<Readonly<Record<string, string>>>()),
    /** Null: the body is an envelope. */
    file: nullable(jsonb<{ readonly name: string; readonly contentType: string }>()),
    /** Compressed; null in a long answer. */
    body: nullable(bytea),
    /** How many pieces a long answer has. */
    body_pieces: nullable(integer),
  },
  idempotency_pieces: {
    user_id: bigint,
    claim: uuid,
    seq: integer,
    /** Compressed. */
    bytes: bytea,
  },
  limiter_clock: {
    only_row: boolean,
    seconds: double,
    anchor: double,
    anchor_at: double,
  },
  login_requests: {
    id: bigint,
    email: text,
    challenge_hash: bytea,
    address: text,
    is_known: boolean,
    locale: text,
    /** Null until the mail is sent, for which the code is generated. */
    code_hash: nullable(bytea),
    tries: smallint,
    created_at: timestamptz,
    expires_at: timestamptz,
  },
  login_events: {
    id: bigint,
    user_id: bigint,
    at: timestamptz,
    kind: oneOf('register', 'login', 'admin_login'),
    ip: nullable(text),
    country: nullable(text),
  },
  rate_limits: {
    key: text,
    bucket_seconds: double,
    call_limit: integer,
    bucket: bigint,
    /** Units granted until the end of each bucket, the newest first. */
    totals: bigintArray,
    /** Units of the last statement that took some. */
    granted: integer,
  },
  refresh_tokens: {
    token_hash: bytea,
    session_id: uuid,
    expires_at: timestamptz,
    rotated_at: nullable(timestamptz),
  },
  sessions: {
    id: uuid,
    user_id: bigint,
    created_at: timestamptz,
    revoked_at: nullable(timestamptz),
    login_method: oneOf('code', 'password'),
  },
  users: {
    id: bigint,
    email: text,
    /** Name for the administrators' login. */
    login: nullable(text),
    password_hash: nullable(text),
    nickname: nullable(text),
    name: text,
    phone: nullable(text),
    language: oneOf('en', 'zh-CN', 'zh-TW'),
    plan: oneOf('free', 'pro', 'enterprise'),
    /** Null: the plan is permanent. */
    plan_expires_at: nullable(timestamptz),
    status: oneOf('active', 'banned', 'disabled'),
    is_admin: boolean,
    /** Rises when access changes. Access tokens of an older version are void. */
    token_version: integer,
    register_ip: nullable(text),
    register_country: nullable(text),
    last_login_ip: nullable(text),
    last_login_country: nullable(text),
    login_count: integer,
    created_at: timestamptz,
    last_login_at: nullable(timestamptz),
    /** Whether it wants a mail about runs that a load has revised. */
    mails_revisions: boolean,
  },
};
