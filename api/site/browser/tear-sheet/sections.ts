/** The sections of a tear sheet, one function each. */
import { html, nothing } from 'lit';
import type { SiteText } from '../../texts/catalogue.ts';
import { leadToPlace } from '../dom.ts';
import { placeId } from '../run/figures.ts';
import { monthTable } from '../run/month-table.ts';
import { day, fixed, number, percent, t, withMinus } from '../text.ts';
import type { BacktestResult, TearSheet } from '../types.ts';
import { countChart, fanChart, lineChart, underwaterChart } from './charts.ts';

type FigureName = Extract<SiteText, `sheet.${string}`> extends `sheet.${infer Name}` ? Name : never;
type Figure = readonly [name: FigureName, value: number | null];

/** A figure in percent where its name says so, otherwise a ratio. */
function written([name, value]: Figure): string {
  return /_pct(_|$)/.test(name) ? percent(value) : number(value);
}

/** `section`: that of the figures in the sheet; the verdict leads to each by its place. */
function figureTable(section: string, figures: readonly Figure[]) {
  return html`<table class="sheet-figures"><tbody>
    ${figures.map((figure) => html`<tr id=${placeId(`${section}.${figure[0]}`)}><th scope="row">${t(`sheet.${figure[0]}`)}</th><td class="number">${written(figure)}</td></tr>`)}
  </tbody></table>`;
}

interface PlacedFigure {
  readonly place: string;
  readonly name: string;
  readonly value: string;
}

function placedTable(figures: readonly PlacedFigure[]) {
  return html`<table class="sheet-figures"><tbody>
    ${figures.map(({ place, name, value }) => html`<tr id=${placeId(place)}><th scope="row">${name}</th><td class="number">${value}</td></tr>`)}
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

/** The sentences of the verdict, each of which leads to the first figure that made it. */
export function verdictLinks({ verdict }: TearSheet) {
  return verdict.sentences.map(({ text, figures }) => {
    // Others are no figures of the page: the total of an older result.
    const place = Object.keys(figures).find((name) => name.includes('.'));
    if (place === undefined) return html`${withMinus(text)}`;
    return html`<a class="sentence" href=${`#${placeId(place)}`} @click=${leadToPlace}>${withMinus(text)}</a>`;
  });
}

export function verdictSection(sheet: TearSheet) {
  return html`<section><h2>${t('sheet.verdict')}</h2>
    <ul class="sheet-verdict">${verdictLinks(sheet).map((link) => html`<li>${link}</li>`)}</ul>
    <p class="small controls"><a href="/verdicts">${t('sheet.rules')}</a></p></section>`;
}

/** Growth and, below it, how far it is below its peak. */
export function equitySection({ series, time }: TearSheet) {
  const days = series.map(({ ts }) => ts);
  const run = { values: growthOf(series.map((row) => row.run)), text: t('sheet.run') };
  const other = { values: growthOf(series.map((row) => row.benchmark)), text: t('sheet.benchmark') };
  return html`<section id="sheet-series">
    ${lineChart(t('sheet.equity'), { days, run, other, digits: 0 })}
    ${underwaterChart(
      t('sheet.underwater'),
      time.underwater.map(({ ts }) => ts),
      time.underwater.map((row) => row.drawdown_pct),
    )}
  </section>`;
}

export function riskSection({ returns, benchmark, regression }: TearSheet) {
  const dated = ({ pct }: { readonly pct: number }, when: string) => `${percent(pct)} · ${when}`;
  return html`<section id="sheet-returns" class="sheet-page">
    <div class="sheet-columns">
      <div><h2>${t('sheet.figures')}</h2>
        ${figureTable('returns', [
          ['volatility_pct', returns.volatility_pct],
          ['sortino', returns.sortino],
          ['calmar', returns.calmar],
          ['omega', returns.omega],
          ['skewness', returns.skewness],
          ['excess_kurtosis', returns.excess_kurtosis],
          ['tail_ratio', returns.tail_ratio],
          ['stability', returns.stability],
          ['var_95_pct', returns.var_95_pct],
          ['cvar_95_pct', returns.cvar_95_pct],
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
        ${figureTable('benchmark', [
          ['annual_return_pct', benchmark.annual_return_pct],
          ['beta', benchmark.beta],
          ['alpha_pct', benchmark.alpha_pct],
          ['correlation', benchmark.correlation],
          ['information_ratio', benchmark.information_ratio],
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
    <div id=${placeId('regression.terms.0.coefficient')}>
      ${rowTable(t('sheet.regression'), [t('sheet.term'), t('sheet.coefficient'), 't', 'p'], rows)}
    </div>
    <p class="small">${t('sheet.fit', { r2: fixed(r2, 3), sessions })}</p></div>`;
}

/** Returns by month and year. */
export function monthSection({ time }: TearSheet) {
  const years = time.years.map(({ year, run_pct, benchmark_pct }) => {
    const months = Array<number | null>(12).fill(null);
    for (const { month, run_pct: pct } of time.months)
      if (Number(month.slice(0, 4)) === year) months[Number(month.slice(5)) - 1] = pct;
    return { year, months, total: run_pct, holding: benchmark_pct };
  });
  return html`<section class="sheet-page"><h2>${t('run.months')}</h2>${monthTable(years, t('sheet.benchmark'))}</section>`;
}

const [QUARTER, YEAR] = ['63', '252'] as const;

/** Figures over the sessions before each one: a year of them, or a quarter where the run is shorter. */
function rollingCharts({ rolling }: TearSheet['time']) {
  const sessions = rolling[YEAR].length > 1 ? YEAR : QUARTER;
  const rows = rolling[sessions];
  if (rows.length < 2) return nothing;
  const chart = (label: string, text: string, pick: (row: (typeof rows)[number]) => number | null, level: number) => {
    const known = rows.flatMap((row) => {
      const value = pick(row);
      return value === null ? [] : [{ ts: row.ts, value }];
    });
    if (known.length < 2) return nothing;
    const run = { values: known.map(({ value }) => value), text };
    return lineChart(label, { days: known.map(({ ts }) => ts), run, digits: 1, level });
  };
  const label = (name: string) => t('sheet.rolling', { name, sessions: Number(sessions) });
  const [sharpe, volatility, beta] = [t('sheet.sharpe'), t('sheet.volatility_pct'), t('sheet.beta')];
  return html`${chart(label(sharpe), t('sheet.run'), (row) => row.sharpe, 0)}
    ${chart(label(`${volatility}, %`), t('sheet.run'), (row) => row.volatility_pct, 0)}
    ${chart(label(beta), t('sheet.run'), (row) => row.beta, 1)}`;
}

export function timeSection({ time }: TearSheet) {
  const { costs, concentration } = time;
  const falls = time.drawdowns.map((fall) => [
    day(fall.peak),
    day(fall.valley),
    day(fall.recovery),
    percent(-Math.abs(fall.depth_pct)),
    `${number(fall.bars_down)} / ${number(fall.bars_up)}`,
  ]);
  return html`<section id="sheet-time"><h2>${t('sheet.time')}</h2>
    ${rollingCharts(time)}
    <h3 class="sheet-page">${t('sheet.drawdowns')}</h3>
    ${falls.length === 0 ? html`<p>${t('sheet.none')}</p>` : rowTable(t('sheet.drawdowns'), [t('sheet.peak'), t('sheet.valley'), t('sheet.recovery'), t('sheet.depth'), t('sheet.bars')], falls)}
    <div class="sheet-columns">
      ${figureTable('time', [
        ['exposure_pct', time.exposure_pct],
        ['turnover_pct', time.turnover_pct],
        ['largest_weight_pct', concentration.largest_weight_pct],
        ['mean_effective_number', concentration.mean_effective_number],
      ])}
      ${figureTable('time.costs', [
        ['commission_pct_per_year', costs.commission_pct_per_year],
        ['slippage_pct_per_year', costs.slippage_pct_per_year],
      ])}
    </div>
  </section>`;
}

export function tradeSection({ trades }: TearSheet) {
  const { pnl_pct: distribution } = trades.distributions;
  return html`<section id="sheet-trades"><h2>${t('sheet.trades')}</h2>
    <div class="sheet-columns">
      ${figureTable('trades', [
        ['win_rate_pct', trades.win_rate_pct],
        ['payoff', trades.payoff],
        ['profit_factor', trades.profit_factor],
        ['expectancy_pct', trades.expectancy_pct],
      ])}
      ${figureTable('trades', [
        ['sqn', trades.sqn],
        ['kelly', trades.kelly],
        ['mean_bars', trades.holding_bars.mean],
        ['longest_loss_streak', trades.longest_loss_streak],
      ])}
    </div>
    ${distribution === null ? html`<p>${t('sheet.none')}</p>` : countChart(t('sheet.distribution'), distribution)}
  </section>`;
}

type Percentiles = NonNullable<TearSheet['chance']['bootstrap']>['final_equity'];

/** The share of the histories that ended below a figure, by the line between the percentiles that are known. */
function rankOf(value: number, { p5, p25, p50, p75, p95 }: Percentiles): number {
  const known = [
    [5, p5],
    [25, p25],
    [50, p50],
    [75, p75],
    [95, p95],
  ];
  const after = known.findIndex(([, limit]) => value < limit);
  if (after === 0) return 0;
  if (after === -1) return 100;
  const [[low, from], [high, to]] = [known[after - 1], known[after]];
  return low + ((high - low) * (value - from)) / (to - from);
}

function rankWords(rank: number): string {
  if (rank < 5) return t('sheet.fan.lowest');
  return rank > 95 ? t('sheet.fan.highest') : t('sheet.fan.rank', { share: fixed(rank, 0) });
}

/** Probabilities, and how many choices were tried. */
function chanceFigures({ chance }: TearSheet, { statistics, selection }: JudgedRun): PlacedFigure[] {
  const { bootstrap, random_entries: random } = chance;
  const share = (probability: number) => percent(100 * probability, 1);
  const figures: PlacedFigure[] = [];
  const add = (place: string, name: string, value: string) => figures.push({ place, name, value });
  if (statistics) {
    add('statistics.psr', t('evidence.psr'), fixed(statistics.psr, 3));
    const needed = statistics.min_track_record_bars;
    const bars = needed === null ? number(null) : t('evidence.bars', { bars: Math.ceil(needed) });
    add('statistics.min_track_record_bars', t('evidence.track_record'), bars);
  }
  if (bootstrap) {
    add('chance.bootstrap.p_loss', t('sheet.p_loss'), share(bootstrap.p_loss));
    for (const depth of ['20', '30', '50'] as const)
      add(
        `chance.bootstrap.p_drawdown_above.${depth}`,
        t('sheet.p_drawdown', { depth }),
        share(bootstrap.p_drawdown_above[depth]),
      );
  }
  if (random) add('chance.random_entries.rank', t('sheet.random_rank'), share(random.rank));
  if (selection) {
    add('selection.trials', t('evidence.trials'), number(selection.trials));
    const years = selection.min_backtest_years;
    if (years)
      add('selection.min_backtest_years', t('evidence.min_years'), t('evidence.years', { years: fixed(years, 1) }));
  }
  return figures;
}

type JudgedRun = Pick<BacktestResult, 'cost' | 'statistics' | 'selection'>;

export function chanceSection(sheet: TearSheet, run: JudgedRun) {
  const { bootstrap, trade_order: order, random_entries: random } = sheet.chance;
  const row = (name: string, figures: Percentiles, digits: number) => [
    name,
    ...[figures.p5, figures.p25, figures.p50, figures.p75, figures.p95].map((figure) => number(figure, digits)),
  ];
  const rows = [
    ...(bootstrap
      ? [
          row(t('sheet.final_equity'), bootstrap.final_equity, 0),
          row(t('sheet.drawdown'), bootstrap.max_drawdown_pct, 1),
          row(t('sheet.under_water'), bootstrap.under_water_bars, 0),
        ]
      : []),
    ...(order ? [row(t('sheet.order_drawdown'), order.max_drawdown_pct, 1)] : []),
    ...(random ? [row(t('sheet.random_total'), random.total_pct, 1)] : []),
  ];
  return html`<section id="sheet-chance" class="sheet-page"><h2>${t('sheet.chance')}</h2>
    ${bootstrap ? fan(bootstrap, sheet.series, run.cost.initial_capital) : html`<p>${t('sheet.none')}</p>`}
    ${placedTable(chanceFigures(sheet, run))}
    ${rows.length === 0 ? nothing : rowTable(t('sheet.chance'), [t('sheet.percentile'), '5', '25', '50', '75', '95'], rows)}
  </section>`;
}

type Bootstrap = NonNullable<TearSheet['chance']['bootstrap']>;

function fan({ bands, final_equity }: Bootstrap, series: TearSheet['series'], capital: number) {
  const growth = growthOf(series.map((row) => row.run));
  const at = new Map(series.map(({ ts }, i) => [ts, growth[i]]));
  const values = bands.map(({ ts }) => (capital * (at.get(ts) ?? 100)) / 100);
  const rank = rankOf(values[values.length - 1], final_equity);
  return html`${fanChart(t('sheet.fan'), bands, { values, text: t('sheet.run') })}
    <p class="small">${rankWords(rank)}</p>`;
}
