/** Which instrument had a ticker on a day: tickers are renamed and reused in the real market. */
import type { Day } from './dates.ts';

/** One stretch of days on which an instrument traded under a ticker. Null ends are open. */
export interface TickerSpan {
  readonly instrumentId: number;
  readonly ticker: string;
  /** First day: the listing, or the day after the rename before. */
  readonly firstDay: Day | null;
  /** Last day, when a rename ended the span. */
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
 * The spans of one instrument. The span of the current ticker reaches back to the listing, because vendors also restate
 * old bars under the newest ticker.
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

  /** Spans of a ticker in the order in which they are considered. */
  spans(ticker: string): readonly TickerSpan[] {
    return this.spansOfTicker.get(ticker) ?? NONE;
  }

  /**
   * The instrument that a bar or event row of `day` under `ticker` belongs to; null when none had it then. A span that
   * a rename ended wins on its days, else the instrument with the latest listing not after the day; one that was
   * delisted by then only if no other had the ticker (delisting days are often wrong, and late bars are real).
   */
  instrumentOn(ticker: string, day: Day): number | null {
    return instrumentIn(this.spans(ticker), day);
  }
}

/** `TickerBook.instrumentOn` for spans already looked up (a load asks for the same ticker many times in a row). */
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

/** Spans that a rename ended first; then the latest listing; of equal listings the one that traded longer. */
function byPrecedence(a: TickerSpan, b: TickerSpan): number {
  const ended = Number(b.lastDay !== null) - Number(a.lastDay !== null);
  const listing = compare(b.firstDay ?? -Infinity, a.firstDay ?? -Infinity);
  const delisting = compare(b.delistedOn ?? Infinity, a.delistedOn ?? Infinity);
  return ended || listing || delisting || a.instrumentId - b.instrumentId;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
