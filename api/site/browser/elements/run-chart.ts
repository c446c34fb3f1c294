/** A run over time: equity against holding, its falls below, and the candles with what was bought and sold. */
import {
  createSeriesMarkers,
  type IChartApi,
  type ITimeScaleApi,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type ChartColors, chartColors } from '../charts/colors.ts';
import { basisMark, gapMarks, type Mark, Marks } from '../charts/marks.ts';
import { candles, drawdownArea, equityLines, sharePanes } from '../charts/series.ts';
import { type Drawing, NO_DAYS, TimeChart } from '../charts/time-chart.ts';
import { LISTED_DRAWDOWNS } from '../run/figure-list.ts';
import { deepestDrawdowns } from '../run/figures.ts';
import { day, number, price, signedPercent, t, tone } from '../text.ts';
import type { BacktestResult } from '../types.ts';

/** Room that the two numbers of a trade need to be read. */
const NUMBERS_PX = 16;

@customElement('run-chart')
export class RunChart extends TimeChart {
  @property({ attribute: false }) result!: BacktestResult;

  protected override get days() {
    return this.result.equity ?? NO_DAYS;
  }

  protected override draw(chart: IChartApi): Drawing {
    const equity = equityLines(chart);
    const falls = drawdownArea(chart, 1);
    const prices = candles(chart, 2);
    sharePanes(chart, [4, 2, 4]);
    const deepest = new Marks();
    falls.area.attachPrimitive(deepest);
    const history = new Marks();
    prices.series.attachPrimitive(history);
    const fills = createSeriesMarkers(prices.series, []);
    let isNumbered = false;
    const paintFills = () => fills.setMarkers(fillsOf(this.result, chartColors(), isNumbered));
    chart.timeScale().subscribeVisibleLogicalRangeChange(() => {
      const isLegible = this.hasRoomForNumbers(chart.timeScale());
      if (isLegible === isNumbered) return;
      isNumbered = isLegible;
      paintFills();
    });
    return {
      show: () => {
        const { equity: points = [], klines = [] } = this.result;
        equity.show(points);
        falls.show(points);
        prices.show(klines);
      },
      paint: (colors) => {
        const { equity: points = [], klines = [] } = this.result;
        equity.paint(colors);
        falls.paint(colors);
        prices.paint(colors);
        deepest.show(shadesOf(points), colors);
        history.show([...gapMarks(klines), ...basisMark(klines)], colors);
        paintFills();
      },
    };
  }

  /** Whether the trades in view are few enough to be told apart by their numbers. */
  private hasRoomForNumbers(scale: ITimeScaleApi<Time>): boolean {
    const view = scale.getVisibleRange();
    if (view === null) return false;
    const inView = (this.result.trades ?? []).filter(
      ({ entry_date, exit_date }) => entry_date <= view.to && exit_date >= view.from,
    );
    return inView.length * NUMBERS_PX <= scale.width();
  }

  protected override figures(index: number) {
    const { equity = [], klines = [], cost } = this.result;
    const point = equity[index];
    const own = 100 * (point.equity / cost.initial_capital - 1);
    const holding = 100 * (point.buy_hold / cost.initial_capital - 1);
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b> <span class=${tone(own)}>${signedPercent(own)}</span></span>
      <span>${t('run.holding')} <span class=${tone(holding)}>${signedPercent(holding)}</span></span>
      <span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct))}</b></span>
      <span>${t('word.close_price')} <b>${price(klines[index]?.close)}</b></span>`;
  }
}

/** The deepest falls, from the peak to the return to it or to the end. */
function shadesOf(equity: NonNullable<BacktestResult['equity']>): Mark[] {
  return deepestDrawdowns(equity, LISTED_DRAWDOWNS).map(({ peak, recovered }, i) => ({
    kind: 'shade',
    start: peak,
    end: recovered ?? equity[equity.length - 1].ts,
    label: String(i + 1),
  }));
}

/** Entries below their bars, exits above, with or without the numbers of the trades. */
function fillsOf({ trades = [] }: BacktestResult, colors: ChartColors, isNumbered: boolean): SeriesMarker<Time>[] {
  const fills = trades.flatMap(({ seq, entry_date, exit_date }): SeriesMarker<Time>[] => {
    const text = isNumbered ? String(seq) : '';
    return [
      { text, time: entry_date, position: 'belowBar', shape: 'arrowUp', color: colors.accent, size: 0.7 },
      { text, time: exit_date, position: 'aboveBar', shape: 'arrowDown', color: colors.ink, size: 0.7 },
    ];
  });
  return fills.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}
