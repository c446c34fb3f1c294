/** Where the best of one half of the time came to stand in the other half: a histogram that is a table too. */
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Bin, binBars, binsOf } from '../bins.ts';
import { SiteElement } from '../element.ts';
import { fixed, t } from '../text.ts';
import { type Column, numberColumn } from './data-table.ts';

@customElement('step-bars')
export class StepBars extends SiteElement {
  @property({ attribute: false }) counts!: readonly number[];
  @property({ attribute: false }) from!: number;
  @property({ attribute: false }) to!: number;

  override render() {
    const bins = binsOf(this);
    const below = this.counts.slice(0, this.counts.length / 2).reduce((sum, count) => sum + count, 0);
    const all = this.counts.reduce((sum, count) => sum + count, 0);
    const label = t('optimize.pbo.picture', { below, all });
    return html`<figure class="step-bars" aria-label=${label}>
        ${binBars(bins)}
        <figcaption class="row spread small muted"><span>${t('optimize.pbo.worse')}</span><span>${t('optimize.pbo.better')}</span></figcaption>
      </figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table .columns=${COLUMNS} .rows=${bins} .caption=${label}></data-table>
      </details>`;
  }
}

const COLUMNS: readonly Column<Bin>[] = [
  { key: 'from', title: t('optimize.logit'), cell: ({ from, to }) => `${fixed(from, 2)} … ${fixed(to, 2)}` },
  numberColumn('count', t('optimize.splits'), ({ count }) => count),
];
