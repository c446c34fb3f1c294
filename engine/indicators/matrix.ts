/** Systems of linear equations. */

/** A pivot below this share of its diagonal means that the rows before it explain a row. */
export const SINGULAR = 1e-10;

/**
 * The solution for a symmetric positive matrix, by Gauss, in place. `rows`: of the matrix, each followed by its right side. Null where it
 * has none.
 */
export function solvedSymmetric(rows: readonly Float64Array[]): Float64Array | null {
  const size = rows.length;
  const diagonal = rows.map((row, i) => row[i]);
  for (let i = 0; i < size; i++) {
    if (!(rows[i][i] > SINGULAR * diagonal[i])) return null;
    for (let j = i + 1; j < size; j++) {
      const times = rows[j][i] / rows[i][i];
      for (let k = i; k <= size; k++) rows[j][k] -= times * rows[i][k];
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let side = rows[i][size];
    for (let k = i + 1; k < size; k++) side -= rows[i][k] * solution[k];
    solution[i] = side / rows[i][i];
  }
  return solution;
}
