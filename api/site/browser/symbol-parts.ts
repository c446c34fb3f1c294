/** Parts of the page of an instrument that depend on its candles and events alone. */
import { html, nothing } from 'lit';
import { saveCsv } from './download.ts';
import type { MarketEvent } from './events.ts';
import { signedInAs } from './session.ts';
import type { Loaded } from './states.ts';
import { EVENT_COLUMNS } from './symbol-tables.ts';
import { day, price, signedPercent, t } from './text.ts';
import type { Kline, StaticInfo } from './types.ts';

/** The chart in a sentence. `shown`: at least one candle. */
export function chartLabel(symbol: string, shown: Kline['bars']): string {
  const first = shown[0];
  const last = shown[shown.length - 1];
  return t('symbol.chart', {
    symbol,
    start: day(first.ts),
    end: day(last.ts),
    first: price(first.close),
    last: price(last.close),
    change: signedPercent(100 * (last.close / first.close - 1)),
  });
}

/** In place of a chart. */
export function withoutBars({ symbol, notes }: Kline) {
  return html`<section class="state">
    <h2>${t('symbol.empty', { symbol })}</h2>
    ${notes.map(({ message }) => html`<p>${message}</p>`)}
    <div class="row"><a class="button" href=${`/backtest?symbol=${encodeURIComponent(symbol)}`}>${t('symbol.backtest')}</a></div>
  </section>`;
}

export function warnings({ notes }: Kline) {
  return notes
    .filter(({ level }) => level === 'warning')
    .map(({ message }) => html`<p class="notice warning">${message}</p>`);
}

/** The notice of how much of the history a guest is shown. */
export function planNotice({ limited_by_plan }: Kline, info: Loaded<StaticInfo>) {
  const start = info.state === 'loaded' ? info.value.history_start : null;
  if (!limited_by_plan || signedInAs() !== null || start === null) return nothing;
  return html`<p class="notice">${t('symbol.plan', { start: day(start) })}</p>`;
}

/** Newest first. */
export function eventTable(events: readonly MarketEvent[]) {
  if (events.length === 0) return nothing;
  return html`<h2>${t('symbol.events')}</h2>
    <data-table class="short narrow" .columns=${EVENT_COLUMNS} .rows=${events.toReversed()} caption=${t('symbol.events')}></data-table>`;
}

export function saveBars({ symbol, period, adjust, bars }: Kline): void {
  saveCsv(`${symbol}-${period}-${adjust}.csv`, [
    ['date', 'open', 'high', 'low', 'close', 'volume'],
    ...bars.map(({ ts, open, high, low, close, volume }) => [ts, open, high, low, close, volume]),
  ]);
}
