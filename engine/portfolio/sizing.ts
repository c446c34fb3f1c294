/** Target share of the equity for each instrument. */
import type { Allocation } from './portfolio.ts';

/** No instrument gets more than this multiple of an equal share. */
const LARGEST_MULTIPLE = 2;

export type WeightOf = (instrument: number) => number;

/**
 * Weights as shares of the equity. `counted` are the instruments that the money is shared between: held, ordered, or
 * chosen; inverse volatility is relative to their sum. A volatility that is undefined or 0 counts as the largest of them.
 */
export function weights(
  { sizing, maxPositions }: Pick<Allocation, 'sizing' | 'maxPositions'>,
  counted: readonly number[],
  volatilityOf: (instrument: number) => number,
): WeightOf {
  if (sizing === 'equal') return () => 1 / maxPositions;
  const inverses = inverseVolatilities(counted.map(volatilityOf));
  const sum = inverses.reduce((total, inverse) => total + inverse, 0);
  const cap = LARGEST_MULTIPLE / maxPositions;
  const byInstrument = new Map(counted.map((instrument, k) => [instrument, Math.min(inverses[k] / sum, cap)]));
  return (instrument) => byInstrument.get(instrument) ?? 0;
}

function inverseVolatilities(volatilities: readonly number[]): number[] {
  const defined = volatilities.filter((volatility) => volatility > 0);
  // Without any, all count the same.
  const largest = defined.length === 0 ? 1 : Math.max(...defined);
  return volatilities.map((volatility) => 1 / (volatility > 0 ? volatility : largest));
}

/** Money that an instrument of a weight is to hold when the portfolio is worth `equity`. */
export function targetValue(weight: number, equity: number, { cashBufferPct }: Allocation): number {
  return weight * equity * (1 - cashBufferPct / 100);
}
