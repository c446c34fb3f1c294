/** The parts of a report that only rotations have: weights over time, what came and went, and the survivorship gap. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { Attempt } from '../load.ts';
import { watchNotice } from '../notices.ts';
import type { RotationResult } from '../run/rotation.ts';
import { post } from '../session.ts';
import { day, fixed, percent, signed, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Rebalance, Watch } from '../types.ts';
import { type Column, percentColumn } from './data-table.ts';
import './weights-chart.ts';

const NO_REBALANCES: readonly Rebalance[] = [];
const bare = (symbols: readonly string[]) => symbols.map(ticker).join(', ');

const COLUMNS: readonly Column<Rebalance>[] = [
  { key: 'ts', title: t('portfolio.date'), value: ({ ts }) => ts },
  { key: 'eligible', title: t('rotation.eligible'), isNumber: true, value: ({ eligible }) => eligible },
  { key: 'scored', title: t('rotation.scored'), isNumber: true, value: ({ scored }) => scored },
  { key: 'entered', title: t('rotation.entered'), cell: ({ entered }) => bare(entered), tone: () => 'word' },
  { key: 'left', title: t('rotation.left'), cell: ({ left }) => bare(left), tone: () => 'word' },
  percentColumn('turnover', t('rotation.turnover'), ({ turnover_pct }) => turnover_pct),
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
      .map(([symbol, weight]) => `${ticker(symbol)} ${percent(100 * weight, 1)}`)
      .join(' · ')}</p>
    ${watchedId === null ? nothing : html`<rotation-watch .keptId=${watchedId}></rotation-watch>`}
    <h2>${t('rotation.rebalances')}</h2>
    <data-table class="short wrapped" .columns=${COLUMNS} .rows=${rebalances} caption=${t('rotation.rebalances')}></data-table>`;
}

/** A form that watches a kept rotation: what it buys and sells at each rebalance becomes a signal. */
@customElement('rotation-watch')
export class RotationWatch extends SiteElement {
  /** The id of the kept rotation. */
  @property({ attribute: false }) keptId!: number;
  @state() watch: Watch | null = null;
  private readonly watching = new Attempt(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('keptId')) return;
    this.watch = null;
    this.watching.clear();
  }

  private readonly submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const body = { name: textIn(form, 'name'), portfolio: this.keptId, mail: form.has('mail') };
    await this.watching.make(async () => {
      this.watch = await post<Watch>('/v1/my/watches', body);
    });
  };

  override render() {
    if (this.watch !== null) return watchNotice(this.watch);
    return html`<form class="row one-line" @submit=${this.submit} aria-label=${t('rotation.watch')}>
      <label class="field"><span>${t('rotation.watch.name')}</span><input name="name" required maxlength="100" autocomplete="off" /></label>
      <label class="field check"><input type="checkbox" name="mail" /><span>${t('signals.mail')}</span></label>
      <button>${t('rotation.watch')}</button>
    </form>
    ${this.watching.failure()}`;
  }
}
