/** Candles and volume, with gaps, splits, and payments marked. */
import { createSeriesMarkers, HistogramSeries, type IChartApi, type SeriesMarker, type Time } from 'lightweight-charts';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type ChartColors, faded } from '../charts/colors.ts';
import { type Mark, Marks } from '../charts/marks.ts';
import { candles, sharePanes } from '../charts/series.ts';
import { type Drawing, TimeChart } from '../charts/time-chart.ts';
import type { BarMark } from '../events.ts';
import { compact, day, price, signedPercent, t, tone } from '../text.ts';

export interface Bar {
  readonly ts: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const VOLUME = { priceFormat: { type: 'volume' }, lastValueVisible: false, priceLineVisible: false } as const;

@customElement('price-chart')
export class PriceChart extends TimeChart {
  @property({ attribute: false }) bars: readonly Bar[] = [];
  @property({ attribute: false }) marks: readonly Mark[] = [];
  /** Splits above their candles, payments below. */
  @property({ attribute: false }) events: readonly BarMark[] = [];

  protected override get days() {
    return this.bars;
  }

  protected override draw(chart: IChartApi): Drawing {
    const prices = candles(chart, 0);
    const volume = chart.addSeries(HistogramSeries, VOLUME, 1);
    sharePanes(chart, [3, 1]);
    const gaps = new Marks();
    prices.series.attachPrimitive(gaps);
    const events = createSeriesMarkers(prices.series, []);
    return {
      show: () => {
        prices.show(this.bars);
        volume.setData(this.bars.map((bar) => ({ time: bar.ts, value: bar.volume })));
      },
      paint: (colors) => {
        prices.paint(colors);
        volume.applyOptions({ color: faded(colors.muted, 0.35) });
        gaps.show(this.marks, colors);
        events.setMarkers(markersOf(this.events, colors));
      },
    };
  }

  protected override figures(index: number) {
    const bar = this.bars[index];
    const previous = this.bars[index - 1];
    const change = previous ? 100 * (bar.close / previous.close - 1) : null;
    const figures = [
      [t('word.open'), price(bar.open)],
      [t('word.high'), price(bar.high)],
      [t('word.low'), price(bar.low)],
      [t('word.close_price'), price(bar.close)],
      [t('word.volume'), compact(bar.volume)],
    ];
    const eventsOfBar = this.events.filter(({ ts }) => ts === bar.ts);
    return html`<b>${day(bar.ts)}</b>
      ${figures.map(([name, value]) => html`<span>${name} <b>${value}</b></span>`)}
      <span class=${tone(change)}>${signedPercent(change)}</span>
      ${eventsOfBar.map(({ kind, text }) => html`<b>${kind === 'split' ? t('event.split_of', { ratio: text }) : t('event.payment_of')}</b>`)}`;
  }
}

/** Squares for splits and circles for payments, so that they differ in more than color. */
function markersOf(events: readonly BarMark[], { accent, ink }: ChartColors): SeriesMarker<Time>[] {
  return events.map(({ ts, kind, text }) =>
    kind === 'split'
      ? { time: ts, text, position: 'aboveBar', shape: 'square', color: ink, size: 0.6 }
      : { time: ts, text, position: 'belowBar', shape: 'circle', color: accent, size: 0.5 },
  );
}
