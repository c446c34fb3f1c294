/** Kept runs side by side: their equity over one axis, their figures in columns, the best of each figure marked. */
import { type IChartApi, type ISeriesApi, LineSeries, LineStyle } from 'lightweight-charts';
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import type { ChartColors } from '../charts/colors.ts';
import { PERCENT } from '../charts/series.ts';
import { type Day, type Drawing, NO_DAYS, TimeChart } from '../charts/time-chart.ts';
import { SiteElement } from '../dom.ts';
import { get } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { day, fixed, number, percent, signed, signedPercent, t, textOr, tone } from '../text.ts';
import type { BacktestResult } from '../types.ts';

interface Line {
  readonly name: string;
  readonly value: (run: BacktestResult) => number | null;
  readonly write: (value: number | null) => string;
  /** Whether more is better; null: neither is. */
  readonly isMoreBetter: boolean | null;
}

@customElement('run-compare')
export class RunCompare extends SiteElement {
  @property({ attribute: false }) ids: readonly string[] = [];
  @state() runs: Loaded<readonly BacktestResult[]> = LOADING;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('ids')) this.load();
  }

  private readonly load = async (): Promise<void> => {
    const { ids } = this;
    this.runs = LOADING;
    const work = Promise.all(ids.map((id) => get<BacktestResult>(path('/api/backtest/{id}', { id }))));
    const runs = await settle(work);
    if (ids === this.ids) this.runs = runs;
  };

  override render() {
    return whenLoaded(this.runs, this.load, comparison);
  }
}

function comparison(runs: readonly BacktestResult[]) {
  const lines = runs.map((run) => ({ name: nameOf(run), points: run.equity ?? [] }));
  const isDrawn = lines.every(({ points }) => points.length > 0);
  const label = t('compare.chart', { count: lines.length, names: lines.map(({ name }) => name).join('; ') });
  return html`<ol class="compared">
      ${runs.map(
        (run, i) => html`<li>
          <span class=${`line line-${i + 1}`}></span>
          <a href=${`/backtest?id=${run.id}`}>${nameOf(run)}</a>
          <span class="muted">${day(run.start_date)} – ${day(run.end_date)}</span>
        </li>`,
      )}
    </ol>
    ${differentRanges(runs) ? html`<p class="notice warning">${t('compare.ranges')}</p>` : nothing}
    ${isDrawn ? html`<compare-chart .lines=${lines} label=${label}></compare-chart>` : nothing}
    ${figures(runs)}`;
}

const nameOf = ({ symbol, strategy, params }: BacktestResult) => {
  const values = Object.entries(params).filter(([, value]) => value !== 0 && value !== false);
  return `${symbol} · ${strategy} (${values.map(([, value]) => textOr(`param.${value}`, String(value))).join(', ')})`;
};

function differentRanges([first, ...others]: readonly BacktestResult[]): boolean {
  return others.some(({ start_date, end_date }) => start_date !== first.start_date || end_date !== first.end_date);
}

const percentLine = (name: string, value: Line['value'], isMoreBetter: boolean | null = true): Line => ({
  name,
  value,
  isMoreBetter,
  write: (figure) => signedPercent(figure, 1),
});
const ratioLine = (name: string, value: Line['value']): Line => ({
  name,
  value,
  isMoreBetter: true,
  write: (figure) => fixed(figure),
});

function lines(): Line[] {
  const count = (figure: number | null) => number(figure, 1);
  const share = (figure: number | null) => percent(figure, 1);
  return [
    percentLine(t('run.total'), (run) => run.total_pnl_pct),
    percentLine(t('run.a_year'), (run) => run.annualized_pct),
    percentLine(t('run.holding'), (run) => run.buy_hold_pnl_pct, null),
    {
      name: `${t('run.against_holding')}, ${t('run.points')}`,
      value: (run) => run.excess_return_pct,
      write: (figure) => signed(figure, 1),
      isMoreBetter: true,
    },
    percentLine(t('run.drawdown'), (run) => -Math.abs(run.max_drawdown_pct)),
    ratioLine(t('run.sharpe'), (run) => run.sharpe),
    ratioLine(t('run.sortino'), (run) => run.sortino),
    ratioLine(t('run.calmar'), (run) => run.calmar),
    ratioLine(t('run.profit_factor'), (run) => run.profit_factor),
    { name: t('run.trades'), value: (run) => run.num_trades, write: count, isMoreBetter: null },
    { name: t('run.win_rate'), value: (run) => run.win_rate, write: share, isMoreBetter: true },
    { name: t('run.exposure'), value: (run) => run.exposure_pct, write: share, isMoreBetter: null },
    { name: t('run.bars_held'), value: (run) => run.avg_bars_held, write: count, isMoreBetter: null },
  ];
}

/** Index of the best of some figures; -1: none is better than the others. */
function bestOf(values: readonly (number | null)[], isMoreBetter: boolean | null): number {
  if (isMoreBetter === null) return -1;
  const known = values.filter((value) => value !== null);
  const best = isMoreBetter ? Math.max(...known) : Math.min(...known);
  return known.filter((value) => value === best).length === 1 ? values.indexOf(best) : -1;
}

function figures(runs: readonly BacktestResult[]) {
  return html`<div class="table-scroll" role="region" aria-label=${t('compare.figures')} tabindex="0">
    <table class="side-by-side">
      <caption class="visually-hidden">${t('compare.figures')}</caption>
      <thead>
        <tr><td></td>${runs.map((_, i) => html`<th scope="col" class="number">${t('compare.number', { number: i + 1 })}</th>`)}</tr>
      </thead>
      <tbody>
        ${lines().map(({ name, value, write, isMoreBetter }) => {
          const values = runs.map(value);
          const best = bestOf(values, isMoreBetter);
          return html`<tr>
            <th scope="row">${name}</th>
            ${values.map((figure, i) => html`<td class="number">${i === best ? html`<b>${write(figure)}<span class="visually-hidden"> ${t('optimize.heat.best')}</span></b>` : write(figure)}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

export interface ComparedLine {
  readonly name: string;
  readonly points: readonly (Day & { readonly equity: number })[];
}

const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;
const COLORS = ['accent', 'ink', 'accent', 'muted'] as const satisfies readonly (keyof ChartColors)[];
/** Runs whose lines can be told apart. */
export const MAX_COMPARED = STYLES.length;

const LINE = {
  lineWidth: 2,
  priceLineVisible: false,
  crosshairMarkerVisible: false,
  priceFormat: PERCENT,
} as const;

const sinceBeginning = (points: ComparedLine['points'], equity: number) => 100 * (equity / points[0].equity - 1);

@customElement('compare-chart')
export class CompareChart extends TimeChart {
  @property({ attribute: false }) lines: readonly ComparedLine[] = [];
  /** All days on which any of the lines has a point. */
  protected override days: readonly Day[] = NO_DAYS;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('lines')) this.days = unionOf(this.lines);
    super.willUpdate(changed);
  }

  protected override draw(chart: IChartApi): Drawing {
    let drawn: ISeriesApi<'Line'>[] = [];
    return {
      show: () => {
        for (const series of drawn) chart.removeSeries(series);
        drawn = this.lines.map(({ points }, i) => {
          const series = chart.addSeries(LineSeries, { ...LINE, lineStyle: STYLES[i], title: String(i + 1) });
          series.setData(points.map(({ ts, equity }) => ({ time: ts, value: sinceBeginning(points, equity) })));
          return series;
        });
      },
      paint: (colors) => {
        drawn.forEach((series, i) => {
          series.applyOptions({ color: colors[COLORS[i]] });
        });
      },
    };
  }

  protected override figures(index: number) {
    const { ts: at } = this.days[index];
    const figures = this.lines.map(({ points }, i) => {
      const point = points.findLast(({ ts }) => ts <= at);
      const value = point ? sinceBeginning(points, point.equity) : null;
      return html`<span>${t('compare.number', { number: i + 1 })} <span class=${tone(value)}>${signedPercent(value)}</span></span>`;
    });
    return html`<b>${day(at)}</b>${figures}`;
  }
}

function unionOf(lines: readonly ComparedLine[]): Day[] {
  const days = new Set(lines.flatMap(({ points }) => points.map(({ ts }) => ts)));
  return [...days].sort().map((ts) => ({ ts }));
}
