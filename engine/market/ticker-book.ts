/** Finds the instrument that had a ticker on a day. Tickers change, and pass to other instruments. */

import { sessionAfter } from './calendar.ts';
import { type Day, formatDay } from './dates.ts';
import type { BarSeries } from './series.ts';

/** A range of days in which an instrument traded under a ticker. A null end is open. */
export interface TickerSpan {
  readonly instrumentId: number;
  readonly ticker: string;
  /** The day of listing, or the day after the previous rename. */
  readonly firstDay: Day | null;
  /** The last day before a rename; null: no rename ended the span. */
  readonly lastDay: Day | null;
  readonly delistedOn: Day | null;
}

export interface PreviousTicker {
  readonly ticker: string;
  /** The last day under that ticker. */
  readonly lastDay: Day;
}

export interface TickerHistory {
  readonly ticker: string;
  readonly listedOn: Day | null;
  readonly delistedOn: Day | null;
  readonly previousTickers: readonly PreviousTicker[];
}

/**
 * The spans of one instrument. The current ticker's span reaches back to the listing, because vendors restate old bars
 * under the newest ticker.
 */
export function tickerSpans(instrumentId: number, history: TickerHistory): TickerSpan[] {
  const { listedOn, delistedOn } = history;
  const spans: TickerSpan[] = [{ instrumentId, ticker: history.ticker, firstDay: listedOn, lastDay: null, delistedOn }];
  let firstDay = listedOn;
  for (const { ticker, lastDay } of [...history.previousTickers].sort((a, b) => a.lastDay - b.lastDay)) {
    spans.push({
      instrumentId,
      ticker,
      firstDay: firstDay !== null && firstDay <= lastDay ? firstDay : null,
      lastDay,
      delistedOn,
    });
    firstDay = lastDay + 1;
  }
  return spans;
}

/** The ticker that an instrument had on a day. */
export function tickerOn(
  { ticker, previousTickers }: Pick<TickerHistory, 'ticker' | 'previousTickers'>,
  day: Day,
): string {
  let next: PreviousTicker | null = null;
  for (const previous of previousTickers) {
    if (day <= previous.lastDay && (next === null || previous.lastDay < next.lastDay)) next = previous;
  }
  return next?.ticker ?? ticker;
}

const NONE: readonly TickerSpan[] = [];

export class TickerBook {
  private readonly spansOfTicker = new Map<string, TickerSpan[]>();

  constructor(spans: Iterable<TickerSpan>) {
    for (const span of spans) {
      const known = this.spansOfTicker.get(span.ticker);
      if (known) known.push(span);
      else this.spansOfTicker.set(span.ticker, [span]);
    }
    for (const list of this.spansOfTicker.values()) list.sort(byPrecedence);
  }

  /** Spans of a ticker, by precedence. */
  spans(ticker: string): readonly TickerSpan[] {
    return this.spansOfTicker.get(ticker) ?? NONE;
  }

  /**
   * The instrument of a row of `day` under `ticker`; null when no instrument had the ticker then. A span that a rename
   * ended wins on its days, else the instrument with the latest listing on or before the day. An instrument that was
   * delisted by then counts only if no other had the ticker: delisting days are often wrong, and late bars are real.
   */
  instrumentOn(ticker: string, day: Day): number | null {
    return instrumentIn(this.spans(ticker), day);
  }
}

/** `TickerBook.instrumentOn` for the spans of a ticker: loads look up the same ticker many times in a row. */
export function instrumentIn(spans: readonly TickerSpan[], day: Day): number | null {
  let delisted: number | null = null;
  for (const span of spans) {
    if (span.firstDay !== null && day < span.firstDay) continue;
    if (span.lastDay !== null && day > span.lastDay) continue;
    if (span.delistedOn === null || day <= span.delistedOn) return span.instrumentId;
    delisted ??= span.instrumentId;
  }
  return delisted;
}

/** Spans that a rename ended come first, then the latest listing, then the latest delisting. */
function byPrecedence(a: TickerSpan, b: TickerSpan): number {
  const ended = Number(b.lastDay !== null) - Number(a.lastDay !== null);
  const listing = compare(b.firstDay ?? -Infinity, a.firstDay ?? -Infinity);
  const delisting = compare(b.delistedOn ?? Infinity, a.delistedOn ?? Infinity);
  return ended || listing || delisting || a.instrumentId - b.instrumentId;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

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
