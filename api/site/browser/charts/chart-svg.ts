/** The candles of a chart with their lines as SVG, which stays sharp at any size. */
import '../common.ts';
import { html, render, svg } from 'lit';
import { find } from '../dom.ts';
import { Plot } from '../plot.ts';
import { number, price } from '../text.ts';
import { type ChartColors, overlayColor } from './colors.ts';
import type { Overlay } from './overlays.ts';
import type { PricePoint } from './series.ts';

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

const knownOf = (lines: readonly Overlay[]) =>
  lines.flatMap(({ figures }) => figures.filter((figure) => figure !== null));

export function chartSvg(
  title: string,
  bars: readonly PricePoint[],
  overlays: readonly Overlay[],
  { colors, isLog }: { readonly colors: ChartColors; readonly isLog: boolean },
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
  const scale = (plot: Plot, write: (value: number) => string) =>
    svg`<g stroke=${colors.line}>${plot.y.ticks(TICKS).map((value) => plot.level(value, ''))}</g>
      <g fill=${colors.muted}>${plot.y.ticks(TICKS).map((value) => svg`<text x=${WIDTH - SCALE_WIDTH + 8} y=${plot.y(value) + 4}>${write(value)}</text>`)}</g>`;
  const prices = pane(HEAD, PRICE_HEIGHT, [...bars.flatMap(({ low, high }) => [low, high]), ...knownOf(over)], isLog);
  const panes = own.map((overlay, k) => {
    const plot = pane(HEAD + PRICE_HEIGHT + k * PANE_HEIGHT, PANE_HEIGHT, knownOf([overlay]));
    return svg`${scale(plot, number)} ${line(plot, overlay)}`;
  });
  const height = HEAD + PRICE_HEIGHT + own.length * PANE_HEIGHT + FOOT;
  return written(html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDTH} height=${height} viewBox=${`0 0 ${WIDTH} ${height}`} font-family="Inter, sans-serif" font-size="12">
    <rect width="100%" height="100%" fill=${colors.ground}></rect>
    <text x="0" y="20" fill=${colors.ink} font-size="14">${[title, ...overlays.map(({ name }) => name)].join(' · ')}</text>
    ${scale(prices, price)} ${prices.candles(bars, (BODY * (WIDTH - SCALE_WIDTH)) / bars.length, colors)}
    ${over.map((overlay) => line(prices, overlay))} ${panes}
    <g fill=${colors.muted}>
      <text x="0" y=${height - 8}>${bars[0].ts}</text>
      <text x=${WIDTH - SCALE_WIDTH} y=${height - 8} text-anchor="end">${bars[bars.length - 1].ts}</text>
    </g>
  </svg>`);
}

/** The text of a drawing, without the marks of the library that has drawn it. */
function written(drawing: unknown): string {
  const box = document.createElement('div');
  render(drawing, box);
  return new XMLSerializer().serializeToString(find(box, 'svg', SVGSVGElement)).replaceAll(/<!--.*?-->/g, '');
}
