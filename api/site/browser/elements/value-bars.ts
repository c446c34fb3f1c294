/** A bar for each of some named figures, with standard errors where they are known, and the same as a table. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { Plot, Width } from '../plot.ts';
import { t } from '../tool-text.ts';
import './data-table.ts';
import { type Column, numberColumn } from './data-table.ts';

export interface ValueBar {
  readonly name: string;
  readonly value: number | null;
  readonly error?: number | null;
}

const HEIGHT = 168;
/** Room for a figure above or below its bar, and for the names. */
const FIGURE_PX = 18;
const NAME_PX = 20;
/** A name or a figure needs so much; of bars that are closer, some have none. */
const TEXT_PX = 44;
/** Half of a figure may reach over the first and the last bar. */
const EDGE_PX = 8;
const WIDEST_PX = 56;

@customElement('value-bars')
export class ValueBars extends SiteElement {
  @property() label = '';
  /** The title of the names. */
  @property() head = '';
  @property({ attribute: false }) bars: readonly ValueBar[] = [];
  @property({ attribute: false }) write!: (value: number | null) => string;
  /** Whether the sign of a figure says that it is good or bad. */
  @property({ attribute: false }) isSigned = true;
  private readonly width = new Width(this);

  override render() {
    const { label, bars } = this;
    return html`<figure class="value-bars" role="figure" aria-label=${label}>${this.width.px === 0 ? nothing : this.drawing()}</figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table class="short" .columns=${this.columns()} .rows=${bars} caption=${label}></data-table>
      </details>`;
  }

  private columns(): readonly Column<ValueBar>[] {
    const hasErrors = this.bars.some(({ error }) => error !== undefined);
    const errors = numberColumn<ValueBar, number | null>(
      'error',
      t('factors.error'),
      ({ error }) => error ?? null,
      this.write,
    );
    return [
      { key: 'name', title: this.head, value: ({ name }) => name },
      numberColumn('value', this.label, ({ value }) => value, this.write),
      ...(hasErrors ? [errors] : []),
    ];
  }

  private drawing() {
    const { bars, width, isSigned } = this;
    const ends = bars.flatMap(({ value, error }) => [(value ?? 0) - (error ?? 0), (value ?? 0) + (error ?? 0)]);
    const below = NAME_PX + (Math.min(...ends) < 0 ? FIGURE_PX : 0);
    const box = { width: width.px, height: HEIGHT, left: EDGE_PX, right: EDGE_PX, top: FIGURE_PX, bottom: below };
    const plot = new Plot(box, { x: [0, bars.length], y: [0, ...ends] });
    const tone = (value: number) => (isSigned ? (value < 0 ? 'below' : 'above') : '');
    const values = bars.map(({ value }) => value ?? 0);
    const slot = (width.px - 2 * EDGE_PX) / bars.length;
    const gap = Math.round(Math.max(slot / 3, slot - WIDEST_PX));
    const every = Math.ceil(TEXT_PX / slot);
    return html`<svg width=${width.px} height=${HEIGHT} aria-hidden="true">
      ${plot.level(0, 'zero')} ${plot.bars(values, { gap, nameOf: tone, least: 1 })}
      ${bars.map((bar, i) => (i % every === 0 ? this.texts(plot, bar, i) : nothing))}
      ${bars.map(({ value, error }, i) => (error ? whisker(plot, i, (value ?? 0) - error, (value ?? 0) + error) : nothing))}
    </svg>`;
  }

  private texts({ x, y }: Plot, { name, value, error }: ValueBar, i: number) {
    const isBelow = (value ?? 0) < 0;
    const end = (value ?? 0) + (isBelow ? -1 : 1) * (error ?? 0);
    return svg`<text x=${x(i + 0.5)} y=${HEIGHT - 4}>${name}</text>
      <text class="figure" x=${x(i + 0.5)} y=${y(end) + (isBelow ? 14 : -5)}>${this.write(value)}</text>`;
  }
}

/** From one standard error below a figure to one above it. */
function whisker({ x, y }: Plot, i: number, low: number, high: number) {
  return svg`<line class="error" x1=${x(i + 0.5)} x2=${x(i + 0.5)} y1=${y(low)} y2=${y(high)}></line>`;
}
