/** Columns of values beside the bars: of an account, or everyone's. */
import type { ColumnRows } from '../../engine/market/own-columns.ts';
import { unpackIntegers } from '../market/bar-blocks.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection, TABLES } from '../schema/tables.ts';

export const DAY_MEANINGS = TABLES.column_versions.day_means.values;

/** The instrument of the rows of a market column. */
export const WHOLE_MARKET = 0;

const COLUMN = selection(
  'own_columns',
  { id: 'id', accountId: 'account_id', name: 'name', createdAt: 'created_at' },
  'c',
);
const VERSION = selection(
  'column_versions',
  {
    version: 'version',
    base: 'base',
    kind: 'kind',
    isMarket: 'is_market',
    dimension: 'dimension',
    about: 'about',
    dayMeans: 'day_means',
    lag: 'lag',
    staleAfter: 'stale_after',
    unit: 'unit',
    source: 'source',
    license: 'license',
    labels: 'labels',
    rows: 'rows',
    symbols: 'symbols',
    firstDay: 'first_day',
    lastDay: 'last_day',
    sha256: 'sha256',
    loadedAt: 'loaded_at',
    knownLate: 'known_late',
    backfilled: 'backfilled',
  },
  'v',
);

/** A column with one of its versions. `accountId` null: everyone's. */
export type OwnColumn = Selected<typeof COLUMN> & Selected<typeof VERSION>;
export type ColumnVersion = Selected<typeof VERSION>;

const COLUMNS = 'own_columns c join column_versions v on v.column_id = c.id';
const NEWEST = 'v.version = (select max(version) from column_versions where column_id = c.id)';

/** The columns that an account reads, by name, with their newest versions. Its own ones win. Null: those of everyone. */
export async function selectColumns(db: Queryable, accountId: number | null): Promise<OwnColumn[]> {
  const { rows } = await db.query<OwnColumn>({
    name: 'select_columns',
    text: `select distinct on (c.name collate "C") ${COLUMN.sql}, ${VERSION.sql} from ${COLUMNS}
           where (c.account_id = $1 or c.account_id is null) and ${NEWEST}
           order by c.name collate "C", c.account_id nulls last`,
    values: [accountId],
  });
  return rows;
}

/** A column of an account, or of everyone (null), with its newest version; null: there is none. */
export async function selectOwnColumn(
  db: Queryable,
  accountId: number | null,
  name: string,
): Promise<OwnColumn | null> {
  const { rows } = await db.query<OwnColumn>(
    `select ${COLUMN.sql}, ${VERSION.sql} from ${COLUMNS}
     where c.account_id is not distinct from $1 and c.name = $2 and ${NEWEST}`,
    [accountId, name],
  );
  return rows[0] ?? null;
}

/** Null: it has no such version. */
export async function selectColumnVersion(db: Queryable, columnId: number, version: number): Promise<OwnColumn | null> {
  const { rows } = await db.query<OwnColumn>({
    name: 'select_column_version',
    text: `select ${COLUMN.sql}, ${VERSION.sql} from ${COLUMNS} where c.id = $1 and v.version = $2`,
    values: [columnId, version],
  });
  return rows[0] ?? null;
}

export const KNOWN_AS_DAY = -1;

export type StoredRows = Required<ColumnRows>;

/** A version whose rows another one includes. */
export type IncludedVersion = Pick<OwnColumn, 'id' | 'version' | 'labels' | 'loadedAt'>;

/** The versions whose rows some versions of columns include, these included, by column and version. */
export async function selectIncludedVersions(
  db: Queryable,
  wanted: readonly WantedColumn[],
): Promise<IncludedVersion[]> {
  const { rows } = await db.query<IncludedVersion>({
    name: 'select_included_versions',
    text: `select v.column_id as id, v.version, v.labels, v.loaded_at as "loadedAt"
           from column_versions v join unnest($1::int[], $2::int[], $3::int[]) w (id, base, version)
             on v.column_id = w.id and v.version between w.base and w.version
           order by 1, 2`,
    values: wantedValues(wanted),
  });
  return rows;
}

const wantedValues = (wanted: readonly WantedColumn[]) => [
  wanted.map(({ columnId }) => columnId),
  wanted.map(({ base }) => base),
  wanted.map(({ version }) => version),
];

export interface WantedColumn {
  readonly columnId: number;
  readonly base: number;
  readonly version: number;
}

/**
 * Rows by column and instrument. `instrumentIds` null: of all instruments. Rows of market columns have the instrument
 * `WHOLE_MARKET`, and are read in any case.
 */
export async function selectColumnRows(
  db: Queryable,
  wanted: readonly WantedColumn[],
  instrumentIds: readonly number[] | null,
): Promise<Map<number, Map<number, StoredRows>>> {
  const byColumn = new Map(wanted.map(({ columnId }) => [columnId, new Map<number, StoredRows>()]));
  const { rows } = await db.query<PackedBlock>({
    name: 'select_column_rows',
    text: `select b.column_id as "columnId", b.instrument_id as "instrumentId", b.version, b.data
           from column_blocks b join unnest($1::int[], $2::int[], $3::int[]) w (id, base, version)
             on b.column_id = w.id and b.version between w.base and w.version
           where $4::int[] is null or b.instrument_id = any($4)
           order by b.column_id, b.instrument_id, b.year, b.version`,
    values: [...wantedValues(wanted), instrumentIds && [WHOLE_MARKET, ...instrumentIds]],
  });
  for (let from = 0; from < rows.length; ) {
    const { columnId, instrumentId } = rows[from];
    let to = from + 1;
    while (to < rows.length && rows[to].columnId === columnId && rows[to].instrumentId === instrumentId) to++;
    byColumn.get(columnId)?.set(instrumentId, unpackRows(rows.slice(from, to)));
    from = to;
  }
  return byColumn;
}

interface PackedBlock {
  readonly columnId: number;
  readonly instrumentId: number;
  readonly version: number;
  readonly data: Buffer;
}

/** Four integers and a double. */
export const BYTES_PER_COLUMN_ROW = 4 * 4 + 8;

/** Unpacks pieces, each in its order, the ones of earlier versions first, into one. Their bytes are changed. */
export function unpackRows(pieces: readonly Pick<PackedBlock, 'version' | 'data'>[]): StoredRows {
  const length = pieces.reduce((sum, { data }) => sum + data.length, 0) / BYTES_PER_COLUMN_ROW;
  const rows = allocateRows(length);
  let row = 0;
  for (const { version, data: piece } of pieces) {
    const count = piece.length / BYTES_PER_COLUMN_ROW;
    [rows.date, rows.seen, rows.knownDay, rows.knownSecond].forEach((column, i) => {
      column.set(unpackIntegers(piece.subarray(i * 4 * count, (i + 1) * 4 * count)), row);
    });
    new Uint8Array(rows.value.buffer).set(piece.subarray(16 * count).swap64(), row * 8);
    rows.version.fill(version, row, row + count);
    row += count;
  }
  return isOrdered(rows) ? rows : ordered(rows);
}

export function allocateRows(length: number): StoredRows {
  const integers = () => new Int32Array(length);
  return {
    date: integers(),
    seen: integers(),
    knownDay: integers(),
    knownSecond: integers(),
    value: new Float64Array(length),
    version: integers(),
  };
}

/** By date, then by the session that sees it, then by the time at which it was known. 0: equal. */
function compareRows({ date, seen, knownDay, knownSecond }: ColumnRows, a: number, b: number): number {
  return date[a] - date[b] || seen[a] - seen[b] || knownDay[a] - knownDay[b] || knownSecond[a] - knownSecond[b];
}

function isOrdered(rows: ColumnRows): boolean {
  for (let i = 1; i < rows.date.length; i++) if (compareRows(rows, i - 1, i) > 0) return false;
  return true;
}

/** Rows in their order; equal ones stay in theirs. */
function ordered(rows: StoredRows): StoredRows {
  const { length } = rows.date;
  const order = Uint32Array.from({ length }, (_, i) => i).sort((a, b) => compareRows(rows, a, b) || a - b);
  const { date, seen, knownDay, knownSecond, value, version } = rows;
  return {
    date: pick(date, order),
    seen: pick(seen, order),
    knownDay: pick(knownDay, order),
    knownSecond: pick(knownSecond, order),
    value: Float64Array.from(order, (i) => value[i]),
    version: pick(version, order),
  };
}

function pick(column: Int32Array, order: Uint32Array): Int32Array {
  return Int32Array.from(order, (i) => column[i]);
}

/** The rows from one index to another (exclusive), packed. */
export function packRows({ date, seen, knownDay, knownSecond, value }: ColumnRows, from: number, to: number): Buffer {
  const count = to - from;
  const packed = Buffer.allocUnsafeSlow(count * BYTES_PER_COLUMN_ROW);
  [date, seen, knownDay, knownSecond].forEach((column, i) => {
    const bytes = packed.subarray(i * 4 * count, (i + 1) * 4 * count);
    bytes.set(bytesOf(column, from, to));
    bytes.swap32();
  });
  const values = packed.subarray(16 * count);
  values.set(bytesOf(value, from, to));
  values.swap64();
  return packed;
}

function bytesOf(column: Int32Array | Float64Array, from: number, to: number): Uint8Array {
  const part = column.subarray(from, to);
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}
