/** The tables of the lake. */
import { bigint, boolean, date, integer, jsonb, nullable, smallint, text, timestamptz, uuid } from './columns.ts';

/** Figures of one column of a Parquet file. */
export interface ColumnStatistics {
  /** Stored bytes. */
  readonly bytes: number;
  readonly nulls: number;
  /** The least and the greatest value, as Iceberg serializes single values, in base64; null: there are none. */
  readonly bounds: readonly [lower: string, upper: string] | null;
}

/** Figures of a Parquet file, with which readers plan: of its columns by name, and the offsets of its row groups. */
export interface FileStatistics {
  readonly columns: Readonly<Record<string, ColumnStatistics>>;
  readonly groups: readonly number[];
}

export const LAKE_TABLES = {
  bar_years: {
    basis: smallint,
    year: smallint,
    /** Loads that changed bars of the year. */
    version: bigint,
  },
  lake: {
    only_row: boolean,
    schema_version: integer,
    data_version: text,
    /** The newest day that could be distributed when the files were written. */
    through: date,
    newest_session: date,
    written_at: timestamptz,
  },
  lake_files: {
    /** As `/v1/files` lists it; it begins with the name of its table. */
    path: text,
    rows: bigint,
    bytes: bigint,
    sha256: text,
    /** Digest of everything that the content was made from. */
    source: text,
    /** The snapshot that added the file to its table, and that snapshot's sequence number; null: none has. */
    snapshot_id: nullable(bigint),
    sequence_number: nullable(bigint),
    statistics: nullable(jsonb<FileStatistics>()),
  },
  lake_tables: {
    /** With its namespace: `market.daily_bars`. */
    name: text,
    table_uuid: uuid,
    /** Where other readers find its objects. */
    location: text,
    /** The number of its current metadata file. */
    version: integer,
    snapshot_id: bigint,
    sequence_number: bigint,
    /** Every column that it has had: name and type → field id. */
    field_ids: jsonb<Readonly<Record<string, number>>>(),
    committed_at: timestamptz,
  },
  lake_snapshots: {
    table_name: text,
    snapshot_id: bigint,
    data_version: text,
    committed_at: timestamptz,
  },
  lake_orphans: {
    key: text,
    /** When it was first found to be in no kept snapshot. */
    found_at: timestamptz,
  },
};
