/** A line of some closes, as small as a word. */
import { html, nothing, svg } from 'lit';

const WIDTH = 56;
const HEIGHT = 16;
/** Room for the dot at the end. */
const EDGE = 2;

export function sparkLine(values: readonly number[]) {
  if (values.length < 2) return nothing;
  const lowest = Math.min(...values);
  const span = Math.max(...values) - lowest || 1;
  const x = (i: number) => EDGE + (i * (WIDTH - 2 * EDGE)) / (values.length - 1);
  const y = (value: number) => HEIGHT - EDGE - ((value - lowest) * (HEIGHT - 2 * EDGE)) / span;
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const end = svg`<circle cx=${x(values.length - 1)} cy=${y(values[values.length - 1])} r="1.5"></circle>`;
  return html`<svg class="spark-line" width=${WIDTH} height=${HEIGHT} aria-hidden="true">
    ${svg`<polyline points=${points}></polyline>`}${end}
  </svg>`;
}
