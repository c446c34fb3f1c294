/** A small chart of an instrument with its average of 50 bars, which opens the instrument. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { beginningsOf, Plot, Width } from '../plot.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { monthName, number, price, signedPercent, t, ticker, tone } from '../text.ts';
import type { Kline } from '../types.ts';
import { study, studyFigure } from './study.ts';

type Bar = Kline['bars'][number];

const MEAN_BARS = 50;
const SHOWN_BARS = 60;
const HEIGHT = 104;
const MONTHS_PX = 20;
const AXIS_PX = 44;
/** Figures nearer to each other would touch. */
const NAME_PX = 14;

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
    const title = t('home.study.price', { symbol: ticker(this.symbol) });
    const href = `/s/${encodeURIComponent(this.symbol)}`;
    return study({ title, href, link: t('home.study.chart') }, this.content());
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
        ${studyFigure(t('word.close_price'), last ? price(last.close) : '…')}
        ${studyFigure(t('home.period.1d'), signedPercent(change), tone(change))}
        ${studyFigure(html`<code>sma(50)</code>`, price(mean))}
        ${studyFigure(t('home.study.distance'), signedPercent(distance, 1), tone(distance))}
      </dl>`;
  }

  private drawing(bars: readonly Bar[]) {
    const from = Math.max(0, bars.length - SHOWN_BARS);
    const shown = bars.slice(from);
    const means = shown.map((_, i) => meanAt(bars, from + i));
    const box = { width: this.width.px, height: HEIGHT + MONTHS_PX, right: AXIS_PX, top: 4, bottom: MONTHS_PX + 4 };
    const y = [...shown.flatMap(({ low, high }) => [low, high]), ...means.filter((mean) => mean !== null)];
    const plot = new Plot(box, { x: [-0.5, shown.length - 0.5], y });
    const { close } = shown[shown.length - 1];
    const isNearClose = (value: number) => Math.abs(plot.y(value) - plot.y(close)) < NAME_PX;
    return html`<svg width=${box.width} height=${box.height} aria-hidden="true">
      ${plot.y.ticks(2).map((value) => [plot.level(value, 'grid'), isNearClose(value) ? nothing : plot.aside(value, number(value))])}
      ${plot.candles(shown, Math.max(2, (box.width - AXIS_PX) / shown.length - 2))}
      ${plot.line(means, 'mean')} ${plot.aside(close, price(close), 'last')}
      ${beginningsOf(shown, 7).map((i) => (i > 2 ? plot.below(i, monthName(shown[i].ts)) : nothing))}
    </svg>`;
  }
}

/** The mean of the 50 closes through a bar; null where there are fewer. */
function meanAt(bars: readonly Bar[], i: number): number | null {
  if (i + 1 < MEAN_BARS) return null;
  return bars.slice(i + 1 - MEAN_BARS, i + 1).reduce((sum, { close }) => sum + close, 0) / MEAN_BARS;
}
