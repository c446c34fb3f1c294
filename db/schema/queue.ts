/** The tables of loads and of the queue. */
import {
  bigint,
  date,
  dateArray,
  double,
  enumeration,
  integer,
  integerArray,
  jsonb,
  nullable,
  oneOf,
  real,
  smallint,
  text,
  textArray,
  timestamptz,
  uuid,
} from './columns.ts';

/** A file that a load has read, by its name within the provider's folder or the provider's name for it. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The provider's mark of this version of the file; absent: it has none. */
  readonly version?: string;
}

/** A rejected line, as it stands in its file. */
export interface RejectedLine {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export const LOAD_TABLES = {
  file_readings: {
    sync_job_id: bigint,
    /** Within the folder; a member of an archive is `a.zip!b.csv`. */
    path: text,
    /** Null: the file is not read. */
    layout: nullable(text),
    bytes: bigint,
    /** In milliseconds since 1970. */
    modified_ms: double,
    lines: bigint,
    header: bigint,
    blank: bigint,
    loaded: bigint,
    repeated: bigint,
    rejected: bigint,
    left_out: bigint,
    /** Null: the file is loaded. */
    reason: nullable(text),
    first_line: nullable(text),
    /** Rejected lines and those that were left out. */
    by_reason: jsonb<Readonly<Record<string, number>>>(),
    rejected_lines: jsonb<readonly RejectedLine[]>(),
    told: jsonb<readonly string[]>(),
    first_day: nullable(date),
    last_day: nullable(date),
    /** Null: its instruments are those of a list, or there are none. */
    tickers: nullable(textArray),
  },
  /** Mails about the impact of a load that an account wants. */
  impact_mails: {
    user_id: bigint,
    sync_job_id: bigint,
    /** Null: not yet. */
    sent_at: nullable(timestamptz),
  },
  /** The loads with revisions whose impact is computed. */
  load_impacts: {
    sync_job_id: bigint,
    first_revision: bigint,
    last_revision: bigint,
    revisions: integer,
    /** Kept runs with a receipt, those of them that have read what was revised, and kept runs without one. */
    kept: integer,
    hit: integer,
    unproved: integer,
    planned_at: timestamptz,
    done_at: nullable(timestamptz),
    /** Null: not done, or a session that it revised is held. */
    published_at: nullable(timestamptz),
  },
  job_attempts: {
    queue: text,
    job_id: uuid,
    /** From 1. */
    attempt: integer,
    /** Null: not known. */
    worker: nullable(text),
    taken_at: timestamptz,
    ended_at: timestamptz,
    error: nullable(text),
  },
  job_claims: {
    queue: text,
    job_id: uuid,
    attempt: integer,
    worker_key: bigint,
    claimed_at: timestamptz,
  },
  paused_queues: {
    queue: text,
    paused_by: text,
    /** The account; null: another actor, or the account was deleted. */
    paused_by_id: nullable(bigint),
    paused_at: timestamptz,
  },
  rejected_rows: {
    id: bigint,
    sync_job_id: bigint,
    basis: nullable(smallint),
    reason: text,
    /** File and line, or the provider's name for the request. */
    source: text,
    content: text,
    /** Null: rows of a list. */
    unit: nullable(text),
  },
  session_steps: {
    day: date,
    step: oneOf(
      'load_primary_session',
      'load_consolidated',
      'load_single_venue',
      'check',
      'snapshot',
      'lake',
      'signals',
      'webhooks',
      'impact',
    ),
    /** `held`: its check has found a problem. */
    state: oneOf('running', 'done', 'held', 'failed'),
    started_at: timestamptz,
    ended_at: nullable(timestamptz),
    /** When it was done first; null: never. */
    done_at: nullable(timestamptz),
    rows: nullable(bigint),
    /** Why it was not done; null: it was, or it runs. */
    reason: nullable(text),
    /** Null: no job did it. */
    job_id: nullable(uuid),
  },
  sync_jobs: {
    id: bigint,
    job_type: oneOf('symbols', 'adjustments', 'daily_bars'),
    status: oneOf('running', 'ok', 'failed'),
    requested_by: text,
    /** The account; null: another actor, or the account was deleted. */
    requested_by_id: nullable(bigint),
    request: jsonb<Readonly<Record<string, unknown>>>(),
    queue_job_id: uuid,
    request_id: nullable(text),
    progress_pct: real,
    /** Instruments of the whole job: those named, or all that were listed in its range. */
    symbols_total: nullable(integer),
    /** Instruments with at least one loaded row. Each counts once. */
    symbols_done: integer,
    rows_written: bigint,
    rows_rejected: bigint,
    attempts: integer,
    error: nullable(text),
    queued_at: timestamptz,
    started_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    rows_rejected_by_reason: jsonb<Readonly<Record<string, number>>>(),
  },
  sync_units: {
    sync_job_id: bigint,
    unit: text,
    rows_written: bigint,
    rows_rejected: bigint,
    finished_at: timestamptz,
    rows_rejected_by_reason: jsonb<Readonly<Record<string, number>>>(),
    /** Null: the unit was loaded. */
    error: nullable(text),
    /** Null, as the days: nothing was loaded, or by a version that did not record what it covered. */
    basis: nullable(smallint),
    first_day: nullable(date),
    last_day: nullable(date),
    /** Sessions that kept their earlier rows. */
    left_out: dateArray,
    /** Null: all. */
    instrument_ids: nullable(integerArray),
    /** Files that the unit was read from. */
    sources: jsonb<readonly SourceFile[]>(),
  },
  sync_watermarks: {
    job_type: oneOf('symbols', 'adjustments'),
    through: date,
  },
  workers: {
    worker_key: bigint,
    name: text,
    started_at: timestamptz,
  },
};

/** Tables of the queue, which pg-boss creates: only the columns that we read. */
export const QUEUE_TABLES = {
  'pgboss.job': {
    id: uuid,
    name: text,
    data: nullable(jsonb<Readonly<Record<string, unknown>>>()),
    state: enumeration('pgboss.job_state', 'created', 'retry', 'active', 'completed', 'cancelled', 'failed'),
    retry_limit: integer,
    retry_count: integer,
    start_after: timestamptz,
    created_on: timestamptz,
    started_on: nullable(timestamptz),
    completed_on: nullable(timestamptz),
    output: nullable(jsonb<{ readonly message?: string; readonly stack?: string }>()),
  },
};
