/** Parts of the page of an instrument. */
import { html, nothing } from 'lit';
import { choice } from './controls.ts';
import { saveCsv } from './download.ts';
import type { MarketEvent } from './events.ts';
import { ADJUSTMENTS, PERIODS, RANGE_NAMES, type ShownSeries } from './series-choices.ts';
import { signedInAs } from './session.ts';
import type { Loaded } from './states.ts';
import { EVENT_COLUMNS } from './symbol-tables.ts';
import { day, price, rangeText, signedPercent, t } from './text.ts';
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

/** The choice of an instrument's candles: their period, their adjustment, and how far back they reach. */
export function seriesControls(
  { period, adjust, range }: ShownSeries,
  onChoose: (name: keyof ShownSeries, value: string) => void,
) {
  return html`${choice({
    label: t('symbol.range'),
    name: 'range',
    values: RANGE_NAMES.map((name) => [name, rangeText(name.toUpperCase())] as const),
    chosen: range,
    onChoose: (value) => onChoose('range', value),
  })}
  ${choice({
    label: t('symbol.period'),
    name: 'period',
    values: PERIODS.map((name) => [name, t(`symbol.period.${name}`)] as const),
    chosen: period,
    onChoose: (value) => onChoose('period', value),
  })}
  ${choice({
    label: t('symbol.prices'),
    name: 'adjust',
    values: ADJUSTMENTS.map((name) => [name, t(`symbol.prices.${name}`)] as const),
    chosen: adjust,
    onChoose: (value) => onChoose('adjust', value),
  })}`;
}
