/** A portfolio over time: equity against the benchmark, its falls, and how much of the money is invested. */
import {
  AreaSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  LineSeries,
  type MouseEventParams,
} from 'lightweight-charts';
import { html, nothing } from 'lit';
import { type ChartColors, chartColors, faded } from '../chart-colors.ts';
import { chartOptions } from '../chart-options.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { compact, day, fixed, number, signedPercent, t, tone } from '../text.ts';
import type { PortfolioResult } from '../types.ts';

/** Heights of the panes, compared with each other. */
const STRETCH = [4, 2, 2] as const;

class PortfolioChart extends SiteElement {
  static override properties = { result: { attribute: false }, label: {}, current: { state: true } };
  declare result: PortfolioResult;
  declare label: string;
  /** Index of the session under the cursor; -1: none, and the last one is shown. */
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
    const chart = createChart(find(this, '.chart', HTMLElement), { autoSize: true, ...chartOptions(colors) });
    this.chart = chart;
    const { equity = [], positions = [] } = this.result;
    this.indexOf = new Map(equity.map(({ ts }, i) => [ts, i]));
    const plain = { priceLineVisible: false, lastValueVisible: true, crosshairMarkerVisible: false } as const;
    const money = { ...plain, priceFormat: { type: 'custom', formatter: compact, minMove: 1 } } as const;
    const shares = { ...plain, priceFormat: { type: 'percent' } } as const;
    const benchmark = chart.addSeries(LineSeries, { ...money, lineWidth: 1 }, 0);
    const own = chart.addSeries(LineSeries, { ...money, lineWidth: 2 }, 0);
    const falls = chart.addSeries(AreaSeries, { ...shares, lineWidth: 1 }, 1);
    const invested = chart.addSeries(HistogramSeries, shares, 2);
    benchmark.setData(equity.map(({ ts, buy_hold }) => ({ time: ts, value: buy_hold })));
    own.setData(equity.map(({ ts, equity: value }) => ({ time: ts, value })));
    falls.setData(equity.map(({ ts, drawdown_pct }) => ({ time: ts, value: -Math.abs(drawdown_pct) })));
    invested.setData(positions.map(({ ts, invested_pct }) => ({ time: ts, value: invested_pct ?? 0 })));
    this.recolorSeries = (now) => {
      benchmark.applyOptions({ color: now.muted });
      own.applyOptions({ color: now.accent });
      falls.applyOptions({ lineColor: now.loss, topColor: faded(now.loss, 0.05), bottomColor: faded(now.loss, 0.3) });
      invested.applyOptions({ color: faded(now.accent, 0.5) });
    };
    this.recolorSeries(colors);
    chart.panes().forEach((pane, i) => {
      pane.setStretchFactor(STRETCH[i]);
    });
    chart.timeScale().fitContent();
    chart.subscribeCrosshairMove(this.pointed);
  }

  private readonly recolor = () => {
    const colors = chartColors();
    this.chart?.applyOptions(chartOptions(colors));
    this.recolorSeries(colors);
  };

  private readonly pointed = ({ time }: MouseEventParams) => {
    this.current = typeof time === 'string' ? (this.indexOf.get(time) ?? -1) : -1;
  };

  override render() {
    return html`<p class="chart-line">${this.line()}</p>
      <div class="chart" role="figure" aria-label=${this.label}></div>`;
  }

  private line() {
    const { equity = [], positions = [], cost } = this.result;
    const at = this.current >= 0 ? this.current : equity.length - 1;
    const point = equity[at];
    if (!point) return nothing;
    const own = 100 * (point.equity / cost.initial_capital - 1);
    const compared = 100 * (point.buy_hold / cost.initial_capital - 1);
    const held = positions[at];
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b> <span class=${tone(own)}>${signedPercent(own)}</span></span>
      <span>${t('portfolio.compared')} <span class=${tone(compared)}>${signedPercent(compared)}</span></span>
      <span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct))}</b></span>
      <span>${t('portfolio.held', { count: held?.count ?? 0, share: fixed(held?.invested_pct, 0) })}</span>`;
  }
}

customElements.define('portfolio-chart', PortfolioChart);
