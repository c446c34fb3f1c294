/** How sure a Sharpe ratio is (Bailey & López de Prado 2012). */
import type { Moments } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';

const CONFIDENCE = 0.95;

/** Inputs of the standard error of a Sharpe ratio. */
export type SharpeMoments = Pick<Moments, 'count' | 'sharpe' | 'skewness' | 'kurtosis'>;

/** 1 - γ3·SR + (γ4 - 1)/4·SR²: by how much skewness and tails widen the error of a Sharpe ratio. */
function errorSpread({ sharpe, skewness, kurtosis }: Pick<Moments, 'sharpe' | 'skewness' | 'kurtosis'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/** Probabilistic Sharpe ratio: the probability that the true ratio is above `benchmark`, per bar. Null where its error is not defined. */
export function probabilisticSharpe(moments: SharpeMoments, benchmark: number): number | null {
  const root = Math.sqrt(errorSpread(moments));
  if (!(root > 0)) return null;
  return normalCdf(((moments.sharpe - benchmark) * Math.sqrt(moments.count - 1)) / root);
}

/** Minimum track record length, bars; null where the ratio is not above `benchmark`. */
export function minTrackRecord(moments: Omit<SharpeMoments, 'count'>, benchmark: number): number | null {
  if (moments.sharpe <= benchmark) return null;
  return 1 + errorSpread(moments) * (normalQuantile(CONFIDENCE) / (moments.sharpe - benchmark)) ** 2;
}
