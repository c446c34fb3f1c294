/** A run of a portfolio, in the order in which it is read: warnings, figures, the curve, what each instrument brought, trades, evidence. */
import { html, nothing } from 'lit';
import { path } from '../api.ts';
import { SiteElement } from '../element.ts';
import { deepestDrawdowns, returnsByYear } from '../run/figures.ts';
import { monthTable } from '../run/month-table.ts';
import { snippetsOf } from '../run/snippets.ts';
import { day, fixed, number, percent, price, signed, signedPercent, t, textOr, tone } from '../text.ts';
import type { PortfolioResult } from '../types.ts';
import './code-samples.ts';
import './data-table.ts';
import './portfolio-chart.ts';
import './run-evidence.ts';
import type { Column } from './data-table.ts';

type Contribution = PortfolioResult['contributions'][number];
type Trade = NonNullable<PortfolioResult['trades']>[number];
type Position = NonNullable<PortfolioResult['positions']>[number];

const LISTED_DRAWDOWNS = 5;

class PortfolioReport extends SiteElement {
  static override properties = {
    result: { attribute: false },
    body: { attribute: false },
    kept: { attribute: false },
    isOwn: { attribute: false },
  };
  declare result: PortfolioResult;
  /** The call that gives this result; null where it is not known. */
  declare body: object | null;
  /** The id under which its reader keeps it; null: they do not. */
  declare kept: number | null;
  /** Whether its reader has run it. */
  declare isOwn: boolean;

  constructor() {
    super();
    this.body = null;
    this.kept = null;
    this.isOwn = false;
  }

  override render() {
    return html`${this.notes()} ${this.sentence()} ${this.figures()} ${this.chart()} ${this.contributions()}
      ${this.trades()} ${this.months()} ${this.evidence()} ${this.programs()}
      <p class="muted small">${this.result.disclaimer}</p>`;
  }

  private notes() {
    const { notes, data_range, symbols_without_bars: missing, screened_on } = this.result;
    const warnings = notes.filter(({ level }) => level === 'warning').map(({ message }) => message);
    const remarks = notes.filter(({ level }) => level === 'info').map(({ message }) => message);
    if (missing.length > 0) warnings.push(t('portfolio.without_bars', { symbols: missing.join(', ') }));
    if (screened_on) remarks.push(t('portfolio.screened_on', { date: day(screened_on) }));
    return html`${[...(data_range.hints ?? []), ...warnings].map((text) => html`<p class="notice warning">${text}</p>`)}
      ${remarks.map((text) => html`<p class="notice">${text}</p>`)}`;
  }

  /** The run in words. */
  private sentence() {
    const { num_trades, avg_positions, exposure_pct, excess_return_pct, contributions } = this.result;
    if (num_trades === 0) return html`<p class="run-words">${t('run.words.none')}</p>`;
    const held = t('portfolio.words.held', {
      trades: num_trades,
      positions: fixed(avg_positions, 1),
      share: fixed(exposure_pct, 0),
    });
    const against = excess_return_pct >= 0 ? 'portfolio.words.ahead' : 'portfolio.words.behind';
    const [best] = contributions;
    const most =
      best && best.pnl > 0 && (best.pnl_share_pct ?? 0) > 0
        ? t('portfolio.words.best', { symbol: best.symbol, share: fixed(best.pnl_share_pct, 0) })
        : '';
    const words = [held, t(against, { points: fixed(Math.abs(excess_return_pct), 1) }), most];
    return html`<p class="run-words">${words.filter((text) => text !== '').join(' ')}</p>`;
  }

  private figures() {
    const r = this.result;
    const large = [
      { name: t('run.total'), value: signedPercent(r.total_pnl_pct, 1), color: tone(r.total_pnl_pct) },
      { name: t('run.a_year'), value: signedPercent(r.annualized_pct, 1), color: tone(r.annualized_pct) },
      {
        name: t('portfolio.against'),
        value: signed(r.excess_return_pct, 1),
        color: tone(r.excess_return_pct),
        unit: t('run.points'),
      },
      { name: t('run.drawdown'), value: signedPercent(-Math.abs(r.max_drawdown_pct), 1), color: 'loss' },
      { name: t('run.sharpe'), value: fixed(r.sharpe, 2), color: '' },
      {
        name: t('run.trades'),
        value: number(r.num_trades),
        color: '',
        unit: t('run.won', { share: fixed(r.win_rate, 0) }),
      },
    ];
    const small: (readonly [string, string])[] = [
      [t('portfolio.compared'), signedPercent(r.buy_hold_pnl_pct, 1)],
      [t('run.final_equity'), number(r.final_equity)],
      [t('run.sortino'), fixed(r.sortino, 2)],
      [t('run.calmar'), fixed(r.calmar, 2)],
      [t('run.profit_factor'), fixed(r.profit_factor, 2)],
      [t('run.drawdown_days'), t('run.days', { days: r.max_drawdown_days })],
      [t('portfolio.turnover'), percent(r.turnover_pct, 0)],
      [t('portfolio.avg_positions'), number(r.avg_positions, 1)],
      [t('run.exposure'), percent(r.exposure_pct, 1)],
      [t('run.best_trade'), signedPercent(r.best_trade_pct, 2)],
      [t('run.worst_trade'), signedPercent(r.worst_trade_pct, 2)],
      [t('run.engine'), r.engine_version],
    ];
    return html`<dl class="figures">
        ${large.map(
          ({ name, value, color, unit }) =>
            html`<div><dt>${name}</dt><dd class=${color}>${value}${unit ? html`<small>${unit}</small>` : nothing}</dd></div>`,
        )}
      </dl>
      <dl class="quiet-figures">${small.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  private chart() {
    const { equity = [], positions = [], symbols, start_date, end_date, total_pnl_pct, buy_hold_pnl_pct } = this.result;
    if (equity.length === 0) return nothing;
    const label = t('portfolio.chart', {
      count: symbols.length,
      start: day(start_date),
      end: day(end_date),
      total: signedPercent(total_pnl_pct, 1),
      compared: signedPercent(buy_hold_pnl_pct, 1),
    });
    const deepest = deepestDrawdowns(equity, LISTED_DRAWDOWNS);
    return html`<h2>${t('run.over_time')}</h2>
      <p class="legend">
        <span class="key own"></span>${t('run.equity')} <span class="key holding"></span>${t('portfolio.compared')}
      </p>
      <portfolio-chart .result=${this.result} label=${label}></portfolio-chart>
      <details>
        <summary>${t('portfolio.positions')}</summary>
        <data-table class="short" .columns=${POSITION_COLUMNS} .rows=${positions} caption=${t('portfolio.positions')}></data-table>
      </details>
      ${
        deepest.length === 0
          ? nothing
          : html`<h3>${t('run.deepest')}</h3>
            <ol class="drawdowns">${deepest.map(({ depth, peak, trough, recovered, bars }) => {
              const span = recovered
                ? t('run.recovered', { peak: day(peak), trough: day(trough), recovered: day(recovered), bars })
                : t('run.not_recovered', { peak: day(peak), trough: day(trough) });
              return html`<li><b class="loss">${signedPercent(depth, 1)}</b> ${span}</li>`;
            })}</ol>`
      }`;
  }

  private contributions() {
    const { contributions } = this.result;
    return html`<h2>${t('portfolio.contributions')}</h2>
      <data-table class="short" .columns=${CONTRIBUTION_COLUMNS} .rows=${contributions}
        .empty=${html`<p class="muted">${t('run.no_trades')}</p>`} caption=${t('portfolio.contributions')}></data-table>`;
  }

  private trades() {
    const { trades = [] } = this.result;
    return html`<h2>${t('run.trades')}</h2>
      <data-table class="short" .columns=${TRADE_COLUMNS} .rows=${trades}
        .empty=${html`<p class="muted">${t('run.no_trades')}</p>`} caption=${t('run.trades')}></data-table>`;
  }

  private months() {
    const years = returnsByYear(this.result.equity ?? [], this.result.cost.initial_capital);
    return years.length === 0 ? nothing : html`<h2>${t('run.months')}</h2>${monthTable(years)}`;
  }

  private evidence() {
    const address = this.kept === null ? null : path('/v1/portfolios/{id}', { id: this.kept });
    return html`<run-evidence .evidence=${this.result} .address=${address} .isOwn=${this.isOwn}></run-evidence>`;
  }

  private programs() {
    if (this.body === null) return nothing;
    return html`<h2>${t('run.programs')}</h2>
      <code-samples .samples=${snippetsOf('POST', '/v1/portfolio', this.body)}></code-samples>`;
  }
}

const link = (symbol: string) => html`<a href=${`/s/${symbol}`}>${symbol}</a>`;

const CONTRIBUTION_COLUMNS: readonly Column<Contribution>[] = [
  { key: 'symbol', title: t('form.symbol'), value: ({ symbol }) => symbol, cell: ({ symbol }) => link(symbol) },
  { key: 'trades', title: t('run.trades'), isNumber: true, value: ({ trades }) => trades },
  {
    key: 'pnl',
    title: t('run.gain'),
    isNumber: true,
    value: ({ pnl }) => pnl,
    cell: ({ pnl }) => signed(pnl, 0),
    tone: ({ pnl }) => tone(pnl),
  },
  {
    key: 'share',
    title: t('portfolio.share'),
    isNumber: true,
    value: ({ pnl_share_pct }) => pnl_share_pct,
    cell: ({ pnl_share_pct }) => percent(pnl_share_pct, 1),
  },
];

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'ts', title: t('portfolio.date'), value: ({ ts }) => ts },
  { key: 'count', title: t('portfolio.positions_short'), isNumber: true, value: ({ count }) => count },
  {
    key: 'invested',
    title: t('portfolio.invested'),
    isNumber: true,
    value: ({ invested_pct }) => invested_pct,
    cell: ({ invested_pct }) => percent(invested_pct, 1),
  },
];

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  { key: 'seq', title: t('run.number'), isNumber: true, value: ({ seq }) => seq },
  { key: 'symbol', title: t('form.symbol'), value: ({ symbol }) => symbol, cell: ({ symbol }) => link(symbol) },
  { key: 'entry', title: t('run.entry'), value: ({ entry_date }) => entry_date },
  {
    key: 'entry_price',
    title: t('run.paid'),
    isNumber: true,
    value: ({ entry_price }) => entry_price,
    cell: ({ entry_price }) => price(entry_price),
  },
  { key: 'exit', title: t('run.exit'), value: ({ exit_date }) => exit_date },
  {
    key: 'exit_price',
    title: t('run.got'),
    isNumber: true,
    value: ({ exit_price }) => exit_price,
    cell: ({ exit_price }) => price(exit_price),
  },
  { key: 'reason', title: t('run.reason'), value: ({ exit_reason }) => textOr(`exit.${exit_reason}`, exit_reason) },
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
];

customElements.define('portfolio-report', PortfolioReport);
