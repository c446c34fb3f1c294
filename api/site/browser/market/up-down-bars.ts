/** Two counts per session: bars up and down from one zero. The arrow keys and the pointer move along the sessions. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { beginningsOf, Crosshair, Plot, Width } from '../plot.ts';
import { dayInMonth, monthName, number } from '../text.ts';

export interface UpDownDay {
  readonly date: string;
  readonly up: number;
  readonly down: number;
}

/** Heights of the bars, with and without months, and of the months. The style sheet keeps as much room. */
const TALL_PX = 112;
const LOW_PX = 64;
const MONTHS_PX = 20;
/** Room for the figures of the axis at the right. */
const AXIS_PX = 30;

@customElement('up-down-bars')
export class UpDownBars extends SiteElement {
  @property({ attribute: false }) days: readonly UpDownDay[] = [];
  @property() label = '';
  /** The texts of the two counts, such as `87 rising`. */
  @property({ attribute: false }) upText: (count: number) => string = number;
  @property({ attribute: false }) downText: (count: number) => string = number;
  /** Whether the months are written below. */
  @property({ type: Boolean }) months = false;
  private readonly width = new Width(this);
  private readonly crosshair = new Crosshair(this, () => this.days.length, AXIS_PX);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('days')) this.crosshair.clear();
  }

  override render() {
    const { days, crosshair } = this;
    const shown = days[crosshair.index];
    const text = shown ? `${this.upText(shown.up)}, ${this.downText(shown.down)}` : '';
    return html`<div class="updown-head row spread">
        <h2>${this.label}</h2>
        <p class="small muted">
          ${crosshair.isPointed && shown ? html`<span>${dayInMonth(shown.date)}</span>` : nothing}
          <span><i class="mark up gain"></i> ${shown ? this.upText(shown.up) : ''}</span>
          <span><i class="mark down loss"></i> ${shown ? this.downText(shown.down) : ''}</span>
        </p>
      </div>
      <div
        class=${this.months ? 'updown with-months' : 'updown'}
        role="slider"
        tabindex="0"
        aria-label=${this.label}
        aria-valuemin="1"
        aria-valuemax=${Math.max(1, days.length)}
        aria-valuenow=${crosshair.index + 1}
        aria-valuetext=${shown ? `${dayInMonth(shown.date)}: ${text}` : ''}
        @keydown=${crosshair.onKey}
        @pointermove=${crosshair.onPointer}
        @pointerleave=${crosshair.clear}
        @blur=${crosshair.clear}
      >
        ${days.length === 0 || this.width.px === 0 ? nothing : this.drawing()}
      </div>`;
  }

  private drawing() {
    const { days, crosshair } = this;
    const below = this.months ? MONTHS_PX : 0;
    const height = this.months ? TALL_PX : LOW_PX;
    const box = {
      width: Math.max(60 + AXIS_PX, this.width.px),
      height: height + below,
      right: AXIS_PX,
      top: 2,
      bottom: 2 + below,
    };
    const [up, down] = [days.map((day) => day.up), days.map((day) => -day.down)];
    const plot = new Plot(box, { x: [0, days.length], y: [1, -1, ...up, ...down] });
    const [lowest, highest] = plot.y.domain();
    const named = (name: string) => ({
      least: 1,
      nameOf: (_count: number, i: number) => (i === crosshair.index ? `${name} strong` : name),
    });
    const figure = (y: number, count: number) => svg`<text x=${box.width} y=${y}>${number(count)}</text>`;
    return html`<svg width=${box.width} height=${box.height} aria-hidden="true">
      ${plot.level(0, 'zero')} ${plot.bars(up, named('up'))} ${plot.bars(down, named('down'))}
      ${figure(10, highest)} ${figure(height, -lowest)}
      ${this.months ? this.monthsBelow(plot) : nothing}
    </svg>`;
  }

  private monthsBelow(plot: Plot) {
    const days = this.days.map(({ date: ts }) => ({ ts }));
    return beginningsOf(days, 7).map((i) => plot.below(i, monthName(days[i].ts)));
  }
}
