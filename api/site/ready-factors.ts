/** Well-known factors to begin a study with, by name: the larger a value, the higher the return that others found to follow. */
export const READY_FACTORS = {
  momentum: 'lag(roc(231), 21)',
  reversal: '-roc(21)',
  long_reversal: '-lag(roc(504), 252)',
  low_volatility: '-volatility(63)',
  year_high: 'close / highest_of(close, 252)',
  no_jumps: '-highest_of(roc(1), 21)',
  illiquidity: 'sma_of(abs(roc(1)) / dollar_volume, 252)',
  small: '-sma_of(dollar_volume, 63)',
} as const;

export type ReadyFactor = keyof typeof READY_FACTORS;
