/** The small files of the lake: symbols, events, and sessions, each written whole. */
import { selectSessionRows } from '../../db/market/loaded-sessions.ts';
import { type AdjustMode, effectiveEvents } from '../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { type FilePiece, ROW_GROUP, runningFactors } from './bar-files.ts';
import { columnsOf, type LakeSource } from './source.ts';

type Row = readonly (string | number | bigint | boolean | null)[];

/** A file of rows that are in memory. */
function* fileOf(source: LakeSource, name: string, rows: readonly Row[]): Generator<FilePiece> {
  const columns = columnsOf(source, name);
  const file = new ParquetFile(name, columns);
  for (let from = 0; from < rows.length; from += ROW_GROUP) {
    const group = rows.slice(from, from + ROW_GROUP);
    const data = columns.map((_, column) => group.map((row) => row[column]));
    yield { bytes: file.group(data, group.length), rows: group.length };
  }
  yield { bytes: file.finish(), rows: 0 };
}

/** All instruments, with the factors of the day whose share count their adjusted prices are on. */
export function symbolFile(source: LakeSource): Generator<FilePiece> {
  const rows = source.instruments.map(
    (one): Row => [
      qualifiedSymbol(one.symbol),
      one.ticker,
      one.name,
      one.assetType,
      one.primaryVenue,
      one.currency,
      one.listedOn,
      one.delistedOn,
      one.delistingReturnPct,
      one.lotSize,
      anchorFactor(source, one.id, 'split'),
      anchorFactor(source, one.id, 'total'),
    ],
  );
  return fileOf(source, 'symbols', rows);
}

function anchorFactor({ anchors, events }: LakeSource, id: number, mode: AdjustMode): number {
  const anchor = anchors.get(id);
  if (anchor === undefined) return 1;
  return runningFactors(Int32Array.of(anchor), effectiveEvents(events.get(id) ?? [], anchor, mode))[0];
}

/** Splits, dividends, and other events with an ex-date up to the newest day that may be distributed. */
export function eventFile(source: LakeSource): Generator<FilePiece> {
  const { instruments, events } = source;
  const rows = instruments.flatMap(({ id, symbol }) =>
    (events.get(id) ?? []).map(({ exDay, kind, factor }): Row => [qualifiedSymbol(symbol), exDay, kind, factor]),
  );
  return fileOf(source, 'events', rows);
}

/** The loaded sessions by venue basis and day. */
export async function* sessionFile(source: LakeSource): AsyncGenerator<FilePiece> {
  const { connection, through } = source;
  const sessions = await selectSessionRows(connection, formatDay(through));
  const rows = sessions.map(
    ({ venueBasis, day, rows: count, isComplete }): Row => [venueBasis, requireDay(day), BigInt(count), isComplete],
  );
  yield* fileOf(source, 'sessions', rows);
}
