/** The versions of a column, how many rows it has of each year, and all of its rows. */
import type { Queryable } from '../pool.ts';
import {
  BYTES_PER_COLUMN_ROW,
  type ColumnVersion,
  type OwnColumn,
  type StoredRows,
  selectColumnRows,
} from './own-columns.ts';

export type ListedVersion = Pick<ColumnVersion, 'version' | 'base' | 'rows' | 'sha256' | 'loadedAt'>;

/** Newest first. */
export async function selectColumnVersions(db: Queryable, columnId: number): Promise<ListedVersion[]> {
  const { rows } = await db.query<ListedVersion>(
    `select version, base, rows, sha256, loaded_at as "loadedAt" from column_versions where column_id = $1 order by version desc`,
    [columnId],
  );
  return rows;
}

export interface ColumnYear {
  readonly year: number;
  readonly rows: number;
  /** Instruments with a row; 0 for a column of the market. */
  readonly symbols: number;
}

/** Rows and instruments of a version by the year of the date. */
export async function selectColumnCoverage(
  db: Queryable,
  { id, base, version }: Pick<OwnColumn, 'id' | 'base' | 'version'>,
): Promise<ColumnYear[]> {
  const { rows } = await db.query<ColumnYear>(
    `select year::int, (sum(octet_length(data)) / $4)::float8 as rows,
       (count(distinct instrument_id) filter (where instrument_id <> 0))::int as symbols
     from column_blocks where column_id = $1 and version between $2 and $3 group by year order by year`,
    [id, base, version, BYTES_PER_COLUMN_ROW],
  );
  return rows;
}

/** Instruments whose rows are read together. */
const TOGETHER = 500;

/** The rows of a version, of one instrument after the other, by id. */
export async function* streamColumnRows(
  db: Queryable,
  { id, base, version }: Pick<OwnColumn, 'id' | 'base' | 'version'>,
): AsyncGenerator<[number, StoredRows]> {
  const { rows: instruments } = await db.query<{ id: number }>(
    `select distinct instrument_id as id from column_blocks where column_id = $1 and version between $2 and $3 order by 1`,
    [id, base, version],
  );
  const ids = instruments.map((instrument) => instrument.id);
  const wanted = [{ columnId: id, base, version }];
  for (let from = 0; from < ids.length; from += TOGETHER) {
    yield* (await selectColumnRows(db, wanted, ids.slice(from, from + TOGETHER))).get(id) ?? [];
  }
}
