/** Counts by equal steps of a range, as bars. */
import { html, svg } from 'lit';

export interface Histogram {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Units of the picture, which is stretched to the width of its place. */
const BAR_WIDTH = 10;
const HEIGHT = 100;
const GAP = 1;

export function binsOf({ from, to, counts }: Histogram): Bin[] {
  const width = (to - from) / counts.length;
  return counts.map((count, i) => ({ count, from: from + i * width, to: from + (i + 1) * width }));
}

/** The picture alone: the element around it has a label and a table. Bins with their middle below zero have another color. */
export function binBars(bins: readonly Bin[]) {
  const highest = Math.max(...bins.map(({ count }) => count), 1);
  return html`<svg viewBox="0 0 ${bins.length * BAR_WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${bins.map(({ count, from, to }, i) => {
      const height = (HEIGHT * count) / highest;
      return svg`<rect class=${from + to < 0 ? 'below' : 'above'} x=${i * BAR_WIDTH} y=${HEIGHT - height} width=${BAR_WIDTH - GAP} height=${height}></rect>`;
    })}
  </svg>`;
}
