/** The candles of a chart with their lines, or curves, as SVG, which stays sharp at any size. */
import '../common.ts';
import { html, render, svg } from 'lit';
import { find } from '../dom.ts';
import { Plot } from '../plot.ts';
import { number, price } from '../text.ts';
import { type ChartColors, overlayColor } from './colors.ts';
import type { Line } from './curves.ts';
import type { Overlay } from './overlays.ts';
import type { PricePoint } from './series.ts';
import type { Day } from './shared-days.ts';

const WIDTH = 1200;
const PRICE_HEIGHT = 480;
const PANE_HEIGHT = 120;
const HEAD = 32;
const FOOT = 24;
const SCALE_WIDTH = 64;
const TICKS = 5;
/** Share of a pane above and below what is drawn. */
const MARGIN = 0.05;
/** Share of a day that its candle takes. */
const BODY = 0.62;

interface Look {
  readonly colors: ChartColors;
  readonly isLog: boolean;
}

const knownOf = (lines: readonly Overlay[]) =>
  lines.flatMap(({ figures }) => figures.filter((figure) => figure !== null));

export function chartSvg(
  title: string,
  bars: readonly PricePoint[],
  overlays: readonly Overlay[],
  { colors, isLog }: Look,
): string {
  const own = overlays.filter(({ isPrice }) => !isPrice);
  const over = overlays.filter(({ isPrice }) => isPrice);
  const pane = (top: number, height: number, y: readonly number[], isLogPane = false) => {
    const margin = MARGIN * height;
    const box = { width: WIDTH, height: top + height, right: SCALE_WIDTH, top: top + margin, bottom: margin };
    return new Plot(box, { x: [-0.5, bars.length - 0.5], y, isLog: isLogPane });
  };
  const line = (plot: Plot, { figures, color }: Overlay) =>
    svg`<g stroke=${overlayColor(color)} stroke-width="1.5">${plot.line(figures.slice(0, bars.length), '')}</g>`;
  const scale = (plot: Plot, write: (value: number) => string) => scaleOf(plot, write, colors);
  const prices = pane(HEAD, PRICE_HEIGHT, [...bars.flatMap(({ low, high }) => [low, high]), ...knownOf(over)], isLog);
  const panes = own.map((overlay, k) => {
    const plot = pane(HEAD + PRICE_HEIGHT + k * PANE_HEIGHT, PANE_HEIGHT, knownOf([overlay]));
    return svg`${scale(plot, number)} ${line(plot, overlay)}`;
  });
  const height = HEAD + PRICE_HEIGHT + own.length * PANE_HEIGHT + FOOT;
  const names = overlays.map(({ name }) => svg` · ${name}`);
  const content = svg`${scale(prices, price)} ${prices.candles(bars, (BODY * (WIDTH - SCALE_WIDTH)) / bars.length, colors)}
    ${over.map((overlay) => line(prices, overlay))} ${panes}`;
  return framed(svg`${title}${names}`, content, { height, days: bars, colors });
}

/** The curves of the days in view. `write`: a value of theirs. */
export function curvesSvg(
  title: string,
  days: readonly Day[],
  lines: readonly Line[],
  { colors, isLog, write }: Look & { readonly write: (value: number) => string },
): string {
  const drawn = lines.map((line) => {
    const byDay = new Map(line.points.map(({ ts, value }) => [ts, value]));
    return { ...line, values: days.map(({ ts }) => byDay.get(ts) ?? null) };
  });
  const y = drawn.flatMap(({ values }) => values.filter((value) => value !== null));
  const height = HEAD + PRICE_HEIGHT + FOOT;
  const box = { width: WIDTH, height, right: SCALE_WIDTH, top: HEAD + 8, bottom: FOOT };
  const plot = new Plot(box, { y, isLog, x: [0, days.length - 1] });
  const paths = drawn.map(
    ({ values, color, lineWidth, lineStyle }) =>
      svg`<g stroke=${colors[color]} stroke-width=${lineWidth} stroke-dasharray=${DASHES[lineStyle]}>${plot.line(values, '')}</g>`,
  );
  const names = drawn.map(({ name, color }) => svg` · <tspan fill=${colors[color]}>${name}</tspan>`);
  const content = svg`${scaleOf(plot, write, colors)} ${paths}`;
  return framed(svg`${title}${names}`, content, { height, days, colors });
}

/** By the styles of the chart library: solid, dotted, dashed, long dashes, sparse dots. */
const DASHES = ['none', '1 3', '5 4', '9 5', '1 6'];

function scaleOf(plot: Plot, write: (value: number) => string, colors: ChartColors) {
  const ticks = plot.y.ticks(TICKS);
  return svg`<g stroke=${colors.line}>${ticks.map((value) => plot.level(value, ''))}</g>
    <g fill=${colors.muted}>${ticks.map((value) => svg`<text x=${WIDTH - SCALE_WIDTH + 8} y=${plot.y(value) + 4}>${write(value)}</text>`)}</g>`;
}

interface Frame {
  readonly height: number;
  readonly days: readonly Day[];
  readonly colors: ChartColors;
}

function framed(title: unknown, content: unknown, { height, days, colors }: Frame): string {
  return written(html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDTH} height=${height} viewBox=${`0 0 ${WIDTH} ${height}`} font-family="Inter, sans-serif" font-size="12">
    <rect width="100%" height="100%" fill=${colors.ground}></rect>
    <text x="0" y="20" fill=${colors.ink} font-size="14">${title}</text>
    ${content}
    <g fill=${colors.muted}>
      <text x="0" y=${height - 8}>${days[0].ts}</text>
      <text x=${WIDTH - SCALE_WIDTH} y=${height - 8} text-anchor="end">${days[days.length - 1].ts}</text>
    </g>
  </svg>`);
}

/** The text of a drawing, without the marks of the library that has drawn it. */
function written(drawing: unknown): string {
  const box = document.createElement('div');
  render(drawing, box);
  return new XMLSerializer().serializeToString(find(box, 'svg', SVGSVGElement)).replaceAll(/<!--.*?-->/g, '');
}
