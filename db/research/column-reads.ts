/** The versions of a column, and how many rows it has of each year. */
import type { Queryable } from '../pool.ts';
import type { ColumnVersion, OwnColumn } from './own-columns.ts';

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

/** Bytes of a packed row: four integers and a double. */
const ROW_BYTES = 24;

/** Rows and instruments of a version by the year of the date. */
export async function selectColumnCoverage(
  db: Queryable,
  { id, base, version }: Pick<OwnColumn, 'id' | 'base' | 'version'>,
): Promise<ColumnYear[]> {
  const { rows } = await db.query<ColumnYear>(
    `select year::int, (sum(octet_length(data)) / $4)::float8 as rows,
       (count(distinct instrument_id) filter (where instrument_id <> 0))::int as symbols
     from column_blocks where column_id = $1 and version between $2 and $3 group by year order by year`,
    [id, base, version, ROW_BYTES],
  );
  return rows;
}
