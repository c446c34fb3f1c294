/** The report of a search: the walk forward, which the choice had not seen, the best combination, how much may be luck, and the tables. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { objectiveFigure, objectiveOf, objectiveText, type SearchBody } from '../optimize/search.ts';
import { type Figure, figureList } from '../run/figures.ts';
import { searchSamples } from '../samples.ts';
import { day, fixed, listed, number, percent, signedPercent, textOr, tone, withMinus, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Best, SearchResult, WalkForward } from '../types.ts';
import './code-samples.ts';
import { type Column, changeColumn, numberColumn } from './data-table.ts';
import { heatMap } from './histogram.ts';
import './histogram.ts';
import './report-contents.ts';
import type { IChartApi } from 'lightweight-charts';
import { Marks } from '../charts/marks.ts';
import { equityLines } from '../charts/series.ts';
import { type Drawing, TimeChart } from '../charts/time-chart.ts';

type Params = Best['params'];

/** Windows above which their table scrolls within the page. */
const SHOWN_WHOLE = 24;

@customElement('search-report')
export class SearchReport extends SiteElement {
  @property({ attribute: false }) result!: SearchResult;
  /** Names of the parameters for readers. */
  @property({ attribute: false }) labels!: ReadonlyMap<string, string>;
  /** The call of the search. */
  @property({ attribute: false }) body!: SearchBody;
  /** The address at which a combination is run as a backtest. */
  @property({ attribute: false }) href!: (params: Params) => string;

  /** Names of the parameters that were varied. */
  private get varied(): string[] {
    const asked = Object.keys(this.body.grid);
    return asked.length > 0 ? asked : Object.keys(this.result.best[0]?.params ?? {});
  }

  private named(params: Params): string {
    const word = (name: string) =>
      `${this.labels.get(name) ?? name}${wordSpace}${textOr(`param.${params[name]}`, String(params[name]))}`;
    return listed(this.varied.map(word));
  }

  override render() {
    const { walk_forward: walk, statistics, heatmap, best } = this.result;
    const parts = [
      ...(walk ? [{ id: 'walk', title: t('optimize.walk') }] : []),
      ...(statistics ? [{ id: 'luck', title: t('contents.luck') }] : []),
      ...(heatmap && best[0] ? [{ id: 'map', title: t('optimize.map') }] : []),
      { id: 'best', title: t('contents.best') },
      { id: 'programs', title: t('contents.code') },
    ];
    return html`<report-contents .parts=${parts}></report-contents>${this.walk()} ${this.words()} ${this.chance()} ${this.figures()} ${this.map()} ${this.best()}
      <h2 id="programs">${t('run.programs')}</h2>
      <code-samples .samples=${searchSamples({ url: `${location.origin}/v1/optimize`, body: this.body, needsKey: true })}></code-samples>`;
  }

  private words() {
    const { best, combinations, objective } = this.result;
    const [first] = best;
    if (!first) return nothing;
    const code = objectiveOf(objective);
    const figure = objectiveFigure(code, first.metrics[code]);
    const details = { combinations, figure, objective: objectiveText(code), params: this.named(first.params) };
    return html`<p class="run-words">${t('optimize.words', details)}</p>`;
  }

  private figures() {
    const { best, statistics, selection } = this.result;
    const metrics = best[0]?.metrics ?? {};
    const share = (value: number | null | undefined) =>
      value === null || value === undefined ? '–' : percent(100 * value, 0);
    return figureList([
      {
        name: t('run.a_year'),
        value: signedPercent(metrics.annualized_pct, 1),
      },
      { name: t('run.sharpe'), value: fixed(metrics.sharpe) },
      { name: t('run.drawdown'), value: signedPercent(-Math.abs(metrics.max_drawdown_pct ?? 0), 1) },
      {
        name: t('optimize.dsr'),
        value: fixed(selection?.skill?.dsr ?? null),
        unit: t('optimize.trials', { count: selection?.trials ?? 0 }),
      },
      {
        name: t('optimize.pbo'),
        value: share(statistics?.pbo),
        unit: t('optimize.pbo.of', { columns: statistics?.columns ?? 0 }),
      },
      { name: t('optimize.spa'), value: fixed(statistics?.spa?.consistent, 2), unit: t('optimize.spa.of') },
    ]);
  }

  private chance() {
    const { statistics } = this.result;
    if (!statistics) return nothing;
    const { sentences, pbo_distribution: distribution } = statistics;
    return html`<h2 id="luck">${t('evidence.luck')}</h2>
      <ul>${sentences.map((text) => html`<li>${withMinus(text)}</li>`)}</ul>
      ${
        distribution === null
          ? html`<p class="muted">${t('optimize.pbo.none')}</p>`
          : html`<step-bars .histogram=${distribution}></step-bars>`
      }`;
  }

  private map() {
    const { heatmap: map, objective, best } = this.result;
    const [first] = best;
    if (map === null || !first) return nothing;
    const isWhole = this.varied.length === 2;
    const href = (x: Params[string], y: Params[string]) =>
      this.href({ ...first.params, [map.x.param]: x, [map.y.param]: y });
    return html`<h2 id="map">${t('optimize.map')}</h2>
      ${heatMap({ map, objective, labels: this.labels, href: isWhole ? href : null })}`;
  }

  private walk() {
    const { walk_forward: walk, objective } = this.result;
    if (walk === null) return nothing;
    const code = objectiveOf(objective);
    const figures: Figure[] = [
      { name: t('run.total'), value: signedPercent(walk.total_pnl_pct, 1), tone: tone(walk.total_pnl_pct) },
      { name: t('run.a_year'), value: signedPercent(walk.annualized_pct, 1), tone: tone(walk.annualized_pct) },
      { name: t('run.holding'), value: signedPercent(walk.buy_hold_pnl_pct, 1) },
      { name: t('run.drawdown'), value: signedPercent(-Math.abs(walk.max_drawdown_pct), 1), tone: 'loss' },
      { name: t('run.sharpe'), value: fixed(walk.sharpe) },
      // The ratio of two losses would look like a gain.
      { name: t('optimize.efficiency'), value: fixed(walk.total_pnl_pct > 0 ? walk.efficiency : null) },
    ];
    const label = t('optimize.walk.chart', {
      start: day(walk.start_date),
      end: day(walk.end_date),
      total: signedPercent(walk.total_pnl_pct, 1),
      holding: signedPercent(walk.buy_hold_pnl_pct, 1),
    });
    return html`<h2 id="walk">${t('optimize.walk')}</h2>
      <p class="run-words">${walkWords(walk)}</p>
      ${figureList(figures)}
      <walk-chart .walk=${walk} label=${label}></walk-chart>
      <data-table class=${`dense wrapped ${walk.windows.length > SHOWN_WHOLE ? 'short' : ''}`} .columns=${this.windowColumns(code)} .rows=${walk.windows} caption=${t('optimize.windows')}></data-table>`;
  }

  private windowColumns(code: ReturnType<typeof objectiveOf>): Column<Window>[] {
    const windows: readonly Window[] = this.result.walk_forward?.windows ?? [];
    return [
      { key: 'number', title: t('run.number'), isNumber: true, cell: (window) => number(windows.indexOf(window) + 1) },
      { key: 'train', title: t('optimize.chosen_on'), isMinor: true, cell: (w) => `${w.train_start} – ${w.train_end}` },
      ...this.varied.map((name) => this.parameterColumn<Window>(name)),
      numberColumn(
        'objective',
        t('optimize.in_sample', { objective: objectiveText(code) }),
        (w) => w.train_objective,
        (value) => objectiveFigure(code, value),
      ),
      { key: 'test', title: t('optimize.traded_on'), cell: (w) => `${w.test_start} – ${w.test_end}` },
      changeColumn('pnl', t('optimize.out_of_sample'), (w) => w.test_pnl_pct, tone),
    ];
  }

  private parameterColumn<Row extends { readonly params: Params }>(name: string): Column<Row> {
    return {
      key: name,
      title: this.labels.get(name) ?? name,
      isNumber: true,
      value: ({ params }) => params[name],
      cell: ({ params }) => textOr(`param.${params[name]}`, String(params[name])),
    };
  }

  private best() {
    const { best, combinations } = this.result;
    return html`<h2 id="best">${t('optimize.best', { count: best.length, combinations })}</h2>
      <data-table class="short dense wrapped" .columns=${this.bestColumns()} .rows=${best} caption=${t('optimize.best', { count: best.length, combinations })}></data-table>`;
  }

  private bestColumns(): Column<Best>[] {
    const { best } = this.result;
    const figure = (name: string, title: string, write: (value: number | null) => string): Column<Best> =>
      numberColumn(name, title, ({ metrics }) => metrics[name], write);
    const signedOne = (value: number | null) => signedPercent(value, 1);
    return [
      { key: 'rank', title: t('run.number'), isNumber: true, value: (one) => best.indexOf(one) + 1 },
      ...this.varied.map((name) => this.parameterColumn<Best>(name)),
      figure('sharpe', t('run.sharpe'), (value) => fixed(value)),
      figure('total_pnl_pct', t('run.total'), signedOne),
      figure('excess_return_pct', t('run.against_holding'), signedOne),
      figure('max_drawdown_pct', t('run.drawdown'), (value) => signedOne(value === null ? null : -Math.abs(value))),
      figure('profit_factor', t('run.profit_factor'), (value) => fixed(value)),
      figure('num_trades', t('run.trades'), (value) => number(value)),
      {
        key: 'run',
        title: t('nav.backtest'),
        cell: ({ params }) => html`<a href=${this.href(params)}>${t('optimize.open')}</a>`,
      },
    ];
  }
}

type Window = WalkForward['windows'][number];

function walkWords({ windows, total_pnl_pct, buy_hold_pnl_pct }: WalkForward): string {
  const won = windows.filter(({ test_pnl_pct }) => test_pnl_pct > 0).length;
  return t('optimize.walk.words', {
    windows: windows.length,
    won,
    total: signedPercent(total_pnl_pct, 1),
    holding: signedPercent(buy_hold_pnl_pct, 1),
  });
}

/** The equity of a walk forward against holding, with a line where each test window begins. */
@customElement('walk-chart')
export class WalkChart extends TimeChart {
  @property({ attribute: false }) walk!: WalkForward;

  protected override get days() {
    return this.walk.equity;
  }

  protected override draw(chart: IChartApi): Drawing {
    const equity = equityLines(chart);
    const windows = new Marks();
    equity.own.attachPrimitive(windows);
    return {
      main: equity.own,
      show: () => equity.show(this.walk.equity),
      paint: (colors) => {
        equity.paint(colors);
        const lines = this.walk.windows.map(
          ({ test_start: start }, i) => ({ kind: 'line', start, end: start, label: String(i + 1) }) as const,
        );
        windows.show(lines, colors);
      },
    };
  }

  protected override figures(index: number) {
    const { equity } = this.walk;
    const point = equity[index];
    const holding = 100 * (point.buy_hold / equity[0].buy_hold - 1);
    return html`<b>${day(point.ts)}</b>
      <span><span class="key own"></span>${t('run.equity')} <b>${number(point.equity, 0)}</b></span>
      <span><span class="key holding"></span>${t('run.holding')} <span class=${tone(holding)}>${signedPercent(holding)}</span></span>`;
  }
}
