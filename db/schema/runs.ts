/** The tables of backtests and sweeps. */
import {
  bigint,
  boolean,
  bytea,
  date,
  double,
  doubleArray,
  integer,
  json,
  jsonb,
  nullable,
  oneOf,
  real,
  text,
  textArray,
  timestamptz,
  uuid,
} from './columns.ts';

/** Long parts of results, in the order in which they are stored. */
export const RESULT_PARTS = ['trades', 'klines', 'equity', 'positions', 'contributions', 'rebalances'] as const;
export type ResultPart = (typeof RESULT_PARTS)[number];

/** Bytes of each part that a result has. */
export type PartLengths = Readonly<Partial<Record<ResultPart, number>>>;

/** Key figures of whatever a load has hit; null: not defined, or none is left. */
export interface ImpactFigures {
  readonly total_pnl_pct?: number | null;
  readonly sharpe?: number | null;
  /** The verdict on skill beyond the market. */
  readonly verdict?: 'shown' | 'not_shown' | null;
  /** Signals of a watch at its newest session. */
  readonly signals?: number;
  /** The strongest factor of a study, and its mean coefficient at the first horizon. */
  readonly factor?: string;
  readonly ic?: number | null;
}

/** A change of the figures of a kept run by a load. */
export interface Revised {
  readonly load: number;
  /** ISO instant. */
  readonly at: string;
  /** Null: no bar was, or is left, in its range. */
  readonly before: ImpactFigures | null;
  readonly after: ImpactFigures | null;
}

export const RUN_TABLES = {
  backtest_results: {
    fingerprint: bytea,
    summary: text,
    /** JSON; null: none was requested. */
    tear_sheet: nullable(text),
    lengths: json<PartLengths>(),
    /** Its parts one after another, JSON arrays in UTF-8. */
    body: bytea,
    used_at: timestamptz,
  },
  runs: {
    id: uuid,
    kind: oneOf(
      'backtest',
      'optimize',
      'portfolio',
      'verify',
      'look_ahead',
      'tear_sheet',
      'screen',
      'sql',
      'column',
      'factor_values',
      'claims',
      'outcomes',
      'judge',
      'seal',
    ),
    /** The owner in whose concurrency the run counts: `user:…` or `ip:…`. */
    owner: text,
    user_id: nullable(bigint),
    /** Whether the account keeps the result. */
    is_saved: boolean,
    progress_pct: real,
    /** How many backtests the account may keep; null: any number. */
    history_max: nullable(integer),
    status: oneOf('queued', 'running', 'done', 'failed', 'cancelled'),
    spec: json<unknown>(),
    fingerprint: nullable(bytea),
    is_cached: nullable(boolean),
    backtest_id: nullable(bigint),
    error_code: nullable(text),
    error_details: nullable(jsonb<object>()),
    request_id: nullable(text),
    created_at: timestamptz,
    started_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    /** Runs of a lower turn come first in their lane. */
    turn: integer,
    /** Processor seconds of a worker that the run may cost; null: any number. */
    seconds_max: nullable(integer),
    /** Processor seconds that it has cost; null before its end. */
    worker_seconds: nullable(real),
    /** The part of the result that depends on the account's history; null: none was asked for. */
    selection: nullable(json<object>()),
  },
  backtests: {
    id: bigint,
    user_id: bigint,
    created_at: timestamptz,
    is_cached: boolean,
    /** Figures and facts without texts in any language. */
    summary: json<unknown>(),
    /** Never changes once it was generated. */
    slug: nullable(text),
    is_shared: boolean,
    kind: oneOf('backtest', 'portfolio', 'outcomes'),
    /** The specification; null in what was kept before it was. */
    spec: nullable(json<object>()),
    selection: nullable(json<object>()),
    /** The verdict of the last verification. */
    verdict: nullable(
      oneOf('reproduced', 'data_revised', 'engine_changed', 'both', 'spec_changed', 'unexplained', 'no_receipt'),
    ),
    verified_at: nullable(timestamptz),
    /** Result of the last search for look-ahead. */
    look_ahead: nullable(json<object>()),
    /** The name that its owner gave it. */
    name: nullable(text),
    tags: textArray,
    /** Equity at equal steps, as multiples of the first; null in what was kept before it was. */
    line: nullable(doubleArray),
    /** The last load that changed its figures; null: none has. */
    revised: nullable(json<Revised>()),
  },
  /** The data that kept runs and factor studies have read. */
  kept_reads: {
    backtest_id: nullable(bigint),
    sweep_id: nullable(uuid),
    /** Null: any of the market. */
    instrument_id: nullable(integer),
    /** Days of the first and the last bar; null: none was read. Events count up to the last one. */
    first_day: nullable(date),
    last_day: nullable(date),
    /** Whether bars lie after it counts; null: it does not. */
    ended_on: nullable(date),
    /** Kinds of the events that count. */
    kinds: textArray,
  },
  /** Who was hit by the revisions of a load. */
  impacts: {
    id: bigint,
    sync_job_id: bigint,
    backtest_id: nullable(bigint),
    watch_id: nullable(bigint),
    sweep_id: nullable(uuid),
    forward_id: nullable(bigint),
    /** `unknown`: it cannot be computed again. */
    state: oneOf('waiting', 'changed', 'unchanged', 'unknown'),
    before: nullable(json<ImpactFigures>()),
    after: nullable(json<ImpactFigures>()),
    /** Digest of all figures after. */
    digest: nullable(text),
    /** Percentage points of the total return; null: no figure is left, or it has none. */
    change: nullable(double),
  },
  strategy_proofs: {
    strategy: text,
    engine_version: text,
    symbol: text,
    prefixes: integer,
    proved_at: timestamptz,
  },
  /** Combinations of parameters that an account has computed. */
  trials: {
    user_id: bigint,
    /** Identifies instrument, strategy, adjustment, and execution. */
    search: bytea,
    combination: bytea,
  },
  /** Everything that accounts have computed. */
  account_runs: {
    user_id: bigint,
    spec: bytea,
    /** Combinations of a search, cells of a sweep, 1 otherwise. */
    runs: integer,
    measured: integer,
    sum: double,
    squares: double,
    at: timestamptz,
  },
};

export const SWEEP_TABLES = {
  sweeps: {
    id: uuid,
    /** The work of its chunks: cells of backtests, or factors. */
    kind: oneOf('sweep', 'factors'),
    user_id: bigint,
    status: oneOf('queued', 'running', 'done', 'failed'),
    spec: json<unknown>(),
    /** The call that made it; null: made by an earlier version. */
    request: nullable(json<object>()),
    request_id: nullable(text),
    cells: bigint,
    cells_done: bigint,
    chunks: integer,
    chunks_done: integer,
    /** Size and checksum of the file of all cells, or of the series of factors. */
    cells_bytes: nullable(bigint),
    cells_sha256: nullable(text),
    error_code: nullable(text),
    created_at: timestamptz,
    started_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    /** Codes of the notes on its figures; null before its end. */
    note_codes: nullable(json<readonly string[]>()),
    /** Processor seconds of workers that it may cost; null: any number. */
    seconds_max: nullable(integer),
    /** Processor seconds that its chunks have cost until now. */
    worker_seconds: real,
    /** Within a turn a higher plan comes first. */
    plan_rank: integer,
  },
  sweep_chunks: {
    sweep_id: uuid,
    seq: integer,
    job_id: uuid,
    /** The instruments of its cells, or the places of its factors in the request. */
    instruments: json<unknown>(),
    cells: integer,
    /** Place among the chunks of all sweeps; null until its sweep runs. */
    turn: nullable(integer),
    /** Attempts that have begun. */
    attempt: integer,
    started_at: nullable(timestamptz),
    done_at: nullable(timestamptz),
  },
};
