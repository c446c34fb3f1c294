/** The tables of the lake. */
import { bigint, boolean, date, integer, smallint, text, timestamptz } from './columns.ts';

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
    /** Below `lake/v1/`. */
    path: text,
    rows: bigint,
    bytes: bigint,
    sha256: text,
    /** Digest of everything that the content was made from. */
    source: text,
    /** The stored object may be newer than this row. */
    is_being_replaced: boolean,
  },
};
