/** The rows of `my_columns` for one query: the columns that its caller may name, each in its newest version. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { selectInstruments } from '../../db/market/instruments.ts';
import { type Connection, readTransaction } from '../../db/pool.ts';
import { streamColumnRows } from '../../db/research/column-reads.ts';
import {
  BYTES_PER_COLUMN_ROW,
  type OwnColumn,
  type StoredRows,
  selectColumns,
  WHOLE_MARKET,
} from '../../db/research/own-columns.ts';
import { formatKnownAt } from '../../engine/market/known-at.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { COLUMNS_VIEW, SQL_LIMITS } from '../contracts/sql.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';

type ColumnsContext = Pick<JobContext, 'pool' | 'workFolder' | 'signal'>;

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'name', type: 'text' },
  { name: 'owner', type: 'text' },
  { name: 'symbol', type: 'text', isOptional: true },
  { name: 'date', type: 'date' },
  { name: 'known_at', type: 'text' },
  { name: 'seen', type: 'date' },
  { name: 'value', type: 'double', isOptional: true },
  { name: 'label', type: 'text', isOptional: true },
  { name: 'version', type: 'int32' },
  { name: 'added_in', type: 'int32' },
];
const ROW_GROUP = 65_536;

/**
 * A Parquet file of the rows, open for reading. It has lost its name before its first byte, so no other process finds it, and it ends
 * with the processes that have it open. Null: the rows are more than a query may read. `accountId` null: everyone's.
 */
export async function openColumns(
  { pool, workFolder, signal }: ColumnsContext,
  accountId: number | null,
): Promise<FileHandle | null> {
  const { writer, reader } = await openNameless(workFolder);
  let isWhole = false;
  try {
    isWhole = await readTransaction(pool, async (connection) => {
      const columns = await selectColumns(connection, accountId);
      const bytes = columns.reduce((sum, { rows }) => sum + rows * BYTES_PER_COLUMN_ROW, 0);
      if (bytes > SQL_LIMITS.columnsMb * 2 ** 20) return false;
      for await (const piece of piecesOf(connection, columns)) {
        signal.throwIfAborted();
        await writer.appendFile(piece);
      }
      return true;
    });
    return isWhole ? reader : null;
  } finally {
    await writer.close();
    if (!isWhole) await reader.close();
  }
}

async function openNameless(folder: string): Promise<{ readonly writer: FileHandle; readonly reader: FileHandle }> {
  const path = join(folder, `columns-${randomUUID()}`);
  const writer = await open(path, 'wx');
  try {
    // The user of the process of a query opens it again.
    await writer.chmod(0o444);
    return { writer, reader: await open(path) };
  } catch (error) {
    await writer.close();
    throw error;
  } finally {
    await rm(path);
  }
}

type Cell = string | number | null;

async function* piecesOf(connection: Connection, columns: readonly OwnColumn[]): AsyncGenerator<Buffer> {
  const instruments = await selectInstruments(connection);
  const symbols = new Map(instruments.map(({ id, symbol }) => [id, qualifiedSymbol(symbol)]));
  const file = new ParquetFile(COLUMNS_VIEW, COLUMNS);
  const emptyGroup = () => COLUMNS.map((): Cell[] => []);
  let group = emptyGroup();
  for (const column of columns) {
    for await (const [instrument, rows] of streamColumnRows(connection, column)) {
      const symbol = instrument === WHOLE_MARKET ? null : (symbols.get(instrument) ?? String(instrument));
      for (const row of cellsOf(column, symbol, rows)) {
        for (const [i, cell] of row.entries()) group[i].push(cell);
        if (group[0].length < ROW_GROUP) continue;
        yield file.group(group, ROW_GROUP);
        group = emptyGroup();
      }
    }
  }
  if (group[0].length > 0) yield file.group(group, group[0].length);
  yield file.finish();
}

function* cellsOf(column: OwnColumn, symbol: string | null, rows: StoredRows): Generator<Cell[]> {
  const { kind, labels, name, accountId, version } = column;
  const { date, seen, knownDay, knownSecond, version: addedIn } = rows;
  const owner = accountId === null ? 'everyone' : 'account';
  for (const [i, found] of rows.value.entries()) {
    const known = formatKnownAt(knownDay[i], knownSecond[i]);
    const value = Number.isNaN(found) ? null : found;
    const [number, label] = kind === 'label' ? [null, value === null ? null : labels[value]] : [value, null];
    yield [name, owner, symbol, date[i], known, seen[i], number, label, version, addedIn[i]];
  }
}
