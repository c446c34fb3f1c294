/** Report of a sweep: spreads by strategy and values, the best cells, and the worst. */
import { html, nothing } from 'lit';
import { SiteElement } from '../element.ts';
import { fixed, number, percent, signedPercent, t, tone } from '../text.ts';
import type { SweepResult } from '../types.ts';
import './data-table.ts';
import './histogram-bars.ts';
import type { Column } from './data-table.ts';

type Combination = SweepResult['combinations'][number];
type Ranked = SweepResult['best'][number];

class SweepReport extends SiteElement {
  static override properties = { result: { attribute: false } };
  declare result: SweepResult;

  override render() {
    const { notes, combinations, best, worst, sharpe_histogram, excess_return_histogram } = this.result;
    return html`${notes.map(({ level, message }) => html`<p class="notice ${level === 'warning' ? 'warning' : ''}">${message}</p>`)}
      ${this.sentence()}
      <h2>${t('sweeps.combinations')}</h2>
      <data-table class="short" .columns=${COMBINATION_COLUMNS} .rows=${combinations} caption=${t('sweeps.combinations')}></data-table>
      <h2>${t('sweeps.spread')}</h2>
      <div class="charts">
        <section><h3>${t('run.sharpe')}</h3><histogram-bars .histogram=${sharpe_histogram} label=${t('sweeps.sharpe_spread')}></histogram-bars></section>
        <section><h3>${t('sweeps.excess')}</h3><histogram-bars .histogram=${excess_return_histogram} label=${t('sweeps.excess_spread')}></histogram-bars></section>
      </div>
      <h2>${t('sweeps.best')}</h2>
      <data-table class="short" .columns=${rankedColumns()} .rows=${best} caption=${t('sweeps.best')}></data-table>
      <h2>${t('sweeps.worst')}</h2>
      <data-table class="short" .columns=${rankedColumns()} .rows=${worst} caption=${t('sweeps.worst')}></data-table>`;
  }

  /** The best cell after a correction for the number of trials. */
  private sentence() {
    const { selection, cells_with_bars, best } = this.result;
    const [first] = best;
    if (!first) return html`<p class="run-words">${t('sweeps.nothing')}</p>`;
    const { dsr, trials } = selection;
    const chance = dsr === null ? nothing : t('sweeps.chance', { share: fixed(100 * dsr, 0), trials });
    return html`<p class="run-words">
      ${t('sweeps.words', { cells: cells_with_bars, symbol: first.symbol, sharpe: fixed(first.sharpe, 2) })} ${chance}
    </p>`;
  }
}

/** `fast_period 10 · slow_period 50` */
function paramsText(params: Readonly<Record<string, number | string | boolean>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? number(value, 4) : value}`)
    .join(' · ');
}

const median = (metric: string) => (one: Combination) => one.metrics[metric]?.median ?? null;

const COMBINATION_COLUMNS: readonly Column<Combination>[] = [
  { key: 'strategy', title: t('form.strategy'), value: ({ strategy }) => strategy },
  { key: 'params', title: t('form.parameters'), value: ({ params }) => paramsText(params) },
  { key: 'instruments', title: t('sweeps.instruments'), isNumber: true, value: ({ instruments }) => instruments },
  {
    key: 'sharpe',
    title: t('sweeps.median_sharpe'),
    isNumber: true,
    value: median('sharpe'),
    cell: (one) => fixed(median('sharpe')(one), 2),
  },
  {
    key: 'a_year',
    title: t('sweeps.median_year'),
    isNumber: true,
    value: median('annualized_pct'),
    cell: (one) => signedPercent(median('annualized_pct')(one), 1),
    tone: (one) => tone(median('annualized_pct')(one)),
  },
  {
    key: 'drawdown',
    title: t('sweeps.median_drawdown'),
    isNumber: true,
    value: median('max_drawdown_pct'),
    cell: (one) => percent(median('max_drawdown_pct')(one), 1),
  },
  {
    key: 'beats',
    title: t('sweeps.beats'),
    isNumber: true,
    value: ({ beats_buy_hold_pct }) => beats_buy_hold_pct,
    cell: ({ beats_buy_hold_pct }) => percent(beats_buy_hold_pct, 0),
  },
  {
    key: 'positive',
    title: t('sweeps.positive'),
    isNumber: true,
    value: ({ positive_sharpe_pct }) => positive_sharpe_pct,
    cell: ({ positive_sharpe_pct }) => percent(positive_sharpe_pct, 0),
  },
  {
    key: 'trades',
    title: t('run.trades'),
    isNumber: true,
    value: ({ trades }) => trades.count,
    cell: ({ trades }) => number(trades.count),
  },
];

/** Each cell leads to its backtest. */
function rankedColumns(): readonly Column<Ranked>[] {
  const href = ({ symbol, strategy, params }: Ranked) => {
    const query = new URLSearchParams({ symbol, strategy, run: '1' });
    for (const [name, value] of Object.entries(params)) query.set(`p.${name}`, String(value));
    return `/backtest?${query}`;
  };
  return [
    {
      key: 'symbol',
      title: t('form.symbol'),
      value: ({ symbol }) => symbol,
      cell: (one) => html`<a href=${href(one)}>${one.symbol}</a>`,
    },
    { key: 'strategy', title: t('form.strategy'), value: ({ strategy }) => strategy },
    { key: 'params', title: t('form.parameters'), value: ({ params }) => paramsText(params) },
    {
      key: 'sharpe',
      title: t('run.sharpe'),
      isNumber: true,
      value: ({ sharpe }) => sharpe,
      cell: ({ sharpe }) => fixed(sharpe, 2),
    },
  ];
}

customElements.define('sweep-report', SweepReport);
