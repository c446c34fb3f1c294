/** Single-linkage clustering in the conventions of SciPy, whose order of leaves it returns. */
import type { Matrix } from 'ml-matrix';

interface Link {
  readonly a: number;
  readonly b: number;
  readonly distance: number;
}

/** The leaves of the tree from left to right. `distances` is symmetric. */
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
