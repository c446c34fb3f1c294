/** The tables of strategies that accounts write. */

import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RuleTexts } from '../../engine/strategies/strategy.ts';
import {
  bigint,
  boolean,
  date,
  double,
  integer,
  integerArray,
  json,
  nullable,
  oneOf,
  text,
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
  drawings: {
    id: bigint,
    user_id: bigint,
    instrument_id: integer,
    shape: json<DrawnShape>(),
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
