/** Fills of trades on a chart: a triangle below the bar of an entry and above that of an exit, with the number of the trade. */
import { type ChartColors, chartFont } from './colors.ts';
import { SeriesLayer } from './series-layer.ts';

export interface Fill {
  readonly day: string;
  /** The triangle points at it, from below for an entry. */
  readonly price: number;
  readonly isEntry: boolean;
  /** Number of the trade; empty: none. */
  readonly text: string;
  /** Whether its trade is the chosen one. */
  readonly isCurrent: boolean;
}

const GAP_PX = 4;
const HALF_PX = 4;
const HEIGHT_PX = 7;
/** From the price to the middle of the number. */
const NUMBER_PX = GAP_PX + HEIGHT_PX + 8;

export class Fills extends SeriesLayer {
  private fills: readonly Fill[] = [];
  private colors: ChartColors | null = null;

  constructor() {
    super();
    this.add('top', (context, { width }) => {
      context.font = `11px ${chartFont()}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      for (const fill of this.fills) this.drawFill(context, fill, width);
    });
  }

  show(fills: readonly Fill[], colors: ChartColors): void {
    this.fills = fills;
    this.colors = colors;
    this.redraw();
  }

  private drawFill(context: CanvasRenderingContext2D, { day, price, isEntry, text, isCurrent }: Fill, width: number) {
    const { colors } = this;
    const [x, y] = [this.xOf(day), this.yOf(price)];
    if (colors === null || x === null || y === null) return;
    const away = isEntry ? 1 : -1;
    const base = y + away * (GAP_PX + HEIGHT_PX);
    context.fillStyle = isCurrent ? colors.accent : colors.ink;
    context.beginPath();
    context.moveTo(x, y + away * GAP_PX);
    context.lineTo(x - HALF_PX, base);
    context.lineTo(x + HALF_PX, base);
    context.fill();
    if (text === '') return;
    // Whole numbers at both edges.
    const half = context.measureText(text).width / 2;
    const isInView = x >= 0 && x <= width;
    context.fillText(text, isInView ? Math.min(Math.max(x, half), width - half) : x, y + away * NUMBER_PX);
  }
}
