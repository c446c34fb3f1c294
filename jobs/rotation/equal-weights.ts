/** The benchmark of equal weights, added up while members are visited. */
import { type BarSeries, firstIndexFrom } from '../../engine/market/series.ts';
import { equalWeightValue } from '../../engine/portfolio/benchmark.ts';

/** A sum of doubles depends on its order: members are added up in blocks by id, whichever jobs do it. */
export const BLOCK_MEMBERS = 16;

export interface BlockSum {
  readonly value: Float64Array;
  /** Members with a bar on the first session. */
  bought: number;
}

export class EqualWeights {
  readonly blocks: BlockSum[] = [];
  private readonly clock: Int32Array;
  private members = 0;

  constructor(clock: Int32Array) {
    this.clock = clock;
  }

  /** Adds the next member by id. */
  add(series: BarSeries): void {
    const { clock } = this;
    if (this.members++ % BLOCK_MEMBERS === 0) this.blocks.push({ value: new Float64Array(clock.length), bought: 0 });
    const one = { series, from: firstIndexFrom(series, clock[0]), to: series.length };
    if (series.day[one.from] !== clock[0]) return;
    const block = this.blocks[this.blocks.length - 1];
    addTo(block.value, equalWeightValue([one], clock, 1));
    block.bought++;
  }
}

/** Value at each session per unit of capital. `blocks`: by id. */
export function equalWeightsOf(blocks: readonly BlockSum[], sessions: number): Float64Array {
  const value = new Float64Array(sessions);
  for (const block of blocks) addTo(value, block.value);
  const bought = blocks.reduce((sum, block) => sum + block.bought, 0);
  return value.map((sum) => sum / bought);
}

function addTo(sum: Float64Array, more: Float64Array): void {
  for (let t = 0; t < sum.length; t++) sum[t] += more[t];
}
