/** A sealed run that goes on: how it stands, its curve over the bands, sealed figures beside live ones, and its digests. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { fixed, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ForwardDetail } from '../types.ts';
import './copy-button.ts';
import './data-table.ts';
import './forward-path.ts';
import type { Column } from './data-table.ts';

interface Beside {
  readonly name: string;
  readonly sealed: string;
  readonly live: string;
}

const COLUMNS: readonly Column<Beside>[] = [
  { key: 'name', title: t('forward.figure'), cell: ({ name }) => name },
  { key: 'sealed', title: t('forward.column.sealed'), isNumber: true, cell: ({ sealed }) => sealed },
  { key: 'live', title: t('forward.column.live'), isNumber: true, cell: ({ live }) => live },
];

const NONE = '–';
const ratio = (value: number | null | undefined) => (value == null ? NONE : fixed(value, 2));
const percent = (value: number | null | undefined) => (value == null ? NONE : signedPercent(value, 2));

@customElement('forward-record')
export class ForwardRecord extends SiteElement {
  @property({ attribute: false }) record!: Omit<ForwardDetail, 'id' | 'shared'>;

  override render() {
    const { record } = this;
    return html`<div id="summary">${record.sentences.map((sentence) => html`<p class="run-words">${sentence}</p>`)}</div>
      <forward-path .record=${record}></forward-path>
      ${record.bands === null ? nothing : html`<p class="muted small">${t('forward.bands.text')}</p>`}
      <h2>${t('forward.beside')}</h2>
      <data-table class="dense" .columns=${COLUMNS} .rows=${this.rows()} caption=${t('forward.beside')}></data-table>
      <h2>${t('forward.proof')}</h2>
      <p class="muted small">${t('forward.proof.text')}</p>
      <dl class="facts receipt">${digest(t('forward.seal_digest'), record.seal_sha256)} ${digest(t('forward.head'), record.head)}</dl>`;
  }

  private rows(): Beside[] {
    const { sealed, live, bands } = this.record;
    const predicted = bands?.growth.at(-1);
    const change = (growth: number) => 100 * (growth - 1);
    const place = live?.place_lowered ?? live?.place;
    return [
      {
        name: t('forward.return'),
        sealed: percent(sealed.total_pnl_pct),
        live: live === null ? NONE : percent(change(live.growth)),
      },
      { name: t('forward.of_market'), sealed: NONE, live: live === null ? NONE : percent(change(live.market)) },
      { name: t('forward.appraisal'), sealed: ratio(sealed.appraisal), live: ratio(live?.appraisal) },
      {
        name: t('forward.predicted'),
        sealed: predicted ? `${percent(change(predicted.p5))} – ${percent(change(predicted.p95))}` : NONE,
        live: place ? t('forward.of_100', { rank: place.rank }) : NONE,
      },
    ];
  }
}

const digest = (name: string, sha256: string) =>
  html`<dt>${name}</dt><dd><code>${sha256}</code> <copy-button .text=${sha256}></copy-button></dd>`;
