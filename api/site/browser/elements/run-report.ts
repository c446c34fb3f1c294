/** A run, in the order in which it is read: warnings, figures, chart, trades, returns, evidence, and the same for programs. */
import { html, nothing } from 'lit';
import { path } from '../api.ts';
import { find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { deepestDrawdowns, returnsByYear } from '../run/figures.ts';
import { monthTable } from '../run/month-table.ts';
import { snippetsOf } from '../run/snippets.ts';
import { day, fixed, number, percent, price, signed, signedPercent, t, textOr, tone } from '../text.ts';
import type { BacktestResult, Trade } from '../types.ts';
import './code-samples.ts';
import './data-table.ts';
import './run-evidence.ts';
import type { Column } from './data-table.ts';
import { RunChart, SHADED_DRAWDOWNS } from './run-chart.ts';

class RunReport extends SiteElement {
  static override properties = {
    result: { attribute: false },
    body: { attribute: false },
    kept: { attribute: false },
    isOwn: { attribute: false },
    trade: { state: true },
  };
  declare result: BacktestResult;
  /** The call that gives this result; null where it is not known. */
  declare body: object | null;
  /** The id under which its reader keeps it; null: they do not. */
  declare kept: number | null;
  /** Whether its reader has run it. */
  declare isOwn: boolean;
  /** The trade that is looked at. */
  declare trade: Trade | null;

  constructor() {
    super();
    this.body = null;
    this.kept = null;
    this.isOwn = false;
    this.trade = null;
  }

  override render() {
    return html`${this.notes()} ${this.sentence()} ${this.figures()} ${this.chart()} ${this.trades()} ${this.months()}
      ${this.evidence()} ${this.programs()}
      <p class="muted small">${this.result.disclaimer}</p>`;
  }

  private notes() {
    const { notes, data_range } = this.result;
    const warnings = notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
    const remarks = notes.filter(({ level }) => level === 'info').map(({ message }) => message);
    return html`${[...(data_range.hints ?? []), ...warnings].map((text) => html`<p class="notice warning">${text}</p>`)}
      ${remarks.map((text) => html`<p class="notice">${text}</p>`)}`;
  }

  /** The run in words. */
  private sentence() {
    const { num_trades, avg_bars_held, exposure_pct, excess_return_pct, equity, cost } = this.result;
    if (num_trades === 0) return html`<p class="run-words">${t('run.words.none')}</p>`;
    const held = t('run.words.held', {
      trades: num_trades,
      bars: Math.round(avg_bars_held ?? 0),
      share: fixed(exposure_pct, 0),
    });
    const against = excess_return_pct >= 0 ? 'run.words.ahead' : 'run.words.behind';
    const years = returnsByYear(equity ?? [], cost.initial_capital);
    const worst = years.toSorted((a, b) => a.total - a.holding - (b.total - b.holding))[0];
    const yearly =
      worst && worst.total < worst.holding && years.length > 1
        ? t('run.words.worst', {
            year: String(worst.year),
            own: signedPercent(worst.total, 1),
            holding: signedPercent(worst.holding, 1),
          })
        : '';
    const words = [held, t(against, { points: fixed(Math.abs(excess_return_pct), 1) }), yearly];
    return html`<p class="run-words">${words.filter((text) => text !== '').join(' ')}</p>`;
  }

  private figures() {
    const r = this.result;
    const large: Figure[] = [
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
    const small: (readonly [string, string])[] = [
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
    return html`<dl class="figures">${large.map(figure)}</dl>
      <dl class="quiet-figures">${small.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  private chart() {
    const { equity = [], symbol, start_date, end_date, total_pnl_pct, buy_hold_pnl_pct } = this.result;
    if (equity.length === 0) return nothing;
    const label = t('run.chart', {
      symbol,
      start: day(start_date),
      end: day(end_date),
      total: signedPercent(total_pnl_pct, 1),
      holding: signedPercent(buy_hold_pnl_pct, 1),
    });
    return html`<h2>${t('run.over_time')}</h2>
      <p class="legend"><span class="key own"></span>${t('run.equity')} <span class="key holding"></span>${t('run.holding')}</p>
      <run-chart .result=${this.result} label=${label} @point=${this.pointed}></run-chart>
      ${this.drawdowns(equity)}`;
  }

  private drawdowns(equity: NonNullable<BacktestResult['equity']>) {
    const deepest = deepestDrawdowns(equity, SHADED_DRAWDOWNS);
    if (deepest.length === 0) return nothing;
    return html`<h3>${t('run.deepest')}</h3>
      <ol class="drawdowns">
        ${deepest.map(({ depth, peak, trough, recovered, bars }) => {
          const span = recovered
            ? t('run.recovered', { peak: day(peak), trough: day(trough), recovered: day(recovered), bars })
            : t('run.not_recovered', { peak: day(peak), trough: day(trough) });
          return html`<li><b class="loss">${signedPercent(depth, 1)}</b> ${span}</li>`;
        })}
      </ol>`;
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

  private trades() {
    const { trades = [] } = this.result;
    return html`<h2>${t('run.trades')}</h2>
      <data-table
        class="short"
        .columns=${TRADE_COLUMNS}
        .rows=${trades}
        .current=${this.trade}
        .empty=${html`<p class="muted">${t('run.no_trades')}</p>`}
        caption=${t('run.trades')}
        @choose=${this.chose}
      ></data-table>`;
  }

  private months() {
    const years = returnsByYear(this.result.equity ?? [], this.result.cost.initial_capital);
    return years.length === 0 ? nothing : html`<h2>${t('run.months')}</h2>${monthTable(years)}`;
  }

  private evidence() {
    const address = this.kept === null ? null : path('/v1/backtests/{id}', { id: this.kept });
    return html`<run-evidence .evidence=${this.result} .address=${address} .isOwn=${this.isOwn}></run-evidence>`;
  }

  private programs() {
    if (this.body === null) return nothing;
    return html`<h2>${t('run.programs')}</h2>
      <code-samples .samples=${snippetsOf('POST', '/v1/backtest', this.body)}></code-samples>`;
  }
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone?: string;
  readonly unit?: string;
}

/** The 5th and 95th percentile of a figure over the resamples; undefined where there are none. */
function interval(bounds: readonly [number, number] | null | undefined, written: (value: number) => string) {
  return bounds ? t('evidence.interval', { low: written(bounds[0]), high: written(bounds[1]) }) : undefined;
}

function figure({ name, value, tone: color = '', unit }: Figure) {
  return html`<div><dt>${name}</dt><dd class=${color}>${value}${unit ? html`<small>${unit}</small>` : nothing}</dd></div>`;
}

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  { key: 'seq', title: t('run.number'), isNumber: true, value: ({ seq }) => seq },
  { key: 'entry', title: t('run.entry'), value: ({ entry_date }) => entry_date },
  {
    key: 'entry_price',
    title: t('run.paid'),
    isNumber: true,
    value: (trade) => trade.entry_price,
    cell: (trade) => price(trade.entry_price),
  },
  { key: 'exit', title: t('run.exit'), value: ({ exit_date }) => exit_date },
  {
    key: 'exit_price',
    title: t('run.got'),
    isNumber: true,
    value: (trade) => trade.exit_price,
    cell: (trade) => price(trade.exit_price),
  },
  {
    key: 'reason',
    title: t('run.reason'),
    value: ({ exit_reason }) => textOr(`exit.${exit_reason}`, exit_reason),
  },
  { key: 'bars', title: t('run.bars'), isNumber: true, value: ({ bars_held }) => bars_held },
  {
    key: 'pnl',
    title: t('run.gain'),
    isNumber: true,
    value: ({ pnl }) => pnl,
    cell: ({ pnl }) => signed(pnl, 0),
    tone: ({ pnl }) => tone(pnl),
  },
  {
    key: 'pnl_pct',
    title: '%',
    isNumber: true,
    value: ({ pnl_pct }) => pnl_pct,
    cell: ({ pnl_pct }) => signedPercent(pnl_pct),
    tone: ({ pnl_pct }) => tone(pnl_pct),
  },
  {
    key: 'mae',
    title: t('run.worst_point'),
    isNumber: true,
    value: ({ mae_pct }) => mae_pct,
    cell: ({ mae_pct }) => signedPercent(mae_pct),
  },
  {
    key: 'mfe',
    title: t('run.best_point'),
    isNumber: true,
    value: ({ mfe_pct }) => mfe_pct,
    cell: ({ mfe_pct }) => signedPercent(mfe_pct),
  },
];

customElements.define('run-report', RunReport);
