/** The base of charts over time, in the colors of the page, with the figures of the day under the cursor above them. */
import { createChart, type IChartApi, type MouseEventParams } from 'lightweight-charts';
import { property, state } from 'lit/decorators.js';
import { find, html, nothing, SiteElement } from '../dom.ts';
import { locale } from '../page-locale.ts';
import { type ChartColors, chartColors, chartFont } from './colors.ts';

/** Bars on both sides of a range that is brought into view. */
const BARS_AROUND = 40;
/** Width of a chart on A4 and Letter within the margins of the style sheet for print, which names it too. */
const PAPER_PX = 700;

export interface Day {
  /** YYYY-MM-DD */
  readonly ts: string;
}

/** The days of a chart without data. */
export const NO_DAYS: readonly Day[] = [];

/** The series of a chart. */
export interface Drawing {
  /** Sets the data of the series; called when `days` is another array. */
  show(): void;
  /** Sets colors and marks of the series; called after `show`, and when the colors of the page or the marks change. */
  paint(colors: ChartColors): void;
  /** Room after the last day, for texts at the ends of lines. */
  readonly endPx?: number;
}

interface View {
  readonly chart: IChartApi;
  readonly drawing: Drawing;
}

/** Fires `point` with the day under the cursor, or null when the cursor leaves, and `choose` with a day that is clicked. */
export abstract class TimeChart extends SiteElement {
  /** A description of the chart for screen readers. */
  @property() label = '';
  /** Index of the day under the cursor; -1: none, and the last one is shown. */
  @state() current = -1;
  private view: View | null = null;
  private shown: readonly Day[] | null = null;
  private indexOf: ReadonlyMap<string, number> = new Map();

  /** The days of the data, oldest first: another array means other data. */
  protected abstract readonly days: readonly Day[];

  /** Adds the series to an empty chart. */
  protected abstract draw(chart: IChartApi): Drawing;

  /** Renders the figures of a day. */
  protected abstract figures(index: number): unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('appearance', this.recolor);
    addEventListener('beforeprint', this.toPaper);
    addEventListener('afterprint', this.toScreen);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('appearance', this.recolor);
    removeEventListener('beforeprint', this.toPaper);
    removeEventListener('afterprint', this.toScreen);
    this.view?.chart.remove();
    this.view = null;
    this.shown = null;
  }

  protected override willUpdate(_changed: Map<string, unknown>): void {
    if (this.days !== this.shown) this.current = -1;
  }

  override render() {
    const { days, current } = this;
    const at = current === -1 ? days.length - 1 : current;
    return html`<p class="chart-line">${at === -1 ? nothing : this.figures(at)}</p>
      <div class="chart" role="figure" aria-label=${this.label}></div>`;
  }

  protected override updated(changed: Map<string, unknown>): void {
    const isCursorMoved = changed.size === 1 && changed.has('current');
    if (isCursorMoved) return;
    this.view ??= this.begin();
    const { chart, drawing } = this.view;
    const { days } = this;
    const isNewData = days !== this.shown;
    if (isNewData) {
      this.shown = days;
      this.indexOf = new Map(days.map(({ ts }, i) => [ts, i]));
      drawing.show();
    }
    drawing.paint(chartColors());
    if (!isNewData || days.length === 0) return;
    const scale = chart.timeScale();
    const { endPx = 0 } = drawing;
    const px = Math.max(scale.width() - BEFORE_PX - endPx, 1);
    scale.setVisibleLogicalRange(wholeOf(days.length, BEFORE_PX / px, endPx / px));
  }

  private begin(): View {
    const options = chartOptions(chartColors());
    const chart = createChart(find(this, '.chart', HTMLElement), { ...options, autoSize: true });
    chart.subscribeCrosshairMove(this.onCrosshairMove);
    chart.subscribeClick(({ time: detail }) => this.dispatchEvent(new CustomEvent('choose', { detail })));
    return { chart, drawing: this.draw(chart) };
  }

  private readonly recolor = () => {
    const colors = chartColors();
    this.view?.chart.applyOptions(chartOptions(colors));
    this.view?.drawing.paint(colors);
  };

  /** Draws the same days in the width of a sheet, at once: after this event the browser lays out what it prints. */
  private readonly toPaper = () => {
    const chart = this.view?.chart;
    const range = chart?.timeScale().getVisibleLogicalRange();
    if (!chart || !range) return;
    chart.applyOptions({ autoSize: false });
    chart.resize(PAPER_PX, find(this, '.chart', HTMLElement).clientHeight);
    chart.timeScale().setVisibleLogicalRange(range);
    // Draws what is due, instead of with the next frame. The canvases of the chart itself may be empty on paper.
    const image = chart.takeScreenshot(true);
    image.className = 'on-paper';
    find(this, '.chart', HTMLElement).append(image);
  };

  private readonly toScreen = () => {
    this.querySelector('.on-paper')?.remove();
    const chart = this.view?.chart;
    const range = chart?.timeScale().getVisibleLogicalRange();
    chart?.applyOptions({ autoSize: true });
    if (chart && range) requestAnimationFrame(() => chart.timeScale().setVisibleLogicalRange(range));
  };

  private readonly onCrosshairMove = ({ time }: MouseEventParams) => {
    const index = typeof time === 'string' ? (this.indexOf.get(time) ?? -1) : -1;
    if (index === this.current) return;
    this.current = index;
    this.dispatchEvent(new CustomEvent('point', { detail: this.days[index]?.ts ?? null }));
  };

  /** Brings the days from one to another into view, with some around them, unless they are. */
  showDays(start: string, end: string): void {
    const [from, to] = [this.indexOf.get(start), this.indexOf.get(end)];
    const scale = this.view?.chart.timeScale();
    const shown = scale?.getVisibleLogicalRange();
    if (from === undefined || to === undefined || !shown) return;
    if (shown.from <= from && to <= shown.to) return;
    scale?.setVisibleLogicalRange({ from: from - BARS_AROUND, to: to + BARS_AROUND });
  }
}

/** Room before the first bar, for half of its label on the axis. */
const BEFORE_PX = 18;
/** Share of the width after the last bar, for the number of a mark. */
const AFTER = 0.025;

/** The range of so many days, with shares of their width before the first and after the last one. */
function wholeOf(count: number, before: number, after: number) {
  return { from: -before * count, to: count - 1 + Math.max(AFTER, after) * count };
}

function chartOptions(colors: ChartColors) {
  return {
    layout: {
      background: { color: colors.ground },
      textColor: colors.muted,
      fontFamily: chartFont(),
      fontSize: 11,
      panes: { separatorColor: colors.line, separatorHoverColor: colors.raised, enableResize: true },
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colors.grid } },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: { borderColor: colors.line, minBarSpacing: 0.02 },
    crosshair: { mode: 0, vertLine: { labelVisible: true }, horzLine: { labelVisible: true } },
    localization: { locale },
  };
}
