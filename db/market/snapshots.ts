/** Market snapshots: the newest is served, and those of past days are kept while they are used. */

import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { MarketOverview } from '../../engine/screener/market-overview.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

export const SNAPSHOT_CHANGED_CHANNEL = 'snapshot_changed';

/** An object of a snapshot. */
export interface SnapshotObject {
  readonly objectKey: string;
  /** SHA-256 of the content in hexadecimal. */
  readonly checksum: string;
  readonly bytes: number;
}

/** A snapshot. Its own object has the bars. */
export interface SnapshotRecord extends SnapshotObject {
  readonly id: number;
  /** Layout of the objects. */
  readonly format: number;
  /** The object with the running means; null: format 1, which has none. */
  readonly means: SnapshotObject | null;
  readonly instruments: number;
  readonly bars: number;
  /** Newest session in it. */
  readonly asOf: string;
  /** The newest day that could be distributed when the snapshot was made. */
  readonly through: string;
  readonly dataVersion: string;
  readonly engineVersion: string;
  readonly exportedAt: Date;
}

const COLUMNS = `id, object_key as "objectKey", checksum_sha256 as checksum, bytes, instruments, bars, as_of as "asOf",
  through, data_version as "dataVersion", engine_version as "engineVersion", exported_at as "exportedAt", format,
  case when means_key is not null then json_build_object('objectKey', means_key, 'checksum', means_checksum_sha256,
    'bytes', means_bytes) end as means`;

/** Records a snapshot, which is served from now on. Its objects must be stored. Returns the id. */
export async function insertSnapshot(db: Queryable, snapshot: Omit<SnapshotRecord, 'id'>): Promise<number> {
  const { rows } = await db.query<Pick<Rows['snapshots'], 'id'>>(
    `insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version,
       engine_version, exported_at, format, means_key, means_checksum_sha256, means_bytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning id`,
    [
      snapshot.objectKey,
      snapshot.checksum,
      snapshot.bytes,
      snapshot.instruments,
      snapshot.bars,
      snapshot.asOf,
      snapshot.through,
      snapshot.dataVersion,
      snapshot.engineVersion,
      snapshot.exportedAt,
      snapshot.format,
      snapshot.means?.objectKey,
      snapshot.means?.checksum,
      snapshot.means?.bytes,
    ],
  );
  return rows[0].id;
}

/** Newest first. */
export async function selectSnapshots(db: Queryable, limit: number): Promise<SnapshotRecord[]> {
  const { rows } = await db.query<SnapshotRecord>(`select ${COLUMNS} from snapshots order by id desc limit $1`, [
    limit,
  ]);
  return rows;
}

/** Deletes all snapshots except the newest `keep`. */
export async function deleteOldSnapshots(db: Queryable, keep: number): Promise<void> {
  await db.query('delete from snapshots where id in (select id from snapshots order by id desc offset $1)', [keep]);
}

// Snapshots of past days.

/** The inputs of a snapshot of a day. Another version makes another snapshot. */
interface PastSnapshotKey {
  /** YYYY-MM-DD: the newest session in it. */
  readonly day: string;
  readonly dataVersion: string;
  readonly engineVersion: string;
  readonly format: number;
}

export interface PastSnapshot extends SnapshotObject {
  readonly id: number;
  readonly means: SnapshotObject;
  /** The day. */
  readonly asOf: string;
  readonly instruments: number;
  readonly exportedAt: Date;
}

const PAST_COLUMNS = `id, object_key as "objectKey", checksum_sha256 as checksum, bytes, day as "asOf", instruments,
  built_at as "exportedAt", json_build_object('objectKey', means_key, 'checksum', means_checksum_sha256,
    'bytes', means_bytes) as means`;

/** The newest built snapshot of a key, which counts as used at `at`; null: none. */
export async function usePastSnapshot(db: Queryable, key: PastSnapshotKey, at: Date): Promise<PastSnapshot | null> {
  const { rows } = await db.query<PastSnapshot>(
    `update past_snapshots set used_at = greatest(used_at, $5)
     where id = (select max(id) from past_snapshots
                 where day = $1 and data_version = $2 and engine_version = $3 and format = $4 and built_at is not null)
     returning ${PAST_COLUMNS}`,
    [key.day, key.dataVersion, key.engineVersion, key.format, at],
  );
  return rows[0] ?? null;
}

/** A built snapshot, which counts as used at `at`; null: it was deleted. */
export async function usePastSnapshotById(db: Queryable, id: number, at: Date): Promise<PastSnapshot | null> {
  const { rows } = await db.query<PastSnapshot>(
    `update past_snapshots set used_at = greatest(used_at, $2) where id = $1 and built_at is not null returning ${PAST_COLUMNS}`,
    [id, at],
  );
  return rows[0] ?? null;
}

/** Records a snapshot before its objects are stored, so that they have a row from the first byte on. Returns the id. */
export async function insertPastSnapshot(
  db: Queryable,
  key: PastSnapshotKey,
  keys: { readonly bars: string; readonly means: string },
  at: Date,
): Promise<number> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'id'>>(
    `insert into past_snapshots (day, data_version, engine_version, format, object_key, means_key, used_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [key.day, key.dataVersion, key.engineVersion, key.format, keys.bars, keys.means, at],
  );
  return rows[0].id;
}

interface BuiltSnapshot {
  readonly bars: SnapshotObject;
  readonly means: SnapshotObject;
  readonly instruments: number;
  /** Bars of all instruments. */
  readonly count: number;
}

/** Makes a snapshot whose objects are stored usable. */
export async function finishPastSnapshot(db: Queryable, id: number, built: BuiltSnapshot, at: Date): Promise<void> {
  const { bars, means, instruments, count } = built;
  await db.query(
    `update past_snapshots set checksum_sha256 = $2, bytes = $3, means_checksum_sha256 = $4, means_bytes = $5,
       instruments = $6, bars = $7, built_at = $8 where id = $1`,
    [id, bars.checksum, bars.bytes, means.checksum, means.bytes, instruments, count, at],
  );
}

/** Deletes snapshots that were last used before a moment, and all but the `most` last used. Returns the keys of their objects. */
export async function deleteUnusedPastSnapshots(db: Queryable, usedBefore: Date, most: number): Promise<string[]> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'object_key' | 'means_key'>>(
    `delete from past_snapshots where used_at < $1
       or id in (select id from past_snapshots order by used_at desc, id desc offset $2)
     returning object_key, means_key`,
    [usedBefore, most],
  );
  return rows.flatMap((row) => [row.object_key, row.means_key]);
}

/** The keys of all objects of past snapshots. */
export async function selectPastSnapshotKeys(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'object_key' | 'means_key'>>(
    'select object_key, means_key from past_snapshots',
  );
  return new Set(rows.flatMap((row) => [row.object_key, row.means_key]));
}

/** Replaces all overviews at once, so that readers never see those of two builds. */
export async function replaceMarketOverviews(
  pool: Pool,
  format: number,
  overviews: readonly MarketOverview[],
): Promise<void> {
  await transaction(pool, async (connection) => {
    await connection.query('delete from market_overviews');
    for (const overview of overviews) {
      await connection.query('insert into market_overviews (day, format, overview) values ($1, $2, $3)', [
        formatDay(overview.day),
        format,
        JSON.stringify(overview),
      ]);
    }
  });
}

export interface FoundOverview {
  readonly overview: MarketOverview;
  /** The sessions before and after it that have an overview. */
  readonly previous: Day | null;
  readonly next: Day | null;
}

/** The overview of a session, or the newest; null: there is none. */
export async function selectMarketOverview(
  db: Queryable,
  format: number,
  day: Day | null,
): Promise<FoundOverview | null> {
  const { rows } = await db.query<{ overview: MarketOverview; previous: string | null; next: string | null }>(
    `select overview, (select max(day) from market_overviews where day < o.day) as previous,
       (select min(day) from market_overviews where day > o.day) as next
     from market_overviews o where format = $1 and ($2::date is null or day = $2) order by day desc limit 1`,
    [format, day === null ? null : formatDay(day)],
  );
  if (rows.length === 0) return null;
  const [{ overview, previous, next }] = rows;
  const toDay = (text: string | null) => (text === null ? null : requireDay(text));
  return { overview, previous: toDay(previous), next: toDay(next) };
}

/** The session with an overview that is nearest to a day, of two the older one; null: there is none. */
export async function selectNearestOverview(db: Queryable, format: number, day: Day): Promise<Day | null> {
  const { rows } = await db.query<{ day: string }>(
    'select day from market_overviews where format = $1 order by abs(day - $2::date), day limit 1',
    [format, formatDay(day)],
  );
  return rows.length === 0 ? null : requireDay(rows[0].day);
}
