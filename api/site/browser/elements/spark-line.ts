/** Drawings as small as a word. */
import { html, svg } from 'lit';

const WIDTH = 64;
const HEIGHT = 18;
/** Room for the dot at the end. */
const EDGE = 2;

/** A line of some figures, with a dot at its end. */
export function sparkLine(values: readonly number[]) {
  if (values.length < 2) return html`<span class="spark"></span>`;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (i: number) => EDGE + (i / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => EDGE + (1 - (value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`);
  return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    ${svg`<polyline points=${points.join(' ')} /><circle cx=${x(values.length - 1)} cy=${y(values[values.length - 1])} r="1.5" />`}
  </svg>`;
}

/** A bar in a cell, from the right, beside its number. */
export function cellBar(share: number, tone = '') {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 40);
  return html`<svg class=${`cell-bar ${tone}`} width="40" height="8" aria-hidden="true">
    ${svg`<rect x=${40 - width} width=${width} height="8" />`}
  </svg>`;
}
