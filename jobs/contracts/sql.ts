/** SQL over the files of the lake: the queue, the specification of a query, and its result. */
import { z } from 'zod';
import { BACKTEST_QUEUE } from './backtest.ts';
import { loadSchema } from './load.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

/** The view of the columns of the caller and of everyone; the others are of the lake. */
export const COLUMNS_VIEW = 'my_columns';

/** The views that queries read. */
export const SQL_VIEWS = [
  'bars',
  'bars_adjusted',
  'symbols',
  'events',
  'sessions',
  'screener_daily',
  COLUMNS_VIEW,
] as const;

export const SQL_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'sql',
  runbook: 'sql',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1 },
} as const satisfies QueueContract;

export const SQL_FORMATS = ['json', 'csv', 'parquet', 'arrow', 'arrow_stream'] as const;
export type SqlFormat = (typeof SQL_FORMATS)[number];

export const SQL_FILE_TYPES = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
  arrow_stream: 'application/vnd.apache.arrow.stream',
} as const;

export const sqlSpecSchema = z.object({
  query: z.string(),
  limit: z.int(),
  /** Absent in jobs that an earlier version queued. */
  format: z.enum(SQL_FORMATS).default('json'),
  /** Version of the data or id of a snapshot; absent: the present files. */
  as_of_load: loadSchema.optional(),
});
export type SqlSpec = z.infer<typeof sqlSpecSchema>;

export const SQL_LIMITS = {
  queryChars: 20_000,
  rows: { min: 1, max: 100_000, default: 1_000 },
  seconds: 30,
  /** Memory limit of DuckDB. */
  memoryMb: 512,
  /** Resident memory at which the process is killed. */
  processMb: 1_024,
  /** Maximum size of the rows of `my_columns`, as the database packs them. */
  columnsMb: 512,
  /** Maximum size of a result as JSON. */
  resultMb: 32,
  /** A larger result, as JSON, is stored as an object. */
  shortBytes: 65_536,
} as const;

/** Types of columns. Values of dates and times are text, and so are integers beyond 2^53. */
export const SQL_TYPES = ['boolean', 'integer', 'number', 'date', 'text'] as const;

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sqlResultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.enum(SQL_TYPES) })),
  rows: z.array(z.array(cellSchema)),
  /** Whether there are more rows than the limit. */
  truncated: z.boolean(),
  elapsed_ms: z.int(),
  /** Newest session in the files. */
  as_of: z.string(),
  /** Version of the data in the files, and the snapshots of tables that they are. */
  data_version: z.string(),
  snapshots: z.record(z.string(), z.int()),
});
export type SqlResult = z.infer<typeof sqlResultSchema>;

/** The record of a result: the result if it is short, and the sizes of its stored objects by format. */
export const recordedSqlSchema = z.object({
  truncated: z.boolean(),
  data_version: z.string(),
  result: sqlResultSchema.nullable(),
  bytes: z.partialRecord(z.enum(SQL_FORMATS), z.int()),
});
export type RecordedSql = z.infer<typeof recordedSqlSchema>;
