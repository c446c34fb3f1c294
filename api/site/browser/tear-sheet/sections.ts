/** The sections of a tear sheet, one function each. */
import { html, nothing } from 'lit';
import type { SiteText } from '../../texts/catalogue.ts';
import { day, fixed, number, percent, t } from '../text.ts';
import type { TearSheet } from '../types.ts';
import { countChart, fanChart, lineChart, underwaterChart } from './charts.ts';

type FigureName = Extract<SiteText, `sheet.${string}`> extends `sheet.${infer Name}` ? Name : never;
type Figure = readonly [name: FigureName, value: number | null];

/** A figure in percent where its name says so, otherwise a ratio. */
function written([name, value]: Figure): string {
  return /_pct(_|$)/.test(name) ? percent(value) : number(value);
}

function figureTable(figures: readonly Figure[]) {
  return html`<table class="sheet-figures"><tbody>
    ${figures.map((figure) => html`<tr><th scope="row">${t(`sheet.${figure[0]}`)}</th><td class="number">${written(figure)}</td></tr>`)}
  </tbody></table>`;
}

function rowTable(label: string, head: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="number">${cell}</td>`));
  return html`<div class="table-scroll" role="region" aria-label=${label} tabindex="0"><table class="sheet-rows">
    <thead><tr>${head.map((name, i) => html`<th scope="col" class=${i === 0 ? '' : 'number'}>${name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
  </table></div>`;
}

/** Growth of 100. */
function growthOf(returns: readonly number[]): number[] {
  let growth = 100;
  return returns.map((r) => {
    growth *= 1 + r;
    return growth;
  });
}

const LINKED = ['benchmark', 'regression', 'time', 'trades', 'chance'];

/** The section of the figure that made a sentence; those of the run itself are with its returns. */
function sectionOf(place = ''): string {
  const [section] = place.split('.');
  return LINKED.includes(section) ? section : 'returns';
}

export function verdictSection({ verdict }: TearSheet) {
  return html`<section><h2>${t('sheet.verdict')}</h2>
    <ul class="sheet-verdict">
      ${verdict.sentences.map(({ text, figures }) => {
        const [first] = Object.keys(figures);
        return html`<li><a href=${`#sheet-${sectionOf(first)}`}>${text}</a></li>`;
      })}
    </ul>
    <p class="small controls"><a href="/verdicts">${t('sheet.rules')}</a></p></section>`;
}

export function equitySection({ series, returns, benchmark }: TearSheet) {
  const run = { values: growthOf(series.map((row) => row.run)), text: t('sheet.run') };
  const other = { values: growthOf(series.map((row) => row.benchmark)), text: t('sheet.benchmark') };
  const first: readonly Figure[] = [
    ['total_pct', returns.total_pct],
    ['annual_return_pct', returns.annual_return_pct],
    ['sharpe', returns.sharpe],
    ['max_drawdown_pct', returns.max_drawdown_pct],
    ['cvar_95_pct', returns.cvar_95_pct],
    ['information_ratio', benchmark.information_ratio],
  ];
  return html`<section id="sheet-series">
    <dl class="sheet-key">${first.map((figure) => html`<div><dt>${t(`sheet.${figure[0]}`)}</dt><dd>${written(figure)}</dd></div>`)}</dl>
    ${lineChart(t('sheet.equity'), run, other)}
  </section>`;
}

export function riskSection({ returns, benchmark, regression }: TearSheet) {
  const dated = ({ pct }: { readonly pct: number }, when: string) => `${percent(pct)} · ${when}`;
  return html`<section id="sheet-returns" class="sheet-page">
    <div class="sheet-columns">
      <div><h2>${t('sheet.figures')}</h2>
        ${figureTable([
          ['volatility_pct', returns.volatility_pct],
          ['sortino', returns.sortino],
          ['calmar', returns.calmar],
          ['omega', returns.omega],
          ['skewness', returns.skewness],
          ['excess_kurtosis', returns.excess_kurtosis],
          ['tail_ratio', returns.tail_ratio],
          ['stability', returns.stability],
          ['var_95_pct', returns.var_95_pct],
          ['var_99_pct', returns.var_99_pct],
          ['cvar_99_pct', returns.cvar_99_pct],
          ['positive_months_pct', returns.positive_months_pct],
        ])}
        <table class="sheet-figures"><tbody>
          <tr><th scope="row">${t('sheet.best_day')}</th><td class="number">${dated(returns.best_day, day(returns.best_day.ts))}</td></tr>
          <tr><th scope="row">${t('sheet.worst_day')}</th><td class="number">${dated(returns.worst_day, day(returns.worst_day.ts))}</td></tr>
          <tr><th scope="row">${t('sheet.best_month')}</th><td class="number">${dated(returns.best_month, returns.best_month.month)}</td></tr>
          <tr><th scope="row">${t('sheet.worst_month')}</th><td class="number">${dated(returns.worst_month, returns.worst_month.month)}</td></tr>
        </tbody></table>
      </div>
      <div id="sheet-benchmark"><h2>${t('sheet.against')}</h2>
        ${figureTable([
          ['total_pct', benchmark.total_pct],
          ['annual_return_pct', benchmark.annual_return_pct],
          ['beta', benchmark.beta],
          ['alpha_pct', benchmark.alpha_pct],
          ['correlation', benchmark.correlation],
          ['tracking_error_pct', benchmark.tracking_error_pct],
          ['active_return_pct', benchmark.active_return_pct],
          ['up_capture', benchmark.up_capture],
          ['down_capture', benchmark.down_capture],
          ['batting_average_pct', benchmark.batting_average_pct],
        ])}
        ${regression === null ? nothing : regressionTable(regression)}
      </div>
    </div>
  </section>`;
}

function regressionTable({ terms, r2, sessions }: NonNullable<TearSheet['regression']>) {
  const rows = terms.map(({ name, coefficient, t: ratio, p }) => [
    name,
    fixed(coefficient, 5),
    fixed(ratio, 2),
    fixed(p, 3),
  ]);
  return html`<div id="sheet-regression"><h3>${t('sheet.regression')}</h3>
    ${rowTable(t('sheet.regression'), [t('sheet.term'), t('sheet.coefficient'), 't', 'p'], rows)}
    <p class="small">${t('sheet.fit', { r2: fixed(r2, 3), sessions })}</p></div>`;
}

export function timeSection({ time }: TearSheet) {
  const { costs, concentration } = time;
  const falls = time.drawdowns.map((fall) => [
    day(fall.peak),
    day(fall.valley),
    day(fall.recovery),
    percent(fall.depth_pct),
    `${number(fall.bars_down)} / ${number(fall.bars_up)}`,
  ]);
  const years = time.years.map((year) => [String(year.year), percent(year.run_pct), percent(year.benchmark_pct)]);
  return html`<section id="sheet-time" class="sheet-page"><h2>${t('sheet.time')}</h2>
    ${underwaterChart(
      t('sheet.underwater'),
      time.underwater.map((row) => row.drawdown_pct),
    )}
    <h3>${t('sheet.drawdowns')}</h3>
    ${falls.length === 0 ? html`<p>${t('sheet.none')}</p>` : rowTable(t('sheet.drawdowns'), [t('sheet.peak'), t('sheet.valley'), t('sheet.recovery'), t('sheet.depth'), t('sheet.bars')], falls)}
    <div class="sheet-columns">
      <div><h3>${t('sheet.years')}</h3>
        ${rowTable(t('sheet.years'), [t('sheet.years'), t('sheet.run'), t('sheet.benchmark')], years)}</div>
      <div>${figureTable([
        ['exposure_pct', time.exposure_pct],
        ['turnover_pct', time.turnover_pct],
        ['commission_pct_per_year', costs.commission_pct_per_year],
        ['slippage_pct_per_year', costs.slippage_pct_per_year],
        ['largest_weight_pct', concentration.largest_weight_pct],
        ['mean_effective_number', concentration.mean_effective_number],
      ])}</div>
    </div>
  </section>`;
}

export function tradeSection({ trades }: TearSheet) {
  const { pnl_pct: distribution } = trades.distributions;
  return html`<section id="sheet-trades" class="sheet-page"><h2>${t('sheet.trades')}</h2>
    <div class="sheet-columns">
      ${figureTable([
        ['count', trades.count],
        ['win_rate_pct', trades.win_rate_pct],
        ['payoff', trades.payoff],
        ['profit_factor', trades.profit_factor],
        ['expectancy_pct', trades.expectancy_pct],
      ])}
      ${figureTable([
        ['sqn', trades.sqn],
        ['kelly', trades.kelly],
        ['mean_bars', trades.holding_bars.mean],
        ['longest_loss_streak', trades.longest_loss_streak],
      ])}
    </div>
    ${distribution === null ? html`<p>${t('sheet.none')}</p>` : countChart(t('sheet.distribution'), distribution)}
  </section>`;
}

export function chanceSection({ chance, series }: TearSheet, capital: number) {
  const { bootstrap, trade_order: order, random_entries: random } = chance;
  if (bootstrap === null) {
    return html`<section id="sheet-chance"><h2>${t('sheet.chance')}</h2><p>${t('sheet.none')}</p></section>`;
  }
  const growth = growthOf(series.map((row) => row.run));
  const at = new Map(series.map(({ ts }, i) => [ts, growth[i]]));
  const run = bootstrap.bands.map(({ ts }) => (capital * (at.get(ts) ?? 100)) / 100);
  const row = (name: string, figures: Percentiles, digits: number) => [
    name,
    ...[figures.p5, figures.p25, figures.p50, figures.p75, figures.p95].map((figure) => number(figure, digits)),
  ];
  const rows = [
    row(t('sheet.final_equity'), bootstrap.final_equity, 0),
    row(t('sheet.drawdown'), bootstrap.max_drawdown_pct, 1),
    row(t('sheet.under_water'), bootstrap.under_water_bars, 0),
    ...(order ? [row(t('sheet.order_drawdown'), order.max_drawdown_pct, 1)] : []),
    ...(random ? [row(t('sheet.random_total'), random.total_pct, 1)] : []),
  ];
  return html`<section id="sheet-chance"><h2>${t('sheet.chance')}</h2>
    ${fanChart(t('sheet.fan'), bootstrap.bands, { values: run, text: t('sheet.run') }, '50 %')}
    ${rowTable(t('sheet.chance'), [t('sheet.percentile'), '5', '25', '50', '75', '95'], rows)}
  </section>`;
}

type Percentiles = NonNullable<TearSheet['chance']['bootstrap']>['final_equity'];
