/** An instrument: its candles, what it is, what it was called, and where its history has holes. */
import '../shell.ts';
import '../elements/data-table.ts';
import '../elements/price-chart.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { choiceFromAddress, followAddress, pathParameter, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { gapMarks } from '../charts/marks.ts';
import { choice } from '../controls.ts';
import { SiteElement, targetOf } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { barMarks, type Events, type MarketEvent } from '../events.ts';
import { pageHead } from '../head.ts';
import { AbortScope } from '../load.ts';
import { get, signedInAs } from '../session.ts';
import { failure, LOADING, type Loaded, loading, marketLoading, settle } from '../states.ts';
import { CANDLE_COLUMNS, EVENT_COLUMNS, factsOf, firstShown, withChange } from '../symbol-tables.ts';
import { day, price, signedPercent, t } from '../text.ts';
import type { Kline, Meta, StaticInfo } from '../types.ts';

const PERIODS = ['day', 'week', 'month'] as const;
const ADJUSTMENTS = ['qfq', 'total', 'none'] as const;
/** Months that a range shows; null: all. */
const RANGES = { max: null, '5y': 60, '3y': 36, '1y': 12, '6m': 6, '3m': 3 } as const;
type RangeName = keyof typeof RANGES;
const RANGE_NAMES = ['max', '5y', '3y', '1y', '6m', '3m'] as const satisfies readonly RangeName[];
const ALL_BARS = 10_000;
const POLL_MS = 3_000;

type Candle = Kline['bars'][number];

@customElement('symbol-page')
export class SymbolPage extends SiteElement {
  @state() info: Loaded<StaticInfo> = LOADING;
  @state() candles: Loaded<Kline> = LOADING;
  /** Oldest first; empty until they are loaded. */
  @state() events: readonly MarketEvent[] = [];
  /** Whether no instrument is loaded yet: then no symbol can be called unknown. */
  @state() isEmptyMarket = false;
  @state() period!: (typeof PERIODS)[number];
  @state() adjust!: (typeof ADJUSTMENTS)[number];
  @state() range!: RangeName;
  @state() isTableOpen = false;
  /** The day whose bar is explained; null: none. */
  @state() origin: string | null = null;
  private readonly symbol = pathParameter();
  /** The candles in the range: the same array while neither has changed, so that the chart keeps what it shows. */
  private shown: readonly Candle[] = [];
  private readonly work = new AbortScope(this);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    followAddress(this, () => {
      this.readAddress();
      this.loadCandles();
    });
    this.readAddress();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private readAddress(): void {
    this.period = choiceFromAddress('period', PERIODS);
    this.adjust = choiceFromAddress('adjust', ADJUSTMENTS);
    this.range = choiceFromAddress('range', RANGE_NAMES);
  }

  private readonly load = async (): Promise<void> => {
    await Promise.all([this.loadInfo(), this.loadCandles(), this.loadEvents()]);
  };

  private async loadInfo(): Promise<void> {
    const info = await settle(get<StaticInfo>(path('/v1/static/{symbol}', { symbol: this.symbol })));
    if (isUnknown(info)) {
      const meta = await settle(get<Meta>('/api/meta'));
      this.isEmptyMarket = meta.state === 'loaded' && meta.value.timeliness.max_date === null;
      if (this.isEmptyMarket) this.timer = setTimeout(this.load, POLL_MS);
    }
    this.info = info;
  }

  /** Errors are ignored: the page works without events. */
  private async loadEvents(): Promise<void> {
    const events = await settle(get<Events>(path('/v1/events/{symbol}', { symbol: this.symbol })));
    if (events.state === 'loaded') this.events = events.value.events;
  }

  private readonly loadCandles = async (): Promise<void> => {
    const signal = this.work.next();
    const query = { period: this.period, adjust: this.adjust, days: ALL_BARS };
    const candles = get<Kline>(path('/v1/kline/{symbol}', { symbol: this.symbol }), { query, signal });
    try {
      this.candles = await settle(candles);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  private set(name: 'period' | 'adjust' | 'range', value: string): void {
    toAddress({ [name]: value });
    this.readAddress();
    if (name !== 'range') this.loadCandles();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (this.candles.state !== 'loaded' || !(changed.has('candles') || changed.has('range'))) return;
    const { bars } = this.candles.value;
    this.shown = bars.slice(firstShown(bars, RANGES[this.range]));
  }

  override render() {
    const { info } = this;
    if (isUnknown(info)) {
      if (this.isEmptyMarket) return html`${pageHead(this.symbol)}${marketLoading()}`;
      return html`${pageHead(t('symbol.unknown', { symbol: this.symbol }))}<p>${t('symbol.unknown.text')}</p>`;
    }
    return html`${pageHead(info.state === 'loaded' ? info.value.symbol : this.symbol, {
      about: info.state === 'loaded' ? info.value.name : '\u00a0',
      actions: html`<button @click=${this.saveBars} ?disabled=${this.candles.state !== 'loaded'}>${t('symbol.csv')}</button>
          <a class="button primary" href=${`/backtest?symbol=${encodeURIComponent(this.symbol)}`}>${t('symbol.backtest')}</a>`,
    })}
      ${this.controls()} ${this.chart()} ${this.facts()}`;
  }

  private controls() {
    return html`<div class="row controls">
      ${choice({
        label: t('symbol.period'),
        name: 'period',
        values: PERIODS.map((period) => [period, t(`symbol.period.${period}`)] as const),
        chosen: this.period,
        onChoose: (period) => this.set('period', period),
      })}
      ${choice({
        label: t('symbol.prices'),
        name: 'adjust',
        values: ADJUSTMENTS.map((adjust) => [adjust, t(`symbol.prices.${adjust}`)] as const),
        chosen: this.adjust,
        onChoose: (adjust) => this.set('adjust', adjust),
      })}
      ${choice({
        label: t('symbol.range'),
        name: 'range',
        values: RANGE_NAMES.toReversed().map((name) => [name, rangeText(name)] as const),
        chosen: this.range,
        onChoose: (range) => this.set('range', range),
      })}
    </div>`;
  }

  private chart() {
    const { candles } = this;
    if (candles.state === 'loading') return html`<div class="chart-space">${loading()}</div>`;
    if (candles.state === 'failed') return failure(candles.error, this.loadCandles);
    const { bars, symbol } = candles.value;
    if (bars.length === 0) return this.empty(candles.value);
    const { shown } = this;
    const first = shown[0];
    const last = shown[shown.length - 1];
    const label = t('symbol.chart', {
      symbol,
      start: day(first.ts),
      end: day(last.ts),
      first: price(first.close),
      last: price(last.close),
      change: signedPercent(100 * (last.close / first.close - 1)),
    });
    return html`${this.warnings(candles.value)}
      <price-chart
        .bars=${shown}
        .marks=${this.period === 'day' ? gapMarks(shown) : []}
        .events=${barMarks(this.events, shown)}
        label=${label}
        @choose=${this.onChoose}
      ></price-chart>
      ${this.planNotice(candles.value)}
      <details @toggle=${this.onToggle}>
        <summary>${t('chart.table')}</summary>
        ${this.isTableOpen ? html`<data-table .columns=${CANDLE_COLUMNS} .rows=${withChange(shown)} .sort=${{ key: 'ts', order: 'desc' }} caption=${label}></data-table>` : nothing}
      </details>
      ${this.explained(symbol, last.ts)}`;
  }

  private readonly onToggle = (event: Event) => {
    this.isTableOpen = targetOf(event, HTMLDetailsElement).open;
  };

  /** Candles of weeks and months have no single origin. */
  private explained(symbol: string, newest: string) {
    if (this.period !== 'day' || signedInAs() === null) return nothing;
    const { origin } = this;
    return html`<details @toggle=${(event: Event) => this.openOrigin(event, newest)}>
      <summary>${t('origin.title')}</summary>
      ${origin === null ? nothing : html`<bar-origin symbol=${symbol} date=${origin} newest=${newest} @choose=${this.onChoose}></bar-origin>`}
    </details>`;
  }

  private async openOrigin(event: Event, newest: string): Promise<void> {
    const { open } = targetOf(event, HTMLDetailsElement);
    if (open) await import('../elements/bar-origin.ts');
    this.origin = open ? newest : null;
  }

  private readonly onChoose = ({ detail }: CustomEvent<string | undefined>) => {
    if (this.origin !== null && detail !== undefined) this.origin = detail;
  };

  private empty({ symbol, notes }: Kline) {
    return html`<section class="state">
      <h2>${t('symbol.empty', { symbol })}</h2>
      ${notes.map(({ message }) => html`<p>${message}</p>`)}
      <div class="row"><a class="button" href=${`/backtest?symbol=${encodeURIComponent(symbol)}`}>${t('symbol.backtest')}</a></div>
    </section>`;
  }

  private warnings({ notes }: Kline) {
    return notes
      .filter(({ level }) => level === 'warning')
      .map(({ message }) => html`<p class="notice warning">${message}</p>`);
  }

  private planNotice({ limited_by_plan }: Kline) {
    const start = this.info.state === 'loaded' ? this.info.value.history_start : null;
    if (!limited_by_plan || signedInAs() !== null || start === null) return nothing;
    return html`<p class="notice">${t('symbol.plan', { start: day(start) })}</p>`;
  }

  private facts() {
    const { info } = this;
    if (info.state === 'failed') return failure(info.error, this.load);
    // They are below the chart, which would push them down.
    if (info.state === 'loading' || this.candles.state === 'loading') return nothing;
    const facts = info.value;
    return html`<h2>${t('symbol.facts')}</h2>
      <dl class="facts">${factsOf(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${facts.note ? html`<p class="muted">${facts.note}</p>` : nothing} ${this.eventTable()}`;
  }

  private eventTable() {
    if (this.events.length === 0) return nothing;
    return html`<h2>${t('symbol.events')}</h2>
      <data-table class="short narrow" .columns=${EVENT_COLUMNS} .rows=${this.events.toReversed()} caption=${t('symbol.events')}></data-table>`;
  }

  private readonly saveBars = () => {
    if (this.candles.state !== 'loaded') return;
    const { symbol, period, adjust, bars } = this.candles.value;
    saveCsv(`${symbol}-${period}-${adjust}.csv`, [
      ['date', 'open', 'high', 'low', 'close', 'volume'],
      ...bars.map(({ ts, open, high, low, close, volume }) => [ts, open, high, low, close, volume]),
    ]);
  };
}

const isUnknown = (info: Loaded<StaticInfo>) =>
  info.state === 'failed' && info.error instanceof ApiError && [400, 404].includes(info.error.status);

function rangeText(name: RangeName): string {
  return name === 'max' ? t('symbol.range.max') : name.toUpperCase();
}
