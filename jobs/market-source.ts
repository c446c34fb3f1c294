/** Checks whether the market in the database is the one that this process is configured for. */
import { selectLoadedSessionsWithBars } from '../db/market/loaded-sessions.ts';
import {
  barFigures,
  type MarketSource,
  selectBarFigures,
  selectMarketSource,
  selectProviderKeys,
} from '../db/market/market-source.ts';
import type { Queryable } from '../db/pool.ts';
import { type Day, formatDay } from '../engine/market/dates.ts';
import { SERVED_VENUE_BASES, VENUE_BASES, type VenueBasis } from '../engine/market/venue-basis.ts';
import type { Provider } from './providers/provider.ts';

/** Text such as "the sample market of 250 instruments". */
export function describeSource({ provider, folder, sampleSymbols }: MarketSource): string {
  if (provider === 'files') return `the market of the files in ${folder ?? 'a folder'}`;
  if (provider === 'sample')
    return `the sample market${sampleSymbols === null ? '' : ` of ${sampleSymbols} instruments`}`;
  return `the market of ${provider}`;
}

/** Unknown fields agree with any value. */
function isSameSource(recorded: MarketSource, asked: MarketSource): boolean {
  if (recorded.provider !== asked.provider) return false;
  const agrees = (known: unknown, wanted: unknown) => known === null || known === wanted;
  return agrees(recorded.folder, asked.folder) && agrees(recorded.sampleSymbols, asked.sampleSymbols);
}

/** The recorded source of the market if it is not `asked`; null: it is, or nothing has been loaded yet. */
export async function selectOtherMarket(db: Queryable, asked: MarketSource): Promise<MarketSource | null> {
  const recorded = await selectMarketSource(db);
  return recorded && !isSameSource(recorded, asked) ? recorded : null;
}

/** Share of the instruments that the provider may lack: a newer state of the same folder may identify some of them differently. */
const MAX_MISSING_SHARE = 0.01;

/**
 * Describes a difference between the loaded market and the provider's; null: there is none. Compares the keys of instruments, the range
 * of sessions of each venue basis, and the bars of the oldest, the middle, and the newest loaded session.
 */
export async function findContentDifference(
  db: Queryable,
  provider: Provider,
  signal: AbortSignal,
): Promise<string | null> {
  return (
    (await findMissingInstruments(db, provider)) ??
    (await findRangeDifference(db, provider)) ??
    (await findBarDifference(db, provider, signal))
  );
}

async function findMissingInstruments(db: Queryable, provider: Provider): Promise<string | null> {
  const provided = new Set<string>();
  for await (const { key } of provider.instruments(() => {})) provided.add(key);
  const loaded = await selectProviderKeys(db);
  const missing = loaded.filter((key) => !provided.has(key));
  if (missing.length <= loaded.length * MAX_MISSING_SHARE) return null;
  return `${missing.length} of the ${loaded.length} loaded instruments are not in it, such as ${missing.slice(0, 3).join(', ')}`;
}

async function findRangeDifference(db: Queryable, provider: Provider): Promise<string | null> {
  for (const venueBasis of VENUE_BASES) {
    const loaded = await selectLoadedSessionsWithBars(db, venueBasis);
    if (loaded.length === 0) continue;
    const [first, newest] = [loaded[0], loaded[loaded.length - 1]];
    const published = await provider.publishedSessions(venueBasis);
    if (published && published.first <= first && published.newest >= newest) continue;
    const has = published ? `${formatDay(published.first)} to ${formatDay(published.newest)}` : 'none';
    return `loaded are ${venueBasis} bars from ${formatDay(first)} to ${formatDay(newest)}, it has ${has}`;
  }
  return null;
}

async function findBarDifference(db: Queryable, provider: Provider, signal: AbortSignal): Promise<string | null> {
  for (const venueBasis of SERVED_VENUE_BASES) {
    const sessions = await selectLoadedSessionsWithBars(db, venueBasis);
    const chosen = [sessions[0], sessions[sessions.length >> 1], sessions[sessions.length - 1]];
    for (const day of new Set(chosen.filter((session) => session !== undefined))) {
      const provided = await readSessionFigures(provider, venueBasis, day, signal);
      if (provided === null) continue;
      const loaded = await selectBarFigures(db, venueBasis, day);
      const different = loaded.filter((figures) => !provided.has(figures)).length;
      if (different > 0) return `${different} of the ${loaded.length} ${venueBasis} bars of ${formatDay(day)} differ`;
    }
  }
  return null;
}

/** Null when the provider has no daily bars for the day. */
async function readSessionFigures(
  provider: Provider,
  venueBasis: VenueBasis,
  day: Day,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const figures = new Set<string>();
  const units = await provider.planUnits(venueBasis, day, day);
  if (units.every(({ parts }) => parts.length === 0)) return null;
  for (const unit of units) {
    for await (const batch of provider.dailyBars(venueBasis, unit, signal)) {
      const { open, high, low, close, volume } = batch;
      for (let i = 0; i < batch.count; i++) {
        if (batch.day[i] !== day) continue;
        figures.add(barFigures({ open: open[i], high: high[i], low: low[i], close: close[i], volume: volume[i] }));
      }
    }
  }
  return figures;
}
