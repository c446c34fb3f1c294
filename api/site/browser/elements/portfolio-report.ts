/** The report of a portfolio. */
import { HistogramSeries, type IChartApi } from 'lightweight-charts';
import { customElement, property } from 'lit/decorators.js';
import { faded } from '../charts/colors.ts';
import { drawdownArea, PERCENT, sharePanes, WITHOUT_LABELS } from '../charts/series.ts';
import { type Drawing, NO_DAYS } from '../charts/time-chart.ts';
import { SYMBOL_COLUMN } from '../columns.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { notices, type OwnNotes } from '../notices.ts';
import { drawdownList, type Figure, interestDetail, percentFigure, standingOf } from '../run/figures.ts';
import { type AnyPortfolioBody, countOf, PORTFOLIO } from '../run/portfolio.ts';
import { longerRun, resultReport } from '../run/result-report.ts';
import { isRotationResult } from '../run/rotation.ts';
import { day, fixed, listed, number, percent, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import { FILL_COLUMNS, FIRST_TRADES, GAIN_COLUMN, GAIN_PCT_COLUMN, NUMBER_COLUMN } from '../trade-columns.ts';
import type { PortfolioResult } from '../types.ts';
import { CurveChart, HOLDING, OWN, ownPoints, SURVIVORS } from './curve-chart.ts';
import { type Column, percentColumn } from './data-table.ts';
import './member-correlations.ts';
import { rotationSentences, rotationTables } from './rotation-report.ts';

type Contribution = PortfolioResult['contributions'][number];
type Trade = NonNullable<PortfolioResult['trades']>[number];
type Position = NonNullable<PortfolioResult['positions']>[number];

@customElement('portfolio-report')
export class PortfolioReport extends SiteElement {
  @property({ attribute: false }) result!: PortfolioResult;
  @property({ attribute: false }) body: AnyPortfolioBody | null = null;
  @property({ attribute: false }) keptId: number | null = null;
  @property({ attribute: false }) isOwn = false;

  override render() {
    const { result, keptId, isOwn } = this;
    return resultReport(PORTFOLIO, this, {
      notices: notices(result, { ...notesOf(result), longer: longerRun(PORTFOLIO, this.body) }),
      sentences: () => sentences(result),
      figures: figures(result),
      details: details(result),
      chart: () => chart(result),
      drawdowns: drawdownList(result.equity ?? []),
      tables: html`${isRotationResult(result) ? rotationTables(result, isOwn ? keptId : null) : nothing} ${tables(result)}`,
      parts: [
        { id: 'holdings', title: t('contents.holdings') },
        { id: 'trades', title: t('contents.trades', { count: number(result.trades?.length ?? 0) }) },
      ],
    });
  }
}

/** Notes beside those that all results have. */
function notesOf({ symbols_without_bars: missing = [], screened_on }: PortfolioResult): OwnNotes {
  return {
    warnings: missing.length > 0 ? [t('portfolio.without_bars', { symbols: listed(missing) })] : [],
    remarks: screened_on ? [t('portfolio.screened_on', { date: day(screened_on) })] : [],
  };
}

function sentences(result: PortfolioResult) {
  const { num_trades, position_summary, avg_positions, exposure_pct, excess_return_pct, contributions } = result;
  const held = t('portfolio.words.held', {
    closed: position_summary?.closed ?? num_trades,
    positions: fixed(avg_positions, 1),
    share: fixed(exposure_pct, 0),
  });
  const compared = t(`portfolio.words.${standingOf(excess_return_pct)}`, {
    points: fixed(Math.abs(excess_return_pct), 1),
  });
  const [best] = contributions;
  const isCarried = best && best.pnl > 0 && (best.pnl_share_pct ?? 0) > 0;
  const carried = isCarried
    ? [t('portfolio.words.best', { symbol: best.symbol, share: fixed(best.pnl_share_pct, 0) })]
    : [];
  const rotated = isRotationResult(result) ? rotationSentences(result) : [];
  return { facts: [...rotated, held, ...carried], compared: [compared] };
}

function figures(r: PortfolioResult): Figure[] {
  return [
    percentFigure('returns.total_pct', t('run.total'), r.total_pnl_pct),
    percentFigure('returns.annual_return_pct', t('run.a_year'), r.annualized_pct),
    {
      place: 'benchmark.total_pct',
      name: t('portfolio.against'),
      value: signed(r.excess_return_pct, 1),
      tone: tone(r.excess_return_pct),
      unit: t('run.points'),
    },
    percentFigure('returns.max_drawdown_pct', t('run.drawdown'), -Math.abs(r.max_drawdown_pct)),
    { place: 'returns.sharpe', name: t('run.sharpe'), value: fixed(r.sharpe, 2) },
    {
      place: 'trades.count',
      name: t(r.position_summary ? 'sheet.positions' : 'run.trades'),
      value: number(r.position_summary?.closed ?? r.num_trades),
      unit: t('run.won', { share: fixed(r.position_summary ? r.position_summary.win_rate_pct : r.win_rate, 0) }),
    },
  ];
}

function details(r: PortfolioResult): [string, string][] {
  return [
    [t('portfolio.compared'), signedPercent(r.buy_hold_pnl_pct, 1)],
    [t('run.final_equity'), number(r.final_equity)],
    [t('run.sortino'), fixed(r.sortino, 2)],
    [t('run.calmar'), fixed(r.calmar, 2)],
    [t('run.profit_factor'), fixed(r.position_summary ? r.position_summary.profit_factor : r.profit_factor, 2)],
    [t('run.drawdown_days'), t('run.days', { days: r.max_drawdown_days })],
    [t('portfolio.turnover'), percent(r.turnover_pct, 0)],
    [t('portfolio.avg_positions'), number(r.avg_positions, 1)],
    [t('run.exposure'), percent(r.exposure_pct, 1)],
    [t('run.best_trade'), signedPercent(r.best_trade_pct, 2)],
    [t('run.worst_trade'), signedPercent(r.worst_trade_pct, 2)],
    ...interestDetail(r),
    [t('run.engine'), r.engine_version],
  ];
}

function chart(result: PortfolioResult) {
  const { positions = NO_POSITIONS, start_date, end_date, total_pnl_pct, buy_hold_pnl_pct } = result;
  const label = t('portfolio.chart', {
    count: countOf(result),
    start: day(start_date),
    end: day(end_date),
    total: signedPercent(total_pnl_pct, 1),
    compared: signedPercent(buy_hold_pnl_pct, 1),
  });
  return html`<portfolio-chart .result=${result} label=${label}></portfolio-chart>
    <details>
      <summary>${t('portfolio.positions')}</summary>
      <data-table class="short" .columns=${POSITION_COLUMNS} .rows=${positions} caption=${t('portfolio.positions')}></data-table>
    </details>`;
}

function tables(result: PortfolioResult) {
  const { contributions, trades = NO_TRADES } = result;
  const none = html`<p class="muted">${t('run.no_trades')}</p>`;
  return html`<h2 id="holdings">${t('portfolio.contributions')}</h2>
    <data-table .ends=${BEST_AND_WORST} .columns=${CONTRIBUTION_COLUMNS} .rows=${contributions} .empty=${none} caption=${t('portfolio.contributions')}></data-table>
    <member-correlations .result=${result}></member-correlations>
    <h2 id="trades">${t('run.trades')}</h2>
    <data-table class="dense" .ends=${FIRST_TRADES} .columns=${TRADE_COLUMNS} .rows=${trades} .empty=${none} caption=${t('run.trades')}></data-table>`;
}

/** Contributions of each end. */
const BEST_AND_WORST = [5, 5] as const;
const NO_TRADES: readonly Trade[] = [];
const NO_POSITIONS: readonly Position[] = [];

const CONTRIBUTION_COLUMNS: readonly Column<Contribution>[] = [
  SYMBOL_COLUMN,
  { key: 'trades', title: t('run.trades'), isNumber: true, value: ({ trades }) => trades },
  GAIN_COLUMN,
  percentColumn('share', t('portfolio.share'), ({ pnl_share_pct }) => pnl_share_pct),
];

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'ts', title: t('portfolio.date'), value: ({ ts }) => ts },
  { key: 'count', title: t('portfolio.positions_short'), isNumber: true, value: ({ count }) => count },
  percentColumn('invested', t('portfolio.invested'), ({ invested_pct }) => invested_pct),
];

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  NUMBER_COLUMN,
  SYMBOL_COLUMN,
  ...FILL_COLUMNS,
  GAIN_COLUMN,
  GAIN_PCT_COLUMN,
];

@customElement('portfolio-chart')
export class PortfolioChart extends CurveChart {
  @property({ attribute: false }) result!: PortfolioResult;

  protected override readonly sources = ['result'];

  protected override get days() {
    return this.result.equity ?? NO_DAYS;
  }

  protected override get about() {
    return { isTotal: this.result.adjust === 'total', name: t('page.portfolio') };
  }

  protected override curves() {
    const { equity = [] } = this.result;
    const compared = {
      ...HOLDING,
      name: t('portfolio.compared'),
      points: equity.map(({ ts, buy_hold: value }) => ({ ts, value })),
    };
    const points = equity.flatMap(({ ts, survivors: value }) => (value === undefined ? [] : [{ ts, value }]));
    const survivors = points.length === 0 ? [] : [{ ...SURVIVORS, name: t('rotation.survivors_only'), points }];
    const run = { ...OWN, name: t('run.equity'), points: ownPoints(this.result) };
    return { runs: [run], beside: [compared, ...survivors], holdings: [compared] };
  }

  protected override draw(chart: IChartApi): Drawing {
    const curves = this.addCurves(chart);
    const drawdowns = drawdownArea(chart, 1);
    const invested = chart.addSeries(HistogramSeries, { ...WITHOUT_LABELS, priceFormat: PERCENT }, 2);
    sharePanes(chart, [4, 2, 2]);
    return {
      main: curves.main,
      show: () => {
        const { equity: points = [], positions = [] } = this.result;
        drawdowns.show(points);
        invested.setData(positions.map(({ ts, invested_pct }) => ({ time: ts, value: invested_pct ?? 0 })));
      },
      paint: (colors) => {
        this.paintCurves(colors);
        drawdowns.paint(colors);
        invested.applyOptions({ color: faded(colors.accent, 0.5) });
      },
    };
  }

  override render() {
    return html`${this.tools()} ${super.render()}`;
  }

  protected override figures(index: number) {
    const { equity = [], positions = [] } = this.result;
    const point = equity[index];
    // The last session counts after its closing sales: shown is what they sold.
    const isSold = index > 0 && index === positions.length - 1 && positions[index].count === 0;
    const held = positions[isSold ? index - 1 : index];
    return html`<b>${day(point.ts)}</b> ${this.legend(index)}
      <span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct))}</b></span>
      <span>${t('portfolio.held', { count: held?.count ?? 0, share: fixed(held?.invested_pct, 0) })}</span>`;
  }
}
