/** An instrument: its candles, what it is, what it was called, and where its history has holes. */
import '../shell.ts';
import '../elements/chart-drawings.ts';
import '../elements/chart-lines.ts';
import '../elements/instrument-rail.ts';
import '../elements/origin-fold.ts';
import { customElement, state } from 'lit/decorators.js';
import {
  choiceFromAddress,
  followAddress,
  fromAddress,
  listFromAddress,
  NO_ENTRY,
  pathParameter,
  toAddress,
} from '../address.ts';
import { path } from '../api.ts';
import { onChartKey } from '../chart-keys.ts';
import type { DrawnShape } from '../charts/drawn-shapes.ts';
import type { Fill } from '../charts/fills.ts';
import { gapMarks } from '../charts/marks.ts';
import type { Overlay } from '../charts/overlays.ts';
import { find, html, nothing, SiteElement, targetOf } from '../dom.ts';
import { ChartDrawings } from '../elements/chart-drawings.ts';
import { type BarEvent, barEvents, type Events, type MarketEvent } from '../events.ts';
import { loadCandles, takeFirstCandles } from '../first-candles.ts';
import { pageHead } from '../head.ts';
import { type LoadedOverlays, loadOverlays, NO_OVERLAYS, overlaysOf } from '../instrument-overlays.ts';
import { AbortScope } from '../load.ts';
import { ADJUSTMENTS, ALL_BARS, PERIODS, RANGES, rangesOf, type ShownSeries } from '../series-choices.ts';
import { get, signedInAs } from '../session.ts';
import { shownTrades } from '../shown-trades.ts';
import { failure, inlineFailure, LOADING, type Loaded, loading, settle } from '../states.ts';
import {
  candleTable,
  chartActions,
  chartLabel,
  eventTable,
  firstShown,
  isUnknown,
  planNotice,
  seriesControls,
  unknownSymbol,
  warnings,
  withoutBars,
} from '../symbol-parts.ts';
import { t } from '../text.ts';
import type { Kline, Meta, Quote, StaticInfo } from '../types.ts';

const POLL_MS = 3_000;
const DEFAULT_LINES = 'sma(50);rsi(14)';
const NO_FILLS: readonly Fill[] = [];

/** Half of the scripts are the chart and its library: they load while the first calls are on their way. */
const chartModule = import('../elements/price-chart.ts');

type Candle = Kline['bars'][number];

@customElement('symbol-page')
export class SymbolPage extends SiteElement {
  @state() info: Loaded<StaticInfo> = LOADING;
  @state() candles: Loaded<Kline> = LOADING;
  /** Oldest first; empty until they are loaded. */
  @state() events: readonly MarketEvent[] = [];
  /** Whether no instrument is loaded yet: then no symbol can be called unknown. */
  @state() isEmptyMarket = false;
  @state() period!: ShownSeries['period'];
  @state() adjust!: ShownSeries['adjust'];
  @state() range!: ShownSeries['range'];
  /** Values over the candles, in the language of rules. */
  @state() values: readonly string[] = [];
  @state() compared: readonly string[] = [];
  @state() isLog = false;
  /** The id of the own strategy whose trades are marked. */
  @state() strategy: string | null = null;
  @state() drawings: readonly DrawnShape[] = [];
  @state() lines: LoadedOverlays = NO_OVERLAYS;
  /** The error of the newest line. */
  @state() fault: unknown = null;
  @state() quote: Loaded<Quote> = LOADING;
  /** The event whose card is open. */
  @state() shownEvent: string | null = null;
  @state() isTableOpen = false;
  private readonly symbol = pathParameter();
  /** The candles in the range: the same array while neither has changed, so that the chart keeps what it shows. */
  private shown: readonly Candle[] = [];
  private overlays: readonly Overlay[] = [];
  private chartEvents: readonly BarEvent[] = [];
  private readonly work = new AbortScope(this);
  private readonly lineWork = new AbortScope(this);
  private readonly own = shownTrades(this, () => ({
    strategy: this.strategy,
    symbol: this.symbol,
    adjust: this.adjust,
    bars: this.shown,
  }));
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    followAddress(this, () => {
      this.readAddress();
      this.loadCandles();
      this.loadLines();
    });
    this.readAddress();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKey);
    this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKey);
    clearTimeout(this.timer);
  }

  private readonly onKey = (event: KeyboardEvent) => onChartKey(event, this, this.changeScale);

  private readonly priceChart = async () => find(this, 'price-chart', (await chartModule).PriceChart);

  private readAddress(): void {
    this.period = choiceFromAddress('period', PERIODS);
    this.adjust = choiceFromAddress('adjust', ADJUSTMENTS);
    this.range = choiceFromAddress('range', rangesOf(this.period));
    this.values = listFromAddress('lines', ';', DEFAULT_LINES);
    this.compared = listFromAddress('vs', ',');
    this.isLog = fromAddress('log') === '1';
    this.strategy = fromAddress('strategy');
  }

  private readonly load = async (): Promise<void> => {
    await Promise.all([this.loadInfo(), this.loadCandles(), this.loadEvents(), this.loadLines()]);
  };

  private async loadInfo(): Promise<void> {
    const info = await settle(get<StaticInfo>(path('/v1/static/{symbol}', { symbol: this.symbol })));
    if (isUnknown(info)) {
      const meta = await settle(get<Meta>('/api/meta'));
      this.isEmptyMarket = meta.state === 'loaded' && meta.value.timeliness.max_date === null;
      void import('../elements/nearest-symbols.ts');
      if (this.isEmptyMarket) this.timer = setTimeout(this.load, POLL_MS);
    }
    this.info = info;
    if (info.state !== 'loaded' || info.value.history_start === null) return;
    this.quote = await settle(get<Quote>(path('/v1/quote/{symbol}', { symbol: this.symbol })));
  }

  /** Errors are ignored: the page works without events. */
  private async loadEvents(): Promise<void> {
    const events = await settle(get<Events>(path('/v1/events/{symbol}', { symbol: this.symbol })));
    if (events.state === 'loaded') this.events = events.value.events;
  }

  /** A line that cannot be drawn leaves those that are there. */
  private async loadLines(): Promise<void> {
    const signal = this.lineWork.next();
    const { symbol, values, compared, period, adjust } = this;
    const query = { period, adjust, days: ALL_BARS };
    const lines = await settle(loadOverlays({ symbol, values, compared, query }, signal)).catch(() => null);
    if (signal.aborted || lines === null) return;
    this.fault = lines.state === 'failed' ? lines.error : null;
    if (lines.state === 'loaded') this.lines = lines.value;
  }

  private readonly changeLines = ({ detail }: CustomEvent<{ values: string[]; compared: string[] }>) => {
    toAddress({ lines: detail.values.join(';') || NO_ENTRY, vs: detail.compared.join(',') });
    this.readAddress();
    this.loadLines();
  };

  private readonly changeStrategy = ({ detail }: CustomEvent<number | null>) => {
    toAddress({ strategy: detail === null ? null : String(detail) });
    this.readAddress();
  };

  private readonly changeScale = () => {
    toAddress({ log: this.isLog ? null : '1' });
    this.readAddress();
  };

  private readonly loadCandles = async (): Promise<void> => {
    const signal = this.work.next();
    const candles = takeFirstCandles() ?? loadCandles(this.symbol, this, signal);
    try {
      const loaded = await settle(candles);
      await chartModule;
      if (!signal.aborted) this.candles = loaded;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  private set(name: keyof ShownSeries, value: string): void {
    toAddress({ [name]: value });
    this.readAddress();
    if (name === 'range') return;
    this.loadCandles();
    this.loadLines();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (this.candles.state !== 'loaded') return;
    const isOther = changed.has('candles') || changed.has('range');
    if (isOther) {
      const { bars } = this.candles.value;
      this.shown = bars.slice(firstShown(bars, RANGES[this.range]));
    }
    if (isOther || changed.has('lines')) this.overlays = overlaysOf(this.lines, this.shown);
    if (isOther || changed.has('events')) this.chartEvents = barEvents(this.events, this.shown);
  }

  override render() {
    const { info } = this;
    if (isUnknown(info)) return unknownSymbol(this.symbol, this.isEmptyMarket);
    const facts = info.state === 'loaded' ? info.value : null;
    return html`${pageHead(facts?.symbol ?? this.symbol, {
      about: facts?.name ?? '\u00a0',
      actions: chartActions(this.symbol, this.candles, this.priceChart),
    })}
      <div class="instrument">
        <div class="chart-column"><instrument-quote .quote=${this.quote.state === 'loaded' ? this.quote.value : null} .bars=${this.dailyBars()}></instrument-quote>
          ${this.controls()} ${this.chart()}</div>
        <instrument-rail .info=${this.candles.state === 'loading' ? null : facts} .bars=${this.dailyBars()} .events=${this.events} .current=${this.shownEvent}></instrument-rail>
      </div>
      ${info.state === 'failed' ? failure(info.error, this.load) : nothing}`;
  }

  private dailyBars(): readonly Candle[] {
    return this.candles.state === 'loaded' && this.period === 'day' ? this.candles.value.bars : [];
  }

  private controls() {
    const { period, adjust, range } = this;
    return html`<div class="chart-tools">
      ${seriesControls({ period, adjust, range }, (name, value) => this.set(name, value))}
      <chart-lines .values=${this.values} .compared=${this.compared} .strategy=${this.strategy && (this.own.value?.name ?? '…')} @lines=${this.changeLines} @strategy=${this.changeStrategy}></chart-lines>
      <button aria-pressed=${this.isLog} ?disabled=${this.compared.length > 0} @click=${this.changeScale}>${t('symbol.log')}</button>
      <chart-drawings symbol=${this.symbol} @drawn=${this.onDrawn}></chart-drawings>
    </div>
    ${inlineFailure(this.fault ?? (this.own.result.state === 'failed' ? this.own.result.error : null))}`;
  }

  private chart() {
    const { candles } = this;
    if (candles.state === 'loading') return html`<div class="chart-space">${loading()}</div>`;
    if (candles.state === 'failed') return failure(candles.error, this.loadCandles);
    const { bars, symbol } = candles.value;
    if (bars.length === 0) return withoutBars(candles.value);
    const { shown } = this;
    const label = chartLabel(symbol, shown);
    // Candles of weeks and months have no single origin.
    const isExplained = this.period === 'day' && signedInAs() !== null;
    return html`${warnings(candles.value)}
      <price-chart
        .bars=${shown}
        .marks=${this.period === 'day' ? gapMarks(shown) : []}
        .events=${this.chartEvents}
        .overlays=${this.overlays}
        .drawings=${this.drawings}
        @pick=${this.onPick}
        ?isLog=${this.isLog}
        ?isPercent=${this.compared.length > 0}
        .fills=${this.own.value?.fills ?? NO_FILLS}
        label=${label}
        @choose=${this.onChoose}
        @event-shown=${this.onEvent}
      ></price-chart>
      ${planNotice(candles.value, this.info, this.range === 'max')}
      <details @toggle=${this.onToggle}>
        <summary>${t('chart.table')}</summary>
        ${this.isTableOpen ? candleTable(shown, label) : nothing}
      </details>
      ${isExplained ? html`<origin-fold symbol=${symbol} newest=${shown[shown.length - 1].ts}></origin-fold>` : nothing} ${eventTable(this.events)}`;
  }

  private readonly onDrawn = ({ detail }: CustomEvent<readonly DrawnShape[]>) => {
    this.drawings = detail;
  };

  private readonly onPick = ({ detail }: CustomEvent<DrawnShape['points'][number]>) => {
    find(this, 'chart-drawings', ChartDrawings).pick(detail);
  };

  private readonly onEvent = ({ detail }: CustomEvent<string | null>) => {
    this.shownEvent = detail;
  };

  private readonly onToggle = (event: Event) => {
    this.isTableOpen = targetOf(event, HTMLDetailsElement).open;
  };

  private readonly onChoose = ({ detail }: CustomEvent<string | undefined>) => {
    if (detail !== undefined) this.querySelector('origin-fold')?.dispatchEvent(new CustomEvent('take', { detail }));
  };
}
