/** How members move with the mean of all, before each hit. */
import type { FoundHits } from './hits.ts';
import { BETA_RETURNS, type OutcomePanel } from './panel.ts';

/** Members whose returns are read at once: side by side in memory, they fill some lines of it. */
const SIDE_BY_SIDE = 32;

/**
 * By hit: the slope of the own log returns before it on the mean log return of the members at the same sessions; NaN: there are too
 * few.
 */
export function betasOf(panel: OutcomePanel, { rows, members, isMember }: FoundHits): Float64Array {
  const means = Float64Array.from(panel.days, (_, row) => meanReturn(panel, row, isMember[row]));
  const hitsOf = Map.groupBy(members.keys(), (hit) => members[hit]);
  const betas = new Float64Array(members.length);
  const sums = new PairSums(means);
  const length = panel.days.length;
  const returns = new Float64Array(SIDE_BY_SIDE * length);
  for (let from = 0; from < panel.members; from += SIDE_BY_SIDE) {
    const to = Math.min(panel.members, from + SIDE_BY_SIDE);
    writeReturns(panel, from, to, returns);
    for (let member = from; member < to; member++) {
      const hits = hitsOf.get(member) ?? [];
      if (hits.length === 0) continue;
      sums.take(returns.subarray((member - from) * length, (member - from + 1) * length));
      for (const hit of hits) betas[hit] = sums.slopeBefore(rows[hit]);
    }
  }
  return betas;
}

function meanReturn({ closes, hasBar }: OutcomePanel, row: number, isMember: Uint8Array): number {
  if (row === 0) return Number.NaN;
  const [now, then, wasOn] = [closes[row], closes[row - 1], hasBar[row - 1]];
  let sum = 0;
  let count = 0;
  for (let member = 0; member < isMember.length; member++) {
    // A member has a bar.
    if (isMember[member] === 0 || wasOn[member] === 0) continue;
    sum += Math.log(now[member] / then[member]);
    count++;
  }
  return sum / count;
}

/** Writes the log returns of members `from` to before `to`, row by row; NaN where one has no bar at the session or at the one before. */
function writeReturns({ closes, hasBar, days }: OutcomePanel, from: number, to: number, out: Float64Array): void {
  out.fill(Number.NaN);
  for (let row = 1; row < days.length; row++) {
    const [now, then, isOn, wasOn] = [closes[row], closes[row - 1], hasBar[row], hasBar[row - 1]];
    for (let member = from, at = row; member < to; member++, at += days.length)
      if (isOn[member] === 1 && wasOn[member] === 1) out[at] = Math.log(now[member] / then[member]);
  }
}

/** Running sums over the sessions at which an instrument and the market have a return: of one instrument after another. */
class PairSums {
  private readonly means: Float64Array;
  /** By row: how many such sessions lie before it. */
  private readonly before: Int32Array;
  /** By number of such sessions: the sums over the first ones. */
  private readonly own: Float64Array;
  private readonly all: Float64Array;
  private readonly products: Float64Array;
  private readonly squares: Float64Array;

  constructor(means: Float64Array) {
    const length = means.length + 1;
    this.means = means;
    this.before = new Int32Array(length);
    [this.own, this.all, this.products, this.squares] = Array.from({ length: 4 }, () => new Float64Array(length));
  }

  take(returns: Float64Array): void {
    const { means, before, own, all, products, squares } = this;
    let count = 0;
    for (let row = 0; row < means.length; row++) {
      before[row] = count;
      const one = returns[row];
      const mean = means[row];
      if (Number.isNaN(one) || Number.isNaN(mean)) continue;
      own[count + 1] = own[count] + one;
      all[count + 1] = all[count] + mean;
      products[count + 1] = products[count] + one * mean;
      squares[count + 1] = squares[count] + mean * mean;
      count++;
    }
  }

  /** NaN: there are too few. */
  slopeBefore(row: number): number {
    const to = this.before[row];
    const from = to - BETA_RETURNS;
    if (from < 0) return Number.NaN;
    const between = (sums: Float64Array) => sums[to] - sums[from];
    const [own, all] = [between(this.own), between(this.all)];
    return (between(this.products) - (own * all) / BETA_RETURNS) / (between(this.squares) - (all * all) / BETA_RETURNS);
  }
}
