/** The instruments of the tickers of a file. */
import type { Day } from '../../engine/market/dates.ts';
import { LAST_COLUMN_DAY } from '../../engine/market/known-at.ts';
import { instrumentIn, TickerBook, type TickerSpan } from '../../engine/market/ticker-book.ts';
import type { ColumnSettings } from '../contracts/columns.ts';
import { tickerOfText } from '../providers/files/symbol-text.ts';

interface Ticker {
  readonly ticker: string;
  readonly spans: readonly TickerSpan[];
  /** The instrument that has it now; null: none has. */
  readonly current: number | null;
}

/** Tickers that an answer names; the others are only counted. */
const NAMED = 20;
/** Tickers that are told apart; a file may hold any number of texts. */
const MAX_TICKERS = 100_000;
/** Longer texts are no tickers, and are not kept. */
const MAX_TEXT = 32;

export class SymbolBook {
  private readonly book: TickerBook;
  private readonly meaning: ColumnSettings['symbols'];
  private readonly tickers = new Map<string, Ticker | null>();
  private readonly unknown = new Set<string>();
  private readonly ambiguous = new Set<string>();

  constructor(spans: Iterable<TickerSpan>, meaning: ColumnSettings['symbols']) {
    this.book = new TickerBook(spans);
    this.meaning = meaning;
  }

  /** The ticker of a text; null when it is none. */
  find(text: string): Ticker | null {
    const known = this.tickers.get(text);
    if (known !== undefined) return known;
    const ticker = tickerOfText(text);
    const spans = ticker === null ? [] : this.book.spans(ticker);
    const found = ticker === null ? null : { ticker, spans, current: instrumentIn(spans, LAST_COLUMN_DAY) };
    if (text.length > MAX_TEXT) return found;
    if (this.tickers.size >= MAX_TICKERS) this.tickers.clear();
    // A copy: a field keeps all of the chunk of lines that it was cut from in memory.
    this.tickers.set(Buffer.from(text).toString(), found);
    return found;
  }

  /**
   * The instrument of a row; null: none is known. Without a meaning, it is the one of the date, or where none had the ticker then,
   * the present one.
   */
  instrumentOf({ ticker, spans, current }: Ticker, date: Day): number | null {
    const then = instrumentIn(spans, date);
    if (then !== current && then !== null && current !== null) this.ambiguous.add(ticker);
    const id = this.meaning === 'current' ? current : (then ?? (this.meaning === undefined ? current : null));
    if (id === null && this.unknown.size < MAX_TICKERS) this.unknown.add(ticker);
    return id;
  }

  get ambiguousTickers() {
    return named(this.ambiguous);
  }

  get unknownTickers() {
    return named(this.unknown);
  }
}

function named(tickers: ReadonlySet<string>) {
  return { count: tickers.size, symbols: [...tickers].sort().slice(0, NAMED) };
}
