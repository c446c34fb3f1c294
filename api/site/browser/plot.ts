/** Charts as SVG: scales from figures to pixels; the lines, bands, bars, and candles that are drawn with them; and drawings as small as a word. */
import { extent } from 'd3-array';
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { html, nothing, svg, targetOf } from './dom.ts';

export { extent };

/** The size of a drawing in pixels, with the room around what is plotted. */
export interface PlotBox {
  readonly width: number;
  readonly height: number;
  readonly left?: number;
  readonly right?: number;
  readonly top?: number;
  readonly bottom?: number;
}

interface Axes {
  /** The places at both edges, such as the first and the last index. */
  readonly x: readonly [from: number, to: number];
  /** Figures between whose extremes the plot reaches. */
  readonly y: Iterable<number>;
  readonly isLog?: boolean;
  /** Round values at both ends: about so many of them in all. */
  readonly ticks?: number;
  /** The place of a value by its index; default: its index. */
  readonly at?: (index: number) => number;
}

/** Figures one after the other; null: a gap. */
type Series = readonly (number | null)[];

interface Bars {
  /** The class of a bar. */
  readonly nameOf?: (value: number, index: number) => string;
  readonly titleOf?: (index: number) => string;
  /** Pixels between bars, and the height of those that are not zero at least. */
  readonly gap?: number;
  readonly least?: number;
}

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

interface CandleColors {
  readonly ground: string;
  readonly gain: string;
  readonly loss: string;
}

export class Plot {
  readonly x: ScaleContinuousNumeric<number, number>;
  readonly y: ScaleContinuousNumeric<number, number>;
  readonly edges: Required<PlotBox>;
  private readonly at: (index: number) => number;

  constructor({ width, height, left = 0, right = 0, top = 0, bottom = 0 }: PlotBox, axes: Axes) {
    const { x, y, isLog = false, ticks, at = (index) => index } = axes;
    const [low = 0, high = 0] = extent(y);
    this.edges = { width, height, left, right: width - right, top, bottom: height - bottom };
    this.x = scaleLinear(x, [left, width - right]);
    this.y = (isLog && low > 0 ? scaleLog() : scaleLinear())
      .domain([low, high === low ? low + 1 : high])
      .range([height - bottom, top]);
    if (ticks !== undefined) this.y.nice(ticks);
    this.at = at;
  }

  line(values: Series, name: string) {
    const path = line<number | null>(
      (_value, i) => this.x(this.at(i)),
      (value) => this.y(value ?? 0),
    );
    return svg`<path class=${name} fill="none" d=${path.defined((value) => value !== null).digits(1)(values)}></path>`;
  }

  /** The area between two lines. `isStepped`: each figure holds until the next. */
  band(low: readonly number[], high: readonly number[], name: string, { isStepped = false, title = '' } = {}) {
    const shape = area<number>()
      .x((_value, i) => this.x(this.at(i)))
      .y0((value) => this.y(value))
      .y1((_value, i) => this.y(high[i]))
      .curve(isStepped ? curveStepAfter : curveLinear);
    return svg`<path class=${name} d=${shape.digits(1)(low)}>${title === '' ? nothing : svg`<title>${title}</title>`}</path>`;
  }

  /** Bars from zero, side by side between the edges, to the pixel. */
  bars(values: readonly number[], { nameOf = () => '', titleOf, gap = 1, least = 0 }: Bars = {}) {
    const { left, right } = this.edges;
    const edge = (i: number) => Math.round(left + (i * (right - left)) / values.length);
    const zero = Math.round(this.y(0));
    return values.map((value, i) => {
      const height = value === 0 ? 0 : Math.max(least, Math.round(Math.abs(this.y(value) - this.y(0))));
      return svg`<rect class=${nameOf(value, i)} x=${edge(i) + Math.floor(gap / 2)} y=${value < 0 ? zero + 1 : zero - height}
        width=${Math.max(1, edge(i + 1) - edge(i) - gap)} height=${height}>${titleOf ? svg`<title>${titleOf(i)}</title>` : nothing}</rect>`;
    });
  }

  /** Candles, to the pixel; `width`: of their bodies. Their classes tell up from down; a picture without styles needs `colors`. */
  candles(bars: readonly Candle[], width: number, colors?: CandleColors) {
    const half = Math.floor(width / 2);
    return bars.map(({ open, high, low, close }, i) => {
      const x = Math.round(this.x(this.at(i)));
      const y = (price: number) => Math.round(this.y(price));
      const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
      const isUp = close >= open;
      return svg`<g class=${isUp ? 'up' : 'down'} stroke=${(isUp ? colors?.gain : colors?.loss) ?? nothing} fill=${(isUp ? colors?.ground : colors?.loss) ?? nothing}>
        <line x1=${x + 0.5} x2=${x + 0.5} y1=${y(high)} y2=${y(low)}></line>
        <rect x=${x - half} y=${top} width=${2 * half + 1} height=${Math.max(1, bottom - top)}></rect>
      </g>`;
    });
  }

  /** A line across at a figure, to the pixel. */
  level(value: number, name: string) {
    const y = Math.round(this.y(value)) + 0.5;
    return svg`<line class=${name} x1=${this.edges.left} x2=${this.edges.right} y1=${y} y2=${y}></line>`;
  }

  /** A text at the right, beside a figure. */
  aside(value: number, text: string, name = '') {
    return svg`<text class=${name} x=${this.edges.width} y=${this.y(value) + 4}>${text}</text>`;
  }

  /** A text below a place. */
  below(place: number, text: string) {
    return svg`<text class="start" x=${this.x(place)} y=${this.edges.height - 4}>${text}</text>`;
  }
}

/** Indices of the days that begin another year (4), or another month (7). */
export const beginningsOf = (days: readonly { readonly ts: string }[], length: 4 | 7): number[] =>
  days.flatMap(({ ts }, i) => (i > 0 && ts.slice(0, length) !== days[i - 1].ts.slice(0, length) ? [i] : []));

/** One of a row of values under the pointer, or where the arrow keys lead; the newest while there is none. */
export class Crosshair {
  private readonly host: ReactiveControllerHost;
  private readonly count: () => number;
  private readonly rightPx: number;
  private pointed: number | null = null;

  /** `rightPx`: room at the right of the plot. */
  constructor(host: ReactiveControllerHost, count: () => number, rightPx: number) {
    this.host = host;
    this.count = count;
    this.rightPx = rightPx;
  }

  get isPointed(): boolean {
    return this.pointed !== null;
  }

  get index(): number {
    return this.pointed ?? this.count() - 1;
  }

  private point(index: number | null): void {
    if (index === this.pointed) return;
    this.pointed = index;
    this.host.requestUpdate();
  }

  readonly clear = () => this.point(null);

  readonly onKey = (event: KeyboardEvent) => {
    const last = this.count() - 1;
    const to = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.point(Math.min(last, Math.max(0, to)));
  };

  readonly onPointer = (event: PointerEvent) => {
    const box = targetOf(event, Element).closest('[role="slider"]')?.getBoundingClientRect();
    if (!box) return;
    const count = this.count();
    const index = Math.floor(((event.clientX - box.left) / Math.max(1, box.width - this.rightPx)) * count);
    this.point(index < 0 || index >= count ? null : index);
  };
}

/** The width of an element, for drawings that fit it to the pixel: requests an update of its host when it has changed. */
export class Width implements ReactiveController {
  /** In pixels; 0 before the element is in the page. */
  px = 0;
  private readonly host: ReactiveControllerHost & HTMLElement;
  private readonly observer = new ResizeObserver(([{ contentRect }]) => this.take(contentRect.width));

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.take(this.host.clientWidth);
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }

  private take(width: number): void {
    const whole = Math.floor(width);
    if (whole === this.px) return;
    this.px = whole;
    this.host.requestUpdate();
  }
}

/** With room for the dot at the end. */
const SPARK = { width: 64, height: 18, left: 2, right: 2, top: 2, bottom: 2 };

/** A line of some figures, with a dot at its end. */
export function sparkLine(values: readonly number[]) {
  if (values.length < 2) return html`<span class="spark"></span>`;
  const last = values.length - 1;
  const plot = new Plot(SPARK, { x: [0, last], y: values });
  return html`<svg class="spark" width=${SPARK.width} height=${SPARK.height} viewBox=${`0 0 ${SPARK.width} ${SPARK.height}`} aria-hidden="true">
    ${plot.line(values, '')} ${svg`<circle cx=${plot.x(last)} cy=${plot.y(values[last])} r="1.5" />`}
  </svg>`;
}

/** A bar in a cell, from the right, beside its number. */
export function cellBar(share: number, tone = '') {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 40);
  return html`<svg class=${`cell-bar ${tone}`} width="40" height="8" aria-hidden="true">
    ${svg`<rect x=${40 - width} width=${width} height="8" />`}
  </svg>`;
}
