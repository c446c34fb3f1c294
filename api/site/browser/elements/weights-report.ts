/** Portfolios of weights beside each other: their value over one axis, and one table of figures with the best of each. */
import './compare-chart.ts';
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { notices } from '../notices.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { aloneOf, type CompareBody, type Compared } from '../run/weights.ts';
import { day, fixed, number, percent, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import { type ComparedFigure, figureTable } from './figure-table.ts';

type Run = Compared['runs'][number];
type Figure = ComparedFigure<Run>;

@customElement('weights-report')
export class WeightsReport extends SiteElement {
  @property({ attribute: false }) body!: CompareBody;
  @property({ attribute: false }) compared!: Compared;

  override render() {
    const { runs } = this.compared;
    const label = t('compare.chart', { count: runs.length, names: runs.map(({ name }) => name).join('; ') });
    const [{ result: first }] = runs;
    return html`<ol class="compared">
        ${runs.map(
          ({ name, result }, i) => html`<li>
            <span class=${`line line-${i + 1}`}></span>
            <a href=${`${PORTFOLIO.page}?${PORTFOLIO.queryOf(aloneOf(this.body, i))}`}>${name}</a>
            <span class="muted">${(result.allocation?.targets ?? []).map(({ symbol, weight }) => `${symbol.replace('.US', '')} ${percent(100 * weight, 1)}`).join(', ')}</span>
          </li>`,
        )}
      </ol>
      <p class="muted small">${t('weights.alone')}</p>
      ${runs.every(({ result: { equity = [] } }) => equity.length > 0) ? html`<p class="legend">${t('weights.value', { start: day(first.start_date), end: day(first.end_date) })}</p><compare-chart .runs=${runs} label=${label}></compare-chart>` : nothing}
      ${figureTable(runs, ({ name }) => name, [{ title: t('sheet.figures'), lines: FIGURES() }])}
      ${runs.map(({ name, result }) => (result.notes.length === 0 ? nothing : html`<h2>${name}</h2>${notices(result)}`))}`;
  }
}

const percentOf = (name: string, value: Figure['value'], isMoreBetter: boolean | null = true): Figure => ({
  name,
  value,
  isMoreBetter,
  write: (figure) => signedPercent(figure, 2),
});
const ratioOf = (name: string, value: Figure['value']): Figure => ({
  name,
  value,
  isMoreBetter: true,
  write: (figure) => fixed(figure),
});

const FIGURES = (): Figure[] => [
  {
    name: t('run.final_equity'),
    value: ({ result }) => result.final_equity,
    isMoreBetter: true,
    write: (figure) => number(figure, 0),
  },
  {
    name: t('weights.contributed'),
    value: ({ result }) => result.contributed ?? null,
    isMoreBetter: null,
    write: (figure) => number(figure, 0),
  },
  percentOf(t('weights.money_weighted'), ({ result }) => result.money_weighted_pct ?? null),
  percentOf(t('run.total'), ({ result }) => result.total_pnl_pct),
  percentOf(t('run.a_year'), ({ result }) => result.annualized_pct),
  percentOf(t('run.deepest_drawdown'), ({ result }) => -Math.abs(result.max_drawdown_pct)),
  ratioOf(t('run.sharpe'), ({ result }) => result.sharpe),
  ratioOf(t('run.sortino'), ({ result }) => result.sortino),
  ratioOf(t('run.calmar'), ({ result }) => result.calmar),
  percentOf(t('portfolio.compared'), ({ result }) => result.buy_hold_pnl_pct, null),
  {
    name: t('portfolio.turnover'),
    value: ({ result }) => result.turnover_pct,
    isMoreBetter: null,
    write: (figure) => percent(figure, 1),
  },
  {
    name: t('run.trades'),
    value: ({ result }) => result.num_trades,
    isMoreBetter: null,
    write: (figure) => number(figure),
  },
];
