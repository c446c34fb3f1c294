/** Hierarchical risk parity (López de Prado 2016): names in the order of a tree of their correlations, the weight halved along it. */
import type { Matrix } from 'ml-matrix';
import { correlationOf } from './correlation.ts';
import { varianceOf } from './max-diversification.ts';
import { leafOrder } from './single-linkage.ts';

/** Names are by symbol, which decides ties of the tree. */
export function hierarchicalRiskParity(covariance: Matrix): Float64Array {
  const distances = correlationOf(covariance).apply(function (this: Matrix, i, j) {
    this.set(i, j, Math.sqrt((1 - this.get(i, j)) / 2));
  });
  const weights = new Float64Array(covariance.rows);
  const divide = (names: readonly number[], weight: number) => {
    if (names.length === 1) {
      weights[names[0]] = weight;
      return;
    }
    const half = Math.floor(names.length / 2);
    const [left, right] = [names.slice(0, half), names.slice(half)];
    const [leftVariance, rightVariance] = [left, right].map((part) => clusterVariance(covariance, part));
    const share = 1 - leftVariance / (leftVariance + rightVariance);
    divide(left, share * weight);
    divide(right, (1 - share) * weight);
  };
  divide(leafOrder(distances), 1);
  return weights;
}

/** Variance of the names with weights in inverse proportion to their variances. */
function clusterVariance(covariance: Matrix, names: readonly number[]): number {
  const part = covariance.selection([...names], [...names]);
  const inverse = Float64Array.from(part.diagonal(), (variance) => 1 / variance);
  const sum = inverse.reduce((total, one) => total + one, 0);
  return varianceOf(
    part,
    inverse.map((one) => one / sum),
  );
}
