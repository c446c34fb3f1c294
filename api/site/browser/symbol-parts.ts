/** Parts of the page of an instrument, with the tables of its candles, the events of its shares, and its facts. */
import { customElement, property } from 'lit/decorators.js';
import { ApiError } from './api.ts';
import { CLOSE_COLUMN } from './columns.ts';
import { choice } from './controls.ts';
import { fieldValue, html, nothing, SiteElement } from './dom.ts';
import { saveCsv, savePixels, saveSvg } from './download.ts';
import { type Column, numberColumn } from './elements/data-table.ts';
import type { PriceChart } from './elements/price-chart.ts';
import { eventFigure, eventName, type MarketEvent } from './events.ts';
import { pageHead } from './head.ts';
import { Load } from './load.ts';
import { ADJUSTMENTS, PERIODS, RANGE_NAMES, type ShownSeries } from './series-choices.ts';
import { get, signedInAs } from './session.ts';
import { type Loaded, marketLoading } from './states.ts';
import { compact, day, fixed, number, price, rangeText, signed, signedPercent, t, textOr, tone } from './text.ts';
import type { Kline, Quote, StaticInfo, Stats } from './types.ts';

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

/** Saves the candles, or the chart as a picture. */
export function chartActions(symbol: string, candles: Loaded<Kline>, chart: () => Promise<PriceChart>) {
  const pixels = async () => {
    const drawn = (await chart()).pixels();
    if (drawn !== null) savePixels(`${symbol}.png`, drawn);
  };
  const drawing = async () => saveSvg(`${symbol}.svg`, await (await chart()).svg(symbol));
  const isMissing = candles.state !== 'loaded';
  return html`<button @click=${() => candles.state === 'loaded' && saveBars(candles.value)} ?disabled=${isMissing}>${t('symbol.csv')}</button>
    <button @click=${pixels} ?disabled=${isMissing}>${t('symbol.png')}</button>
    <button @click=${drawing} ?disabled=${isMissing}>${t('symbol.svg')}</button>
    <a class="button" href=${`/outcomes?for=${encodeURIComponent(symbol)}`}>${t('symbol.outcomes')}</a>
    <a class="button primary" href=${`/backtest?symbol=${encodeURIComponent(symbol)}`}>${t('symbol.backtest')}</a>`;
}

export const isUnknown = (info: Loaded<StaticInfo>) =>
  info.state === 'failed' && info.error instanceof ApiError && [400, 404].includes(info.error.status);

/** In place of the page of a symbol that no instrument has; before anything is loaded, any may have it. */
export function unknownSymbol(symbol: string, isEmptyMarket: boolean) {
  if (isEmptyMarket) return html`${pageHead(symbol)}${marketLoading()}`;
  const hrefOf = (other: string) => `/s/${encodeURIComponent(other)}`;
  return html`${pageHead(t('symbol.unknown', { symbol }))}<p>${t('symbol.unknown.text')}</p>
    <nearest-symbols .symbol=${symbol} .href=${hrefOf} hasField></nearest-symbols>`;
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

/** How much of the history is shown, where runs read more. */
export function planNotice({ bars, limited_by_plan, period }: Kline, info: Loaded<StaticInfo>, isAll: boolean) {
  if (info.state !== 'loaded' || info.value.history_start === null) return nothing;
  const { history_start: start, listed_on: listed } = info.value;
  if (limited_by_plan && signedInAs() === null)
    return html`<p class="notice">${t('symbol.plan', { start: day(start) })}</p>`;
  // A longer candle begins at its last day.
  return isAll && period === 'day'
    ? html`<earlier-bars first=${bars[0].ts} listed=${listed ?? ''}></earlier-bars>`
    : nothing;
}

/** A sentence where runs may read bars before the first candle: those of the primary venue, which candles leave out. */
@customElement('earlier-bars')
export class EarlierBars extends SiteElement {
  /** YYYY-MM-DD; `listed` may be empty. */
  @property() first = '';
  @property() listed = '';
  private readonly stats = new Load(this, () => get<Stats>('/api/stats'));

  override render() {
    const earliest = this.stats.value?.first_date ?? this.first;
    const start = earliest > this.listed ? earliest : this.listed;
    if (start >= this.first) return nothing;
    return html`<p class="notice">${t('symbol.runs_more', { first: day(this.first), start: day(start) })}</p>`;
  }
}

/** Newest first. */
export function eventTable(events: readonly MarketEvent[]) {
  if (events.length === 0) return nothing;
  return html`<h2>${t('symbol.events')}</h2>
    <data-table class="short narrow" .columns=${EVENT_COLUMNS} .rows=${events.toReversed()} caption=${t('symbol.events')}></data-table>`;
}

function saveBars({ symbol, period, adjust, bars }: Kline): void {
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
  <select aria-label=${t('symbol.period')} @change=${(event: Event) => onChoose('period', fieldValue(event))}>
    ${PERIODS.map((name) => html`<option value=${name} .selected=${name === period}>${t(`symbol.period.${name}`)}</option>`)}
  </select>
  <select aria-label=${t('symbol.prices')} @change=${(event: Event) => onChoose('adjust', fieldValue(event))}>
    ${ADJUSTMENTS.map((name) => html`<option value=${name} .selected=${name === adjust}>${t(`symbol.prices.${name}`)}</option>`)}
  </select>`;
}

type Candle = Kline['bars'][number];

interface CandleRow extends Candle {
  readonly change: number | null;
}

function withChange(bars: readonly Candle[]): CandleRow[] {
  return bars.map((bar, i) => ({ ...bar, change: i === 0 ? null : 100 * (bar.close / bars[i - 1].close - 1) }));
}

/** Index of the first bar of the last `months`; null: of all bars. */
export function firstShown(bars: readonly Candle[], months: number | null): number {
  if (months === null || bars.length === 0) return 0;
  const start = new Date(bars[bars.length - 1].ts);
  start.setUTCMonth(start.getUTCMonth() - months);
  const iso = start.toISOString().slice(0, 10);
  return Math.max(
    0,
    bars.findIndex(({ ts }) => ts >= iso),
  );
}

const CANDLE_COLUMNS: readonly Column<CandleRow>[] = [
  { key: 'ts', title: t('word.date'), value: ({ ts }) => ts },
  numberColumn('open', t('word.open'), ({ open }) => open, price),
  numberColumn('high', t('word.high'), ({ high }) => high, price),
  numberColumn('low', t('word.low'), ({ low }) => low, price),
  CLOSE_COLUMN,
  numberColumn('change', t('word.change'), ({ change }) => change, signedPercent, tone),
  numberColumn('volume', t('word.volume'), ({ volume }) => volume),
];

export function candleTable(bars: readonly Candle[], caption: string) {
  const sort = { key: 'ts', order: 'desc' };
  return html`<data-table .columns=${CANDLE_COLUMNS} .rows=${withChange(bars)} .sort=${sort} caption=${caption}></data-table>`;
}

const EVENT_COLUMNS: readonly Column<MarketEvent>[] = [
  { key: 'ex_date', title: t('event.ex_date'), value: ({ ex_date }) => ex_date },
  { key: 'kind', title: t('event.kind'), value: ({ kind }) => kind, cell: eventName },
  { key: 'figure', title: t('event.figure'), isNumber: true, cell: eventFigure },
];

/** The names and values of an instrument's facts. */
export function factsOf(facts: StaticInfo): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [
    [t('symbol.asset_type'), textOr(`symbol.asset.${facts.asset_type}`, facts.asset_type)],
    [t('symbol.venue'), facts.primary_venue],
    [t('symbol.currency'), facts.currency],
    [t('symbol.lot'), number(facts.lot_size)],
    [t('symbol.listed'), day(facts.listed_on)],
    [t('symbol.history'), historyText(facts)],
  ];
  if (facts.delisted_on) rows.push([t('symbol.delisted'), day(facts.delisted_on)]);
  if (facts.delisting_return_pct !== undefined)
    rows.push([t('symbol.delisting_return'), signedPercent(facts.delisting_return_pct)]);
  if (facts.previous_symbols.length > 0) {
    const former = facts.previous_symbols.map(({ symbol, last_day }) =>
      t('symbol.ticker.until', { symbol, date: day(last_day) }),
    );
    rows.push([t('symbol.tickers'), former.join(' · ')]);
  }
  return rows;
}

function historyText({ history_start, history_end }: StaticInfo): string {
  if (history_start === null) return t('word.none');
  return t('symbol.history.range', { start: day(history_start), end: day(history_end) });
}

/** Sessions before the newest whose mean volume it is compared with. */
const USUAL_BARS = 20;

@customElement('instrument-quote')
export class InstrumentQuote extends SiteElement {
  @property({ attribute: false }) quote: Quote | null = null;
  /** Daily, oldest first. */
  @property({ attribute: false }) bars: Kline['bars'] = [];

  override render() {
    if (this.quote === null) return nothing;
    const { last, change, change_pct, as_of, open, high, low, volume } = this.quote;
    const direction = Math.sign(change ?? 0);
    const figures = [
      [t('shell.session'), day(as_of)],
      [t('word.open'), price(open)],
      [t('word.high'), price(high)],
      [t('word.low'), price(low)],
      [t('word.volume'), compact(volume)],
      ...this.againstUsual(volume),
    ];
    return html`<p class="last"><strong>${price(last)}</strong> <span class=${tone(change)}>${direction === 0 ? nothing : html`<i class=${`mark ${direction > 0 ? 'up' : 'down'}`}></i>`}${signed(change)} ${signedPercent(change_pct)}</span></p>
      <dl>${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  private againstUsual(volume: number): string[][] {
    const usual = this.bars.slice(-USUAL_BARS - 1, -1);
    const mean = usual.reduce((sum, bar) => sum + bar.volume, 0) / USUAL_BARS;
    return usual.length < USUAL_BARS || mean === 0 ? [] : [[t('symbol.volume_ratio'), `${fixed(volume / mean)}×`]];
  }
}
