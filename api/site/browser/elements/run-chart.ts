/** The chart of a backtest: its curves beside holding, drawdown, and candles with entries and exits, on one axis of days. */
import { type IChartApi, LineSeries } from 'lightweight-charts';
import { customElement, property, state } from 'lit/decorators.js';
import { Fills, fillsOf } from '../charts/fills.ts';
import { gapMarks, type Mark, Marks, venueBasisMark } from '../charts/marks.ts';
import { candles, drawdownArea, sharePanes, WITHOUT_LABELS } from '../charts/series.ts';
import { type Drawing, NO_DAYS } from '../charts/time-chart.ts';
import { WeekSeries, weeksOf } from '../charts/weeks.ts';
import { html } from '../dom.ts';
import { deepestDrawdowns } from '../run/figures.ts';
import { day, price, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, Trade } from '../types.ts';
import { CurveChart, HOLDING, OWN, ownPoints } from './curve-chart.ts';

/** Width of a day below which weeks are drawn. */
const LEGIBLE_PX = 3;
/** Bars beside a fill whose range its mark clears: those of its week. */
const OF_WEEK = 4;
/** Width in which the two numbers of a trade are legible. */
const NUMBERS_PX = 26;
/** On a phone the first readout takes two lines. */
const isPhone = matchMedia('(max-width: 560px)').matches;
/** Share of each pane above and below its series: for the readout, and for marks and their numbers. */
const MARGINS = [
  { top: isPhone ? 0.34 : 0.24, bottom: 0.06 },
  { top: 0.42, bottom: 0.06 },
  { top: 0.26, bottom: 0.18 },
];

@customElement('run-chart')
export class RunChart extends CurveChart {
  @property({ attribute: false }) result!: BacktestResult;
  /** The trade whose bars are tinted. */
  @property({ attribute: false }) trade: Trade | null = null;
  @state() isWeekly = false;
  @state() isNumbered = true;

  protected override readonly sources = ['result'];

  protected override get days() {
    return this.result.equity ?? NO_DAYS;
  }

  protected override get about() {
    return { isTotal: this.result.adjust === 'total', name: this.result.symbol };
  }

  protected override curves() {
    const { equity = [] } = this.result;
    const held = {
      ...HOLDING,
      name: t('run.holding'),
      points: equity.map(({ ts, buy_hold: value }) => ({ ts, value })),
    };
    return {
      runs: [{ ...OWN, name: t('run.equity'), points: ownPoints(this.result) }],
      beside: [held],
      holdings: [held],
    };
  }

  /** A new result is painted once, as its whole range asks for. */
  protected override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed);
    if (!changed.has('result')) return;
    const width = this.offsetWidth;
    this.isWeekly = width / this.days.length < LEGIBLE_PX;
    this.isNumbered = (this.result.trades ?? []).length * NUMBERS_PX <= width;
  }

  protected override draw(chart: IChartApi): Drawing {
    const curves = this.addCurves(chart);
    const drawdowns = drawdownArea(chart, 1);
    const daily = candles(chart, 2);
    const week = new WeekSeries();
    const weekly = chart.addCustomSeries(week, WITHOUT_LABELS, 2);
    // Carries the marks of fills at either zoom.
    const carrier = chart.addSeries(
      LineSeries,
      { lineVisible: false, crosshairMarkerVisible: false, ...WITHOUT_LABELS },
      2,
    );
    [curves.main, drawdowns.area, daily.series].forEach((series, i) => {
      series.priceScale().applyOptions({ scaleMargins: MARGINS[i] });
    });
    sharePanes(chart, [122, 70, 152]);
    const marks = [curves.main, drawdowns.area, carrier].map((series) => {
      const drawn = new Marks();
      series.attachPrimitive(drawn);
      return drawn;
    });
    const fills = new Fills();
    carrier.attachPrimitive(fills);
    chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range === null) return;
      this.isWeekly = chart.timeScale().width() / (range.to - range.from) < LEGIBLE_PX;
      this.isNumbered = this.hasRoomForNumbers(chart);
    });
    let shownDaily: BacktestResult['klines'];
    return {
      main: curves.main,
      show: () => {
        const { equity: points = [], klines = [] } = this.result;
        drawdowns.show(points);
        // Those of another result would leave their days on the axis.
        if (shownDaily !== undefined) daily.show([]);
        shownDaily = undefined;
        weekly.setData(weeksOf(klines));
        carrier.setData(klines.map(({ ts, close }) => ({ time: ts, value: close })));
      },
      paint: (colors) => {
        const { equity: points = [], klines = [] } = this.result;
        week.colors = colors;
        this.paintCurves(colors);
        drawdowns.paint(colors);
        // Thousands of candles are set only once they are wide enough to be drawn.
        if (!this.isWeekly && shownDaily !== klines) {
          daily.show(klines);
          shownDaily = klines;
        }
        daily.paint(colors);
        daily.series.applyOptions({ visible: !this.isWeekly });
        weekly.applyOptions({ visible: this.isWeekly });
        const tint = tintOf(this.trade);
        const [above, middle, below] = marks;
        above.show([...tint, ...venueBasisMark(klines).map((mark) => ({ ...mark, label: '' }))], colors);
        middle.show([...tint, ...deepestMark(points)], colors);
        below.show([...tint, ...gapMarks(klines), ...venueBasisMark(klines)], colors);
        const { trades = [] } = this.result;
        const ofTrades = { trades, current: this.trade, isNumbered: this.isNumbered, cleared: OF_WEEK };
        fills.show(fillsOf(klines, ofTrades), colors);
      },
    };
  }

  /** Whether there is room for the numbers of the trades in view. */
  private hasRoomForNumbers(chart: IChartApi): boolean {
    const view = chart.timeScale().getVisibleRange();
    if (view === null) return true;
    const inView = (this.result.trades ?? []).filter(
      ({ entry_date, exit_date }) => entry_date <= view.to && exit_date >= view.from,
    );
    return inView.length * NUMBERS_PX <= chart.timeScale().width();
  }

  override render() {
    const index = this.current === -1 ? this.days.length - 1 : this.current;
    const lines = index === -1 ? [] : this.figures(index);
    return html`${this.tools()}
      <div class="run-panes">${this.box()} ${lines.map((line, i) => html`<p class=${`chart-line pane-${i}`}>${line}</p>`)}</div>`;
  }

  protected override figures(index: number): readonly unknown[] {
    const { equity = [], klines = [], symbol } = this.result;
    const point = equity[index];
    return [
      html`<b>${day(point.ts)}</b> ${this.legend(index)}`,
      html`<span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct), 1)}</b></span>`,
      html`<span>${this.isWeekly ? t('run.weekly', { symbol }) : symbol} <b>${price(klines[index]?.close)}</b></span>
        <span><span class="mark up"></span>${t('run.bought')}</span> <span><span class="mark down"></span>${t('run.sold')}</span>`,
    ];
  }
}

function tintOf(trade: Trade | null): Mark[] {
  return trade === null ? [] : [{ kind: 'tint', start: trade.entry_date, end: trade.exit_date, label: '' }];
}

/** The value of the deepest drawdown, at its lowest point. */
function deepestMark(equity: NonNullable<BacktestResult['equity']>): Mark[] {
  return deepestDrawdowns(equity, 1).map(({ trough, depth }) => ({
    kind: 'note',
    start: trough,
    end: trough,
    label: signedPercent(depth, 1),
  }));
}
