/** A forward record as it is stored and digested: a seal, and entries each of whose digests has that of the one before in it. */
import type { Band } from './bands.ts';

/** A version of an own column, as it was read. */
export interface ColumnVersion {
  readonly name: string;
  readonly version: number;
}

export interface Seal {
  readonly kind: 'seal';
  /** The complete specification, of which `spec_sha256` is the digest. */
  readonly spec: object;
  readonly spec_sha256: string;
  readonly engine_version: string;
  readonly data_version: string;
  readonly columns: readonly ColumnVersion[];
  readonly sealed_at: string;
  /** 16 hex digits. */
  readonly seed: string;
  /** Null: the run was too short to tell. */
  readonly prediction: {
    readonly sessions: number;
    readonly samples: number;
    readonly after_250: Omit<Band, 'session'>;
  } | null;
}

/** Figures of a sealed run that live ones are compared with. */
export interface SealedFigures {
  readonly start_date: string;
  readonly end_date: string;
  readonly total_pnl_pct: number | null;
  readonly sharpe: number | null;
  readonly max_drawdown_pct: number | null;
  readonly appraisal: number | null;
  readonly skill_shown: boolean | null;
}

/** A session, as it was told when its bars were loaded. */
export interface SessionEntry {
  /** YYYY-MM-DD */
  readonly session: string;
  readonly engine_version: string;
  readonly data_version: string;
  readonly columns: readonly ColumnVersion[];
  /** Shares on the session's own basis. */
  readonly positions: readonly { readonly symbol: string; readonly shares: number }[];
  /** Orders that wait for the next open. */
  readonly orders: readonly { readonly symbol: string; readonly side: 'buy' | 'sell'; readonly reason: string }[];
  /** Fractions. */
  readonly return: number;
  readonly benchmark: number;
  /** Money. */
  readonly equity: number;
}

export interface ToldFigures {
  readonly return: number;
  readonly equity: number;
}

/** Whatever else befell a record, at its newest session then; `revised`: an earlier session has other figures since. */
export type EventEntry =
  | {
      readonly kind: 'revised';
      readonly session: string;
      readonly before: ToldFigures;
      readonly after: ToldFigures;
    }
  | { readonly kind: 'engine'; readonly session: string; readonly before: string; readonly after: string }
  | { readonly kind: 'stopped' | 'abandoned'; readonly session: string };

export type Entry = SessionEntry | EventEntry;

/** Among the paths of a seal after as many sessions. */
export interface LivePlace {
  readonly rank: number;
  readonly below: number;
  readonly inside_90: boolean;
}

/** How live sessions stand beside what was sealed. */
export interface LiveFigures {
  readonly sessions: number;
  readonly growth: number;
  readonly market: number;
  /** Null after more sessions than were predicted, and where the run was too short to predict anything. */
  readonly place: LivePlace | null;
  readonly place_excess: LivePlace | null;
  /** Among the paths with a lower mean; null: no search stands behind the run. */
  readonly place_lowered: LivePlace | null;
  readonly appraisal: number | null;
  readonly appraisal_interval: readonly [number, number] | null;
  /** Live ÷ sealed appraisal ratio; null for few sessions, and for a sealed ratio that is not above 0. */
  readonly shrinkage: number | null;
}
