/** Candles and volume, with marks, arrows of trades, and the figures under the cursor in a line above. */
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type MouseEventParams,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { html } from 'lit';
import { type ChartColors, chartColors, faded } from '../chart-colors.ts';
import { type Mark, Marks } from '../chart-marks.ts';
import { candleOptions, chartOptions } from '../chart-options.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
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

/** Height of the candles for one of the volume below them. */
const CANDLES_TO_VOLUME = 3;

class PriceChart extends SiteElement {
  static override properties = {
    bars: { attribute: false },
    marks: { attribute: false },
    events: { attribute: false },
    label: {},
    current: { state: true },
  };
  declare bars: readonly Bar[];
  declare marks: readonly Mark[];
  /** Splits above their candles, payments below. */
  declare events: readonly BarMark[];
  /** A description of the picture for screen readers. */
  declare label: string;
  /** Index of the bar under the cursor; -1: none, and the last one is shown. */
  declare current: number;
  private chart: IChartApi | null = null;
  private candles!: ISeriesApi<'Candlestick'>;
  private volume!: ISeriesApi<'Histogram'>;
  private readonly drawnMarks = new Marks();
  private markers!: ISeriesMarkersPluginApi<Time>;
  private indexOf = new Map<string, number>();

  constructor() {
    super();
    this.bars = [];
    this.marks = [];
    this.events = [];
    this.label = '';
    this.current = -1;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('look', this.recolor);
    this.chart?.remove();
    this.chart = null;
  }

  protected override firstUpdated(): void {
    const colors = chartColors();
    this.chart = createChart(find(this, '.chart', HTMLElement), { autoSize: true, ...chartOptions(colors) });
    this.candles = this.chart.addSeries(CandlestickSeries, candleOptions(colors));
    const volumeOptions = {
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
      color: faded(colors.muted, 0.35),
    } as const;
    this.volume = this.chart.addSeries(HistogramSeries, volumeOptions, 1);
    const [prices, volumes] = this.chart.panes();
    prices.setStretchFactor(CANDLES_TO_VOLUME);
    volumes.setStretchFactor(1);
    this.candles.attachPrimitive(this.drawnMarks);
    this.markers = createSeriesMarkers(this.candles, []);
    this.chart.subscribeCrosshairMove(this.pointed);
    document.addEventListener('look', this.recolor);
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('bars')) this.drawBars();
    if (changed.has('marks') || changed.has('bars')) this.drawnMarks.show(this.marks);
    if (changed.has('events') || changed.has('bars')) this.markers.setMarkers(markersOf(this.events, chartColors()));
  }

  private drawBars(): void {
    this.indexOf = new Map(this.bars.map(({ ts }, i) => [ts, i]));
    this.candles.setData(
      this.bars.map(({ ts, open, high, low, close }) => ({
        time: ts,
        open,
        high,
        low,
        close,
      })),
    );
    this.volume.setData(this.bars.map(({ ts, volume }) => ({ time: ts, value: volume })));
    this.chart?.timeScale().fitContent();
  }

  private readonly recolor = () => {
    const colors = chartColors();
    this.chart?.applyOptions(chartOptions(colors));
    this.candles.applyOptions(candleOptions(colors));
    this.volume.applyOptions({ color: faded(colors.muted, 0.35) });
    this.markers.setMarkers(markersOf(this.events, colors));
  };

  private readonly pointed = ({ time }: MouseEventParams) => {
    this.current = typeof time === 'string' ? (this.indexOf.get(time) ?? -1) : -1;
  };

  override render() {
    return html`<p class="chart-line">${this.line()}</p>
      <div class="chart" role="figure" aria-label=${this.label}></div>`;
  }

  private line() {
    const at = this.current >= 0 ? this.current : this.bars.length - 1;
    const bar = this.bars[at];
    if (!bar) return html`&nbsp;`;
    const before = this.bars[at - 1];
    const change = before ? 100 * (bar.close / before.close - 1) : null;
    const figures = [
      [t('word.open'), price(bar.open)],
      [t('word.high'), price(bar.high)],
      [t('word.low'), price(bar.low)],
      [t('word.close_price'), price(bar.close)],
      [t('word.volume'), compact(bar.volume)],
    ];
    return html`<b>${day(bar.ts)}</b>
      ${figures.map(([name, value]) => html`<span>${name} <b>${value}</b></span>`)}
      <span class=${tone(change)}>${signedPercent(change)}</span>
      ${this.events.filter(({ ts }) => ts === bar.ts).map(({ kind, text }) => html`<b>${kind === 'split' ? t('event.split_of', { ratio: text }) : t('event.payment_of')}</b>`)}`;
  }
}

/** Squares for splits and points for payments, so that shape and place tell them apart as well as color. */
function markersOf(events: readonly BarMark[], { accent, ink }: ChartColors): SeriesMarker<Time>[] {
  return events.map(({ ts, kind, text }) =>
    kind === 'split'
      ? { time: ts, text, position: 'aboveBar', shape: 'square', color: ink, size: 0.6 }
      : { time: ts, text, position: 'belowBar', shape: 'circle', color: accent, size: 0.5 },
  );
}

customElements.define('price-chart', PriceChart);
