/** Periods that a screen may use, in bars. */
export const PERIOD_RANGE = { min: 2, max: 252 } as const;

/** Number of periods in `PERIOD_RANGE`. */
export const PERIOD_COUNT = PERIOD_RANGE.max - PERIOD_RANGE.min + 1;

/** Bars that a snapshot keeps of each instrument: the longest look-back, also from the session before, and a few more. */
export const SNAPSHOT_BARS = 260;
