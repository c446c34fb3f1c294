/** The parts of a report that only rotations have: weights over time, what came and went, and the survivorship gap. */
import './rotation-watch.ts';
import './weights-chart.ts';
import { html, nothing } from 'lit';
import type { RotationResult } from '../run/rotation.ts';
import { day, fixed, percent, signed } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Rebalance } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';

const NO_REBALANCES: readonly Rebalance[] = [];
const bare = (symbols: readonly string[]) => symbols.map((symbol) => symbol.replace(/\.US$/, '')).join(', ');

const COLUMNS: readonly Column<Rebalance>[] = [
  { key: 'ts', title: t('portfolio.date'), value: ({ ts }) => ts },
  { key: 'eligible', title: t('rotation.eligible'), isNumber: true, value: ({ eligible }) => eligible },
  { key: 'scored', title: t('rotation.scored'), isNumber: true, value: ({ scored }) => scored },
  { key: 'entered', title: t('rotation.entered'), cell: ({ entered }) => bare(entered) },
  { key: 'left', title: t('rotation.left'), cell: ({ left }) => bare(left) },
  numberColumn(
    'turnover',
    t('rotation.turnover'),
    ({ turnover_pct }) => turnover_pct,
    (value) => percent(value, 1),
  ),
  {
    key: 'filter',
    title: t('rotation.market'),
    value: ({ filter }) => t(filter ? 'rotation.market.open' : 'rotation.market.closed'),
  },
];

/** Sentences about a rotation, before those of every portfolio. */
export function rotationSentences({
  rebalances = NO_REBALANCES,
  rebalance_count,
  survivorship_gap: gap,
}: RotationResult): string[] {
  const turnover =
    rebalances.reduce((sum, { turnover_pct }) => sum + (turnover_pct ?? 0), 0) / Math.max(1, rebalances.length);
  const looked = t('rotation.words.ranked', { count: rebalance_count ?? rebalances.length, share: fixed(turnover, 0) });
  const points = gap?.annualized_pct;
  if (points === null || points === undefined) return [looked];
  return [looked, t('rotation.words.survivors', { points: signed(points, 1) })];
}

/** `watchedId`: of the kept run, if its reader may watch it. */
export function rotationTables({ rebalances = NO_REBALANCES, end_date }: RotationResult, watchedId: number | null) {
  if (rebalances.length === 0) return nothing;
  const last = rebalances[rebalances.length - 1];
  return html`<h2>${t('rotation.weights')}</h2>
    <weights-chart .rebalances=${rebalances} .end=${end_date}></weights-chart>
    <h3>${t('rotation.last', { date: day(last.ts) })}</h3>
    <p>${Object.entries(last.weights)
      .map(([symbol, weight]) => `${bare([symbol])} ${percent(100 * weight, 1)}`)
      .join(' · ')}</p>
    ${watchedId === null ? nothing : html`<rotation-watch .keptId=${watchedId}></rotation-watch>`}
    <h2>${t('rotation.rebalances')}</h2>
    <data-table class="short" .columns=${COLUMNS} .rows=${rebalances} caption=${t('rotation.rebalances')}></data-table>`;
}
