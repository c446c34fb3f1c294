/** Fills of trades on a chart: a triangle below the bar of an entry and above that of an exit, with the number of the trade. */
import type { Trade } from '../types.ts';
import { chartFont } from './colors.ts';
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

/** Whether a trade is held at the end of the range. */
export const isOpen = ({ exit_reason }: Pick<Trade, 'exit_reason'>) => exit_reason === 'end_of_data';

interface OfTrades {
  readonly trades: readonly Trade[];
  readonly current: Trade | null;
  /** Whether there is room for the numbers of the trades. */
  readonly isNumbered: boolean;
  /** Bars on both sides whose range a mark clears. */
  readonly cleared: number;
}

/** Entries below their bars, exits above. A day lies in the first bar that does not end before it. */
export function fillsOf(
  bars: readonly { readonly ts: string; readonly low: number; readonly high: number }[],
  { trades, current, isNumbered, cleared }: OfTrades,
): Fill[] {
  const indexOf = new Map(bars.map(({ ts }, i) => [ts, i]));
  const around = (date: string) => {
    const i = indexOf.get(date) ?? bars.findIndex(({ ts }) => ts >= date);
    return { day: bars[i]?.ts ?? date, cleared: bars.slice(Math.max(0, i - cleared), i + cleared + 1) };
  };
  return trades.flatMap((trade): Fill[] => {
    const style = { text: isNumbered ? String(trade.seq) : '', isCurrent: trade === current };
    const [entry, exit] = [around(trade.entry_date), around(trade.exit_date)];
    const low = Math.min(...entry.cleared.map((bar) => bar.low));
    const high = Math.max(...exit.cleared.map((bar) => bar.high));
    const bought: Fill = { ...style, day: entry.day, price: low, isEntry: true };
    return isOpen(trade) ? [bought] : [bought, { ...style, day: exit.day, price: high, isEntry: false }];
  });
}

const GAP_PX = 4;
const HALF_PX = 4;
const HEIGHT_PX = 7;
/** From the price to the middle of the number. */
const NUMBER_PX = GAP_PX + HEIGHT_PX + 8;

/** A fill with its place, in pixels. */
interface PlacedFill extends Fill {
  readonly x: number;
  readonly y: number;
}

const awayOf = ({ isEntry }: Fill) => (isEntry ? 1 : -1);

export class Fills extends SeriesLayer<Fill> {
  constructor() {
    super();
    this.add('top', (context, { width }, colors) => {
      context.font = `11px ${chartFont()}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      const placed = this.items.flatMap((fill) => this.place(fill));
      const [current, others] = [true, false].map((wanted) => placed.filter(({ isCurrent }) => isCurrent === wanted));
      drawFills(context, others, colors.ink, width);
      drawFills(context, current, colors.accent, width);
    });
  }

  private place(fill: Fill): PlacedFill[] {
    const [x, y] = [this.xOf(fill.day), this.yOf(fill.price)];
    return x === null || y === null ? [] : [{ ...fill, x, y }];
  }
}

function drawFills(context: CanvasRenderingContext2D, fills: readonly PlacedFill[], color: string, width: number) {
  context.fillStyle = color;
  // All in one path: a thousand paths take longer than a frame.
  context.beginPath();
  for (const fill of fills) addTriangle(context, fill);
  context.fill();
  for (const fill of fills) if (fill.text !== '') drawNumber(context, fill, width);
}

/** Each turns the same way, so that those that overlap are filled too. */
function addTriangle(context: CanvasRenderingContext2D, fill: PlacedFill): void {
  const { x, y } = fill;
  const away = awayOf(fill);
  const base = y + away * (GAP_PX + HEIGHT_PX);
  context.moveTo(x, y + away * GAP_PX);
  context.lineTo(x - away * HALF_PX, base);
  context.lineTo(x + away * HALF_PX, base);
  context.closePath();
}

/** Whole numbers at both edges. */
function drawNumber(context: CanvasRenderingContext2D, fill: PlacedFill, width: number): void {
  const { x, y, text } = fill;
  const half = context.measureText(text).width / 2;
  const isInView = x >= 0 && x <= width;
  const middle = isInView ? Math.min(Math.max(x, half), width - half) : x;
  context.fillText(text, middle, y + awayOf(fill) * NUMBER_PX);
}
