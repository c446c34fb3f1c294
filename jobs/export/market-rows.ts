/** The bars of an export, instrument by instrument, in one snapshot of the database. */
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeriesSince, selectSplitAnchors } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import type { Connection } from '../../db/pool.ts';
import { type Adjustment, adjustSeries, effectiveEvents, roundAdjusted } from '../../engine/market/adjust.ts';
import { civilDate, type Day, requireDay } from '../../engine/market/dates.ts';
import { type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { ExportSpec } from '../contracts/export.ts';
import { PermanentFailure } from '../contracts/job-context.ts';

/** Instruments read at once; few, because the next chunk is in memory too. */
const CHUNK = 16;

export interface InstrumentBars {
  /** `<TICKER>.US` */
  readonly symbol: string;
  readonly bars: BarSeries;
}

/** Receives the share of instruments that have been read, from 0 to 1. */
export type Report = (share: number) => Promise<void>;

/** Bars in the order of symbols, then days, none newer than `through`. */
export async function* readMarket(
  connection: Connection,
  request: ExportSpec,
  through: Day,
  report: Report,
): AsyncGenerator<InstrumentBars[]> {
  const instruments = await chosenInstruments(connection, request);
  const events = request.adjust === 'none' ? new Map<number, Adjustment[]>() : await selectAdjustments(connection);
  const range = { start: requireDay(request.start), end: Math.min(requireDay(request.end), through) };
  const { year } = civilDate(range.start);
  const read = async (at: number) => {
    const ids = instruments.slice(at, at + CHUNK).map(({ id }) => id);
    if (ids.length === 0) return null;
    // Only instruments with events need an anchor.
    const adjustable = ids.filter((id) => events.has(id));
    return {
      series: await selectSeriesSince(connection, ids, request.venue_mode, year),
      anchors:
        adjustable.length > 0 ? await selectSplitAnchors(connection, adjustable, through) : new Map<number, Day>(),
    };
  };
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const chunk = await next;
    // Reads the next chunk ahead; the next iteration throws its error.
    next = read(at + CHUNK);
    next.catch(() => {});
    yield instruments.slice(at, at + CHUNK).flatMap(({ id, symbol }): InstrumentBars[] => {
      const all = chunk?.series.get(id);
      if (!all) return [];
      const anchor = chunk?.anchors.get(id);
      const mode = request.adjust === 'total' ? 'total' : 'split';
      const applied = anchor === undefined ? [] : effectiveEvents(events.get(id) ?? [], anchor, mode);
      const bars = adjusted(sliceByDay(all, range.start, range.end), applied);
      return bars.length > 0 ? [{ symbol: qualifiedSymbol(symbol), bars }] : [];
    });
    await report(Math.min(1, (at + CHUNK) / instruments.length));
  }
}

async function chosenInstruments(connection: Connection, { symbols, asset_type }: ExportSpec): Promise<Instrument[]> {
  const all = await selectInstruments(connection);
  const named = symbols && new Set(symbols);
  const known = new Set(all.map(({ symbol }) => symbol));
  const unknown = symbols?.filter((symbol) => !known.has(symbol)) ?? [];
  if (unknown.length > 0) throw new PermanentFailure(`unknown symbols: ${unknown.slice(0, 20).join(', ')}`);
  return all
    .filter(({ symbol, assetType }) => (named?.has(symbol) ?? true) && (asset_type ?? assetType) === assetType)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

/** Applies adjustments. Bars after the last one keep their exact values. */
function adjusted(bars: BarSeries, events: readonly Adjustment[]): BarSeries {
  return events.length > 0 ? roundAdjusted(adjustSeries(bars, events)) : bars;
}
