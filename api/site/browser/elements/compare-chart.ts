/** The equity of several runs over one time axis, each in percent of its beginning, told apart by line and number too. */
import { createChart, type IChartApi, LineSeries, LineStyle, type MouseEventParams } from 'lightweight-charts';
import { html } from 'lit';
import { type ChartColors, chartColors } from '../chart-colors.ts';
import { chartOptions } from '../chart-options.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { day, signedPercent, t, tone } from '../text.ts';

export interface ComparedLine {
  readonly name: string;
  readonly points: readonly { readonly ts: string; readonly equity: number }[];
}

const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;
const COLORS = ['accent', 'ink', 'accent', 'muted'] as const satisfies readonly (keyof ChartColors)[];
/** Runs that are still told apart. */
export const MOST_COMPARED = STYLES.length;

const sinceBeginning = (points: ComparedLine['points'], equity: number) => 100 * (equity / points[0].equity - 1);

class CompareChart extends SiteElement {
  static override properties = { lines: { attribute: false }, label: {}, current: { state: true } };
  declare lines: readonly ComparedLine[];
  declare label: string;
  /** The day under the cursor; null: none, and the last one is shown. */
  declare current: string | null;
  private chart: IChartApi | null = null;
  private recolorSeries = () => {};

  constructor() {
    super();
    this.lines = [];
    this.label = '';
    this.current = null;
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
    if (changed.has('lines')) this.draw();
  }

  private draw(): void {
    this.chart?.remove();
    const chart = createChart(find(this, '.chart', HTMLElement), { autoSize: true, ...chartOptions(chartColors()) });
    this.chart = chart;
    const drawn = this.lines.map(({ points }, i) => {
      const series = chart.addSeries(LineSeries, {
        lineWidth: 2,
        lineStyle: STYLES[i],
        priceLineVisible: false,
        crosshairMarkerVisible: false,
        priceFormat: { type: 'percent' },
      });
      series.setData(points.map(({ ts, equity }) => ({ time: ts, value: sinceBeginning(points, equity) })));
      return series;
    });
    this.recolorSeries = () => {
      const colors = chartColors();
      drawn.forEach((series, i) => {
        series.applyOptions({ color: colors[COLORS[i]], title: String(i + 1) });
      });
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
    this.current = typeof time === 'string' ? time : null;
  };

  override render() {
    return html`<p class="chart-line">${this.line()}</p>
      <div class="chart" role="figure" aria-label=${this.label}></div>`;
  }

  private line() {
    const last = this.lines.map(({ points }) => points[points.length - 1].ts).sort();
    const at = this.current ?? last[last.length - 1];
    const figures = this.lines.map(({ points }, i) => {
      const point = points.findLast(({ ts }) => ts <= at);
      const value = point ? sinceBeginning(points, point.equity) : null;
      return html`<span>${t('compare.number', { number: i + 1 })} <span class=${tone(value)}>${signedPercent(value)}</span></span>`;
    });
    return html`<b>${day(at)}</b>${figures}`;
  }
}

customElements.define('compare-chart', CompareChart);
