/** Hierarchical risk parity (López de Prado 2016): names in the order of a tree of their correlations, the weight halved along it. */
import type { Matrix } from 'ml-matrix';
import { correlationOf } from './covariance.ts';
import { varianceOf } from './max-diversification.ts';

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

interface Link {
  readonly a: number;
  readonly b: number;
  readonly distance: number;
}

/** The leaves of the tree of single linkage from left to right, in the conventions of SciPy. `distances` is symmetric. */
export function leafOrder(distances: Matrix): number[] {
  const leaves = distances.rows;
  const roots = Array.from({ length: leaves }, (_, leaf) => leaf);
  const members = new Map(roots.map((leaf) => [leaf, [leaf]]));
  // A stable sort, as SciPy's: links of the same distance are joined in the order of the spanning tree.
  const links = spanningTree(distances).sort((x, y) => x.distance - y.distance);
  for (const [k, { a, b }] of links.entries()) {
    // The cluster that was made earlier goes to the left.
    const [left, right] = [roots[a], roots[b]].sort((x, y) => x - y);
    const joined = [...(members.get(left) ?? []), ...(members.get(right) ?? [])];
    members.delete(left);
    members.delete(right);
    for (const leaf of joined) roots[leaf] = leaves + k;
    members.set(leaves + k, joined);
  }
  return [...members.values()].flat();
}

/** Prim's algorithm from leaf 0. Each leaf is linked to the one that was added before it: their clusters are the same. */
function spanningTree(distances: Matrix): Link[] {
  const leaves = distances.rows;
  const nearest = new Float64Array(leaves).fill(Number.POSITIVE_INFINITY);
  const outside = new Set(Array.from({ length: leaves - 1 }, (_, i) => i + 1));
  const links: Link[] = [];
  let last = 0;
  while (outside.size > 0) {
    let next = -1;
    for (const leaf of outside) {
      nearest[leaf] = Math.min(nearest[leaf], distances.get(last, leaf));
      if (next === -1 || nearest[leaf] < nearest[next]) next = leaf;
    }
    links.push({ a: last, b: next, distance: nearest[next] });
    outside.delete(next);
    last = next;
  }
  return links;
}
