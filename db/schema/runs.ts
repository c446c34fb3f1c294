/** The tables of backtests. */
import {
  bigint,
  boolean,
  bytea,
  double,
  integer,
  json,
  jsonb,
  nullable,
  oneOf,
  real,
  text,
  timestamptz,
  uuid,
} from './columns.ts';

export const RUN_TABLES = {
  backtest_results: {
    fingerprint: bytea,
    summary: text,
    trades: nullable(text),
    klines: nullable(text),
    /** Digest of `klines`; null: no other result shares them. */
    klines_sha256: nullable(bytea),
    equity: nullable(text),
    positions: nullable(text),
    contributions: nullable(text),
    rebalances: nullable(text),
    used_at: timestamptz,
  },
  /** Long parts of results, again, in pieces. */
  result_pieces: {
    fingerprint: bytea,
    part: oneOf('trades', 'klines', 'equity', 'positions', 'contributions', 'rebalances'),
    seq: integer,
    bytes: bytea,
  },
  runs: {
    id: uuid,
    kind: oneOf('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql'),
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
    kind: oneOf('backtest', 'portfolio'),
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
