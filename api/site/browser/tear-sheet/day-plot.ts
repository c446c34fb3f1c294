/** A chart over days of a tear sheet: it shows the days, and the one under the cursor, that the other charts of the report show. */
import '../common.ts';
import { customElement, property } from 'lit/decorators.js';
import { afterKey, type Day, rangeOf, sharedDays, takeDrags } from '../charts/shared-days.ts';
import { find, html, nothing, SiteElement, svg } from '../dom.ts';
import { Plot, Width } from '../plot.ts';
import { day, fixed } from '../text.ts';
import { t } from '../tool-text.ts';
import { BOX, daysBelow, type Named, names, scale, TICKS } from './axes.ts';

@customElement('day-plot')
export class DayPlot extends SiteElement {
  @property() label = '';
  @property({ attribute: false }) days: readonly Day[] = [];
  /** The run, and its benchmark. */
  @property({ attribute: false }) lines: readonly Named[] = [];
  /** Decimals of the scale. */
  @property({ attribute: false }) digits = 0;
  /** A figure to compare with, drawn across. */
  @property({ attribute: false }) level: number | undefined;
  /** Whether the run is an area that hangs from zero. */
  @property({ attribute: false }) isArea = false;
  private readonly width = new Width(this);
  /** The newest drawing: the cursor moves over it. */
  private drawn: {
    readonly key: string;
    readonly lines: readonly Named[];
    readonly plot: Plot;
    readonly content: unknown;
  } | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    sharedDays.follow(this.follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    sharedDays.unfollow(this.follow);
  }

  private readonly follow = () => this.requestUpdate();

  protected override firstUpdated(): void {
    const takeRange = (from: number, to: number) => this.show([this.indexAt(from), this.indexAt(to)]);
    takeDrags(find(this, '.plot-box', HTMLElement), () => this.width.px, takeRange);
  }

  private show(indices: readonly [number, number]): void {
    sharedDays.show(rangeOf(this.days, indices));
  }

  /** The index of the day at so many pixels from the left edge. */
  private indexAt(px: number): number {
    const [from, to] = sharedDays.shownOf(this.days);
    return Math.min(to, Math.max(from, from + Math.round(this.drawn?.plot.x.invert(px) ?? 0)));
  }

  private get current(): number {
    const { day: pointed } = sharedDays;
    return pointed === null ? -1 : this.days.findLastIndex(({ ts }) => ts <= pointed);
  }

  private readonly onMove = (event: PointerEvent) => {
    const { left } = find(this, '.plot-box', HTMLElement).getBoundingClientRect();
    sharedDays.point(this.days[this.indexAt(event.clientX - left)]?.ts ?? null);
  };

  private readonly onKey = (event: KeyboardEvent) => {
    const shown = sharedDays.shownOf(this.days);
    const action = afterKey(event, { shown, count: this.days.length, current: this.current });
    if (action === null) return;
    event.preventDefault();
    if ('shown' in action) this.show(action.shown);
    else sharedDays.point(this.days[action.current].ts);
  };

  private readonly onLeave = () => sharedDays.point(null);
  private readonly showAll = () => sharedDays.show(null);

  override render() {
    const { current, label, lines } = this;
    const at = current === -1 ? this.days.length - 1 : current;
    const figures = lines.map(
      ({ text, values }) => html` <span>${text} <b>${fixed(values[at], Math.max(1, this.digits))}</b></span>`,
    );
    return html`<div class="sheet-chart">
      <p class="chart-line"><span>${label}</span> <b>${day(this.days[at]?.ts)}</b>${figures}</p>
      <div class="plot-box" role="figure" tabindex="0" aria-label=${label} aria-description=${t('chart.keys')}
        @pointermove=${this.onMove} @pointerleave=${this.onLeave} @dblclick=${this.showAll} @keydown=${this.onKey}>${this.width.px === 0 ? nothing : this.drawing(current)}</div>
    </div>`;
  }

  private drawing(current: number) {
    const [from, to] = sharedDays.shownOf(this.days);
    const key = [from, to, this.width.px].join();
    if (this.drawn?.key !== key || this.drawn.lines !== this.lines)
      this.drawn = { key, lines: this.lines, ...this.drawDays(from, to) };
    const { plot, content } = this.drawn;
    const x = plot.x(current - from);
    const { top, bottom, width, height } = plot.edges;
    return html`<svg width=${width} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">${content}
      ${current < from || current > to ? nothing : svg`<line class="cursor" x1=${x} x2=${x} y1=${top} y2=${bottom}></line>`}</svg>`;
  }

  private drawDays(from: number, to: number) {
    const { digits, level, isArea } = this;
    const lines = this.lines.map(({ text, values }) => ({ text, values: values.slice(from, to + 1) }));
    const [run, other] = lines;
    const y = lines.flatMap(({ values }) => values);
    const box = { ...BOX, width: this.width.px };
    const plot = new Plot(box, {
      x: [0, Math.max(1, to - from)],
      y: [...y, ...(level === undefined ? [] : [level]), ...(isArea ? [0] : [])],
      ticks: TICKS,
    });
    const write = (value: number) => fixed(value, digits);
    const axes = svg`${daysBelow(plot, this.days.slice(from, to + 1))} ${scale(plot, write)}`;
    if (isArea)
      return {
        plot,
        content: svg`${axes} ${plot.band(
          run.values.map(() => 0),
          run.values,
          'depth',
        )}`,
      };
    const named = lines.map(({ text, values }) => ({ values, text: `${text} ${write(values[values.length - 1])}` }));
    const content = svg`${axes} ${level === undefined ? nothing : plot.level(level, 'level')}
      ${other ? plot.line(other.values, 'other') : nothing} ${plot.line(run.values, 'own')} ${names(plot, named)}`;
    return { plot, content };
  }
}
