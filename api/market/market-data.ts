/** The market data that a process keeps in memory until it changes. */
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectToldFindings, type ToldFinding } from '../../db/market/findings.ts';
import { type Instrument, selectInstruments, selectPriceForms } from '../../db/market/instruments.ts';
import {
  type SessionLedgers,
  selectLoadedSessionsWithBars,
  selectProviderRanges,
  selectSessionLedgers,
} from '../../db/market/loaded-sessions.ts';
import { selectConsolidatedFrom } from '../../db/market/market-source.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Adjustment } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { setConsolidatedFrom } from '../../engine/market/venue-basis.ts';
import { NewestBars } from './bars-in-memory.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { exampleSymbols } from './example-symbols.ts';

/** One version of the market data. */
export interface MarketData {
  readonly version: string;
  readonly directory: Directory;
  readonly adjustments: ReadonlyMap<number, readonly Adjustment[]>;
  /** Doubts about bars and events, by instrument. */
  readonly findings: ReadonlyMap<number, readonly ToldFinding[]>;
  /** Sessions with consolidated bars, ascending. */
  readonly sessions: readonly Day[];
  /** The newest session that the provider has published on the consolidated basis. */
  readonly publishedSession: Day | null;
  readonly ledgers: SessionLedgers;
  readonly newest: NewestBars;
  /** Symbols for examples, such as `ACRX.US`; none while nothing is loaded. */
  readonly examples: readonly string[];
  /** The form of the prices of all instruments with bars; null: there are none. */
  readonly prices: MarketPrices | null;
}

export type MarketPrices = Instrument['prices'] | 'mixed';

export async function readMarketData(db: Queryable): Promise<MarketData> {
  // Read first: after a commit during the reads, the version is outdated and everything is read again.
  const version = await selectDataVersion(db);
  const ranges = await selectProviderRanges(db);
  const directory = buildDirectory(await selectInstruments(db));
  const newest = await NewestBars.read(db);
  setConsolidatedFrom(await selectConsolidatedFrom(db));
  const prices = await selectPriceForms(db);
  return {
    version,
    directory,
    adjustments: await selectAdjustments(db),
    findings: await selectToldFindings(db),
    sessions: await selectLoadedSessionsWithBars(db, 'consolidated'),
    publishedSession: ranges.find((range) => range.venueBasis === 'consolidated')?.newestSession ?? null,
    ledgers: await selectSessionLedgers(db),
    newest,
    examples: exampleSymbols(directory.items, newest),
    prices: prices.length > 1 ? 'mixed' : (prices[0] ?? null),
  };
}
