/** Well-known factors to begin a study with: the larger a value, the higher the return that others found to follow. */
export const READY_FACTORS = [
  { code: 'momentum', value: 'lag(roc(231), 21)' },
  { code: 'reversal', value: '-roc(21)' },
  { code: 'long_reversal', value: '-lag(roc(504), 252)' },
  { code: 'low_volatility', value: '-volatility(63)' },
  { code: 'year_high', value: 'close / highest_of(close, 252)' },
  { code: 'no_jumps', value: '-highest_of(roc(1), 21)' },
  { code: 'illiquidity', value: 'sma_of(abs(roc(1)) / dollar_volume, 252)' },
  { code: 'small', value: '-sma_of(dollar_volume, 63)' },
] as const;

export type ReadyFactor = (typeof READY_FACTORS)[number];
