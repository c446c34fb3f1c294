/** How members move with the mean of all, before each hit. */
import type { FoundHits, Hit } from './hits.ts';
import { BETA_RETURNS, type OutcomePanel } from './panel.ts';

/** The slope of the own log returns before each hit on the mean log return of the members at the same sessions; absent: too few. */
export function betasOf(
  { days, closes, hasBar, members }: OutcomePanel,
  { hits, isMember }: FoundHits,
): Map<Hit, number> {
  /** NaN where there is no bar at the session and the one before. */
  const returnAt = (row: number, member: number) =>
    row > 0 && hasBar[row][member] === 1 && hasBar[row - 1][member] === 1
      ? Math.log(closes[row][member] / closes[row - 1][member])
      : Number.NaN;
  const means = Float64Array.from(days, (_, row) => {
    let sum = 0;
    let count = 0;
    for (let member = 0; member < members; member++) {
      const one = isMember[row][member] === 1 ? returnAt(row, member) : Number.NaN;
      if (Number.isNaN(one)) continue;
      sum += one;
      count++;
    }
    return sum / count;
  });
  const betas = new Map<Hit, number>();
  for (const hit of hits) {
    const own: number[] = [];
    const all: number[] = [];
    for (let row = hit.row - 1; row > 0 && own.length < BETA_RETURNS; row--) {
      const one = returnAt(row, hit.member);
      if (Number.isNaN(one) || Number.isNaN(means[row])) continue;
      own.push(one);
      all.push(means[row]);
    }
    if (own.length === BETA_RETURNS) betas.set(hit, slopeOf(own, all));
  }
  return betas;
}

function slopeOf(own: readonly number[], all: readonly number[]): number {
  const [meanOwn, meanAll] = [own, all].map((values) => values.reduce((sum, one) => sum + one, 0) / values.length);
  let [products, squares] = [0, 0];
  for (let i = 0; i < own.length; i++) {
    products += (own[i] - meanOwn) * (all[i] - meanAll);
    squares += (all[i] - meanAll) ** 2;
  }
  return products / squares;
}
