/** The equity of a walk forward against holding, with a line where each test window begins. */
import { createChart, type IChartApi, LineSeries, type MouseEventParams } from 'lightweight-charts';
import { html, nothing } from 'lit';
import { chartColors } from '../chart-colors.ts';
import { Marks } from '../chart-marks.ts';
import { chartOptions } from '../chart-options.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import type { WalkForward } from '../optimize/types.ts';
import { compact, day, number, signedPercent, t, tone } from '../text.ts';

class WalkChart extends SiteElement {
  static override properties = { walk: { attribute: false }, label: {}, current: { state: true } };
  declare walk: WalkForward;
  declare label: string;
  /** Index of the day under the cursor; -1: none, and the last one is shown. */
  declare current: number;
  private chart: IChartApi | null = null;
  private recolorSeries = () => {};
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
    if (changed.has('walk')) this.draw();
  }

  private draw(): void {
    this.chart?.remove();
    const chart = createChart(find(this, '.chart', HTMLElement), { autoSize: true, ...chartOptions(chartColors()) });
    this.chart = chart;
    const { equity, windows } = this.walk;
    this.indexOf = new Map(equity.map(({ ts }, i) => [ts, i]));
    const options = {
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      priceFormat: { type: 'custom', formatter: compact, minMove: 1 },
    } as const;
    const holding = chart.addSeries(LineSeries, { ...options, lineWidth: 1 });
    const own = chart.addSeries(LineSeries, { ...options, lineWidth: 2 });
    holding.setData(equity.map(({ ts, buy_hold }) => ({ time: ts, value: buy_hold })));
    own.setData(equity.map(({ ts, equity: value }) => ({ time: ts, value })));
    const marks = new Marks();
    own.attachPrimitive(marks);
    marks.show(
      windows.map(({ test_start: start }, i) => ({ kind: 'line', start, end: start, label: String(i + 1) }) as const),
    );
    this.recolorSeries = () => {
      const { muted, accent } = chartColors();
      holding.applyOptions({ color: muted });
      own.applyOptions({ color: accent });
    };
    this.recolorSeries();
    chart.timeScale().fitContent();
    chart.subscribeCrosshairMove(this.pointed);
  }

  private readonly recolor = () => {
    this.chart?.applyOptions(chartOptions(chartColors()));
    this.recolorSeries();
  };

  private readonly pointed = ({ time }: MouseEventParams) => {
    this.current = typeof time === 'string' ? (this.indexOf.get(time) ?? -1) : -1;
  };

  override render() {
    return html`<p class="chart-line">${this.line()}</p>
      <div class="chart" role="figure" aria-label=${this.label}></div>`;
  }

  private line() {
    const { equity } = this.walk;
    const point = equity[this.current >= 0 ? this.current : equity.length - 1];
    if (!point) return nothing;
    const [first] = equity;
    const holding = 100 * (point.buy_hold / first.buy_hold - 1);
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b></span>
      <span>${t('run.holding')} <span class=${tone(holding)}>${signedPercent(holding)}</span></span>`;
  }
}

customElements.define('walk-chart', WalkChart);
