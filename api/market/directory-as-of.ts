/** Instruments as they were known on a past day: under the tickers and names of that day, and without those that were not listed yet. */
import { sessionAtOrBefore } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { foldText, qualifiedSymbol } from '../../engine/market/symbols.ts';
import { TickerBook, tickerOn, tickerSpans } from '../../engine/market/ticker-book.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type Directory, type DirectoryItem, readSymbol, symbolError } from './directory.ts';
import type { MarketFacts } from './market-view.ts';

/** An instrument under its symbol and its name of a past day. */
export interface PastItem extends DirectoryItem {
  /** `<TICKER>.US` of today. */
  readonly currentSymbol: string;
}

/** Throws for a day after the newest session that may be distributed. */
export function assertPast({ distributableDay }: Pick<MarketFacts, 'distributableDay'>, day: Day): void {
  const latest = sessionAtOrBefore(distributableDay);
  if (day <= latest) return;
  throw new ServiceError('session_not_distributable', { date: formatDay(day), latest: formatDay(latest) });
}

/** Null: it was not listed yet. Its ticker of the day takes the place of its symbol. */
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

/** Everything that was listed by a day and not yet delisted. */
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
  // A symbol such as QILL-201908, of an earlier holder of a ticker, is no ticker itself.
  const item = id === null ? directory.bySymbol.get(parsed.ticker) : byId.get(id);
  const then = item && itemAsOf(item, day);
  if (!then) throw new ServiceError('symbol_not_found', { symbol: qualifiedSymbol(parsed.ticker) });
  return then;
}
