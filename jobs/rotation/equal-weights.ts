/** The benchmarks of equal weights, of members bought once and of all every session, added up while members are visited. */
import { type BarSeries, firstIndexFrom } from '../../engine/market/series.ts';
import { DailyReturns, dailyMeans, equalWeightValue } from '../../engine/portfolio/benchmark.ts';

/** A sum of doubles depends on its order: members are added up in blocks by id, whichever jobs do it. */
export const BLOCK_MEMBERS = 16;

export interface BlockSum {
  readonly value: Float64Array;
  readonly daily: Pick<DailyReturns, 'sum' | 'count'>;
  /** Members with a bar on the first session. */
  bought: number;
}

export class EqualWeights {
  readonly blocks: BlockSum[] = [];
  private readonly clock: Int32Array;
  private members = 0;
  /** The returns of the last block. */
  private daily: DailyReturns;

  constructor(clock: Int32Array) {
    this.clock = clock;
    this.daily = new DailyReturns(clock);
  }

  /** Adds the next member by id. */
  add(series: BarSeries): void {
    const { clock } = this;
    if (this.members++ % BLOCK_MEMBERS === 0) {
      this.daily = new DailyReturns(clock);
      const { sum, count } = this.daily;
      this.blocks.push({ value: new Float64Array(clock.length), daily: { sum, count }, bought: 0 });
    }
    const one = { series, from: firstIndexFrom(series, clock[0]), to: series.length };
    this.daily.add(one);
    if (series.day[one.from] !== clock[0]) return;
    const block = this.blocks[this.blocks.length - 1];
    addTo(block.value, equalWeightValue([one], clock, 1));
    block.bought++;
  }
}

export interface EqualWeightsOf {
  /** Value at each session per unit of capital, bought once. */
  readonly value: Float64Array;
  /** Returns of equal parts every session. */
  readonly daily: Float64Array;
}

/** `blocks`: by id. */
export function equalWeightsOf(blocks: readonly BlockSum[], sessions: number): EqualWeightsOf {
  const total = { sum: new Float64Array(sessions), count: new Int32Array(sessions) };
  for (const { daily } of blocks) {
    addTo(total.sum, daily.sum);
    addTo(total.count, daily.count);
  }
  const value = new Float64Array(sessions);
  for (const block of blocks) addTo(value, block.value);
  const bought = blocks.reduce((sum, block) => sum + block.bought, 0);
  return { value: value.map((sum) => sum / bought), daily: dailyMeans(total) };
}

function addTo<T extends Float64Array | Int32Array>(sum: T, more: T): void {
  for (let t = 0; t < sum.length; t++) sum[t] += more[t];
}
