/** The one scale of type, space, and color of the site, with its controls, tables, and states. */
import '../shell.ts';
import '../tool.ts';
import '../elements/data-table.ts';
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { choice } from '../controls.ts';
import { SiteElement } from '../dom.ts';
import type { Column } from '../elements/data-table.ts';
import { numberColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import { figureList } from '../run/figures.ts';
import { loading } from '../states.ts';
import { price, rangeText, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';

const SIZES = ['12', '14', '16', '20', '28'] as const;
const SPACES = ['4', '8', '12', '16', '24', '40', '64'] as const;
const COLORS = [
  ...['ground', 'raised', 'line', 'line-strong', 'grid', 'ink', 'muted', 'accent', 'chosen', 'gain', 'loss'],
  ...['warning-ground', 'warning-ink', 'amber', 'violet', 'teal'],
];

interface Row {
  readonly name: string;
  readonly close: number;
  readonly change: number;
}

const ROWS: readonly Row[] = [
  { name: 'AAA', close: 61.06, change: 37.83 },
  { name: 'BB-A', close: 1105.5, change: -7.51 },
  { name: 'C', close: 0.4321, change: 0 },
];

@customElement('styleguide-page')
export class StyleguidePage extends SiteElement {
  @state() chosen = '3Y';
  private readonly columns: readonly Column<Row>[] = [
    { key: 'name', title: t('styleguide.instrument'), value: ({ name }) => name },
    numberColumn('close', t('word.close_price'), ({ close }) => close, price),
    numberColumn('change', t('word.change'), ({ change }) => change, signedPercent, tone),
  ];

  override render() {
    return html`${pageHead(t('page.styleguide'), { about: t('page.styleguide.description') })}
      <section class="guide">
        <h2>${t('styleguide.type')}</h2>
        ${SIZES.map((size) => html`<p class=${`sample-${size}`}>${size} · ${t('styleguide.sample')} 0123456789 −1.25% ▲▼</p>`)}
        <p class="sample-code"><code>close > highest(40)</code></p>
        <h2>${t('styleguide.space')}</h2>
        ${SPACES.map((space) => html`<p class="spaces"><span class=${`space-${space}`}></span>${space}</p>`)}
        <h2>${t('styleguide.colors')}</h2>
        <ul class="swatches">
          ${COLORS.map((name) => html`<li><span class="sample-color" data-color=${name}></span><code>--${name}</code></li>`)}
        </ul>
        <h2>${t('styleguide.controls')}</h2>
        <div class="row">
          <button class="primary">${t('styleguide.main')}</button><button>${t('styleguide.other')}</button>
          <button class="danger">${t('styleguide.danger')}</button><button disabled>${t('styleguide.off')}</button>
          <button class="quiet">${t('styleguide.quiet')}</button>
          ${choice({
            label: t('form.range'),
            name: 'range',
            values: [
              ['1Y', rangeText('1Y')],
              ['3Y', rangeText('3Y')],
              ['5Y', rangeText('5Y')],
            ],
            chosen: this.chosen,
            onChoose: (value) => {
              this.chosen = value;
            },
          })}
        </div>
        <div class="fields">
          <label class="field"><span>${t('styleguide.number')}</span><input type="number" value="40" /></label>
          <label class="field"><span>${t('styleguide.fault')}</span><input aria-invalid="true" value="-1" /></label>
          <label class="field check"><input type="checkbox" checked />${t('styleguide.box')}</label>
        </div>
        <h2>${t('styleguide.figures')}</h2>
        ${figureList([
          { name: t('run.total'), value: signedPercent(72.6, 1), tone: 'gain', unit: t('styleguide.counterpart') },
          { name: t('run.drawdown'), value: signedPercent(-19.4, 1), tone: 'loss' },
        ])}
        <h2>${t('styleguide.table')}</h2>
        <data-table class="narrow" .columns=${this.columns} .rows=${ROWS} .current=${ROWS[1]} caption=${t('styleguide.table')}></data-table>
        <h2>${t('styleguide.states')}</h2>
        <p class="notice">${t('styleguide.notice')}</p>
        <p class="notice warning">${t('styleguide.warning')}</p>
        ${loading()}
      </section>`;
  }

  /** The policy of pages allows no style attributes. */
  protected override updated(): void {
    for (const swatch of this.querySelectorAll<HTMLElement>('[data-color]')) {
      swatch.style.background = `var(--${swatch.dataset.color})`;
    }
  }
}
