/** The report of a backtest, with its chart. */

import {
  createSeriesMarkers,
  type IChartApi,
  type ITimeScaleApi,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type ChartColors, chartColors } from '../charts/colors.ts';
import { gapMarks, type Mark, Marks, venueBasisMark } from '../charts/marks.ts';
import { candles, drawdownArea, equityLines, sharePanes } from '../charts/series.ts';
import { type Drawing, NO_DAYS, TimeChart } from '../charts/time-chart.ts';
import { FILL_COLUMNS, GAIN_COLUMN, GAIN_PCT_COLUMN, NUMBER_COLUMN } from '../columns.ts';
import { find, SiteElement } from '../dom.ts';
import { notices } from '../notices.ts';
import { BACKTEST, type BacktestBody } from '../run/backtest.ts';
import { deepestDrawdowns, drawdownList, type Figure, LISTED_DRAWDOWNS, type YearReturns } from '../run/figures.ts';
import { resultReport } from '../run/result-report.ts';
import { day, fixed, number, percent, price, signed, signedPercent, t, tone } from '../text.ts';
import type { BacktestResult, Trade } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';

@customElement('run-report')
export class RunReport extends SiteElement {
  @property({ attribute: false }) result!: BacktestResult;
  @property({ attribute: false }) body: BacktestBody | null = null;
  @property({ attribute: false }) keptId: number | null = null;
  @property({ attribute: false }) isOwn = false;
  /** The selected trade. */
  @state() trade: Trade | null = null;

  override render() {
    const { result } = this;
    return resultReport(BACKTEST, this, {
      notices: notices(result),
      sentences: (years) => sentences(result, years),
      figures: figures(result),
      details: details(result),
      chart: (equity) => this.chart(equity),
      tables: this.tables(),
    });
  }

  private chart(equity: NonNullable<BacktestResult['equity']>) {
    const { symbol, start_date, end_date, total_pnl_pct, buy_hold_pnl_pct } = this.result;
    const label = t('run.chart', {
      symbol,
      start: day(start_date),
      end: day(end_date),
      total: signedPercent(total_pnl_pct, 1),
      holding: signedPercent(buy_hold_pnl_pct, 1),
    });
    return html`<p class="legend"><span class="key own"></span>${t('run.equity')} <span class="key holding"></span>${t('run.holding')}</p>
      <run-chart .result=${this.result} label=${label} @point=${this.onPoint}></run-chart>
      ${drawdownList(equity)}`;
  }

  private readonly onPoint = ({ detail: ts }: CustomEvent<string | null>) => {
    if (ts === null) return;
    this.trade = this.result.trades?.find(({ entry_date, exit_date }) => entry_date <= ts && ts <= exit_date) ?? null;
  };

  private readonly onChoose = ({ detail: trade }: CustomEvent<Trade>) => {
    if (trade === this.trade) return;
    this.trade = trade;
    find(this, 'run-chart', RunChart).showDays(trade.entry_date, trade.exit_date);
  };

  private tables() {
    return html`<h2>${t('run.trades')}</h2>
      <data-table
        class="short"
        .columns=${TRADE_COLUMNS}
        .rows=${this.result.trades ?? NO_TRADES}
        .current=${this.trade}
        .empty=${html`<p class="muted">${t('run.no_trades')}</p>`}
        caption=${t('run.trades')}
        @choose=${this.onChoose}
      ></data-table>`;
  }
}

function sentences(result: BacktestResult, years: readonly YearReturns[]) {
  const { num_trades, avg_bars_held, exposure_pct, excess_return_pct } = result;
  const held = t('run.words.held', {
    trades: num_trades,
    bars: Math.round(avg_bars_held ?? 0),
    share: fixed(exposure_pct, 0),
  });
  const against = excess_return_pct >= 0 ? 'run.words.ahead' : 'run.words.behind';
  const compared = t(against, { points: fixed(Math.abs(excess_return_pct), 1) });
  const worst = years.toSorted((a, b) => a.total - a.holding - (b.total - b.holding))[0];
  if (years.length < 2 || worst.total >= worst.holding) return [held, compared];
  const details = {
    year: String(worst.year),
    own: signedPercent(worst.total, 1),
    holding: signedPercent(worst.holding, 1),
  };
  return [held, compared, t('run.words.worst', details)];
}

function figures(r: BacktestResult): Figure[] {
  return [
    { name: t('run.total'), value: signedPercent(r.total_pnl_pct, 1), tone: tone(r.total_pnl_pct) },
    {
      name: t('run.a_year'),
      value: signedPercent(r.annualized_pct, 1),
      tone: tone(r.annualized_pct),
      unit: interval(r.statistics?.annualized_interval, (value) => signedPercent(value, 1)),
    },
    {
      name: t('run.against_holding'),
      value: signed(r.excess_return_pct, 1),
      tone: tone(r.excess_return_pct),
      unit: t('run.points'),
    },
    { name: t('run.drawdown'), value: signedPercent(-Math.abs(r.max_drawdown_pct), 1), tone: 'loss' },
    {
      name: t('run.sharpe'),
      value: fixed(r.sharpe, 2),
      unit: interval(r.statistics?.sharpe_interval, (value) => fixed(value, 2)),
    },
    { name: t('run.trades'), value: number(r.num_trades), unit: t('run.won', { share: fixed(r.win_rate, 0) }) },
  ];
}

function details(r: BacktestResult): [string, string][] {
  return [
    [t('run.holding'), signedPercent(r.buy_hold_pnl_pct, 1)],
    [t('run.final_equity'), number(r.final_equity)],
    [t('run.sortino'), fixed(r.sortino, 2)],
    [t('run.calmar'), fixed(r.calmar, 2)],
    [t('run.profit_factor'), fixed(r.profit_factor, 2)],
    [t('run.drawdown_days'), t('run.days', { days: r.max_drawdown_days })],
    [t('run.exposure'), percent(r.exposure_pct, 1)],
    [t('run.avg_trade'), signedPercent(r.avg_trade_pct, 2)],
    [t('run.best_trade'), signedPercent(r.best_trade_pct, 2)],
    [t('run.worst_trade'), signedPercent(r.worst_trade_pct, 2)],
    [t('run.bars_held'), number(r.avg_bars_held, 1)],
    [t('run.engine'), r.engine_version],
  ];
}

const NO_TRADES: readonly Trade[] = [];

/** The 5th and 95th percentile of a figure over the resamples; undefined where there are none. */
function interval(bounds: readonly [number, number] | null | undefined, written: (value: number) => string) {
  return bounds ? t('evidence.interval', { low: written(bounds[0]), high: written(bounds[1]) }) : undefined;
}

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  NUMBER_COLUMN,
  ...FILL_COLUMNS,
  { key: 'bars', title: t('run.bars'), isNumber: true, value: ({ bars_held }) => bars_held },
  GAIN_COLUMN,
  GAIN_PCT_COLUMN,
  numberColumn('mae', t('run.worst_point'), ({ mae_pct }) => mae_pct, signedPercent),
  numberColumn('mfe', t('run.best_point'), ({ mfe_pct }) => mfe_pct, signedPercent),
];

/** Width in which the two numbers of a trade are legible. */
const NUMBERS_PX = 16;

/** Equity against holding, drawdowns below, and candles with entries and exits. */
@customElement('run-chart')
export class RunChart extends TimeChart {
  @property({ attribute: false }) result!: BacktestResult;

  protected override get days() {
    return this.result.equity ?? NO_DAYS;
  }

  protected override draw(chart: IChartApi): Drawing {
    const equity = equityLines(chart);
    const drawdowns = drawdownArea(chart, 1);
    const prices = candles(chart, 2);
    sharePanes(chart, [4, 2, 4]);
    const deepest = new Marks();
    drawdowns.area.attachPrimitive(deepest);
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
        drawdowns.show(points);
        prices.show(klines);
      },
      paint: (colors) => {
        const { equity: points = [], klines = [] } = this.result;
        equity.paint(colors);
        drawdowns.paint(colors);
        prices.paint(colors);
        deepest.show(shadesOf(points), colors);
        history.show([...gapMarks(klines), ...venueBasisMark(klines)], colors);
        paintFills();
      },
    };
  }

  /** Whether there is room for the numbers of the trades in view. */
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

/** The deepest drawdowns, from the peak to the recovery or to the end. */
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
