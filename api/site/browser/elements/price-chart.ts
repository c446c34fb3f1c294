/** Candles with volume below them, lines over them or in panes of their own, gaps, and letters for splits and payments. */
import '../common.ts';
import { HistogramSeries, type IChartApi, type ISeriesApi, PriceScaleMode } from 'lightweight-charts';
import { customElement, property, state } from 'lit/decorators.js';
import { chartColors, faded } from '../charts/colors.ts';
import { type DrawnShape, DrawnShapes } from '../charts/drawn-shapes.ts';
import { type Fill, Fills } from '../charts/fills.ts';
import { LINE_END_PX, type LineEnd, LineEnds } from '../charts/line-ends.ts';
import { type Mark, Marks } from '../charts/marks.ts';
import { type Overlay, Overlays } from '../charts/overlays.ts';
import { candles, PERCENT, PRICE, WITHOUT_LABELS } from '../charts/series.ts';
import { type Drawing, TimeChart } from '../charts/time-chart.ts';
import { find, html, nothing } from '../dom.ts';
import type { BarEvent } from '../events.ts';
import type { Candle } from '../plot.ts';
import { compact, day, number, price, signedPercent, t, tone } from '../text.ts';

export type Bar = Candle & { readonly ts: string; readonly volume: number };

const VOLUME = {
  priceFormat: { type: 'volume' },
  priceScaleId: 'volume',
  ...WITHOUT_LABELS,
} as const;
/** Letters nearer to each other than this would overlap: the later one is shown. */
const LETTER_PX = 18;
/** A pointer that moved further was dragged. */
const DRAG_PX = 4;

/** To four digits behind the point: finer than a pixel of the chart. */
const roundPrice = (price: number) => Math.round(price * 1e4) / 1e4;

function lastClose(bars: readonly Bar[], color: string): LineEnd[] {
  const last = bars.at(-1);
  return last === undefined
    ? []
    : [{ day: last.ts, value: last.close, text: price(last.close), color, isStrong: true }];
}

interface Letter {
  readonly event: BarEvent;
  readonly x: number;
}

@customElement('price-chart')
export class PriceChart extends TimeChart {
  @property({ attribute: false }) bars: readonly Bar[] = [];
  @property({ attribute: false }) marks: readonly Mark[] = [];
  @property({ attribute: false }) events: readonly BarEvent[] = [];
  @property({ attribute: false }) overlays: readonly Overlay[] = [];
  @property({ attribute: false }) drawings: readonly DrawnShape[] = [];
  @property({ type: Boolean }) isLog = false;
  /** Whether prices are changes in percent since the first bar, as those of other instruments are. */
  @property({ type: Boolean }) isPercent = false;
  @property({ attribute: false }) fills: readonly Fill[] = [];
  @state() letters: readonly Letter[] = [];
  /** The lower end of the candles, from the top of the element. */
  @state() floor = 0;
  /** The event whose card is open. */
  @state() open: BarEvent | null = null;
  private chart: IChartApi | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.chart = null;
  }

  protected override get days() {
    return this.bars;
  }

  protected override draw(chart: IChartApi): Drawing {
    this.chart = chart;
    const prices = candles(chart, 0);
    const volume = chart.addSeries(HistogramSeries, VOLUME, 0);
    chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.8, bottom: 0.06 } });
    const gaps = new Marks();
    prices.series.attachPrimitive(gaps);
    const overlays = new Overlays(chart);
    const drawn = new DrawnShapes((price) => this.scaled(price));
    prices.series.attachPrimitive(drawn);
    const ends = new LineEnds();
    prices.series.attachPrimitive(ends);
    this.offerPoints(chart, prices.series);
    chart.timeScale().subscribeVisibleLogicalRangeChange(this.placeLetters);
    const fills = new Fills();
    prices.series.attachPrimitive(fills);
    let shown: readonly Bar[] = [];
    let shownOverlays: readonly Overlay[] = [];
    let wasPercent = this.isPercent;
    const showPrices = () => {
      prices.series.applyOptions({ priceFormat: this.isPercent ? PERCENT : PRICE });
      prices.show(this.bars.map((bar) => this.scaledBar(bar)));
    };
    return {
      main: prices.series,
      endPx: LINE_END_PX,
      show: () => {
        showPrices();
        volume.setData(this.bars.map((bar) => ({ time: bar.ts, value: bar.volume })));
      },
      paint: (colors) => {
        prices.paint(colors);
        volume.applyOptions({ color: faded(colors.muted, 0.3) });
        gaps.show(this.marks, colors);
        const isRescaled = wasPercent !== this.isPercent;
        if (isRescaled) showPrices();
        drawn.show(this.drawings, colors);
        fills.show(
          this.fills.map((fill) => ({ ...fill, price: this.scaled(fill.price) })),
          colors,
        );
        const isNew = isRescaled || shown !== this.bars || shownOverlays !== this.overlays;
        if (isNew)
          overlays.show(
            this.overlays.map((overlay) => this.scaledOverlay(overlay)),
            this.bars,
          );
        shownOverlays = this.overlays;
        wasPercent = this.isPercent;
        overlays.paint(colors);
        const closes = lastClose(this.bars, colors.ink).map((end) => ({ ...end, value: this.scaled(end.value) }));
        ends.show([...overlays.priceEnds(), ...closes], colors);
        shown = this.bars;
        const mode = this.isLog && !this.isPercent ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
        chart.priceScale('right').applyOptions({ mode, scaleMargins: { top: 0.06, bottom: 0.24 } });
        this.placeLetters();
      },
    };
  }

  /** A price as it is drawn. */
  private scaled(value: number): number {
    return this.isPercent ? 100 * (value / this.bars[0].close - 1) : value;
  }

  private scaledBar(bar: Bar): Bar {
    const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((value) => this.scaled(value));
    return { ...bar, open, high, low, close };
  }

  private scaledOverlay(overlay: Overlay): Overlay {
    if (!this.isPercent || !overlay.isPrice) return overlay;
    const figures = overlay.figures.map((value) => (value === null ? null : this.scaled(value)));
    return { ...overlay, figures, isOther: true };
  }

  /** Fires `pick` with the day and the price of a click. The chart's own clicks leave out the second of two quick ones. */
  private offerPoints(chart: IChartApi, series: ISeriesApi<'Candlestick'>): void {
    const box = find(this, '.chart', HTMLElement);
    let down: MouseEvent | null = null;
    box.addEventListener('mousedown', (event) => {
      down = event;
    });
    box.addEventListener('click', (event) => {
      const isDrag = down === null || Math.hypot(event.x - down.x, event.y - down.y) > DRAG_PX;
      const { left, top } = box.getBoundingClientRect();
      const [x, y] = [event.x - left, event.y - top];
      if (isDrag || y > chart.panes()[0].getHeight()) return;
      const [date, value] = [chart.timeScale().coordinateToTime(x), series.coordinateToPrice(y)];
      if (typeof date !== 'string' || value === null) return;
      const price = roundPrice(this.isPercent ? this.bars[0].close * (1 + value / 100) : value);
      this.dispatchEvent(new CustomEvent('pick', { detail: { date, price } }));
    });
  }

  /** After the chart has laid out what it shows. */
  private readonly placeLetters = () => {
    requestAnimationFrame(() => {
      const scale = this.isConnected ? this.chart?.timeScale() : undefined;
      if (!scale) return;
      const width = scale.width();
      const letters: Letter[] = [];
      for (const event of this.events.toReversed()) {
        const x = scale.timeToCoordinate(event.ts);
        if (x === null || x < 0 || x > width) continue;
        if ((letters.at(-1)?.x ?? Number.POSITIVE_INFINITY) - x >= LETTER_PX) letters.push({ event, x });
      }
      const isSame =
        letters.length === this.letters.length &&
        letters.every(({ event, x }, i) => event === this.letters[i].event && x === this.letters[i].x);
      if (!isSame) this.letters = letters;
      this.floor = find(this, '.chart', HTMLElement).offsetTop + (this.chart?.panes()[0].getHeight() ?? 0);
    });
  };

  /** All that it has, as SVG. */
  async svg(title: string): Promise<string> {
    const { chartSvg } = await import('../charts/chart-svg.ts');
    return chartSvg(title, this.bars, this.overlays, { colors: chartColors(), isLog: this.isLog });
  }

  override render() {
    return html`${super.render()}
      <div class="event-letters">${this.letters.map((letter) => this.letter(letter))}</div>`;
  }

  protected override updated(changed: Map<string, unknown>): void {
    const isOverlayOnly = [...changed.keys()].every((key) => ['letters', 'floor', 'open', 'current'].includes(key));
    if (!isOverlayOnly || this.chart === null) super.updated(changed);
    for (const one of this.querySelectorAll<HTMLElement>('[data-x]')) {
      one.style.left = `${one.dataset.x}px`;
      one.style.top = `${one.dataset.y}px`;
    }
  }

  private letter({ event, x }: Letter) {
    const show = () => {
      this.open = event;
      this.dispatchEvent(new CustomEvent('event-shown', { detail: event.key }));
    };
    const hide = () => {
      this.open = null;
      this.dispatchEvent(new CustomEvent('event-shown', { detail: null }));
    };
    const isOpen = this.open === event;
    return html`<div class="event-letter" data-x=${x} data-y=${this.floor - 20}>
      <button class=${event.kind} aria-label=${`${event.name}, ${day(event.ts)}`} aria-expanded=${isOpen}
        @mouseenter=${show} @mouseleave=${hide} @focus=${show} @blur=${hide} @click=${show}
        @keydown=${(pressed: KeyboardEvent) => pressed.key === 'Escape' && hide()}>${event.letter}</button>
      ${isOpen ? html`<div class="event-card"><p class="title">${event.title}</p><dl>${event.facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>` : nothing}
    </div>`;
  }

  protected override figures(index: number) {
    const bar = this.bars[index];
    const previous = this.bars[index - 1];
    const change = previous ? 100 * (bar.close / previous.close - 1) : null;
    const figures = [
      [t('word.open'), price(bar.open)],
      [t('word.high'), price(bar.high)],
      [t('word.low'), price(bar.low)],
      [t('word.close_price'), price(bar.close)],
      [t('word.volume'), compact(bar.volume)],
    ];
    return html`<b>${day(bar.ts)}</b>
      ${figures.map(([name, value]) => html`<span>${name} <b>${value}</b></span>`)}
      <span class=${tone(change)}>${signedPercent(change)}</span>
      ${this.overlays.map((overlay) => html`<span><code class=${`of-${overlay.color}`}>${overlay.name}</code> <b>${overlayFigure(overlay, index)}</b></span>`)}`;
  }
}

/** The change of another instrument since the first day that both have; else the value. */
function overlayFigure({ isOther, figures }: Overlay, index: number): string {
  const value = figures[index] ?? null;
  if (!isOther || value === null) return number(value);
  const first = figures.find((figure) => figure !== null) ?? value;
  return signedPercent(100 * (value / first - 1), 1);
}
