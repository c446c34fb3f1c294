/** Growth before and after a seal, over the bands that were sealed. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { Crosshair, Plot, Width } from '../plot.ts';
import { BOX, names, scale, TICKS } from '../tear-sheet/axes.ts';
import { day, fixed, inPercent, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ForwardDetail } from '../types.ts';

const HEIGHT = 280;

type Record = Pick<ForwardDetail, 'before' | 'after' | 'bands' | 'sealed_at'>;

@customElement('forward-path')
export class ForwardPath extends SiteElement {
  @property({ attribute: false }) record!: Record;
  private readonly width = new Width(this);
  private readonly crosshair = new Crosshair(this, () => this.points.length, BOX.right);

  private get points() {
    const { before, after } = this.record;
    return [...before.map((point) => ({ ...point, revised: null })), ...after];
  }

  override render() {
    const { points, crosshair } = this;
    const label = t('forward.chart');
    const { ts, growth, market, revised } = points[Math.min(crosshair.index, points.length - 1)];
    const shown = percentOf(growth);
    return html`<div class="sheet-chart">
      <p class="chart-line"><span>${label}</span> <b>${day(ts)}</b> <span>${t('forward.told')} <b>${shown}</b></span>
        ${revised === null ? nothing : html`<span>${t('forward.revised')} <b>${percentOf(revised)}</b></span>`}
        <span>${t('forward.market')} <b>${percentOf(market)}</b></span></p>
      <div class="plot-box" role="slider" tabindex="0" aria-label=${label} aria-valuemin="0" aria-valuemax=${points.length - 1} aria-valuenow=${Math.min(crosshair.index, points.length - 1)}
        aria-valuetext=${`${day(ts)}: ${shown}`} @keydown=${crosshair.onKey} @pointermove=${crosshair.onPointer} @pointerleave=${crosshair.clear} @blur=${crosshair.clear}>
        ${this.width.px === 0 ? nothing : this.drawing()}</div>
    </div>`;
  }

  private drawing() {
    const { before, after, bands } = this.record;
    const predicted = bands?.growth ?? [];
    const seal = before.length - 1;
    const told = [...before, ...after].map(({ growth }) => change(growth));
    const beside = [...before, ...after].map(({ market }) => change(market));
    const known = [
      ...before.map(() => null),
      ...after.map(({ revised }) => (revised === null ? null : change(revised))),
    ];
    const low = predicted.map(({ p5 }) => change(p5));
    const high = predicted.map(({ p95 }) => change(p95));
    const box = { ...BOX, width: this.width.px, height: HEIGHT };
    const last = Math.max(told.length - 1, seal + predicted.length);
    const values = [...told, ...beside, ...low, ...high, ...known.map((value) => value ?? 0)];
    const plot = new Plot(box, { x: [0, last], y: values, ticks: TICKS });
    const ahead = new Plot(box, { x: [0, last], y: values, ticks: TICKS, at: (i) => seal + 1 + i });
    const { top, bottom } = plot.edges;
    const upright = (i: number, name: string) =>
      svg`<line class=${name} x1=${plot.x(i)} x2=${plot.x(i)} y1=${top} y2=${bottom}></line>`;
    const inner = [predicted.map(({ p25 }) => change(p25)), predicted.map(({ p75 }) => change(p75))];
    return html`<svg width=${box.width} height=${HEIGHT} viewBox=${`0 0 ${box.width} ${HEIGHT}`} aria-hidden="true">
      ${scale(plot, (value) => fixed(value, 0))} ${upright(seal, 'level')}
      <text class="scale" x=${plot.x(seal)} y=${HEIGHT - 3} text-anchor="middle">${day(before[seal].ts)}</text>
      ${ahead.band(low, high, 'wide', { title: t('forward.band') })} ${ahead.band(inner[0], inner[1], 'narrow')}
      ${plot.line(beside, 'other')} ${plot.line(known, 'other')} ${plot.line(told, 'own')}
      ${names(plot, [
        { values: [told.at(-1) ?? 0], text: t('forward.told') },
        { values: [beside.at(-1) ?? 0], text: t('forward.market') },
      ])}
      ${this.crosshair.isPointed ? upright(this.crosshair.index, 'cursor') : nothing}
    </svg>`;
  }
}

const change = (growth: number) => inPercent(growth - 1) ?? 0;
const percentOf = (growth: number) => signedPercent(change(growth), 2);
