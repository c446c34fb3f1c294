/** The tables of strategies and columns that accounts write. */

import type { NewestClaims } from '../../engine/factors/claims/computed.ts';
import type { Bands } from '../../engine/forward/bands.ts';
import type { Entry, LiveFigures, Seal, SealedFigures } from '../../engine/forward/record.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RuleTexts } from '../../engine/strategies/strategy.ts';
import {
  bigint,
  boolean,
  bytea,
  date,
  double,
  integer,
  integerArray,
  json,
  nullable,
  oneOf,
  smallint,
  text,
  textArray,
  timestamptz,
} from './columns.ts';

export interface WatchedScreen {
  /** A condition of the language of rules. */
  readonly where: string;
  readonly assetTypes: readonly string[];
  /** The instruments in place of those of the types. */
  readonly ids?: readonly number[];
}

/** The default of a parameter, and the range that its owner allows. */
export interface SavedParameter {
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
}
export type SavedParameters = Readonly<Record<string, SavedParameter>>;

interface DrawnPoint {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly price: number;
}

export type DrawnShape = { readonly note: string } & (
  | { readonly kind: 'line' | 'range'; readonly points: [DrawnPoint, DrawnPoint] }
  | { readonly kind: 'level'; readonly points: [DrawnPoint] }
);

export const RESEARCH_TABLES = {
  column_blocks: {
    column_id: integer,
    /** 0: the value of the whole market. */
    instrument_id: integer,
    /** The year of the dates of its rows. */
    year: smallint,
    version: integer,
    /** Packed rows. */
    data: bytea,
  },
  column_versions: {
    column_id: integer,
    version: integer,
    /** The first version whose blocks it includes. */
    base: integer,
    kind: oneOf('number', 'label'),
    is_market: boolean,
    dimension: oneOf('none', 'shares', 'price', 'money'),
    /** `later`: dates are free, and the newest value by the time at which it was known counts. */
    about: oneOf('value', 'later'),
    day_means: oneOf('after_close', 'before_close'),
    /** Sessions after its date at whose close a row without a time is known. */
    lag: integer,
    /** Sessions after which a value counts no more; null: it always counts. */
    stale_after: nullable(integer),
    unit: nullable(text),
    source: nullable(text),
    license: nullable(text),
    /** Rows of labels have their indexes. */
    labels: textArray,
    /** This figure and those below are of all rows of the version, those of earlier versions included. */
    rows: bigint,
    symbols: integer,
    first_day: nullable(date),
    last_day: nullable(date),
    /** Digest of its rows as CSV by instrument, date, and the time at which they were known. */
    sha256: text,
    loaded_at: timestamptz,
    /** Rows known more than a session after their date. */
    known_late: bigint,
    /** Rows known long before they were sent. */
    backfilled: bigint,
  },
  drawings: {
    id: bigint,
    user_id: bigint,
    instrument_id: integer,
    shape: json<DrawnShape>(),
    created_at: timestamptz,
  },
  forward_entries: {
    record_id: bigint,
    /** From 1. */
    number: integer,
    /** YYYY-MM-DD */
    session: date,
    kind: oneOf('session', 'revised', 'engine', 'stopped', 'abandoned'),
    /** As it was digested. */
    entry: json<Entry>(),
    /** Digest of the digest before it and of itself. */
    sha256: text,
    appended_at: timestamptz,
  },
  /** Digests of all records at the end of each day on which they grew, whose they are aside. They outlive their accounts. */
  forward_heads: {
    /** UTC. */
    day: date,
    sha256: text,
  },
  forward_records: {
    id: bigint,
    user_id: bigint,
    name: text,
    kind: oneOf('backtest', 'portfolio'),
    /** The complete specification, whose range has no end. */
    spec: json<unknown>(),
    seal: json<Seal>(),
    seal_sha256: text,
    sealed_at: timestamptz,
    /** No session up to this day counts as live. */
    sealed_day: date,
    /** The sessions of the sealed run: 32-bit days. */
    days: bytea,
    /** Daily returns of the sealed run and of the market beside it: doubles. */
    returns: bytea,
    market: bytea,
    /** Null: the run was too short. */
    bands: nullable(json<Bands>()),
    /** The same with a lower mean, for what a search chose; null: it chose nothing. */
    lowered_bands: nullable(json<Bands>()),
    /** Taken off the mean logarithm of a return. */
    lowered: double,
    /** Figures of the sealed run. */
    sealed: json<SealedFigures>(),
    /** Figures of the sessions since; null: there are none. */
    live: nullable(json<LiveFigures>()),
    status: oneOf('live', 'stopped', 'abandoned'),
    ended_at: nullable(timestamptz),
    /** The newest digest, and how many entries there are, and of them sessions. */
    head: text,
    entries: integer,
    sessions: integer,
    /** The newest session that was appended; null: none was. */
    last_session: nullable(date),
    /** The equity before the first one. */
    base_equity: nullable(double),
    /** The version of the data and the session up to which it was brought. */
    data_version: nullable(text),
    through: nullable(date),
    is_shared: boolean,
    slug: nullable(text),
  },
  /** Published claims in the months of this market: one row. */
  newest_claims: {
    /** The month, engine, and columns that they were computed from. */
    made_of: text,
    computed_at: timestamptz,
    claims: json<NewestClaims>(),
  },
  own_columns: {
    id: integer,
    /** Null: everyone's. */
    account_id: nullable(bigint),
    name: text,
    created_at: timestamptz,
  },
  own_strategies: {
    id: bigint,
    user_id: bigint,
    name: text,
    /** The newest. */
    version: integer,
    /** Never changes once it was generated. */
    slug: nullable(text),
    is_shared: boolean,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  own_strategy_versions: {
    strategy_id: bigint,
    version: integer,
    description: text,
    rules: json<RuleTexts>(),
    parameters: json<SavedParameters>(),
    created_at: timestamptz,
  },
  signal_digests: {
    user_id: bigint,
    session: date,
    sent_at: nullable(timestamptz),
  },
  signal_evaluations: {
    watch_id: bigint,
    session: date,
    data_version: text,
    evaluated_at: timestamptz,
    /** Whether an earlier evaluation of the session gave other signals. */
    is_correction: boolean,
  },
  signals: {
    watch_id: bigint,
    session: date,
    instrument_id: integer,
    /** As it was at the evaluation. */
    symbol: text,
    kind: oneOf('entry', 'exit'),
    reason: text,
    close: double,
    figures: json<Readonly<Record<string, number | null>>>(),
    is_correction: boolean,
  },
  watches: {
    id: bigint,
    user_id: bigint,
    name: text,
    strategy: text,
    strategy_id: nullable(bigint),
    /** Null: the newest. */
    strategy_version: nullable(integer),
    params: json<ParameterValues>(),
    instrument_ids: nullable(integerArray),
    screen: nullable(json<WatchedScreen>()),
    /** The specification of a rotation. */
    rotation: nullable(json<object>()),
    sends_mail: boolean,
    created_at: timestamptz,
  },
};
