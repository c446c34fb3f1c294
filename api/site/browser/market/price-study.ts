/** A small chart of an instrument with its average of 50 bars, which opens the instrument. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { Load } from '../load.ts';
import { Width } from '../measured.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { monthName, number, price, signedPercent, t, tone } from '../text.ts';
import type { Kline } from '../types.ts';

type Bar = Kline['bars'][number];

const MEAN_BARS = 50;
const SHOWN_BARS = 60;
const HEIGHT = 104;
const MONTHS_PX = 20;
const AXIS_PX = 44;

@customElement('price-study')
export class PriceStudy extends SiteElement {
  @property() symbol = '';
  private readonly width = new Width(this);
  private readonly kline = new Load(this, () =>
    get<Kline>(path('/v1/kline/{symbol}', { symbol: this.symbol }), {
      query: { days: SHOWN_BARS + MEAN_BARS, adjust: 'qfq' },
    }),
  );

  override render() {
    const [ticker] = this.symbol.split('.US');
    return html`<article class="study">
      <header>
        <h2>${t('home.study.price', { symbol: ticker })}</h2>
        <a href=${`/s/${encodeURIComponent(this.symbol)}`}>${t('home.study.chart')}</a>
      </header>
      ${this.content()}
    </article>`;
  }

  private content() {
    const { result } = this.kline;
    if (result.state === 'failed') return failure(result.error, this.kline.reload);
    const bars = result.state === 'loaded' ? result.value.bars : [];
    const last = bars.at(-1);
    const before = bars.at(-2);
    const mean = meanAt(bars, bars.length - 1);
    const distance = last && mean !== null ? 100 * (last.close / mean - 1) : null;
    const change = last && before ? 100 * (last.close / before.close - 1) : null;
    return html`<div class="study-chart" role="img" aria-label=${t('home.study.price', { symbol: this.symbol })}>
        ${bars.length === 0 || this.width.px === 0 ? nothing : this.drawing(bars)}
      </div>
      <dl>
        <div><dt>${t('home.movers.close')}</dt><dd>${last ? price(last.close) : '…'}</dd></div>
        <div><dt>${t('home.period.1d')}</dt><dd class=${tone(change)}>${signedPercent(change)}</dd></div>
        <div><dt><code>sma(50)</code></dt><dd>${price(mean)}</dd></div>
        <div><dt>${t('home.study.distance')}</dt><dd class=${tone(distance)}>${signedPercent(distance, 1)}</dd></div>
      </dl>`;
  }

  private drawing(bars: readonly Bar[]) {
    const width = this.width.px;
    const from = Math.max(0, bars.length - SHOWN_BARS);
    const shown = bars.slice(from);
    const means = shown.map((_, i) => meanAt(bars, from + i));
    const known = means.filter((mean) => mean !== null);
    const lowest = Math.min(...shown.map(({ low }) => low), ...known);
    const highest = Math.max(...shown.map(({ high }) => high), ...known);
    const plot = width - AXIS_PX;
    const slot = plot / shown.length;
    const x = (i: number) => Math.round((i + 0.5) * slot) + 0.5;
    const y = (value: number) => Math.round(4 + ((highest - value) * (HEIGHT - 8)) / (highest - lowest || 1));
    const half = Math.max(1, Math.floor(slot / 2) - 1);
    const line = means.flatMap((mean, i) => (mean === null ? [] : [`${x(i)},${y(mean) + 0.5}`])).join(' ');
    const last = shown[shown.length - 1];
    const isFirst = (i: number) => i > 2 && shown[i].ts.slice(0, 7) !== shown[i - 1].ts.slice(0, 7);
    return html`<svg width=${width} height=${HEIGHT + MONTHS_PX} aria-hidden="true">
      ${gridLines(lowest, highest).map(
        (value) => svg`<line class="grid" x1="0" x2=${plot} y1=${y(value) + 0.5} y2=${y(value) + 0.5}></line>
          ${Math.abs(y(value) - y(last.close)) < 14 ? nothing : svg`<text x=${width} y=${y(value) + 4}>${number(value)}</text>`}`,
      )}
      ${shown.map(({ open, high, low, close }, i) => {
        const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
        return svg`<g class=${close >= open ? 'up' : 'down'}>
          <line x1=${x(i)} x2=${x(i)} y1=${y(high)} y2=${y(low)}></line>
          <rect x=${x(i) - 0.5 - half} y=${top} width=${2 * half + 1} height=${Math.max(1, bottom - top)}></rect>
        </g>`;
      })}
      ${svg`<polyline class="mean" points=${line}></polyline>
        <text class="last" x=${width} y=${y(last.close) + 4}>${price(last.close)}</text>`}
      ${shown.map(({ ts }, i) => (isFirst(i) ? svg`<text class="start" x=${x(i)} y=${HEIGHT + MONTHS_PX - 4}>${monthName(ts)}</text>` : nothing))}
    </svg>`;
  }
}

/** The mean of the 50 closes through a bar; null where there are fewer. */
function meanAt(bars: readonly Bar[], i: number): number | null {
  if (i + 1 < MEAN_BARS) return null;
  return bars.slice(i + 1 - MEAN_BARS, i + 1).reduce((sum, { close }) => sum + close, 0) / MEAN_BARS;
}

/** About three round values between two figures. */
function gridLines(lowest: number, highest: number): number[] {
  const span = highest - lowest;
  if (span <= 0) return [];
  const power = 10 ** Math.floor(Math.log10(span / 2));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= 3) ?? 10 * power;
  const first = Math.ceil(lowest / step);
  return Array.from({ length: Math.floor(highest / step) - first + 1 }, (_, i) => (first + i) * step);
}
