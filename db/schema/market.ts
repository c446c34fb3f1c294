/** The tables of market data. */
import type { AdjustmentKind } from '../../engine/market/adjust.ts';
import type { MarketOverview } from '../../engine/screener/market-overview.ts';
import {
  bigint,
  boolean,
  bytea,
  date,
  double,
  integer,
  json,
  jsonb,
  nullable,
  oneOf,
  smallint,
  text,
  textArray,
  timestamptz,
  uuid,
} from './columns.ts';

export const MARKET_DATA_TABLES = {
  adjustments: {
    instrument_id: integer,
    /** Identifies the event within its instrument. */
    event_key: text,
    ex_date: date,
    kind: oneOf('split', 'reverse_split', 'stock_dividend', 'cash_dividend', 'spin_off'),
    factor: double,
  },
  bar_blocks: {
    instrument_id: integer,
    basis: smallint,
    year: smallint,
    /** Packed bars of the year; null: to be packed again. */
    data: nullable(bytea),
  },
  bar_seals: {
    basis: smallint,
    /** Days up to this one are packed. */
    sealed_through: date,
  },
  daily_bars: {
    instrument_id: integer,
    basis: smallint,
    day: date,
    open: double,
    high: double,
    low: double,
    close: double,
    volume: bigint,
  },
  /** Doubts about loaded bars and events. */
  data_findings: {
    id: bigint,
    instrument_id: integer,
    kind: oneOf('contradicted', 'split_suspected', 'hole'),
    /** The ex-date, the day of a jump, or the first session without a bar. */
    day: date,
    /** The key of the event that prices contradict; else empty. */
    event_key: text,
    details: jsonb<Readonly<Record<string, string | number>>>(),
    /** Whether the last check has found it. */
    is_found: boolean,
    status: oneOf('open', 'confirmed', 'ignored', 'mended'),
    /** Null: an administrator has written none. */
    event: nullable(jsonb<{ readonly kind: AdjustmentKind; readonly ex_date: string; readonly factor: number }>()),
    found_at: timestamptz,
    decided_at: nullable(timestamptz),
    decided_by: nullable(text),
    /** The account; null: another actor, or the account was deleted. */
    decided_by_id: nullable(bigint),
  },
  data_versions: {
    scope: oneOf('symbols', 'adjustments', 'bars', 'provider'),
    version: bigint,
  },
  instruments: {
    id: integer,
    /** The provider's identifier, constant over renames. */
    provider_key: text,
    /** The symbol that the service gives it, without market. */
    symbol: text,
    ticker: text,
    name: text,
    asset_type: text,
    primary_venue: text,
    currency: text,
    listed_on: nullable(date),
    delisted_on: nullable(date),
    /** Return of holders at the delisting, in percent of the last close. */
    delisting_return_pct: nullable(double),
    is_popular: boolean,
    lot_size: integer,
    /** The form of its prices; no event is applied to others than those as traded. */
    prices: oneOf('as_traded', 'split_adjusted', 'total_adjusted', 'unknown'),
  },
  loaded_sessions: {
    basis: smallint,
    day: date,
    rows: integer,
    rejected: integer,
    /** Rejected rows with a fault of their own. */
    malformed: integer,
    /** Whether a load has covered all instruments. */
    is_complete: boolean,
    loaded_at: timestamptz,
  },
  market_source: {
    only_row: boolean,
    provider: text,
    /** Absolute path, for the provider `files`. */
    folder: nullable(text),
    /** Size of the sample market. */
    sample_symbols: nullable(integer),
    recorded_at: timestamptz,
    /** The first session with consolidated bars; null: the default. */
    consolidated_from: nullable(date),
  },
  previous_names: {
    instrument_id: integer,
    name: text,
    last_day: date,
  },
  previous_tickers: {
    instrument_id: integer,
    ticker: text,
    last_day: date,
  },
  provider_ranges: {
    basis: smallint,
    provider: text,
    first_session: date,
    newest_session: date,
    checked_at: timestamptz,
  },
  session_checks: {
    basis: smallint,
    day: date,
    rows: integer,
    rows_before: nullable(integer),
    zero_volume: integer,
    jumps: integer,
    /** Reasons why the session looks wrong; empty: none. */
    problems: textArray,
    released_by: nullable(text),
    /** The account; null: another actor, or the account was deleted. */
    released_by_id: nullable(bigint),
    checked_at: timestamptz,
  },
  /** Changes of bars (`basis`) and events (`event_key`) that had been served. */
  revisions: {
    id: bigint,
    instrument_id: integer,
    basis: nullable(smallint),
    event_key: nullable(text),
    /** Day of the bar, or ex-date of the event. */
    day: date,
    /** Null: there was none. */
    was: nullable(jsonb<object>()),
    /** Null: it was removed. */
    became: nullable(jsonb<object>()),
    sync_job_id: nullable(bigint),
    recorded_at: timestamptz,
  },
  /** Comparisons of the loaded bars with those of another provider. */
  comparisons: {
    id: bigint,
    basis: smallint,
    against: text,
    /** Null: that of the configuration. */
    folder: nullable(text),
    start_day: date,
    end_day: date,
    tolerance_pct: double,
    volume_tolerance_pct: double,
    requested_by: text,
    /** The account; null: another actor, or the account was deleted. */
    requested_by_id: nullable(bigint),
    requested_at: timestamptz,
    queue_job_id: uuid,
    progress_pct: double,
    /** Null: it is not done. */
    result: nullable(jsonb<object>()),
    finished_at: nullable(timestamptz),
    /** Why it cannot be made; null: it is done, or has not ended. */
    refusal: nullable(text),
  },
  /** The largest differences of the last comparisons. */
  comparison_differences: {
    comparison_id: bigint,
    instrument_id: integer,
    day: date,
    kind: oneOf('differs', 'only_here', 'only_there'),
    open: nullable(double),
    high: nullable(double),
    low: nullable(double),
    close: nullable(double),
    volume: nullable(bigint),
    other_open: nullable(double),
    other_high: nullable(double),
    other_low: nullable(double),
    other_close: nullable(double),
    other_volume: nullable(bigint),
    price_pct: nullable(double),
    volume_pct: nullable(double),
  },
  /** The market at the newest sessions, one row each. */
  market_overviews: {
    day: date,
    /** Layout of the overview, that of the snapshot made with it. */
    format: smallint,
    overview: json<MarketOverview>(),
  },
  /** Snapshots of past days. What is null is known once they are built. */
  past_snapshots: {
    id: bigint,
    day: date,
    data_version: text,
    engine_version: text,
    format: smallint,
    object_key: text,
    checksum_sha256: nullable(text),
    bytes: nullable(bigint),
    means_key: text,
    means_checksum_sha256: nullable(text),
    means_bytes: nullable(bigint),
    instruments: nullable(integer),
    bars: nullable(integer),
    built_at: nullable(timestamptz),
    used_at: timestamptz,
  },
  snapshots: {
    id: bigint,
    object_key: text,
    checksum_sha256: text,
    bytes: bigint,
    instruments: integer,
    bars: integer,
    /** Newest session in it. */
    as_of: date,
    /** The newest day that could be distributed when the snapshot was made. */
    through: date,
    data_version: text,
    engine_version: text,
    exported_at: timestamptz,
    /** Layout of the objects. */
    format: smallint,
    /** Null: format 1, which has no running means. */
    means_key: nullable(text),
    means_checksum_sha256: nullable(text),
    means_bytes: nullable(bigint),
  },
};
