/** A panel: the bars of the members of a rotation on one clock, and the values of the rules at each session. */
import type { Traded } from '../backtest/doubts.ts';
import type { TradedBars } from '../portfolio/clock.ts';

/** An instrument of the universe that has a bar in the range. Its bars are adjusted to the last of them. */
export interface PanelMember extends TradedBars {
  /** `<TICKER>.US` */
  readonly symbol: string;
  /** The symbol without its market: `BRK`, which is before `BRK.B`. */
  readonly ticker: string;
  /** Whether its last bar in the range is its last bar of all: it is then no candidate on it, and sold at its close. */
  readonly isDelisted: boolean;
  /** As its orders are judged by it; absent where its bars are. */
  readonly traded?: Traded | undefined;
}

export interface Panel {
  /**
   * By ticker, so that ties are decided by the index. A member that no rebalance can choose may come without its bars
   * (`EMPTY_SERIES`), because those of a whole market do not fit in memory.
   */
  readonly members: readonly PanelMember[];
  /** Every day up to the end of the range on which any member has a bar, those before the range included. */
  readonly sessions: Int32Array;
  /** Index in `sessions` of the first session of the range. */
  readonly first: number;
  /** The sessions of the range: `sessions` from `first` on. */
  readonly clock: Int32Array;
}

/** The values of the rules at the close of one session. */
export interface RebalanceValues {
  /** Index in the clock. */
  readonly session: number;
  /** How many members have a bar and meet `where`. */
  readonly eligible: number;
  /** By member; NaN where it is not eligible or its score is undefined. */
  readonly score: Float64Array;
}

/** Values of the market filter by session of the clock. */
export const FILTER = { undefined: -1, closed: 0, open: 1 } as const;

export interface MarketValues {
  /** One entry per rebalance session, oldest first. */
  readonly rebalances: readonly RebalanceValues[];
  /** One of `FILTER` at each session of the clock; null: there is no market filter. */
  readonly filter: Int8Array | null;
}
