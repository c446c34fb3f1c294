/** The file of the revisions: bars and events that loads changed after they had been served. */
import { type Revision, selectRevisionsAfter } from '../../db/market/revisions.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { type FilePiece, ROW_GROUP } from './bar-files.ts';
import { columnsOf, type LakeSource } from './source.ts';

type Cell = string | number | bigint | Date | null;

/** Oldest first, of days up to the newest one that may be distributed. */
export async function* revisionFile(source: LakeSource): AsyncGenerator<FilePiece> {
  const columns = columnsOf(source, 'revisions');
  const symbols = new Map(source.instruments.map(({ id, symbol }) => [id, qualifiedSymbol(symbol)]));
  const file = new ParquetFile('revisions', columns);
  for (let after = 0; ; ) {
    const page = await selectRevisionsAfter(source.connection, after, formatDay(source.through), ROW_GROUP);
    if (page.length === 0) break;
    const rows = page.map((revision) => rowOf(revision, symbols.get(revision.instrumentId) ?? ''));
    yield {
      bytes: file.group(
        columns.map((_, column) => rows.map((row) => row[column])),
        rows.length,
      ),
      rows: rows.length,
    };
    after = page[page.length - 1].id;
  }
  yield { bytes: file.finish(), rows: 0 };
}

function rowOf(revision: Revision, symbol: string): Cell[] {
  const { id, day, was, became, syncJobId, at } = revision;
  const venueBasis = 'venueBasis' in revision ? revision.venueBasis : null;
  const jobId = syncJobId === null ? null : BigInt(syncJobId);
  return [BigInt(id), symbol, requireDay(day), venueBasis, ...figuresOf(was), ...figuresOf(became), jobId, at];
}

/** Open, high, low, close, and volume of a bar, or kind and factor of an event. */
function figuresOf(value: Revision['was']): Cell[] {
  if (value === null) return [null, null, null, null, null, null, null];
  if ('factor' in value) return [null, null, null, null, null, value.kind, value.factor];
  const { open, high, low, close, volume } = value;
  return [open, high, low, close, BigInt(volume), null, null];
}
