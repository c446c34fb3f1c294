/** Two counts per session: bars up and down from one zero. The arrow keys and the pointer move along the sessions. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg, targetOf } from '../dom.ts';
import { Width } from '../measured.ts';
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
/** The height of the smallest bar, so that it is visible. */
const MIN_PX = 1;

@customElement('up-down-bars')
export class UpDownBars extends SiteElement {
  @property({ attribute: false }) days: readonly UpDownDay[] = [];
  @property() label = '';
  /** The texts of the two counts, such as `87 rising`. */
  @property({ attribute: false }) upText: (count: number) => string = number;
  @property({ attribute: false }) downText: (count: number) => string = number;
  /** Whether the months are written below. */
  @property({ type: Boolean }) months = false;
  /** Index of the session under the cursor; -1: none, and the newest is read out. */
  @state() current = -1;
  private readonly width = new Width(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('days')) this.current = -1;
  }

  override render() {
    const { days } = this;
    const at = this.current === -1 ? days.length - 1 : this.current;
    const shown = days[at];
    const text = shown ? `${this.upText(shown.up)}, ${this.downText(shown.down)}` : '';
    return html`<div class="updown-head row spread">
        <h2>${this.label}</h2>
        <p class="small muted">
          ${this.current === -1 || !shown ? nothing : html`<span>${dayInMonth(shown.date)}</span>`}
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
        aria-valuenow=${at + 1}
        aria-valuetext=${shown ? `${dayInMonth(shown.date)}: ${text}` : ''}
        @keydown=${this.onKey}
        @pointermove=${this.onPointer}
        @pointerleave=${() => this.point(-1)}
        @blur=${() => this.point(-1)}
      >
        ${days.length === 0 || this.width.px === 0 ? nothing : this.drawing()}
      </div>`;
  }

  private drawing() {
    const { days } = this;
    const height = this.months ? TALL_PX : LOW_PX;
    const width = this.width.px;
    const plot = Math.max(60, width - AXIS_PX);
    const highest = Math.max(1, ...days.map(({ up }) => up));
    const lowest = Math.max(1, ...days.map(({ down }) => down));
    const unit = (height - 4) / (highest + lowest);
    const zero = Math.round(2 + highest * unit);
    const left = (i: number) => Math.round((i * plot) / days.length);
    const bar = ({ up, down }: UpDownDay, i: number) => {
      const [x, w] = [left(i), Math.max(1, left(i + 1) - left(i) - 1)];
      const px = (count: number) => (count === 0 ? 0 : Math.max(MIN_PX, Math.round(count * unit)));
      const isStrong = i === (this.current === -1 ? days.length - 1 : this.current);
      return svg`<g class=${isStrong ? 'strong' : ''}>
        <rect class="up" x=${x} y=${zero - px(up)} width=${w} height=${px(up)}></rect>
        <rect class="down" x=${x} y=${zero + 1} width=${w} height=${px(down)}></rect>
      </g>`;
    };
    return html`<svg width=${width} height=${height + (this.months ? MONTHS_PX : 0)} aria-hidden="true">
      ${svg`<line class="zero" x1="0" x2=${plot} y1=${zero + 0.5} y2=${zero + 0.5}></line>`}
      ${days.map(bar)}
      ${svg`<text x=${width} y=${Math.max(10, zero - highest * unit + 8)}>${number(highest)}</text>
        <text x=${width} y=${Math.min(height, zero + lowest * unit + 2)}>${number(lowest)}</text>`}
      ${this.months ? this.monthTicks(left) : nothing}
    </svg>`;
  }

  private monthTicks(left: (i: number) => number) {
    const y = TALL_PX + MONTHS_PX - 4;
    const isFirst = (i: number) => i > 0 && this.days[i].date.slice(0, 7) !== this.days[i - 1].date.slice(0, 7);
    return this.days.flatMap(({ date }, i) =>
      isFirst(i) ? [svg`<text class="start" x=${left(i)} y=${y}>${monthName(date)}</text>`] : [],
    );
  }

  private readonly point = (index: number) => {
    this.current = index;
  };

  private readonly onKey = (event: KeyboardEvent) => {
    const last = this.days.length - 1;
    const at = this.current === -1 ? last : this.current;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.point(Math.min(last, Math.max(0, to)));
  };

  private readonly onPointer = (event: PointerEvent) => {
    const box = targetOf(event, Element).closest('.updown')?.getBoundingClientRect();
    if (!box) return;
    const share = (event.clientX - box.left) / Math.max(1, box.width - AXIS_PX);
    const index = Math.floor(share * this.days.length);
    this.point(index < 0 || index >= this.days.length ? -1 : index);
  };
}
