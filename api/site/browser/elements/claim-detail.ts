/** A published claim: its value, what can be done with it, its portfolios by period, and why ours is not the same. */
import { html, nothing } from '../dom.ts';
import { runQuery } from '../run/portfolio.ts';
import { largestHeld } from '../run/rotation.ts';
import { withDefaults } from '../run/specification.ts';
import { fixed, number, percent, signed, signedPercent, textOr, UNDEFINED } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Claim } from '../types.ts';
import './data-table.ts';
import { type Column, numberColumn } from './data-table.ts';

type Portfolio = NonNullable<Claim['newest']>['rows'][number];
type Period = Portfolio['periods'][number];
type Line = Period & Partial<Portfolio> & { readonly portfolio: string };

export function claimDetail(claim: Claim) {
  const { code, definition, differs, expression, newest, why } = claim;
  const study = new URLSearchParams({ name: code, value: expression });
  const title = t('claims.figures');
  return html`<div class="claim-detail">
    <p lang="en">${definition}${differs === null ? nothing : html`<br />${differs}`}</p>
    <p><code>${expression}</code></p>
    <p class="row">
      <a class="button" href=${`/factors?${study}`}>${t('claims.study')}</a>
      <a class="button" href=${`/portfolio?${runQuery(rotationOf(claim))}`}>${t('claims.trade')}</a>
    </p>
    ${newest === null ? nothing : html`<data-table class="dense" .columns=${COLUMNS} .rows=${newest.rows.flatMap(linesOf)} caption=${title}></data-table>`}
    ${
      why === null
        ? nothing
        : html`<h2>${t('claims.why')}</h2>
          <ul>${why.map(({ code, names = 0, published = '' }) => html`<li>${t(`claims.why.${code}`, { names: Math.round(names), published })}</li>`)}</ul>`
    }
  </div>`;
}

/** Holds the class with the largest values each month. */
function rotationOf({ expression, cuts, why }: Claim) {
  const { names = Number.POSITIVE_INFINITY } = why?.find(({ code }) => code === 'universe') ?? {};
  const share = typeof cuts === 'number' ? 1 / cuts : typeof cuts === 'string' ? 1 : 1 - (cuts.at(-1) ?? 0);
  return withDefaults({
    universe: { all: true, asset_type: 'stock' },
    rotation: { every: 'month', score: expression, hold: largestHeld(names * share) },
  });
}

/** A portfolio over all months, then by period. */
function linesOf(row: Portfolio): readonly Line[] {
  const portfolio = t(`claims.portfolio.${row.weights === 'value' ? 'value' : row.micro ? 'all' : 'no_micro'}`);
  return [{ ...row, period: 'all' }, ...row.periods].map((line) => ({ ...line, portfolio }));
}

export type Mean = Pick<Portfolio, 'mean_pct' | 'interval_pct'>;

/** A mean is told with its interval, or not at all. */
export function meanText({ mean_pct, interval_pct }: Mean) {
  const [low = null, high = null] = interval_pct ?? [];
  if (low === null) return UNDEFINED;
  return html`${signedPercent(mean_pct)} <small>${t('run.interval', { low: signed(low), high: signed(high) })}</small>`;
}

const COLUMNS: readonly Column<Line>[] = [
  { key: 'portfolio', title: t('claims.portfolio'), value: ({ portfolio }) => portfolio },
  { key: 'period', title: t('claims.period'), value: ({ period }) => textOr(`claims.period.${period}`, period) },
  numberColumn('months', t('claims.months'), ({ months }) => months),
  {
    ...numberColumn<Line, number | null>('mean', t('claims.mean'), ({ mean_pct }) => mean_pct),
    cell: meanText,
  },
  numberColumn('t', 't', ({ t_nw }) => t_nw, fixed),
  numberColumn(
    'turnover',
    t('claims.turnover'),
    ({ turnover = null }) => turnover,
    (share) => percent(share === null ? null : 100 * share, 0),
  ),
  numberColumn(
    'cost',
    t('claims.break_even'),
    ({ break_even_bps = null }) => break_even_bps,
    (value) => (value === null ? UNDEFINED : t('claims.bps', { value: number(value, 0) })),
  ),
];
