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
  for (let from = 0; from < panel.members; from += SIDE_BY_SIDE) {
    const some = returnsBetween(panel, from, Math.min(panel.members, from + SIDE_BY_SIDE));
    for (const [i, own] of some.entries()) {
      const hits = hitsOf.get(from + i) ?? [];
      if (hits.length === 0) continue;
      sums.take(own);
      for (const hit of hits) betas[hit] = sums.slopeBefore(rows[hit]);
    }
  }
  return betas;
}

/** Passes on the log return at a row of each member `from` to before `to` that has a bar at the session and the one before. */
function returnsAt({ closes, hasBar }: OutcomePanel, row: number, from: number, to: number, take: Take): void {
  if (row === 0) return;
  const [now, then, isOn, wasOn] = [closes[row], closes[row - 1], hasBar[row], hasBar[row - 1]];
  for (let member = from; member < to; member++) {
    if (isOn[member] === 1 && wasOn[member] === 1) take(member, Math.log(now[member] / then[member]));
  }
}

type Take = (member: number, one: number) => void;

function meanReturn(panel: OutcomePanel, row: number, isMember: Uint8Array): number {
  let sum = 0;
  let count = 0;
  returnsAt(panel, row, 0, panel.members, (member, one) => {
    sum += isMember[member] * one;
    count += isMember[member];
  });
  return sum / count;
}

/** The returns of members `from` to before `to`, by row. */
function returnsBetween(panel: OutcomePanel, from: number, to: number): Float64Array[] {
  const returns = Array.from({ length: to - from }, () => new Float64Array(panel.days.length).fill(Number.NaN));
  for (let row = 0; row < panel.days.length; row++) {
    returnsAt(panel, row, from, to, (member, one) => {
      returns[member - from][row] = one;
    });
  }
  return returns;
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
