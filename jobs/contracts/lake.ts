/** The lake: the market as Parquet files in object storage, for any query engine. A job writes it after each load. */
import { FIELDS } from '../../engine/screener/fields.ts';
import type { ParquetColumn } from '../parquet/parquet-file.ts';
import { emptyPayload, HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const LAKE_QUEUE = {
  name: 'lake.write',
  record: null,
  runbook: 'lake',
  lane: 'background',
  payload: emptyPayload,
  options: { ...ONE_AT_A_TIME, expireInSeconds: 3 * HOUR_S },
} as const satisfies QueueContract;

/** Version of the columns below. Raise it with every change of them, so that all files are written again. */
export const LAKE_SCHEMA = 3;

/** Bars as traded. Adjusted = raw × the newest factor of the symbol ÷ the row's own. */
export const BAR_COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text', isLookedUp: true },
  { name: 'date', type: 'date' },
  { name: 'open', type: 'double' },
  { name: 'high', type: 'double' },
  { name: 'low', type: 'double' },
  { name: 'close', type: 'double' },
  { name: 'volume', type: 'int64', isDelta: true },
  { name: 'split_factor', type: 'double' },
  { name: 'total_factor', type: 'double' },
  { name: 'venue_mode', type: 'text' },
];

const SYMBOL_COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'ticker', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'asset_type', type: 'text' },
  { name: 'primary_venue', type: 'text' },
  { name: 'currency', type: 'text' },
  { name: 'listed_on', type: 'date', isOptional: true },
  { name: 'delisted_on', type: 'date', isOptional: true },
  { name: 'delisting_return_pct', type: 'double', isOptional: true },
  { name: 'lot_size', type: 'int32' },
  { name: 'split_factor', type: 'double' },
  { name: 'total_factor', type: 'double' },
];

const EVENT_COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'ex_date', type: 'date' },
  { name: 'kind', type: 'text' },
  { name: 'factor', type: 'double' },
];

const SESSION_COLUMNS: readonly ParquetColumn[] = [
  { name: 'venue_mode', type: 'text' },
  { name: 'date', type: 'date' },
  { name: 'rows', type: 'int64' },
  { name: 'is_complete', type: 'boolean' },
];

const REVISED = [
  { name: 'open', type: 'double' },
  { name: 'high', type: 'double' },
  { name: 'low', type: 'double' },
  { name: 'close', type: 'double' },
  { name: 'volume', type: 'int64' },
  { name: 'event', type: 'text' },
  { name: 'factor', type: 'double' },
] as const;

const revised = (prefix: string) =>
  REVISED.map(({ name, type }): ParquetColumn => ({ name: `${prefix}_${name}`, type, isOptional: true }));

/** Bars (with a `venue_mode`) and events that loads changed: what was, and what is instead. */
const REVISION_COLUMNS: readonly ParquetColumn[] = [
  { name: 'id', type: 'int64' },
  { name: 'symbol', type: 'text' },
  { name: 'date', type: 'date' },
  { name: 'venue_mode', type: 'text', isOptional: true },
  ...revised('was'),
  ...revised('is'),
  { name: 'sync_job_id', type: 'int64', isOptional: true },
  { name: 'recorded_at', type: 'instant' },
];

/** The fields of the screener with their default periods: `rsi_14`, `sma_50`. */
export const SCREENER_FIELDS = FIELDS.map(({ code, defaultPeriod, kind }) => ({
  code,
  period: defaultPeriod ?? 0,
  column: defaultPeriod === null ? code : `${code}_${defaultPeriod}`,
  isFlag: kind === 'boolean',
}));

export const SCREENER_COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text', isLookedUp: true },
  { name: 'date', type: 'date' },
  ...SCREENER_FIELDS.map(
    ({ column, isFlag }): ParquetColumn => ({ name: column, type: isFlag ? 'boolean' : 'double', isOptional: true }),
  ),
];

/** How the rows of a table are divided among its files. */
export type Partition = 'venue_mode' | 'year';

/** A table over the files of the lake. */
export interface LakeTable {
  readonly name: string;
  readonly columns: readonly ParquetColumn[];
  /** Empty: it has one file. */
  readonly partitions: readonly Partition[];
  /** Columns that the rows of a file are sorted by. */
  readonly sort: readonly string[];
}

/** The namespace of the tables of the market. */
export const MARKET_NAMESPACE = 'market';

/** Each is a file of the lake, or a folder of them, of the same name. */
export const LAKE_TABLES: readonly LakeTable[] = [
  { name: 'daily_bars', columns: BAR_COLUMNS, partitions: ['venue_mode', 'year'], sort: ['symbol', 'date'] },
  { name: 'symbols', columns: SYMBOL_COLUMNS, partitions: [], sort: ['symbol'] },
  { name: 'events', columns: EVENT_COLUMNS, partitions: [], sort: ['symbol', 'ex_date'] },
  { name: 'sessions', columns: SESSION_COLUMNS, partitions: [], sort: ['venue_mode', 'date'] },
  { name: 'revisions', columns: REVISION_COLUMNS, partitions: [], sort: ['id'] },
  { name: 'screener_daily', columns: SCREENER_COLUMNS, partitions: ['year'], sort: ['symbol', 'date'] },
];
