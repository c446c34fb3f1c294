/** The sections of a tear sheet, one function each; that on chance is a file of its own. */
import { guard } from 'lit/directives/guard.js';
import { html, leadToPlace, nothing } from '../dom.ts';
import { growthOf, interestDetail, monthTable, placeId } from '../run/figures.ts';
import { day, fixed, number, percent, textOr, UNDEFINED, withMinus } from '../text.ts';
import { t } from '../tool-text.ts';
import type { TearSheet } from '../types.ts';
import { countChart } from './charts.ts';
import './day-plot.ts';
import { figureTable, placedTable, rowTable } from './figure-tables.ts';

/** The sentences of the verdict, each of which leads to the first figure that made it. */
export function verdictLinks({ verdict }: TearSheet) {
  return verdict.sentences.map(({ key, text, figures }) => {
    const content = /^(gained|lost|returned)/.test(key) ? withPair(withMinus(text)) : withMinus(text);
    // Others are no figures of the page: the total of an older result.
    const place = Object.keys(figures).find((name) => name.includes('.'));
    if (place === undefined) return html`${content}`;
    const rule = textOr(`verdict.${key}`, '').replaceAll('`', '');
    return html`<a class="sentence" href=${`#${placeId(place)}`} data-rule=${rule} aria-description=${rule} @click=${leadToPlace}>${content}</a>`;
  });
}

/** The gain and that of the benchmark stand out. */
const withPair = (sentence: string) =>
  sentence.split(/(−?[\d,.]+%)/).map((part, i) => (i % 2 === 1 ? html`<b>${part}</b>` : part));

export function verdictSection(sheet: TearSheet) {
  return html`<section><h2>${t('sheet.verdict')}</h2>
    <ul class="sheet-verdict">${verdictLinks(sheet).map((link) => html`<li>${link}</li>`)}</ul>
    <p class="small controls"><a href="/verdicts">${t('sheet.rules')}</a></p></section>`;
}

interface Growth {
  /** Without a benchmark its returns are null. */
  readonly series: readonly { readonly ts: string; readonly run: number; readonly benchmark: number | null }[];
  readonly time: Pick<TearSheet['time'], 'underwater'>;
}

/** Growth and, below it, how far it is below its peak. */
export function equitySection({ series, time }: Growth) {
  const held = series.flatMap(({ benchmark }) => benchmark ?? []);
  const lines = [
    { values: growthOf(series.map((row) => row.run)), text: t('sheet.run') },
    ...(held.length < series.length ? [] : [{ values: growthOf(held), text: t('sheet.benchmark') }]),
  ];
  const falls = [{ values: time.underwater.map((row) => -Math.abs(row.drawdown_pct)), text: t('sheet.run') }];
  return html`<section id="sheet-series">
    <day-plot label=${t('sheet.equity')} .days=${series} .lines=${lines}></day-plot>
    <day-plot label=${t('sheet.underwater')} .days=${time.underwater} .lines=${falls} .digits=${1} .isArea=${true}></day-plot>
  </section>`;
}

interface Risk extends Pick<TearSheet, 'returns' | 'regression'> {
  readonly benchmark: TearSheet['benchmark'] | null;
}

export function riskSection({ returns, benchmark, regression }: Risk) {
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
      ${benchmark === null ? nothing : benchmarkFigures(benchmark, regression)}
    </div>
  </section>`;
}

function benchmarkFigures(benchmark: TearSheet['benchmark'], regression: TearSheet['regression']) {
  return html`<div id="sheet-benchmark"><h2>${t('sheet.against')}</h2>
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
    </div>`;
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

interface ByMonth {
  readonly time: {
    readonly months: readonly { readonly month: string; readonly run_pct: number }[];
    readonly years: readonly {
      readonly year: number;
      readonly run_pct: number;
      readonly benchmark_pct: number | null;
    }[];
  };
}

/** Returns by month and year. */
export function monthSection({ time }: ByMonth) {
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
function rollingCharts({ rolling }: Pick<TearSheet['time'], 'rolling'>) {
  const sessions = rolling[YEAR].length > 1 ? YEAR : QUARTER;
  const rows = rolling[sessions];
  if (rows.length < 2) return nothing;
  const chart = (label: string, pick: (row: (typeof rows)[number]) => number | null, level: number) => {
    const known = rows.flatMap((row) => {
      const value = pick(row);
      return value === null ? [] : [{ ts: row.ts, value }];
    });
    if (known.length < 2) return nothing;
    const lines = [{ values: known.map(({ value }) => value), text: t('sheet.run') }];
    return html`<day-plot label=${label} .days=${known} .lines=${lines} .digits=${1} .level=${level}></day-plot>`;
  };
  const label = (name: string) => t('sheet.rolling', { name, sessions: Number(sessions) });
  const [sharpe, volatility, beta] = [t('sheet.sharpe'), t('sheet.volatility_pct'), t('sheet.beta')];
  return html`${chart(label(sharpe), (row) => row.sharpe, 0)}
    ${chart(label(`${volatility}, %`), (row) => row.volatility_pct, 0)}
    ${chart(label(beta), (row) => row.beta, 1)}`;
}

/** Figures over time, and the deepest falls. */
export function fallSection(time: Pick<TearSheet['time'], 'rolling' | 'drawdowns'>, more: unknown = nothing) {
  const falls = time.drawdowns.map((fall) => [
    fall.peak,
    fall.valley,
    fall.recovery ?? UNDEFINED,
    percent(-Math.abs(fall.depth_pct)),
    `${number(fall.bars_down)} / ${number(fall.bars_up)}`,
  ]);
  return html`<section id="sheet-time"><h2>${t('sheet.time')}</h2>
    ${guard([time], () => rollingCharts(time))}
    <h3 class="sheet-page">${t('sheet.drawdowns')}</h3>
    ${falls.length === 0 ? html`<p>${t('sheet.none')}</p>` : rowTable(t('sheet.drawdowns'), [t('sheet.peak'), t('sheet.valley'), t('sheet.recovery'), t('sheet.depth'), t('sheet.bars')], falls)}
    ${more}
  </section>`;
}

export function timeSection({ time, interest }: TearSheet) {
  const { costs, concentration } = time;
  return fallSection(
    time,
    html`<div class="sheet-columns">
        ${figureTable('time', [
          ['exposure_pct', time.exposure_pct],
          ['turnover_pct', time.turnover_pct],
          ['largest_weight_pct', concentration.largest_weight_pct],
          ['mean_effective_number', concentration.mean_effective_number],
        ])}
        <div>
          ${figureTable('time.costs', [
            ['commission_pct_per_year', costs.commission_pct_per_year],
            ['slippage_pct_per_year', costs.slippage_pct_per_year],
          ])}
          ${interest ? placedTable(interestDetail({ interest }).map(([name, value]) => ({ name, value, place: 'interest.money' }))) : nothing}
        </div>
      </div>`,
  );
}

export function tradeSection({ trades }: Pick<TearSheet, 'trades'>) {
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
