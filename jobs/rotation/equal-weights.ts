/** The benchmarks of equal weights, of members bought once and of all every session, added up while members are visited. */
import { type BarSeries, firstIndexFrom } from '../../engine/market/series.ts';
import { DailyReturns, dailyMeans, equalWeightValue } from '../../engine/portfolio/benchmark.ts';

/** A sum of doubles depends on its order: members are added up in blocks by id, and the blocks then. */
const BLOCK_MEMBERS = 16;

interface Sums {
  readonly value: Float64Array;
  readonly daily: DailyReturns;
}

export interface EqualWeightsOf {
  /** Value at each session per unit of capital, bought once. */
  readonly value: Float64Array;
  /** Returns of equal parts every session. */
  readonly daily: Float64Array;
}

export class EqualWeights {
  private readonly clock: Int32Array;
  private readonly total: Sums;
  private block: Sums;
  private members = 0;
  /** Members with a bar on the first session. */
  private bought = 0;

  constructor(clock: Int32Array) {
    this.clock = clock;
    this.total = noSums(clock);
    this.block = noSums(clock);
  }

  /** Adds the next member by id. */
  add(series: BarSeries): void {
    const { clock } = this;
    if (this.members++ % BLOCK_MEMBERS === 0) this.endBlock();
    const one = { series, from: firstIndexFrom(series, clock[0]), to: series.length };
    this.block.daily.add(one);
    if (series.day[one.from] !== clock[0]) return;
    addTo(this.block.value, equalWeightValue([one], clock, 1));
    this.bought++;
  }

  /** The weights of all members that were added. */
  weights(): EqualWeightsOf {
    this.endBlock();
    const { value, daily } = this.total;
    return { value: value.map((sum) => sum / this.bought), daily: dailyMeans(daily) };
  }

  private endBlock(): void {
    const { total, block } = this;
    addTo(total.value, block.value);
    addTo(total.daily.sum, block.daily.sum);
    addTo(total.daily.count, block.daily.count);
    this.block = noSums(this.clock);
  }
}

function noSums(clock: Int32Array): Sums {
  return { value: new Float64Array(clock.length), daily: new DailyReturns(clock) };
}

function addTo<T extends Float64Array | Int32Array>(sum: T, more: T): void {
  for (let t = 0; t < sum.length; t++) sum[t] += more[t];
}
