/** Counts by equal steps of a range, as bars, which can be shown as a table. */
import { customElement, property } from 'lit/decorators.js';
import { html, SiteElement, svg } from '../dom.ts';
import { fixed, number } from '../text.ts';
import { t } from '../tool-text.ts';
import { type Column, numberColumn } from './data-table.ts';

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

/** Units of the SVG, which is stretched to the width of its container. */
const BAR_WIDTH = 10;
const HEIGHT = 100;
const GAP = 1;

function binsOf({ from, to, counts }: Histogram): Bin[] {
  const width = (to - from) / counts.length;
  return counts.map((count, i) => ({ count, from: from + i * width, to: from + (i + 1) * width }));
}

/** The SVG alone: the element around it has a label and a table. Bins centered below zero have another color. */
function binBars(bins: readonly Bin[]) {
  const highest = Math.max(...bins.map(({ count }) => count), 1);
  return html`<svg viewBox="0 0 ${bins.length * BAR_WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${bins.map(({ count, from, to }, i) => {
      const height = (HEIGHT * count) / highest;
      return svg`<rect class=${from + to < 0 ? 'below' : 'above'} x=${i * BAR_WIDTH} y=${HEIGHT - height} width=${BAR_WIDTH - GAP} height=${height}></rect>`;
    })}
  </svg>`;
}

/** Values outside are counted in the first or the last bin. */
@customElement('histogram-bars')
export class HistogramBars extends SiteElement {
  @property({ attribute: false }) histogram!: Histogram;
  @property() label!: string;

  override render() {
    const bins = binsOf(this.histogram);
    const { from, to } = this.histogram;
    return html`<figure class="histogram" role="figure" aria-label=${this.label}>
        ${binBars(bins)}
        <figcaption class="row spread small muted"><span>${number(from)}</span><span>0</span><span>${number(to)}</span></figcaption>
      </figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table class="short" .columns=${HISTOGRAM_COLUMNS} .rows=${bins} caption=${this.label}></data-table>
      </details>`;
  }
}

const HISTOGRAM_COLUMNS: readonly Column<Bin>[] = [
  {
    key: 'from',
    title: t('sweeps.bin'),
    value: ({ from }) => from,
    cell: ({ from, to }) => `${number(from)} … ${number(to)}`,
  },
  numberColumn('count', t('sweeps.cells'), ({ count }) => count),
];

/** A histogram of how the best combinations of one half of the range ranked in the other half. */
@customElement('step-bars')
export class StepBars extends SiteElement {
  @property({ attribute: false }) counts!: readonly number[];
  @property({ attribute: false }) from!: number;
  @property({ attribute: false }) to!: number;

  override render() {
    const bins = binsOf(this);
    const below = this.counts.slice(0, this.counts.length / 2).reduce((sum, count) => sum + count, 0);
    const all = this.counts.reduce((sum, count) => sum + count, 0);
    const label = t('optimize.pbo.chart', { below, all });
    return html`<figure class="step-bars" aria-label=${label}>
        ${binBars(bins)}
        <figcaption class="row spread small muted"><span>${t('optimize.pbo.worse')}</span><span>${t('optimize.pbo.better')}</span></figcaption>
      </figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table .columns=${LOGIT_COLUMNS} .rows=${bins} .caption=${label}></data-table>
      </details>`;
  }
}

const LOGIT_COLUMNS: readonly Column<Bin>[] = [
  { key: 'from', title: t('optimize.logit'), cell: ({ from, to }) => `${fixed(from, 2)} … ${fixed(to, 2)}` },
  numberColumn('count', t('optimize.splits'), ({ count }) => count),
];
