/** The candles of a chart with their lines as SVG, which stays sharp at any size. */
import { number, price } from '../text.ts';
import type { ChartColors } from './colors.ts';
import { type Overlay, overlayColor } from './overlays.ts';
import type { PricePoint } from './series.ts';

const WIDTH = 1200;
const PRICE_HEIGHT = 480;
const PANE_HEIGHT = 120;
const HEAD = 32;
const FOOT = 24;
const SCALE_WIDTH = 64;
const TICKS = 5;

/** A part of the picture with its own scale. */
interface Pane {
  readonly top: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const fine = (value: number) => value.toFixed(1);

/** Without spreading the figures into a call, which has a limit. */
function extremesOf(figures: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const figure of figures) {
    low = Math.min(low, figure);
    high = Math.max(high, figure);
  }
  return [low, high];
}

/** Where a figure lies between the lowest and the highest one: 0 to 1. */
function shareOf({ low, high, isLog }: Pane, figure: number): number {
  return isLog ? Math.log(figure / low) / Math.log(high / low) : (figure - low) / (high - low);
}

export function chartSvg(
  title: string,
  bars: readonly PricePoint[],
  overlays: readonly Overlay[],
  { colors, isLog }: { readonly colors: ChartColors; readonly isLog: boolean },
): string {
  const step = (WIDTH - SCALE_WIDTH) / bars.length;
  const x = (i: number) => (i + 0.5) * step;
  const own = overlays.filter(({ isPrice }) => !isPrice);
  const over = overlays.filter(({ isPrice }) => isPrice);
  const pane = (top: number, height: number, figures: readonly number[], isLogPane = false): Pane => {
    const [low, high] = extremesOf(figures);
    return { top, height, low, high: high === low ? low + 1 : high, isLog: isLogPane && low > 0 };
  };
  const y = (at: Pane, figure: number) => at.top + at.height * (0.95 - 0.9 * shareOf(at, figure));
  const line = (at: Pane, { figures, color }: Overlay) => {
    const points = figures.flatMap((figure, i) => (figure === null ? [] : [`${fine(x(i))},${fine(y(at, figure))}`]));
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${overlayColor(color)}" stroke-width="1.5"/>`;
  };
  const scale = (at: Pane, write: (value: number) => string) =>
    Array.from({ length: TICKS }, (_, k) => {
      const figure = at.low + ((at.high - at.low) * k) / (TICKS - 1);
      const height = fine(y(at, figure));
      return `<path d="M0 ${height}H${WIDTH - SCALE_WIDTH}" stroke="${colors.line}"/><text x="${WIDTH - SCALE_WIDTH + 8}" y="${height}" dy="4" fill="${colors.muted}">${write(figure)}</text>`;
    }).join('');
  const defined = (lines: readonly Overlay[]) =>
    lines.flatMap(({ figures }) => figures.filter((figure) => figure !== null));
  const prices = pane(HEAD, PRICE_HEIGHT, [...bars.flatMap(({ low, high }) => [low, high]), ...defined(over)], isLog);
  const candle = ({ open, high, low, close }: PricePoint, i: number) => {
    const isUp = close >= open;
    const [color, fill] = isUp ? [colors.gain, colors.ground] : [colors.loss, colors.loss];
    const [top, bottom] = [y(prices, Math.max(open, close)), y(prices, Math.min(open, close))];
    const width = Math.max(1, step * 0.62);
    return `<path d="M${fine(x(i))} ${fine(y(prices, high))}V${fine(y(prices, low))}" stroke="${color}"/><rect x="${fine(x(i) - width / 2)}" y="${fine(top)}" width="${fine(width)}" height="${fine(Math.max(1, bottom - top))}" fill="${fill}" stroke="${color}"/>`;
  };
  const panes = own.map((overlay, k) => {
    const at = pane(HEAD + PRICE_HEIGHT + k * PANE_HEIGHT, PANE_HEIGHT, defined([overlay]));
    return scale(at, number) + line(at, overlay);
  });
  const height = HEAD + PRICE_HEIGHT + own.length * PANE_HEIGHT + FOOT;
  const names = [title, ...overlays.map(({ name }) => name)].map(escaped).join(' · ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="Inter, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="${colors.ground}"/><text x="0" y="20" fill="${colors.ink}" font-size="14">${names}</text>
${scale(prices, price)}${bars.map(candle).join('')}${over.map((overlay) => line(prices, overlay)).join('')}${panes.join('')}
<text x="0" y="${height - 8}" fill="${colors.muted}">${bars[0].ts}</text><text x="${WIDTH - SCALE_WIDTH}" y="${height - 8}" text-anchor="end" fill="${colors.muted}">${bars[bars.length - 1].ts}</text>
</svg>`;
}
