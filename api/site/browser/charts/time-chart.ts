/** The base of charts over time, in the colors of the page, with the figures of the day under the cursor above them. */
import {
  createChart,
  type IChartApi,
  type ISeriesApi,
  MismatchDirection,
  type MouseEventParams,
  type SeriesType,
} from 'lightweight-charts';
import { property, state } from 'lit/decorators.js';
import { find, html, nothing, SiteElement } from '../dom.ts';
import { t } from '../text.ts';
import { type ChartColors, chartColors, chartOptions } from './colors.ts';
import { afterKey, type Day, rangeOf, sharedDays, takeDrags } from './shared-days.ts';

/** Bars on both sides of a range that is brought into view. */
const BARS_AROUND = 40;
/** Width of a chart on A4 and Letter within the margins of the style sheet for print, which names it too. */
const PAPER_PX = 700;

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
  /** The series on which the keys move the cursor. */
  readonly main: ISeriesApi<SeriesType>;
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
  /** Whether it shows the days that the other charts of a report show: a drag then chooses them, instead of moving the chart. */
  protected readonly isShared: boolean = false;
  /** The range that it has taken over from the others, or has given them. */
  private followed = '';
  /** For what keys have asked since the last frame: only then does the chart tell of its range and its cursor. */
  private asked: { readonly shown: readonly [number, number]; readonly current: number } | null = null;
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
    if (this.isShared) sharedDays.follow(this.follow);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('appearance', this.recolor);
    removeEventListener('beforeprint', this.toPaper);
    removeEventListener('afterprint', this.toScreen);
    sharedDays.unfollow(this.follow);
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
    return html`<p class="chart-line">${at === -1 ? nothing : this.figures(at)}</p> ${this.box()}`;
  }

  /** The chart itself, which takes keys. */
  protected box() {
    return html`<div class="chart" role="figure" tabindex="0" aria-label=${this.label} aria-description=${t('chart.keys')} @keydown=${this.press}></div>`;
  }

  protected override updated(changed: Map<string, unknown>): void {
    const isCursorMoved = changed.size === 1 && changed.has('current');
    if (isCursorMoved) return;
    this.view ??= this.begin();
    const { drawing } = this.view;
    const { days } = this;
    const isNewData = days !== this.shown;
    if (isNewData) {
      this.shown = days;
      this.indexOf = new Map(days.map(({ ts }, i) => [ts, i]));
      drawing.show();
    }
    drawing.paint(chartColors());
    if (!isNewData || days.length === 0) return;
    this.showAll();
    if (this.isShared) sharedDays.show(null);
  }

  private showAll(): void {
    if (this.view === null) return;
    const { chart, drawing } = this.view;
    const { endPx = 0 } = drawing;
    const scale = chart.timeScale();
    const px = Math.max(scale.width() - BEFORE_PX - endPx, 1);
    scale.setVisibleLogicalRange(wholeOf(this.days.length, BEFORE_PX / px, endPx / px));
  }

  private begin(): View {
    const options = chartOptions(chartColors());
    const box = find(this, '.chart', HTMLElement);
    const chart = createChart(box, { ...options, autoSize: true });
    chart.subscribeCrosshairMove(this.onCrosshairMove);
    chart.subscribeClick(({ time: detail }) => this.dispatchEvent(new CustomEvent('choose', { detail })));
    if (this.isShared) {
      const scale = chart.timeScale();
      chart.applyOptions({ handleScroll: { pressedMouseMove: false } });
      scale.subscribeVisibleLogicalRangeChange(this.onRange);
      box.addEventListener('dblclick', () => sharedDays.show(null));
      const indexAt = (x: number) => Math.round(scale.coordinateToLogical(x) ?? 0);
      takeDrags(
        box,
        () => scale.width(),
        (from, to) => this.showIndices([indexAt(from), indexAt(to)]),
      );
    }
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
    this.take(typeof time === 'string' ? (this.indexOf.get(time) ?? -1) : -1);
  };

  /** Shows the figures of a day; -1: of the last one. */
  private take(index: number): void {
    if (index === this.current) return;
    this.current = index;
    const detail = this.days[index]?.ts ?? null;
    if (this.isShared) sharedDays.point(detail);
    this.dispatchEvent(new CustomEvent('point', { detail }));
  }

  private readonly onRange = () => {
    if (this.days.length === 0 || this.days !== this.shown) return;
    const shown = rangeOf(this.days, this.shownIndices());
    this.followed = String(shown);
    sharedDays.show(shown);
  };

  private readonly follow = () => {
    const { range, day: pointed } = sharedDays;
    if (this.days.length === 0) return;
    if (String(range) !== this.followed) {
      this.followed = String(range);
      this.showIndices(sharedDays.shownOf(this.days));
    }
    if (pointed !== (this.days[this.current]?.ts ?? null)) this.pointAt(pointed);
  };

  /** Brings the days from one index to another into view: those, or all of them. */
  private showIndices([from, to]: readonly [number, number]): void {
    if (rangeOf(this.days, [from, to]) === null) this.showAll();
    else this.view?.chart.timeScale().setVisibleLogicalRange({ from: from - 0.5, to: to + 0.5 });
  }

  /** Moves the cursor to a day; null: away. */
  private pointAt(pointed: string | null): void {
    if (this.view === null) return;
    const { chart, drawing } = this.view;
    const index = pointed === null ? -1 : this.indexOf.get(pointed);
    if (index === undefined) return;
    this.take(index);
    const figure = drawing.main.dataByIndex(index, MismatchDirection.NearestRight);
    if (pointed === null || figure === null) {
      chart.clearCrosshairPosition();
      return;
    }
    const price = 'close' in figure ? figure.close : 'value' in figure ? figure.value : 0;
    chart.setCrosshairPosition(Number(price), pointed, drawing.main);
  }

  readonly press = (event: KeyboardEvent) => {
    const { days, current } = this;
    const asked = this.asked ?? { shown: this.shownIndices(), current };
    const action = afterKey(event, { ...asked, count: days.length });
    if (action === null || days.length === 0) return;
    event.preventDefault();
    const isFirst = this.asked === null;
    this.asked = { ...asked, ...action };
    const { shown, current: at } = this.asked;
    const step = Math.min(0, at - shown[0]) + Math.max(0, at - shown[1]);
    if ('current' in action && step !== 0) this.asked = { shown: [shown[0] + step, shown[1] + step], current: at };
    if (this.asked.shown !== asked.shown) this.showIndices(this.asked.shown);
    this.take(at);
    // The chart's own work of this frame comes first.
    if (isFirst) requestAnimationFrame(() => requestAnimationFrame(this.onAsked));
  };

  /** After a frame with another range, in which the cursor has kept its place on the screen, not its day. */
  private readonly onAsked = () => {
    const at = this.asked?.current ?? -1;
    this.asked = null;
    if (at === -1) return;
    this.pointAt(this.days[at].ts);
  };

  private shownIndices(): readonly [number, number] {
    const { from = 0, to = 0 } = this.view?.chart.timeScale().getVisibleLogicalRange() ?? {};
    return [Math.max(0, Math.ceil(from)), Math.min(this.days.length - 1, Math.floor(to))];
  }

  /** The chart as a picture of pixels. */
  pixels(): HTMLCanvasElement | null {
    return this.view?.chart.takeScreenshot(true) ?? null;
  }

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
