/** A histogram as a picture that is a table too. What lies outside is counted in the first or the last bin. */
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Bin, binBars, binsOf, type Histogram } from '../bins.ts';
import { SiteElement } from '../element.ts';
import { number, t } from '../text.ts';
import { type Column, numberColumn } from './data-table.ts';

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
  numberColumn('count', t('sweeps.cells'), ({ count }) => count),
];
