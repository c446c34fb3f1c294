/** A synthetic market, the same on every machine; the default provider. */
import type { MarketSource } from '../../../db/market/market-source.ts';
import { isSession, sessionAtOrBefore, sessionOpen } from '../../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay, newYorkDay, newYorkTime } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { TickerBook, tickerOn, tickerSpans } from '../../../engine/market/ticker-book.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import type {
  BarBatch,
  LoadUnit,
  ProvidedAdjustment,
  ProvidedInstrument,
  Provider,
  SessionRange,
} from '../provider.ts';
import { asFirstPublished, drawMinutes, drawYear } from './prices.ts';
import { CONSOLIDATED_FROM, FIRST_DAY, type SampleInstrument, sampleUniverse } from './universe.ts';

/** New York time at which the daily bars of a session are published. */
const PUBLISHED = { hour: 20, minute: 10 };
const BATCH_ROWS = 16_384;
const DELAY_MS = 60_000;

export interface SampleProviderOptions {
  readonly symbols: number;
  readonly now: () => number;
}

export class SampleProvider implements Provider {
  readonly id = 'sample';
  readonly isSynthetic = true;
  readonly source: MarketSource;
  private readonly universe: readonly SampleInstrument[];
  private readonly tickers: TickerBook;
  private readonly now: () => number;

  constructor({ symbols, now }: SampleProviderOptions) {
    this.source = { provider: this.id, folder: null, sampleSymbols: symbols };
    this.universe = sampleUniverse(symbols);
    this.tickers = new TickerBook(this.universe.flatMap((instrument, i) => tickerSpans(i, instrument)));
    this.now = now;
  }

  async *instruments(): AsyncIterable<ProvidedInstrument> {
    const today = newYorkDay(this.now());
    for (const instrument of this.universe) {
      if (instrument.listedOn > today) continue;
      const { delistedOn } = instrument;
      yield {
        ...instrument,
        key: `sample-${instrument.seed}`,
        currency: 'USD',
        delistedOn: delistedOn !== null && delistedOn <= today ? delistedOn : null,
        source: `sample instrument ${instrument.seed}`,
      };
    }
  }

  async *adjustments(): AsyncIterable<ProvidedAdjustment> {
    for (const instrument of this.universe) {
      for (const event of instrument.events) {
        if (instrument.delistedOn !== null && event.exDay > instrument.delistedOn) continue;
        yield {
          ...event,
          ticker: tickerOn(instrument, event.exDay),
          source: `sample instrument ${instrument.seed}`,
        };
      }
    }
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    const now = this.now();
    const today = newYorkDay(now);
    const isOut = now >= newYorkTime(today, PUBLISHED.hour, PUBLISHED.minute);
    const newest = sessionAtOrBefore(isOut ? today : today - 1);
    if (venueBasis === 'consolidated') return { first: CONSOLIDATED_FROM, newest };
    if (venueBasis === 'single_venue') return { first: FIRST_DAY, newest };
    return { first: FIRST_DAY, newest: sessionAtOrBefore(CONSOLIDATED_FROM - 1) };
  }

  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const published = await this.publishedSessions(venueBasis);
    if (!published) return [];
    const [from, to] = [Math.max(start, published.first), Math.min(end, published.newest)];
    const units: LoadUnit[] = [];
    for (let { year } = civilDate(from); from <= to && year <= civilDate(to).year; year++) {
      const bounds = { start: Math.max(from, dayOf(year, 1, 1)), end: Math.min(to, dayOf(year, 12, 31)) };
      units.push({
        key: `${formatDay(bounds.start)}..${formatDay(bounds.end)}`,
        ...bounds,
        isClipped: false,
        weight: bounds.end - bounds.start + 1,
        parts: [String(year)],
      });
    }
    return units;
  }

  async *dailyBars(venueBasis: VenueBasis, unit: LoadUnit, signal: AbortSignal): AsyncIterable<BarBatch> {
    const year = Number(unit.parts[0]);
    const newest = (await this.publishedSessions(venueBasis))?.newest ?? unit.end;
    let batch = new BatchBuilder();
    for (const [i, instrument] of this.universe.entries()) {
      const bars = asFirstPublished(instrument, drawYear(instrument, venueBasis, year, unit.start, unit.end), newest);
      for (let bar = 0; bar < bars.length; bar++) batch.add(tickerOn(instrument, bars.day[bar]), bars, bar);
      if (batch.rows < BATCH_ROWS - 400 && i < this.universe.length - 1) continue;
      signal.throwIfAborted();
      yield batch.build((i + 1) / this.universe.length);
      batch = new BatchBuilder();
    }
  }

  /** Minutes up to one minute ago; null for a day that has not opened or an instrument that did not trade. */
  async minuteBars(day: Day, ticker: string): Promise<MinuteBar[] | null> {
    if (!isSession(day) || this.now() < sessionOpen(day)) return null;
    const index = this.tickers.instrumentOn(ticker, day);
    if (index === null) return null;
    const bars = drawMinutes(this.universe[index], day);
    return bars?.filter((bar) => bar.startMs + DELAY_MS <= this.now()) ?? null;
  }
}

class BatchBuilder {
  rows = 0;
  private readonly ticker: string[] = [];
  private readonly day = new Int32Array(BATCH_ROWS);
  private readonly open = new Float64Array(BATCH_ROWS);
  private readonly high = new Float64Array(BATCH_ROWS);
  private readonly low = new Float64Array(BATCH_ROWS);
  private readonly close = new Float64Array(BATCH_ROWS);
  private readonly volume = new Float64Array(BATCH_ROWS);

  add(ticker: string, bars: Omit<BarBatch, 'ticker' | 'count' | 'describe' | 'unreadable' | 'progress'>, bar: number) {
    const row = this.rows++;
    this.ticker.push(ticker);
    this.day[row] = bars.day[bar];
    this.open[row] = bars.open[bar];
    this.high[row] = bars.high[bar];
    this.low[row] = bars.low[bar];
    this.close[row] = bars.close[bar];
    this.volume[row] = bars.volume[bar];
  }

  build(progress: number): BarBatch {
    const { ticker, day, open, high, low, close, volume } = this;
    const describe = (i: number) => ({ source: 'sample market', content: `${ticker[i]},${formatDay(day[i])}` });
    return { count: this.rows, ticker, day, open, high, low, close, volume, describe, unreadable: [], progress };
  }
}
