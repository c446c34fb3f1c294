/** How members move with the mean of all, before each hit. */
import type { FoundHits, Hit } from './hits.ts';
import { BETA_RETURNS, type OutcomePanel } from './panel.ts';

/** The slope of the own log returns before each hit on the mean log return of the members at the same sessions; absent: too few. */
export function betasOf(panel: OutcomePanel, { hits, isMember }: FoundHits): Map<Hit, number> {
  const means = Float64Array.from(panel.days, (_, row) => meanReturn(panel, row, isMember[row]));
  const betas = new Map<Hit, number>();
  for (const [member, own] of Map.groupBy(hits, (hit) => hit.member)) {
    const sums = new PairSums(panel, member, means);
    for (const hit of own) {
      const beta = sums.slopeBefore(hit.row);
      if (beta !== null) betas.set(hit, beta);
    }
  }
  return betas;
}

/** NaN where there is no bar at the session and the one before. */
function returnAt({ closes, hasBar }: OutcomePanel, row: number, member: number): number {
  return row > 0 && hasBar[row][member] === 1 && hasBar[row - 1][member] === 1
    ? Math.log(closes[row][member] / closes[row - 1][member])
    : Number.NaN;
}

function meanReturn(panel: OutcomePanel, row: number, isMember: Uint8Array): number {
  let sum = 0;
  let count = 0;
  for (let member = 0; member < panel.members; member++) {
    const one = isMember[member] === 1 ? returnAt(panel, row, member) : Number.NaN;
    if (Number.isNaN(one)) continue;
    sum += one;
    count++;
  }
  return sum / count;
}

/** Running sums over the sessions at which an instrument and the market have a return. */
class PairSums {
  /** By row: how many such sessions lie before it. */
  private readonly before: Int32Array;
  /** By number of such sessions: the sums over the first ones. */
  private readonly own: Float64Array;
  private readonly all: Float64Array;
  private readonly products: Float64Array;
  private readonly squares: Float64Array;

  constructor(panel: OutcomePanel, member: number, means: Float64Array) {
    const length = means.length + 1;
    this.before = new Int32Array(length);
    [this.own, this.all, this.products, this.squares] = Array.from({ length: 4 }, () => new Float64Array(length));
    let count = 0;
    for (let row = 0; row < means.length; row++) {
      this.before[row] = count;
      const one = returnAt(panel, row, member);
      const mean = means[row];
      if (Number.isNaN(one) || Number.isNaN(mean)) continue;
      this.own[count + 1] = this.own[count] + one;
      this.all[count + 1] = this.all[count] + mean;
      this.products[count + 1] = this.products[count] + one * mean;
      this.squares[count + 1] = this.squares[count] + mean * mean;
      count++;
    }
  }

  /** Null: there are too few. */
  slopeBefore(row: number): number | null {
    const to = this.before[row];
    const from = to - BETA_RETURNS;
    if (from < 0) return null;
    const between = (sums: Float64Array) => sums[to] - sums[from];
    const [own, all] = [between(this.own), between(this.all)];
    return (between(this.products) - (own * all) / BETA_RETURNS) / (between(this.squares) - (all * all) / BETA_RETURNS);
  }
}
