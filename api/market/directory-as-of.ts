/** Instruments as of a past day: with the tickers and names of that day, and without those that were not listed yet. */
import { sessionAtOrBefore } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { foldText, qualifiedSymbol } from '../../engine/market/symbols.ts';
import { TickerBook, tickerOn, tickerSpans } from '../../engine/market/ticker-book.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type Directory, type DirectoryItem, readSymbol, symbolError } from './directory.ts';
import type { MarketFacts } from './market-view.ts';

/** An instrument with its symbol and name of a past day. */
export interface PastItem extends DirectoryItem {
  /** Its `<TICKER>.US` today. */
  readonly currentSymbol: string;
}

/** Throws for a day after the newest session that may be distributed. */
export function assertPast({ distributableDay }: Pick<MarketFacts, 'distributableDay'>, day: Day): void {
  const latest = sessionAtOrBefore(distributableDay);
  if (day <= latest) return;
  throw new ServiceError('session_not_distributable', { date: formatDay(day), latest: formatDay(latest) });
}

/** The instrument with its ticker of the day as its symbol; null if it was not listed yet. */
export function itemAsOf(item: DirectoryItem, day: Day): PastItem | null {
  const { instrument } = item;
  if (instrument.listedOn !== null && instrument.listedOn > day) return null;
  const delistedOn = instrument.delistedOn !== null && instrument.delistedOn <= day ? instrument.delistedOn : null;
  const previousTickers = instrument.previousTickers.filter(({ lastDay }) => lastDay < day);
  const ticker = tickerOn(instrument, day);
  const name = instrument.previousNames.find(({ lastDay }) => day <= lastDay)?.name ?? instrument.name;
  return {
    ...item,
    symbol: ticker,
    qualified: qualifiedSymbol(ticker),
    currentSymbol: item.qualified,
    aliases: previousTickers.map((previous) => previous.ticker),
    foldedName: foldText(name),
    isDelisted: delistedOn !== null,
    instrument: { ...instrument, symbol: ticker, name, delistedOn, previousTickers },
  };
}

/** All instruments that were listed on a day. */
export function listedOn({ items }: Directory, day: Day): PastItem[] {
  return items.flatMap((item) => {
    const then = itemAsOf(item, day);
    return then === null || then.isDelisted ? [] : [then];
  });
}

const books = new WeakMap<
  Directory,
  { readonly book: TickerBook; readonly byId: ReadonlyMap<number, DirectoryItem> }
>();

function bookOf(directory: Directory) {
  let known = books.get(directory);
  if (!known) {
    const spans = directory.items.flatMap(({ id, instrument }) => tickerSpans(id, instrument));
    known = { book: new TickerBook(spans), byId: new Map(directory.items.map((item) => [item.id, item])) };
    books.set(directory, known);
  }
  return known;
}

/** The instrument that had a ticker on a day. Throws when none had it. */
export function findInstrumentAsOf(directory: Directory, text: string, day: Day): PastItem {
  const parsed = readSymbol(directory, text);
  if (!parsed.ok) throw symbolError(parsed, text);
  const { book, byId } = bookOf(directory);
  const id = book.instrumentOn(parsed.ticker, day);
  // A symbol such as QILL-201908, of an earlier holder of a ticker, is not a ticker.
  const item = id === null ? directory.bySymbol.get(parsed.ticker) : byId.get(id);
  const then = item && itemAsOf(item, day);
  if (!then) throw new ServiceError('symbol_not_found', { symbol: qualifiedSymbol(parsed.ticker) });
  return then;
}
