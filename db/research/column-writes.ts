/** Writes versions of columns. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import type { ColumnVersion } from './own-columns.ts';

/** The id of a column, which is made if there is none, and its newest version (0: none). Others wait until the transaction ends. */
export async function lockColumn(
  connection: Connection,
  accountId: number | null,
  name: string,
  at: Date,
): Promise<{ readonly id: number; readonly newest: number }> {
  const { rows } = await connection.query<Pick<Rows['own_columns'], 'id'>>(
    `insert into own_columns (account_id, name, created_at) values ($1, $2, $3)
     on conflict (account_id, name) do update set name = excluded.name returning id`,
    [accountId, name, at],
  );
  const [{ id }] = rows;
  const { rows: versions } = await connection.query<{ newest: number }>(
    'select coalesce(max(version), 0) as newest from column_versions where column_id = $1',
    [id],
  );
  return { id, newest: versions[0].newest };
}

/** The facts of a version before its rows are written. */
export type NewColumnVersion = Omit<
  ColumnVersion,
  'rows' | 'symbols' | 'firstDay' | 'lastDay' | 'sha256' | 'knownLate' | 'backfilled'
>;

export async function insertColumnVersion(
  connection: Connection,
  columnId: number,
  version: NewColumnVersion,
): Promise<void> {
  await connection.query(
    `insert into column_versions (column_id, version, base, kind, is_market, dimension, about, day_means, lag, stale_after,
       unit, source, license, labels, loaded_at, rows, symbols, sha256)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, 0, '')`,
    [
      columnId,
      version.version,
      version.base,
      version.kind,
      version.isMarket,
      version.dimension,
      version.about,
      version.dayMeans,
      version.lag,
      version.staleAfter,
      version.unit,
      version.source,
      version.license,
      version.labels,
      version.loadedAt,
    ],
  );
}

/** The facts of a version when its rows are written. */
export interface ColumnFigures {
  readonly staleAfter: number | null;
  readonly rows: number;
  readonly symbols: number;
  readonly firstDay: Day;
  readonly lastDay: Day;
  readonly sha256: string;
  readonly knownLate: number;
  readonly backfilled: number;
}

export async function updateColumnFigures(
  connection: Connection,
  columnId: number,
  version: number,
  figures: ColumnFigures,
): Promise<void> {
  const { staleAfter, rows, symbols, firstDay, lastDay, sha256, knownLate, backfilled } = figures;
  const days = [formatDay(firstDay), formatDay(lastDay)];
  await connection.query(
    `update column_versions set stale_after = $3, rows = $4, symbols = $5, first_day = $6, last_day = $7, sha256 = $8,
       known_late = $9, backfilled = $10
     where column_id = $1 and version = $2`,
    [columnId, version, staleAfter, rows, symbols, ...days, sha256, knownLate, backfilled],
  );
}

export interface ColumnBlock {
  readonly instrumentId: number;
  readonly year: number;
  /** Packed rows. */
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
/** The field count, then length and value of three integers and one smallint, and the length of the data. */
const HEAD_BYTES = 2 + 3 * (4 + 4) + (4 + 2) + 4;

/** Writes the blocks of a version by binary COPY. */
export async function copyColumnBlocks(
  connection: Connection,
  columnId: number,
  version: number,
  blocks: AsyncIterable<ColumnBlock>,
): Promise<void> {
  const statement =
    'copy column_blocks (column_id, version, instrument_id, year, data) from stdin with (format binary)';
  async function* bytes(): AsyncGenerator<Buffer> {
    yield SIGNATURE;
    for await (const { instrumentId, year, data } of blocks) {
      const head = Buffer.allocUnsafe(HEAD_BYTES);
      head.writeInt16BE(5);
      for (const [i, value] of [columnId, version, instrumentId].entries()) {
        head.writeInt32BE(4, 2 + 8 * i);
        head.writeInt32BE(value, 6 + 8 * i);
      }
      head.writeInt32BE(2, 26);
      head.writeInt16BE(year, 30);
      head.writeInt32BE(data.length, 32);
      yield head;
      yield data;
    }
    yield TRAILER;
  }
  await pipeline(Readable.from(bytes()), connection.query(copyFrom(statement)));
}

export interface ColumnUse {
  readonly columns: number;
  readonly rows: number;
}

/**
 * How many columns an account has, and the rows of their newest versions and of those that kept runs have used. Rows that versions
 * share count once.
 */
export async function selectColumnUse(db: Queryable, accountId: number): Promise<ColumnUse> {
  const { rows } = await db.query<ColumnUse>(
    `with used as materialized (${USED} where b.user_id = $1),
       own as (
         select v.column_id, v.version, v.base,
           v.rows - coalesce(lag(v.rows) over (partition by v.column_id, v.base order by v.version), 0) as rows,
           v.version = max(v.version) over (partition by v.column_id) as is_newest
         from own_columns c join column_versions v on v.column_id = c.id where c.account_id = $1),
       kept as (
         select column_id, version, base from own
         where is_newest or (column_id, version) in (select column_id, version from used))
     select count(distinct column_id)::int as columns, coalesce(sum(rows), 0)::float8 as rows
     from own v where ${IS_INCLUDED_IN('kept')}`,
    [accountId],
  );
  return rows[0];
}

/** SQL: the versions of columns that kept runs have used. */
const USED = `select distinct (u ->> 'columnId')::int as column_id, (u ->> 'version')::int as version
  from backtests b
    cross join json_array_elements(case when json_typeof(b.spec -> 'columns') = 'array' then b.spec -> 'columns' else '[]' end) u`;
/** SQL: whether a version among `versions` has the rows of `v`. */
const IS_INCLUDED_IN = (versions: string) => `exists (
  select from ${versions} k where k.column_id = v.column_id and v.version between k.base and k.version)`;

/** Deletes versions from before a time whose rows no newest version and no kept run has. Returns how many. */
export async function deleteFormerVersions(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query(
    `with used as materialized (${USED}),
       kept as (select k.column_id, k.version, k.base from column_versions k natural join used)
     delete from column_versions v where v.loaded_at < $1 and not ${IS_INCLUDED_IN('kept')}
       and v.version < (select n.base from column_versions n where n.column_id = v.column_id order by n.version desc limit 1)`,
    [before],
  );
  return rowCount ?? 0;
}

/** Deletes a column with all versions; false when there is none. */
export async function deleteColumn(db: Queryable, accountId: number | null, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from own_columns where account_id is not distinct from $1 and name = $2',
    [accountId, name],
  );
  return rowCount === 1;
}
