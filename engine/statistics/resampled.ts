/** Comparisons of a figure with the same figure of resamples of its data. */

const DIGITS = 12;
/** Figures that are at most this are 0. */
const NOISE = 1e-12;

/** A figure as it is compared with its resampled ones: equal sums stay equal in whatever order they were added up. */
export function comparable(figure: number): number {
  return Math.abs(figure) <= NOISE ? 0 : Number(figure.toPrecision(DIGITS));
}
