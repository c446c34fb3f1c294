/** The methods of weights, apart from their mathematics, which requests and specifications do without. */

export const WEIGHT_METHODS = [
  'equal',
  'score',
  'inverse_volatility',
  'min_variance',
  'risk_parity',
  'hrp',
  'max_diversification',
  'fixed',
] as const;
export type WeightMethod = (typeof WEIGHT_METHODS)[number];

export const LOOKBACK_RANGE = { min: 20, max: 756 } as const;
