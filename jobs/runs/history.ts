/** Histories: those of the instruments of a run, and those of other instruments that rules name. */
import { LRUCache } from 'lru-cache';
import { selectAdjustmentsOf } from '../../db/market/adjustments.ts';
import { selectSeriesSince, selectSeriesUntil } from '../../db/market/bars.ts';
import { selectListings } from '../../db/market/instruments.ts';
import { selectSessionLedgers } from '../../db/market/loaded-sessions.ts';
import { streamSeries } from '../../db/market/series-stream.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import type { MarketColumns } from '../../engine/backtest/rates.ts';
import type { AdjustMode, Adjustment } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, BYTES_PER_BAR, EMPTY_SERIES, reusedMemory } from '../../engine/market/series.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { SPLICE_YEAR, spliceSeries } from '../../engine/market/venue-basis.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { NamedInstrument, SpecInstrument } from '../contracts/backtest.ts';

export interface History {
  /** Spliced, as traded. */
  readonly series: BarSeries;
  readonly events: readonly Adjustment[];
  /** Other instruments that the rules of the run name, by ticker. */
  readonly others?: ReadonlyMap<string, History>;
  /** Columns that the rates of the run name. */
  readonly columns?: MarketColumns | undefined;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const OVERHEAD_BYTES = 500;

/** The history up to `asOf`. */
export async function readHistory(db: Queryable, instrumentId: number, asOf: Day): Promise<History> {
  const [history] = await readHistories(db, [instrumentId], asOf);
  return history;
}

/** Reads histories up to a day, in the order of the ids. */
export type ReadHistories = typeof readHistories;

/** The histories of many instruments up to `asOf`, in the order of the ids, in four statements. */
export async function readHistories(db: Queryable, ids: readonly number[], asOf: Day): Promise<History[]> {
  const [primary, consolidated, events, listings] = await Promise.all([
    selectSeriesUntil(db, ids, 'primary_session', SPLICE_YEAR),
    selectSeriesSince(db, ids, 'consolidated', SPLICE_YEAR),
    selectAdjustmentsOf(db, ids),
    selectListings(db, ids, asOf),
  ]);
  return ids.map((id) => ({
    series: {
      ...spliceSeries(primary.get(id) ?? EMPTY_SERIES, consolidated.get(id) ?? EMPTY_SERIES, asOf),
      ...listings.get(id),
    },
    events: events.get(id) ?? [],
  }));
}

/** Finds out how to read the histories of some instruments up to a day: those of now, or those of an earlier load. */
export type HistorySource = (instruments: readonly ServedInstrument[], asOf: Day) => Promise<ReadHistories>;

/** An instrument under the symbol that it had when a run was kept. */
export interface ServedInstrument {
  readonly instrumentId: number;
  /** `<TICKER>.US`. */
  readonly symbol: string;
}

export const PRESENT: HistorySource = async () => readHistories;

export interface StreamedHistory extends History {
  readonly instrumentId: number;
}

/**
 * The histories up to `asOf` of instruments that have bars, by id, one in memory at a time: the bars of one are overwritten when the next
 * one is asked for.
 */
export async function* streamHistories(pool: Pool, ids: readonly number[], asOf: Day): AsyncGenerator<StreamedHistory> {
  const events = await selectAdjustmentsOf(pool, ids);
  const listings = await selectListings(pool, ids, asOf);
  const allocate = reusedMemory();
  for await (const { instrumentId, primary, consolidated } of streamSeries(pool, ids, SPLICE_YEAR)) {
    const series = {
      ...spliceSeries(primary, consolidated, asOf, allocate),
      ...listings.get(instrumentId),
    };
    yield { instrumentId, series, events: events.get(instrumentId) ?? [] };
  }
}

class Histories {
  private readonly cache = new LRUCache<string, History>({
    maxSize: CACHE_BYTES,
    // Twice: as traded, and adjusted (`adjustedSeries`).
    sizeCalculation: ({ series }) => 2 * series.length * BYTES_PER_BAR + OVERHEAD_BYTES,
  });

  /** The history up to `asOf` as it was at a version of the data. */
  async get(db: Queryable, instrumentId: number, asOf: Day, version: string): Promise<History> {
    const key = `${instrumentId} ${asOf} ${version}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const history = await readHistory(db, instrumentId, asOf);
    this.cache.set(key, history);
    return history;
  }
}

const MAX_LEDGERS = 4;

/**
 * Ledgers of the sessions that spliced histories should have and lack, cached by each thread. Get the ledger before the history: if
 * a load commits in between, the ledger may report a session as missing that the bars have, but never the reverse.
 */
class HistoryLedgers {
  private readonly cache = new LRUCache<string, Promise<SessionLedger>>({ max: MAX_LEDGERS });

  /** The ledger as it was at a version of the data. */
  get(db: Queryable, version: string): Promise<SessionLedger> {
    const cached = this.cache.get(version);
    if (cached) return cached;
    const ledger = selectSessionLedgers(db).then(({ spliced }) => spliced);
    this.cache.set(version, ledger);
    ledger.catch(() => this.cache.delete(version));
    return ledger;
  }
}

/** The caches of this thread. */
export const histories = new Histories();
export const ledgers = new HistoryLedgers();

/** Instruments whose histories are read by one statement. */
const READ_AT_ONCE = 50;

export async function readMembers(
  db: Queryable,
  instruments: readonly SpecInstrument[],
  asOf: number,
  read: ReadHistories = readHistories,
): Promise<PortfolioMember[]> {
  const members: PortfolioMember[] = [];
  for (let at = 0; at < instruments.length; at += READ_AT_ONCE) {
    const some = instruments.slice(at, at + READ_AT_ONCE);
    const histories = await read(
      db,
      some.map(({ instrumentId }) => instrumentId),
      asOf,
    );
    for (const [i, { symbol, listedOn, delistedOn }] of some.entries()) {
      members.push({ symbol, asOf, ...histories[i], lifetime: { listedOn, delistedOn } });
    }
  }
  return members;
}

/** Histories by the ticker that rules name. */
export type OtherHistories = ReadonlyMap<string, History>;

/** Undefined where the rules name none. */
export async function readOthers(
  db: Queryable,
  named: readonly NamedInstrument[] | undefined,
  asOf: Day,
  read: ReadHistories = readHistories,
): Promise<OtherHistories | undefined> {
  if (named === undefined || named.length === 0) return undefined;
  const histories = await read(
    db,
    named.map(({ instrumentId }) => instrumentId),
    asOf,
  );
  return new Map(named.map(({ ticker }, i) => [ticker, histories[i]]));
}

export function referencedInstruments(
  histories: OtherHistories | undefined,
  adjust: AdjustMode,
): OtherInstruments | undefined {
  return histories && new OtherInstruments(histories, adjust);
}

/** The other instruments of rules without a specification. A ticker that no instrument has any more has no bars. */
export async function othersNamed(
  db: Queryable,
  tickers: Iterable<string>,
  instruments: readonly { readonly id: number; readonly symbol: string }[],
  asOf: Day,
  read: ReadHistories = readHistories,
): Promise<OtherInstruments | undefined> {
  const wanted = new Set(tickers);
  if (wanted.size === 0) return undefined;
  const named = instruments.flatMap(({ id, symbol }) =>
    wanted.has(symbol) ? [{ ticker: symbol, instrumentId: id }] : [],
  );
  const found = await readOthers(db, named, asOf, read);
  const none: History = { series: EMPTY_SERIES, events: [] };
  return new OtherInstruments(new Map([...wanted].map((ticker) => [ticker, found?.get(ticker) ?? none])), 'split');
}
