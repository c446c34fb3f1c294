/** One factor of a study at one horizon: its charts, its largest values, and what can be done with it. */
import { customElement, property } from 'lit/decorators.js';
import { symbolLink } from '../columns.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { runQuery } from '../run/portfolio.ts';
import { largestHeld } from '../run/rotation.ts';
import { withDefaults } from '../run/specification.ts';
import '../tear-sheet/day-plot.ts';
import { anyNumber, day, fixed, inPercent, percent, signed, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { FactorResult } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';
import type { StudyBody } from './factor-form.ts';
import './value-bars.ts';

export type Factor = FactorResult['factors'][number];
type Horizon = Factor['horizons'][number];
type Portfolio = NonNullable<Factor['portfolio']>;

/** Dates of the mean that is drawn over single coefficients. */
const SMOOTHED = 12;
const ROTATIONS = { day: { sessions: 1 }, week: 'week', month: 'month' } as const;

export const horizonText = ({ horizon }: Pick<Horizon, 'horizon'>) =>
  horizon === 'step' ? t('factors.step') : t('factors.sessions', { count: horizon });

const coefficient = (value: number | null) => signed(value, 3);

@customElement('factor-detail')
export class FactorDetail extends SiteElement {
  @property({ attribute: false }) result!: FactorResult;
  @property({ attribute: false }) factor!: Factor;
  @property({ attribute: false }) horizon!: Horizon;
  /** The call of the study; null: unknown. */
  @property({ attribute: false }) body: StudyBody | null = null;

  override render() {
    const { result, factor, horizon, body } = this;
    const { ic, spread } = horizon;
    const hasSeries = ic.series !== undefined || spread.series !== undefined;
    return html`<p><code>${factor.value}</code></p>
      <p class="row">
        ${body === null ? nothing : html`<a class="button" href=${`/portfolio?${runQuery(rotationOf(factor, body))}`}>${t('factors.trade')}</a>`}
        ${factor.top.length === 0 ? nothing : html`<a class="button" href=${`/sql?query=${encodeURIComponent(queryOf(factor))}`}>${t('factors.query')}</a>`}
        ${hasSeries ? html`<button @click=${this.save}>${t('symbol.csv')}</button>` : nothing}
      </p>
      ${overTime(ic.series ?? [])} ${summed(spread.series ?? [], isOverlapping(horizon, result))} ${this.bars()}
      ${factor.portfolio === undefined ? nothing : longShort(factor.portfolio)}
      <h3>${t('factors.top', { date: day(result.last) })}</h3>
      <data-table class="dense factor-top" .columns=${TOP_COLUMNS} .rows=${factor.top} caption=${t('factors.top', { date: day(result.last) })}></data-table>`;
  }

  private bars() {
    const { factor, horizon } = this;
    const groups = t('factors.groups_order', { count: horizon.quantiles.length });
    const byYear = horizon.ic.by_year.map(({ year, mean }) => ({ name: String(year), value: mean }));
    const decay = factor.horizons.map((one) => ({
      name: one.horizon === 'step' ? horizonText(one) : String(one.horizon),
      value: one.ic.mean,
    }));
    const returns = horizon.quantiles.map(({ quantile, mean, se }) => ({
      name: String(quantile),
      value: inPercent(mean),
      error: inPercent(se),
    }));
    const turnover = factor.turnover.map((share, i) => ({ name: String(i + 1), value: inPercent(share) }));
    return html`<div class="factor-bars">
      <section><h3>${t('factors.by_quantile')}</h3><p class="muted small">${groups}</p>
        <value-bars label=${t('factors.by_quantile')} head=${t('factors.group')} .bars=${returns} .write=${signedPercent}></value-bars></section>
      <section><h3>${t('factors.turnover')}</h3><p class="muted small">${groups}</p>
        <value-bars label=${t('factors.turnover')} head=${t('factors.group')} .bars=${turnover} .write=${wholePercent} .isSigned=${false}></value-bars></section>
      ${
        decay.length === 1
          ? nothing
          : html`<section><h3>${t('factors.decay')}</h3>
              <value-bars label=${t('factors.decay')} head=${t('factors.horizons')} .bars=${decay} .write=${coefficient}></value-bars></section>`
      }
      <section><h3>${t('factors.by_year')}</h3>
        <value-bars label=${t('factors.by_year')} head=${t('run.year')} .bars=${byYear} .write=${coefficient}></value-bars></section>
    </div>`;
  }

  private readonly save = () => {
    const { factor, horizon } = this;
    const spreads = new Map(horizon.spread.series?.map(({ ts, ...figures }) => [ts, figures]));
    const rows = (horizon.ic.series ?? []).map(({ ts, ic }) => {
      const { spread = null, cumulated = null } = spreads.get(ts) ?? {};
      return [ts, ic ?? '', spread ?? '', cumulated ?? ''];
    });
    saveCsv(`${factor.name}-${horizon.horizon}.csv`, [['date', 'ic', 'spread', 'cumulated'], ...rows]);
  };
}

/** A portfolio in figures: its month, how sure that is, and the cost that it bears. */
function longShort({ months, mean, t_nw, interval, turnover, break_even, undefined: missing, series }: Portfolio) {
  const [low, high] = (interval ?? []).map((bound) => signedPercent(inPercent(bound)));
  const range = interval === null ? '' : ` (${t('factors.portfolio.interval', { low, high })})`;
  const facts = [
    [t('factors.portfolio.mean'), `${signedPercent(inPercent(mean))}${range}`],
    [t('factors.portfolio.t'), signed(t_nw, 2)],
    [t('factors.portfolio.months'), String(months)],
    [t('factors.portfolio.turnover'), percent(inPercent(turnover), 0)],
    [
      t('factors.portfolio.break_even'),
      percent(break_even !== null && break_even > 0 ? inPercent(break_even) : null, 2),
    ],
  ];
  let sum = 0;
  const days = series.flatMap(({ month, ls }) => {
    if (ls === null) return [];
    sum += 100 * ls;
    return [{ ts: endOf(month), sum }];
  });
  const lines = [{ values: days.map((one) => one.sum), text: t('factors.portfolio.line') }];
  return html`<section class="factor-portfolio"><h3>${t('factors.portfolio')}</h3>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    ${days.length < 2 ? nothing : html`<day-plot label=${t('factors.portfolio.summed')} .days=${days} .lines=${lines} .digits=${1} .level=${0}></day-plot>`}
    <p class="muted small">${t('factors.portfolio.gross')}${missing === 0 ? nothing : ` ${t('factors.portfolio.missing', { count: missing })}`}</p></section>`;
}

/** The last day of a month. */
function endOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

const wholePercent = (value: number | null) => percent(value, 0);

const TOP_COLUMNS: readonly Column<Factor['top'][number]>[] = [
  {
    key: 'symbol',
    title: t('form.symbol'),
    value: ({ symbol }) => symbol,
    cell: ({ symbol }) => symbolLink(symbol),
  },
  numberColumn(
    'value',
    t('factors.value'),
    ({ value }) => value,
    (value) => (value === null ? fixed(value) : anyNumber(value)),
  ),
];

/** Each coefficient, and over it the mean of the last ones, of fewer at the beginning. */
function overTime(series: NonNullable<Horizon['ic']['series']>) {
  const days = series.flatMap(({ ts, ic }) => (ic === null ? [] : [{ ts, ic }]));
  if (days.length < 2) return nothing;
  const smooth = days.map((_, i) => {
    const last = days.slice(Math.max(0, i + 1 - SMOOTHED), i + 1);
    return last.reduce((sum, { ic }) => sum + ic, 0) / last.length;
  });
  const lines = [
    { values: smooth, text: t('factors.mean') },
    { values: days.map(({ ic }) => ic), text: t('factors.each') },
  ];
  return html`<day-plot label=${t('factors.ic_over_time')} .days=${days} .lines=${lines} .digits=${2} .level=${0}></day-plot>`;
}

function summed(series: NonNullable<Horizon['spread']['series']>, isOverlapped: boolean) {
  const days = series.flatMap(({ ts, cumulated }) => (cumulated === null ? [] : [{ ts, sum: 100 * cumulated }]));
  if (days.length < 2) return nothing;
  const lines = [{ values: days.map(({ sum }) => sum), text: t('factors.spread') }];
  return html`<day-plot label=${t('factors.cumulated')} .days=${days} .lines=${lines} .digits=${1} .level=${0}></day-plot>
    ${isOverlapped ? html`<p class="notice">${t('factors.not_earnable')}</p>` : nothing}`;
}

/** Whether returns of a horizon run beyond the next date that is looked at. */
const isOverlapping = ({ horizon }: Horizon, { clock, sessions }: FactorResult) =>
  horizon !== 'step' && horizon > Math.ceil(clock / sessions);

/** Holds the group with the largest values, over the same instruments, dates, and prices. */
function rotationOf({ value, coverage }: Factor, body: StudyBody) {
  const { universe, every = 'month', quantiles = 5, time_range, start, end, adjust } = body;
  const dates = { ...(start ? { start } : { time_range }), ...(end && { end }) };
  const hold = largestHeld((coverage.mean_names ?? 0) / quantiles);
  return withDefaults({
    universe,
    rotation: { every: ROTATIONS[every], score: value, hold },
    ...dates,
    ...(adjust && { adjust }),
  });
}

/** The largest values beside what the newest session says of their instruments. */
function queryOf({ top }: Factor): string {
  const rows = top.map(({ symbol, value }) => `('${symbol}', ${value})`).join(', ');
  return `with factor(symbol, value) as (values ${rows})
select symbol, value, name, close, roc_pct_20, volatility_pct_20, dollar_volume
from factor
join symbols using (symbol)
left join screener_daily using (symbol)
where date = (
  select max(date)
  from screener_daily
)
order by value desc`;
}
