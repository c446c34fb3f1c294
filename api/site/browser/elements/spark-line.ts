/** A line of closes in a cell, with a dot at its end. */
import { html, svg } from 'lit';

const WIDTH = 64;
const HEIGHT = 18;
const EDGE = 2;

export function sparkLine(closes: readonly number[]) {
  if (closes.length < 2) return html`<span class="spark"></span>`;
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  const x = (i: number) => EDGE + (i / (closes.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (close: number) => EDGE + (1 - (close - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const points = closes.map((close, i) => `${x(i).toFixed(1)},${y(close).toFixed(1)}`);
  return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    ${svg`<polyline points=${points.join(' ')} /><circle cx=${x(closes.length - 1)} cy=${y(closes[closes.length - 1])} r="1.5" />`}
  </svg>`;
}

/** A bar in a cell, from the right, beside its number. */
export function cellBar(share: number, tone = '') {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 40);
  return html`<svg class=${`cell-bar ${tone}`} width="40" height="8" aria-hidden="true">
    ${svg`<rect x=${40 - width} width=${width} height="8" />`}
  </svg>`;
}
