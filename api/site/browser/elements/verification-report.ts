/** Report of a verification: the verdict, and every difference of data and metrics, with the value then and now. */

import { customElement, property } from 'lit/decorators.js';
import { type BarChange, barChanges, type Change, DIGITS } from '../bar-changes.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { localTime, number, textOr, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Verification } from '../types.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

type Event = Verification['events']['items'][number]['was'];

/** Returns of outcomes are fractions. */
const METRIC_DIGITS = 6;

type EventChange = Change & { readonly date: string };
type MetricChange = Change & { readonly name: string };

const METRICS: Readonly<Record<string, string>> = {
  num_trades: t('run.trades'),
  win_rate: t('run.win_rate'),
  total_pnl_pct: t('run.total'),
  annualized_pct: t('run.a_year'),
  max_drawdown_pct: t('run.drawdown'),
  max_drawdown_days: t('run.drawdown_days'),
  sharpe: t('run.sharpe'),
  sortino: t('run.sortino'),
  calmar: t('run.calmar'),
  profit_factor: t('run.profit_factor'),
  buy_hold_pnl_pct: t('run.holding'),
  excess_return_pct: t('run.against_holding'),
  exposure_pct: t('run.exposure'),
  avg_trade_pct: t('run.avg_trade'),
  best_trade_pct: t('run.best_trade'),
  worst_trade_pct: t('run.worst_trade'),
  avg_bars_held: t('run.bars_held'),
  final_equity: t('run.final_equity'),
  instruments: t('sweeps.instruments'),
  hits: t('outcomes.hits'),
  days: t('outcomes.days'),
  mean: t('outcomes.mean'),
  excess: t('outcomes.excess'),
};

/** `mean_20` is the mean 20 sessions later. */
function metricName(name: string): string {
  const [, figure = name, horizon] = /^(mean|excess|t)_(\d+)$/.exec(name) ?? [];
  const words = METRICS[figure] ?? figure;
  return horizon === undefined ? words : `${words}, ${t('outcomes.later', { count: Number(horizon) })}`;
}

function eventText(event: Event): string {
  if (event === null) return t('word.none');
  if (event === 'unknown') return t('verify.unknown');
  return `${textOr(`event.${event.kind}`, event.kind)} × ${number(event.factor, DIGITS)}`;
}

export function eventChanges(
  events: readonly { readonly ex_date: string; readonly was: Event; readonly is: Event }[],
): EventChange[] {
  return events.map(({ ex_date: date, was, is }) => ({ date, was: eventText(was), is: eventText(is) }));
}

const PAST_AND_PRESENT: readonly Column<Change>[] = [
  { key: 'was', title: t('verify.was'), isNumber: true, cell: ({ was }) => was },
  { key: 'is', title: t('verify.is'), isNumber: true, cell: ({ is }) => is },
];
const DATE: Column<EventChange> = { key: 'date', title: t('word.date'), value: ({ date }) => date };
const BAR_COLUMNS: readonly Column<BarChange>[] = [
  DATE,
  { key: 'name', title: t('verify.figure'), cell: ({ name }) => name },
  ...PAST_AND_PRESENT,
];
const EVENT_COLUMNS: readonly Column<EventChange>[] = [DATE, ...PAST_AND_PRESENT];
const METRIC_COLUMNS: readonly Column<MetricChange>[] = [
  { key: 'name', title: t('verify.metric'), cell: ({ name }) => name },
  ...PAST_AND_PRESENT,
];

@customElement('verification-report')
export class VerificationReport extends SiteElement {
  @property({ attribute: false }) found!: Verification;

  override render() {
    const { verdict, verified_at, engine, snapshot, bars, events, metrics } = this.found;
    const isOtherEngine = engine.was !== null && engine.was !== engine.is;
    return html`${verdictLine({ verdict, verified_at })}
      ${isOtherEngine ? html`<p>${t('evidence.engines', { was: engine.was ?? '', is: engine.is })}</p>` : nothing}
      ${snapshot ? snapshotLine(snapshot) : nothing}
      ${changes(t('verify.bars', { count: bars.total }), barChanges(bars.items), BAR_COLUMNS)} ${firstOf(bars)}
      ${changes(t('verify.events', { count: events.total }), eventChanges(events.items), EVENT_COLUMNS)} ${firstOf(events)}
      ${verdict === 'no_receipt' ? nothing : metricChanges(metrics)}`;
  }
}

function snapshotLine({ snapshot_id: id, table, same_result }: NonNullable<Verification['snapshot']>) {
  const again = same_result === null ? '' : t(same_result ? 'verify.same_at_load' : 'verify.other_at_load');
  return html`<p class="muted small">${t('verify.snapshot', { id: String(id), table })}${wordSpace}${again}</p>`;
}

function metricChanges(metrics: Verification['metrics']) {
  const rows = metrics
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => ({
      name: metricName(name),
      was: number(was, METRIC_DIGITS),
      is: number(is, METRIC_DIGITS),
    }));
  return changes(t('verify.metrics', { count: rows.length }), rows, METRIC_COLUMNS);
}

function firstOf({ total, items }: { readonly total: number; readonly items: readonly unknown[] }) {
  const shown = items.length;
  return shown < total ? html`<p class="muted small">${t('verify.first_of', { shown, total })}</p>` : nothing;
}

function changes<Row extends Change>(caption: string, rows: readonly Row[], columns: readonly Column<Row>[]) {
  if (rows.length === 0) return nothing;
  return html`<h4>${caption}</h4>
    <data-table class="short" .columns=${columns} .rows=${rows} caption=${caption}></data-table>`;
}

/** A verdict in words, with when it was found. */
export function verdictLine({
  verdict,
  verified_at,
  reasons = [],
}: Pick<Verification, 'verdict' | 'verified_at'> & Partial<Pick<Verification, 'reasons'>>) {
  const isGood = verdict === 'reproduced';
  return html`<p class="notice ${isGood ? '' : 'warning'}">
    <b>${t(`verdict.${verdict}`)}</b>
    ${t(reasons.includes('column_deleted') ? 'verdict.column_deleted.text' : `verdict.${verdict}.text`)}
    <span class="small">${t('evidence.verified_at', { at: localTime(verified_at) })}</span>
  </p>`;
}
