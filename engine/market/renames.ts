/** Tickers of the day: one that ends where another begins at its price was probably renamed. */
import { sessionAfter } from './calendar.ts';
import { type Day, formatDay } from './dates.ts';
import type { BarSeries } from './series.ts';

/** A ticker by its bars. */
export interface TickerLife {
  readonly ticker: string;
  readonly first: Day;
  readonly last: Day;
  /** The open of the first bar, and the close of the last one. */
  readonly open: number;
  readonly close: number;
}

/** The first and the last bar of a ticker, whose series has bars. */
export function lifeOf(ticker: string, { day, open, close, length }: BarSeries): TickerLife {
  return { ticker, first: day[0], last: day[length - 1], open: open[0], close: close[length - 1] };
}

export interface LikelyRename {
  readonly from: string;
  readonly to: string;
  /** The last day under the former ticker. */
  readonly lastDay: Day;
}

/** Relative distance of the first open from the last close. */
const SAME_PRICE = 0.05;

/** Oldest first, each ticker once: where several may follow one, none is named. */
export function likelyRenames(lives: readonly TickerLife[]): LikelyRename[] {
  const begun = Map.groupBy(lives, ({ first }) => first);
  const follows = (one: TickerLife, other: TickerLife) => Math.abs(other.open / one.close - 1) <= SAME_PRICE;
  const former = new Map<TickerLife, number>();
  const found: (LikelyRename & { readonly other: TickerLife })[] = [];
  for (const one of lives) {
    const later = (begun.get(sessionAfter(one.last)) ?? []).filter((other) => follows(one, other));
    for (const other of later) former.set(other, (former.get(other) ?? 0) + 1);
    const [other] = later;
    if (later.length === 1) found.push({ from: one.ticker, to: other.ticker, lastDay: one.last, other });
  }
  return found
    .filter(({ other }) => former.get(other) === 1)
    .map(({ other: _, ...rename }) => rename)
    .sort((a, b) => a.lastDay - b.lastDay);
}

export function renameSentence({ from, to, lastDay }: LikelyRename): string {
  const day = formatDay(lastDay);
  return `${from} ends on ${day}, and ${to} begins at its price: if it was renamed, symbols.csv says so (symbol ${to}, previous_symbols ${from}:${day})`;
}
