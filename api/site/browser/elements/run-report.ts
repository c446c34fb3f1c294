/** The report of a backtest. */
import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { notices } from '../notices.ts';
import { BACKTEST, type BacktestBody } from '../run/backtest.ts';
import { drawdownList, type Figure } from '../run/figure-list.ts';
import type { YearReturns } from '../run/figures.ts';
import { resultReport } from '../run/result-report.ts';
import { FILL_COLUMNS, GAIN_COLUMN, GAIN_PCT_COLUMN, NUMBER_COLUMN } from '../run/trade-columns.ts';
import { day, fixed, number, percent, signed, signedPercent, t, tone } from '../text.ts';
import type { BacktestResult, Trade } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';
import { RunChart } from './run-chart.ts';

@customElement('run-report')
export class RunReport extends SiteElement {
  @property({ attribute: false }) result!: BacktestResult;
  @property({ attribute: false }) body: BacktestBody | null = null;
  @property({ attribute: false }) kept: number | null = null;
  @property({ attribute: false }) isOwn = false;
  /** The trade that is looked at. */
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
      <run-chart .result=${this.result} label=${label} @point=${this.pointed}></run-chart>
      ${drawdownList(equity)}`;
  }

  private readonly pointed = ({ detail: ts }: CustomEvent<string | null>) => {
    if (ts === null) return;
    this.trade = this.result.trades?.find(({ entry_date, exit_date }) => entry_date <= ts && ts <= exit_date) ?? null;
  };

  private readonly chose = ({ detail: trade }: CustomEvent<Trade>) => {
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
        @choose=${this.chose}
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
