/** A run over time: equity against holding, its falls below, and the candles with what was bought and sold. */
import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type MouseEventParams,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { html, nothing } from 'lit';
import { type ChartColors, chartColors, faded } from '../chart-colors.ts';
import { Marks } from '../chart-marks.ts';
import { candleOptions, chartOptions } from '../chart-options.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { basisMark, gapMarks } from '../gaps.ts';
import { deepestDrawdowns } from '../run/figures.ts';
import { compact, day, number, price, signedPercent, t, tone } from '../text.ts';
import type { BacktestResult } from '../types.ts';

/** How many falls are shaded, and listed below the chart. */
export const SHADED_DRAWDOWNS = 5;
/** Heights of the panes, compared with each other. */
const STRETCH = [4, 2, 4] as const;
const BARS_AROUND = 40;

export class RunChart extends SiteElement {
  static override properties = { result: { attribute: false }, label: {}, current: { state: true } };
  declare result: BacktestResult;
  declare label: string;
  /** Index of the day under the cursor; -1: none, and the last one is shown. */
  declare current: number;
  private chart: IChartApi | null = null;
  private recolorSeries: (colors: ChartColors) => void = () => {};
  private indexOf = new Map<string, number>();

  constructor() {
    super();
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
    document.addEventListener('look', this.recolor);
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('result')) this.draw();
  }

  private draw(): void {
    this.chart?.remove();
    const colors = chartColors();
    const options = { autoSize: true, ...chartOptions(colors) };
    const chart = createChart(find(this, '.chart', HTMLElement), options);
    this.chart = chart;
    const { equity = [], klines = [] } = this.result;
    this.indexOf = new Map(equity.map(({ ts }, i) => [ts, i]));
    const plain = { priceLineVisible: false, lastValueVisible: true, crosshairMarkerVisible: false } as const;
    const money = { ...plain, priceFormat: { type: 'custom', formatter: compact, minMove: 1 } } as const;
    const holding = chart.addSeries(LineSeries, { ...money, lineWidth: 1 }, 0);
    const own = chart.addSeries(LineSeries, { ...money, lineWidth: 2 }, 0);
    const falls = chart.addSeries(AreaSeries, { ...plain, lineWidth: 1, priceFormat: { type: 'percent' } }, 1);
    const candles = chart.addSeries(CandlestickSeries, candleOptions(colors), 2);
    holding.setData(equity.map(({ ts, buy_hold }) => ({ time: ts, value: buy_hold })));
    own.setData(equity.map(({ ts, equity: value }) => ({ time: ts, value })));
    falls.setData(equity.map(({ ts, drawdown_pct }) => ({ time: ts, value: -Math.abs(drawdown_pct) })));
    candles.setData(klines.map(({ ts, open, high, low, close }) => ({ time: ts, open, high, low, close })));
    this.mark(candles, falls);
    const markers = createSeriesMarkers(candles, fillsOf(this.result, colors));
    this.recolorSeries = (now) => {
      holding.applyOptions({ color: now.muted });
      own.applyOptions({ color: now.accent });
      falls.applyOptions({ lineColor: now.loss, topColor: faded(now.loss, 0.05), bottomColor: faded(now.loss, 0.3) });
      candles.applyOptions(candleOptions(now));
      markers.setMarkers(fillsOf(this.result, now));
    };
    this.recolorSeries(colors);
    chart.panes().forEach((pane, i) => {
      pane.setStretchFactor(STRETCH[i]);
    });
    chart.timeScale().fitContent();
    chart.subscribeCrosshairMove(this.pointed);
  }

  private mark(candles: ISeriesApi<'Candlestick'>, falls: ISeriesApi<'Area'>): void {
    const { equity = [], klines = [] } = this.result;
    const history = new Marks();
    candles.attachPrimitive(history);
    history.show([...gapMarks(klines), ...basisMark(klines)]);
    const shaded = new Marks();
    falls.attachPrimitive(shaded);
    const last = equity[equity.length - 1]?.ts;
    shaded.show(
      deepestDrawdowns(equity, SHADED_DRAWDOWNS).map(({ peak, recovered }, i) => ({
        kind: 'shade',
        start: peak,
        end: recovered ?? last,
        label: String(i + 1),
      })),
    );
  }

  private readonly recolor = () => {
    const colors = chartColors();
    this.chart?.applyOptions(chartOptions(colors));
    this.recolorSeries(colors);
  };

  private readonly pointed = ({ time }: MouseEventParams) => {
    const ts = typeof time === 'string' && this.indexOf.has(time) ? time : null;
    const index = ts === null ? -1 : (this.indexOf.get(ts) ?? -1);
    if (index === this.current) return;
    this.current = index;
    this.dispatchEvent(new CustomEvent('point', { detail: ts }));
  };

  /** Shows the days from one to another, with some around them. */
  showDays(start: string, end: string): void {
    const [from, to] = [this.indexOf.get(start), this.indexOf.get(end)];
    if (from === undefined || to === undefined) return;
    this.chart?.timeScale().setVisibleLogicalRange({ from: from - BARS_AROUND, to: to + BARS_AROUND });
  }

  override render() {
    return html`<p class="chart-line">${this.line()}</p>
      <div class="chart tall" role="figure" aria-label=${this.label}></div>`;
  }

  private line() {
    const { equity = [], klines = [], cost } = this.result;
    const at = this.current >= 0 ? this.current : equity.length - 1;
    const point = equity[at];
    if (!point) return nothing;
    const own = 100 * (point.equity / cost.initial_capital - 1);
    const holding = 100 * (point.buy_hold / cost.initial_capital - 1);
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b> <span class=${tone(own)}>${signedPercent(own)}</span></span>
      <span>${t('run.holding')} <span class=${tone(holding)}>${signedPercent(holding)}</span></span>
      <span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct))}</b></span>
      <span>${t('word.close_price')} <b>${price(klines[at]?.close)}</b></span>`;
  }
}

/** Entries below their bars, exits above, with the numbers of the trades. */
function fillsOf({ trades = [] }: BacktestResult, colors: ChartColors): SeriesMarker<Time>[] {
  const fills = trades.flatMap(({ seq, entry_date, exit_date }): SeriesMarker<Time>[] => [
    { time: entry_date, position: 'belowBar', shape: 'arrowUp', color: colors.accent, text: String(seq), size: 0.7 },
    { time: exit_date, position: 'aboveBar', shape: 'arrowDown', color: colors.ink, text: String(seq), size: 0.7 },
  ]);
  return fills.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

customElements.define('run-chart', RunChart);
