/** The report of a backtest, with its chart: a row of the trades and its bars in the chart point at each other. */
import { customElement, property, state } from 'lit/decorators.js';
import { isOpen } from '../charts/fills.ts';
import { find, html, nothing, SiteElement, svg } from '../dom.ts';
import { notices } from '../notices.ts';
import { BACKTEST, type BacktestBody } from '../run/backtest.ts';
import {
  deepestDrawdowns,
  drawdownList,
  type Figure,
  interestDetail,
  percentFigure,
  standingOf,
  type YearReturns,
} from '../run/figures.ts';
import { longerRun, resultReport } from '../run/result-report.ts';
import { day, dollars, fixed, number, percent, signed, signedPercent, tone, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import { FILL_COLUMNS, FIRST_TRADES, GAIN_COLUMN, NUMBER_COLUMN } from '../trade-columns.ts';
import type { BacktestResult, Trade } from '../types.ts';
import { type Column, changeColumn, type Sort } from './data-table.ts';
import { RunChart } from './run-chart.ts';

@customElement('run-report')
export class RunReport extends SiteElement {
  @property({ attribute: false }) result!: BacktestResult;
  @property({ attribute: false }) body: BacktestBody | null = null;
  @property({ attribute: false }) keptId: number | null = null;
  @property({ attribute: false }) isOwn = false;
  /** The trade under the pointer, in the table or in the chart. */
  @state() trade: Trade | null = null;
  @state() hasAllColumns = false;

  override render() {
    const { result } = this;
    return resultReport(BACKTEST, this, {
      notices: notices(result, { longer: longerRun(BACKTEST, this.body) }),
      sentences: (years) => sentences(result, years),
      figures: figures(result),
      details: details(result),
      chart: () => this.chart(),
      drawdowns: drawdownList(result.equity ?? []),
      tables: this.trades(),
      parts: [{ id: 'trades', title: t('contents.trades', { count: number(result.trades?.length ?? 0) }) }],
    });
  }

  private chart() {
    const { symbol, start_date, end_date, total_pnl_pct, buy_hold_pnl_pct } = this.result;
    const label = t('run.chart', {
      symbol,
      start: day(start_date),
      end: day(end_date),
      total: signedPercent(total_pnl_pct, 1),
      holding: signedPercent(buy_hold_pnl_pct, 1),
    });
    return html`<run-chart .result=${this.result} .trade=${this.trade} label=${label} @point=${this.onPoint}></run-chart>`;
  }

  private readonly onPoint = ({ detail: ts }: CustomEvent<string | null>) => {
    const held = ({ entry_date, exit_date }: Trade) => ts !== null && entry_date <= ts && ts <= exit_date;
    this.trade = this.result.trades?.find(held) ?? null;
  };

  private readonly onTrade = ({ detail: trade }: CustomEvent<Trade | null>) => {
    this.trade = trade;
  };

  private readonly onChoose = ({ detail: trade }: CustomEvent<Trade>) => {
    this.trade = trade;
    find(this, 'run-chart', RunChart).showDays(trade.entry_date, trade.exit_date);
  };

  private trades() {
    const { trades = [] } = this.result;
    const open = trades.filter(isOpen).length;
    const switchColumns = () => {
      this.hasAllColumns = !this.hasAllColumns;
    };
    return html`<div class="row spread section-head" id="trades">
        <h2>${t('run.trades_count', { closed: trades.length - open, open })}</h2>
        <button class="quiet" aria-pressed=${this.hasAllColumns} @click=${switchColumns}>
          ${this.hasAllColumns ? t('run.fewer_columns') : t('run.all_columns')}
        </button>
      </div>
      <data-table
        class="dense"
        .columns=${this.hasAllColumns ? ALL_COLUMNS : COLUMNS}
        .rows=${trades}
        .sort=${NEWEST_FIRST}
        .ends=${FIRST_TRADES}
        .current=${this.trade}
        .empty=${html`<p class="muted">${t('run.no_trades')}</p>`}
        caption=${t('run.trades')}
        @choose=${this.onChoose}
        @point=${this.onTrade}
      ></data-table>`;
  }
}

/** The run in words: what it did, how it compares with holding, and the year in which it fell behind most. */
function sentences(result: BacktestResult, years: readonly YearReturns[]) {
  const { num_trades, avg_bars_held, total_pnl_pct, buy_hold_pnl_pct, excess_return_pct } = result;
  const held = t('run.words.held', { trades: num_trades, bars: Math.round(avg_bars_held ?? 0) });
  const against = standingOf(excess_return_pct);
  const own = signedPercent(total_pnl_pct, 1);
  const compared = html`${t(`run.words.${against}`)}${wordSpace}<b>${t('run.words.against', { own, holding: signedPercent(buy_hold_pnl_pct, 1) })}</b>`;
  const worst = years.toSorted((a, b) => a.total - a.holding - (b.total - b.holding))[0];
  const fellBehind =
    years.length >= 2 && worst.total < worst.holding
      ? t('run.words.worst', {
          year: String(worst.year),
          own: signedPercent(worst.total, 1),
          holding: signedPercent(worst.holding, 1),
        })
      : nothing;
  return { facts: [held], compared: [compared, fellBehind] };
}

function figures(r: BacktestResult): Figure[] {
  const fromTo = t('run.from_to', { from: dollars(r.cost.initial_capital), to: dollars(r.final_equity) });
  const annual = interval(r.statistics?.annualized_interval, (value) => signed(value, 1));
  const held = t('run.holding_of', { figure: signedPercent(drawdownOfHolding(r), 1) });
  const open = (r.trades ?? []).filter(isOpen).length;
  return [
    percentFigure('returns.total_pct', t('run.total'), r.total_pnl_pct, fromTo),
    percentFigure('returns.annual_return_pct', t('run.a_year'), r.annualized_pct, annual),
    {
      place: 'benchmark.total_pct',
      name: t('run.against_holding'),
      value: t('run.in_points', { points: signed(r.excess_return_pct, 1) }),
      tone: tone(r.excess_return_pct),
      unit: t('run.holding_of', { figure: signedPercent(r.buy_hold_pnl_pct, 1) }),
    },
    percentFigure('returns.max_drawdown_pct', t('run.deepest_drawdown'), -Math.abs(r.max_drawdown_pct), held),
    {
      place: 'returns.sharpe',
      name: t('run.sharpe'),
      value: fixed(r.sharpe, 2),
      unit: interval(r.statistics?.sharpe_interval, (value) => signed(value, 2)),
    },
    {
      place: 'trades.count',
      name: t('run.trades'),
      value: number(r.num_trades),
      unit: t(r.num_trades > open ? 'run.won_of' : 'run.none_closed', {
        won: (r.trades ?? []).filter((trade) => !isOpen(trade) && trade.pnl > 0).length,
        closed: r.num_trades - open,
        share: fixed(r.exposure_pct, 0),
      }),
    },
  ];
}

/** Percent, at most 0. */
function drawdownOfHolding({ equity = [] }: BacktestResult): number {
  const held = equity.map((point) => ({ ...point, equity: point.buy_hold }));
  return deepestDrawdowns(held, 1)[0]?.depth ?? 0;
}

function details(r: BacktestResult): [string, string][] {
  return [
    [t('run.win_rate'), percent(r.win_rate, 0)],
    [t('run.sortino'), fixed(r.sortino, 2)],
    [t('run.calmar'), fixed(r.calmar, 2)],
    [t('run.profit_factor'), fixed(r.profit_factor, 2)],
    [t('run.drawdown_days'), t('run.days', { days: r.max_drawdown_days })],
    [t('run.exposure'), percent(r.exposure_pct, 1)],
    [t('run.avg_trade'), signedPercent(r.avg_trade_pct, 2)],
    [t('run.best_trade'), signedPercent(r.best_trade_pct, 2)],
    [t('run.worst_trade'), signedPercent(r.worst_trade_pct, 2)],
    [t('run.bars_held'), number(r.avg_bars_held, 1)],
    ...interestDetail(r),
    [t('run.engine'), r.engine_version],
  ];
}

/** The 5th and 95th percentile of a figure over the resamples; undefined where there are none. */
function interval(bounds: readonly [number, number] | null | undefined, written: (value: number) => string) {
  return bounds ? t('run.interval', { low: written(bounds[0]), high: written(bounds[1]) }) : undefined;
}

const NEWEST_FIRST: Sort = { key: 'seq', order: 'desc' };
/** Percent at which the bar of a trade is full. */
const FULL_BAR = 40;

/** The return of a trade as a bar around zero. */
function returnBar({ pnl_pct }: Trade) {
  const width = Math.min(1, Math.abs(pnl_pct) / FULL_BAR) * 40;
  return html`<svg class="return-bar" viewBox="0 0 88 8" aria-hidden="true">
    ${svg`<line x1="44" x2="44" y1="0" y2="8" /><rect class=${tone(pnl_pct)} x=${pnl_pct < 0 ? 44 - width : 44} y="0" width=${width} height="8" />`}
  </svg>`;
}

const [BOUGHT, PAID, SOLD, GOT, REASON] = FILL_COLUMNS;

const COLUMNS: readonly Column<Trade>[] = [
  NUMBER_COLUMN,
  BOUGHT,
  PAID,
  { ...SOLD, cell: (trade) => (isOpen(trade) ? html`<span class="muted">${t('run.open')}</span>` : trade.exit_date) },
  GOT,
  { key: 'bars', title: t('run.bars'), isNumber: true, value: ({ bars_held }) => bars_held },
  { ...changeColumn<Trade>('mae', t('run.worst_point'), ({ mae_pct }) => mae_pct), isMinor: true },
  { ...changeColumn<Trade>('mfe', t('run.best_point'), ({ mfe_pct }) => mfe_pct), isMinor: true },
  GAIN_COLUMN,
  {
    key: 'pnl_pct',
    title: t('run.return'),
    isNumber: true,
    value: ({ pnl_pct }) => pnl_pct,
    cell: (trade) => html`<span class=${tone(trade.pnl_pct)}>${signedPercent(trade.pnl_pct)}</span>${returnBar(trade)}`,
  },
];
const ALL_COLUMNS = [...COLUMNS.slice(0, -1), REASON, ...COLUMNS.slice(-1)].map((column) => ({
  ...column,
  isMinor: false,
}));
