/** The report of a sweep: medians by strategy and values, distributions, the best cells, and the worst. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { BACKTEST } from '../run/backtest.ts';
import { strategyName } from '../run/kind.ts';
import type { SweepBody } from '../run/sweep.ts';
import { fixed, number, signedPercent, textOr, ticker, tone, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import { FIRST_TRADES } from '../trade-columns.ts';
import type { Strategies, SweepResult } from '../types.ts';
import './histogram.ts';
import './report-contents.ts';
import { type Column, numberColumn, percentColumn } from './data-table.ts';
import { labelOf, parametersOf } from './strategy-fields.ts';

type Combination = SweepResult['combinations'][number];
type Ranked = SweepResult['best'][number];

const SEPARATOR = ' · ';

/** Rows above which a table scrolls within the page. */
const SHOWN_WHOLE = 24;

@customElement('sweep-report')
export class SweepReport extends SiteElement {
  @property({ attribute: false }) result!: SweepResult;
  @property({ attribute: false }) strategies!: Strategies;
  /** The call that made it; null: unknown. */
  @property({ attribute: false }) body: SweepBody | null = null;

  override render() {
    const { combinations, best, best_few_trades, worst, sharpe_histogram, excess_return_histogram } = this.result;
    const names = namesOf(this.strategies, combinations);
    const parts = [
      { id: 'summary', title: t('contents.summary') },
      { id: 'combinations', title: t('sweeps.combinations') },
      { id: 'spread', title: t('sweeps.spread') },
      ...(best.length === 0 ? [] : [{ id: 'sweeps.best', title: t('sweeps.best') }]),
      { id: 'sweeps.worst', title: t('sweeps.worst') },
      { id: 'programs', title: t('contents.code') },
    ];
    return html`<report-contents .parts=${parts}></report-contents>${this.sentence()}
      <h2 id="combinations">${t('sweeps.combinations')}</h2>
      <data-table class=${`dense wrapped ${combinations.length > SHOWN_WHOLE ? 'short' : ''}`} .columns=${combinationColumns(names)} .rows=${combinations} caption=${t('sweeps.combinations')}></data-table>
      <h2 id="spread">${t('sweeps.spread')}</h2>
      <div class="charts">
        <section><h3>${t('run.sharpe')}</h3><histogram-bars .histogram=${sharpe_histogram} label=${t('sweeps.sharpe_spread')}></histogram-bars></section>
        <section><h3>${t('sweeps.excess')}</h3><histogram-bars .histogram=${excess_return_histogram} label=${t('sweeps.excess_spread')}></histogram-bars></section>
      </div>
      ${this.ranked('sweeps.best', best, names)} ${this.ranked('sweeps.best_few_trades', best_few_trades ?? [], names)}
      ${this.ranked('sweeps.worst', worst, names)}`;
  }

  /** The best cell after a correction for the number of trials. */
  private sentence() {
    const { selection, cells_with_bars, best, best_few_trades } = this.result;
    const first = best[0] ?? best_few_trades?.[0];
    if (!first) return html`<p class="run-words" id="summary">${t('sweeps.nothing')}</p>`;
    const { skill, trials } = selection;
    const dsr = skill?.dsr ?? null;
    const chance = dsr === null ? nothing : t('sweeps.chance', { dsr: fixed(dsr, 2), trials });
    return html`<p class="run-words" id="summary">
      ${t('sweeps.words', { cells: cells_with_bars, symbol: first.symbol, sharpe: fixed(first.sharpe, 2) })}${wordSpace}${chance}
    </p>`;
  }

  private ranked(
    title: 'sweeps.best' | 'sweeps.best_few_trades' | 'sweeps.worst',
    cells: readonly Ranked[],
    names: Names,
  ) {
    if (cells.length === 0) return nothing;
    return html`<h2 id=${title}>${t(title)}</h2>
    <data-table class="dense" .ends=${FIRST_TRADES} .columns=${rankedColumns(names, this.href)} .rows=${cells} caption=${t(title)}></data-table>`;
  }

  /** The backtest of a cell: the same range, prices, and costs. */
  private readonly href = ({ symbol, strategy, params }: Ranked) => {
    const { universe: _universe, runs = [], skip_unknown: _skip, ...shared } = this.body ?? {};
    const { rules } = runs.find((run) => run.strategy === strategy) ?? {};
    return `${BACKTEST.page}?${BACKTEST.queryOf({ ...shared, symbol, strategy, params, ...(rules && { rules }) })}`;
  };
}

interface Names {
  readonly strategy: (code: string) => string;
  /** `Fast average, bars 10 · Slow average, bars 50` */
  readonly params: (one: Pick<Ranked, 'strategy' | 'params'>) => string;
}

/** Parameters that have their default in all combinations are left out. */
function namesOf(strategies: Strategies, combinations: readonly Combination[]): Names {
  const schemas = new Map(strategies.strategies.map((one) => [one.code, new Map(parametersOf(one))]));
  const varied = new Set<string>();
  for (const { strategy, params } of combinations) {
    for (const [name, value] of Object.entries(params)) {
      if (value !== schemas.get(strategy)?.get(name)?.default) varied.add(`${strategy} ${name}`);
    }
  }
  const labelIn = (strategy: string, name: string) => {
    const schema = schemas.get(strategy)?.get(name);
    return schema ? labelOf(name, schema) : name;
  };
  const valueText = (value: number | string | boolean) =>
    typeof value === 'number' ? number(value, 4) : textOr(`param.${value}`, String(value));
  return {
    strategy: (code) => strategyName(strategies, code),
    params: ({ strategy, params }) =>
      Object.entries(params)
        .filter(([name]) => varied.has(`${strategy} ${name}`))
        .map(([name, value]) => `${labelIn(strategy, name)}${wordSpace}${valueText(value)}`)
        .join(SEPARATOR) || t('sweeps.default_values'),
  };
}

const median = (metric: string) => (one: Combination) => one.metrics[metric]?.median ?? null;

/** The strategy and its values, as readers know them. */
function namedColumns(names: Names): Column<Pick<Ranked, 'strategy' | 'params'>>[] {
  return [
    { key: 'strategy', title: t('form.strategy'), value: ({ strategy }) => names.strategy(strategy) },
    { key: 'params', title: t('form.parameters'), value: names.params },
  ];
}

/** With a line for each parameter, beside many figures. */
const combinationColumns = (names: Names): readonly Column<Combination>[] => [
  ...namedColumns(names).map((column) =>
    column.key === 'params'
      ? { ...column, tone: () => 'words', cell: (one: Combination) => names.params(one).replaceAll(SEPARATOR, '\n') }
      : column,
  ),
  ...FIGURE_COLUMNS,
];

const FIGURE_COLUMNS: readonly Column<Combination>[] = [
  { key: 'instruments', title: t('sweeps.instruments'), isNumber: true, value: ({ instruments }) => instruments },
  numberColumn('sharpe', t('sweeps.median_sharpe'), median('sharpe'), fixed),
  numberColumn('a_year', t('sweeps.median_year'), median('annualized_pct'), (value) => signedPercent(value, 1), tone),
  numberColumn('drawdown', t('sweeps.median_drawdown'), median('max_drawdown_pct'), (value) =>
    signedPercent(value === null ? null : -Math.abs(value), 1),
  ),
  percentColumn('beats', t('sweeps.beats'), ({ beats_buy_hold_pct }) => beats_buy_hold_pct, 0),
  percentColumn('positive', t('sweeps.positive'), ({ positive_sharpe_pct }) => positive_sharpe_pct, 0),
  numberColumn('trades', t('run.trades'), ({ trades }) => trades.count),
];

/** Each cell leads to its backtest. */
function rankedColumns(names: Names, href: (one: Ranked) => string): readonly Column<Ranked>[] {
  return [
    {
      key: 'symbol',
      title: t('form.symbol'),
      value: ({ symbol }) => symbol,
      cell: (one) => html`<a href=${href(one)}>${ticker(one.symbol)}</a>`,
    },
    numberColumn('sharpe', t('run.sharpe'), ({ sharpe }) => sharpe, fixed),
    { key: 'trades', title: t('run.trades'), isNumber: true, value: ({ num_trades }) => num_trades ?? null },
    ...namedColumns(names),
  ];
}
