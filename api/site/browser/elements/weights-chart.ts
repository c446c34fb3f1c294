/** The weights of a rotation over time as a stacked area, and when each name was held. */
import { customElement, property } from 'lit/decorators.js';
import { html, SiteElement, svg } from '../dom.ts';
import { Plot } from '../plot.ts';
import { day, percent, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Rebalance } from '../types.ts';

/** Units of the SVGs, which are stretched to the width of their container. */
const WIDTH = 1000;
const HEIGHT = 200;
const ROW_HEIGHT = 10;
/** Names with an area of their own, and rows of the timeline. */
const MOST_AREAS = 9;
const MOST_ROWS = 40;

/** A name with its weight at each rebalance. */
interface Weighed {
  readonly name: string;
  readonly weights: readonly number[];
}

@customElement('weights-chart')
export class WeightsChart extends SiteElement {
  /** Oldest first. */
  @property({ attribute: false }) rebalances: readonly Rebalance[] = [];
  /** The last day of the run. */
  @property({ attribute: false }) end!: string;

  override render() {
    const { rebalances, end } = this;
    const times = [...rebalances.map(({ ts }) => ts), end].map((ts) => Date.parse(ts));
    const names = weighedNames(rebalances);
    const areas = areasOf(names, rebalances);
    const rows = names.slice(0, MOST_ROWS);
    return html`<figure class="weights-chart">
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${t('rotation.weights.label', { count: names.length })}>
          ${stacked(areas, times)}
        </svg>
        <figcaption class="row spread muted small"><span>${day(rebalances[0]?.ts)}</span><span>${day(end)}</span></figcaption>
        <ol class="weights-key">
          ${areas.map(({ name, weights }, i) => html`<li><span class="swatch stack-${i}"></span>${name} <span class="muted">${percent(100 * meanOf(weights), 1)}</span></li>`)}
        </ol>
      </figure>
      <details open>
        <summary>${t('rotation.timeline')}</summary>
        <div class="holding-rows" role="img" aria-label=${t('rotation.timeline.label')}>
          ${rows.map(({ name, weights }) => html`<span class="small">${name}</span>${timeline(weights, times)}`)}
        </div>
        ${names.length > rows.length ? html`<p class="muted small">${t('rotation.timeline.more', { count: names.length - rows.length })}</p>` : ''}
      </details>`;
  }
}

/** `times`: of each rebalance, and of the end. */
function plotOf(height: number, times: readonly number[]): Plot {
  const box = { width: WIDTH, height };
  return new Plot(box, { x: [times[0], times[times.length - 1]], y: [0, 1], at: (i) => times[i] });
}

/** Largest mean weight first. */
function weighedNames(rebalances: readonly Rebalance[]): Weighed[] {
  const names = new Set(rebalances.flatMap(({ weights }) => Object.keys(weights)));
  return [...names]
    .map((name) => ({ name: ticker(name), weights: rebalances.map(({ weights }) => weights[name] ?? 0) }))
    .sort((a, b) => meanOf(b.weights) - meanOf(a.weights));
}

/** The largest names, and the others together. */
function areasOf(names: readonly Weighed[], rebalances: readonly Rebalance[]): Weighed[] {
  if (names.length <= MOST_AREAS) return [...names];
  const others = names.slice(MOST_AREAS - 1);
  const weights = rebalances.map((_, i) => others.reduce((sum, one) => sum + one.weights[i], 0));
  return [...names.slice(0, MOST_AREAS - 1), { weights, name: t('rotation.weights.others', { count: others.length }) }];
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Weights hold from one rebalance to the next, so each area is a row of steps; the last ones hold to the end. */
function stacked(areas: readonly Weighed[], times: readonly number[]) {
  const plot = plotOf(HEIGHT, times);
  let floor = times.map(() => 0);
  return areas.map(({ name, weights }, area) => {
    const low = floor;
    floor = low.map((value, i) => value + (weights[i] ?? weights[weights.length - 1]));
    return plot.band(low, floor, `stack-${area}`, { isStepped: true, title: name });
  });
}

function timeline(weights: readonly number[], times: readonly number[]) {
  const { x } = plotOf(ROW_HEIGHT, times);
  return html`<svg viewBox="0 0 ${WIDTH} ${ROW_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${weights.map((weight, i) => (weight > 0 ? svg`<rect x=${x(times[i])} y="1" width=${x(times[i + 1]) - x(times[i])} height=${ROW_HEIGHT - 2}></rect>` : ''))}
  </svg>`;
}
