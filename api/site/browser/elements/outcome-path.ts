/** The mean excess around a hit, session by session, over the band of samples without any effect. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { Crosshair, Plot, Width } from '../plot.ts';
import { BOX, names, scale, TICKS } from '../tear-sheet/axes.ts';
import { fixed, inPercent, number, signed, signedPercent, withMinus } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Outcomes } from '../types.ts';

type Point = NonNullable<Outcomes['path']>['points'][number];

/** Sessions between two that are named below. */
const EVERY = 20;
const HEIGHT = 260;

@customElement('outcome-path')
export class OutcomePath extends SiteElement {
  @property({ attribute: false }) points: readonly Point[] = [];
  private readonly width = new Width(this);
  private readonly crosshair = new Crosshair(this, () => this.points.length, BOX.right);

  override render() {
    const { points, crosshair } = this;
    const label = t('outcomes.path.label');
    const { offset, mean, p5, p95, hits } = points[crosshair.index];
    const at = t('outcomes.path.at', { offset: withMinus(`${offset > 0 ? '+' : ''}${offset}`) });
    const band = `${percentOf(p5)} – ${percentOf(p95)}`;
    return html`<div class="sheet-chart">
      <p class="chart-line"><span>${label}</span> <b>${at}</b> <span>${t('outcomes.excess')} <b>${percentOf(mean)}</b></span>
        <span>${t('outcomes.path.band')} <b>${band}</b></span> <span>${t('outcomes.hits')} <b>${number(hits)}</b></span></p>
      <div class="plot-box" role="slider" tabindex="0" aria-label=${label} aria-valuemin="0" aria-valuemax=${points.length - 1} aria-valuenow=${crosshair.index}
        aria-valuetext=${`${at}: ${percentOf(mean)} (${band})`} @keydown=${crosshair.onKey} @pointermove=${crosshair.onPointer} @pointerleave=${crosshair.clear} @blur=${crosshair.clear}>
        ${this.width.px === 0 ? nothing : this.drawing()}</div>
    </div>`;
  }

  private drawing() {
    const { points, crosshair } = this;
    const known = points.map(({ mean, p5, p95 }) => ({
      mean: inPercent(mean),
      low: inPercent(p5),
      high: inPercent(p95),
    }));
    const [means, lows, highs] = [
      known.map((one) => one.mean),
      known.map((one) => one.low ?? 0),
      known.map((one) => one.high ?? 0),
    ];
    const box = { ...BOX, width: this.width.px, height: HEIGHT };
    // Returns before a hit may be many times as large as those after it, which are asked for: they may leave the picture.
    const after = points.findIndex(({ offset }) => offset >= 0);
    const plot = new Plot(box, {
      x: [0, points.length - 1],
      y: [0, ...[lows, highs, means].flatMap((values) => values.slice(after).map((value) => value ?? 0))],
      ticks: TICKS,
    });
    const { top, bottom } = plot.edges;
    const upright = (i: number, name: string) =>
      svg`<line class=${name} x1=${plot.x(i)} x2=${plot.x(i)} y1=${top} y2=${bottom}></line>`;
    const below = points.flatMap(({ offset }, i) =>
      offset % EVERY === 0
        ? [
            svg`${upright(i, offset === 0 ? 'level' : 'tick')}<text class="scale" x=${plot.x(i)} y=${HEIGHT - 3} text-anchor="middle">${withMinus(String(offset))}</text>`,
          ]
        : [],
    );
    const last = means.at(-1) ?? 0;
    return html`<svg width=${box.width} height=${HEIGHT} viewBox=${`0 0 ${box.width} ${HEIGHT}`} aria-hidden="true">
      ${below} ${scale(plot, (value) => fixed(value, 1))} ${plot.level(0, 'level')}
      ${svg`<svg y=${top} width=${box.width} height=${bottom - top} viewBox=${`0 ${top} ${box.width} ${bottom - top}`}>${plot.band(lows, highs, 'wide')} ${plot.line(means, 'own')}</svg>`}
      ${names(plot, [{ values: [last], text: `${t('outcomes.excess')} ${signed(last, 1)}` }])}
      ${crosshair.isPointed ? upright(crosshair.index, 'cursor') : nothing}
    </svg>`;
  }
}

const percentOf = (share: number | null) => signedPercent(inPercent(share), 2);
