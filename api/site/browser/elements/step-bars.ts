/** Where the best of one half of the time came to stand in the other half: a histogram that is a table too. */
import { html, svg } from 'lit';
import { SiteElement } from '../element.ts';
import { fixed, number, t } from '../text.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Units of the picture, which is stretched to the width of its place. */
const BAR_WIDTH = 10;
const HEIGHT = 100;
const GAP = 1;

class StepBars extends SiteElement {
  static override properties = { counts: { attribute: false }, from: { attribute: false }, to: { attribute: false } };
  declare counts: readonly number[];
  declare from: number;
  declare to: number;

  private get bins(): Bin[] {
    const width = (this.to - this.from) / this.counts.length;
    return this.counts.map((count, i) => ({ count, from: this.from + i * width, to: this.from + (i + 1) * width }));
  }

  override render() {
    const highest = Math.max(...this.counts, 1);
    const below = this.counts.slice(0, this.counts.length / 2).reduce((sum, count) => sum + count, 0);
    const all = this.counts.reduce((sum, count) => sum + count, 0);
    const label = t('optimize.pbo.picture', { below, all });
    return html`<figure class="step-bars" aria-label=${label}>
        <svg viewBox="0 0 ${this.counts.length * BAR_WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          ${this.counts.map((count, i) => {
            const height = (HEIGHT * count) / highest;
            const color = i < this.counts.length / 2 ? 'below' : 'above';
            return svg`<rect class=${color} x=${i * BAR_WIDTH} y=${HEIGHT - height} width=${BAR_WIDTH - GAP} height=${height}></rect>`;
          })}
        </svg>
        <figcaption class="row spread small muted"><span>${t('optimize.pbo.worse')}</span><span>${t('optimize.pbo.better')}</span></figcaption>
      </figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table .columns=${COLUMNS} .rows=${this.bins} .caption=${label}></data-table>
      </details>`;
  }
}

const COLUMNS: readonly Column<Bin>[] = [
  { key: 'from', title: t('optimize.logit'), cell: ({ from, to }) => `${fixed(from, 2)} … ${fixed(to, 2)}` },
  {
    key: 'count',
    title: t('optimize.splits'),
    isNumber: true,
    value: ({ count }) => count,
    cell: ({ count }) => number(count),
  },
];

customElements.define('step-bars', StepBars);
