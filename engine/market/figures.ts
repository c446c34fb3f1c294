/** Figures as they leave the engine and the service: finite, or null where they may be. */
import { roundTo } from './series.ts';

/** Money or prices that no number can hold: the run that they belong to has no result. */
export class FiguresOverflow extends Error {
  override readonly name = 'FiguresOverflow';
}

/** A figure that may be undefined: null where it is, or overflows. */
export function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** A figure of a result, rounded. Every figure that is served passes here. Throws `FiguresOverflow` for one that is not finite. */
export function figure<T extends number | null>(value: T, decimals: number): T | number {
  if (value === null) return value;
  if (!Number.isFinite(value)) throw new FiguresOverflow('a figure of the result is not finite');
  const rounded = roundTo(value, decimals);
  // A figure so large has no decimals, and the multiplication that rounds it overflows.
  return Number.isFinite(rounded) ? rounded : value;
}
