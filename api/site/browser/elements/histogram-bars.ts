/** A histogram as a picture that is a table too. What lies outside is counted in the first or the last bin. */
import { html, svg } from 'lit';
import { SiteElement } from '../element.ts';
import { number, t } from '../text.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

interface Histogram {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Units of the picture, which is stretched to the width of its place. */
const BAR_WIDTH = 10;
const HEIGHT = 100;
const GAP = 1;

class HistogramBars extends SiteElement {
  static override properties = { histogram: { attribute: false }, label: {} };
  declare histogram: Histogram;
  declare label: string;

  private get bins(): Bin[] {
    const { from, to, counts } = this.histogram;
    const width = (to - from) / counts.length;
    return counts.map((count, i) => ({ count, from: from + i * width, to: from + (i + 1) * width }));
  }

  override render() {
    const { bins } = this;
    const { from, to, counts } = this.histogram;
    const highest = Math.max(...counts, 1);
    return html`<figure class="histogram" role="figure" aria-label=${this.label}>
        <svg viewBox="0 0 ${counts.length * BAR_WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          ${bins.map(({ count, from: start }, i) => {
            const height = (HEIGHT * count) / highest;
            return svg`<rect class=${start < 0 ? 'below' : 'above'} x=${i * BAR_WIDTH} y=${HEIGHT - height} width=${BAR_WIDTH - GAP} height=${height}></rect>`;
          })}
        </svg>
        <figcaption class="row spread small muted"><span>${number(from)}</span><span>0</span><span>${number(to)}</span></figcaption>
      </figure>
      <details>
        <summary>${t('sweeps.table')}</summary>
        <data-table class="short" .columns=${COLUMNS} .rows=${bins} caption=${this.label}></data-table>
      </details>`;
  }
}

const COLUMNS: readonly Column<Bin>[] = [
  {
    key: 'from',
    title: t('sweeps.bin'),
    value: ({ from }) => from,
    cell: ({ from, to }) => `${number(from)} … ${number(to)}`,
  },
  {
    key: 'count',
    title: t('sweeps.cells'),
    isNumber: true,
    value: ({ count }) => count,
    cell: ({ count }) => number(count),
  },
];

customElements.define('histogram-bars', HistogramBars);
