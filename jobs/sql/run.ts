/** The job of a SQL query. */

import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Bool, DateDay, Float64, Int64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import Papa from 'papaparse';
import type { RunFailure } from '../../db/runs/runs.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { sqlResultKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { refusedLoad } from '../contracts/load.ts';
import {
  COLUMNS_VIEW,
  type RecordedSql,
  SQL_LIMITS,
  type SqlFormat,
  type SqlResult,
  type SqlSpec,
  sqlSpecSchema,
} from '../contracts/sql.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { currentLake, lakeAt } from '../tables/lake-at.ts';
import { type CacheContext, CacheFull, cacheLake } from './lake-cache.ts';
import { openColumns } from './own-columns.ts';
import { describeDeath, type QueryContext, type QueryOutcome, runQuery } from './run-query.ts';
import type { Refusal } from './sandbox-protocol.ts';
import { keepSpare } from './spare.ts';

type SqlContext = RunContext & CacheContext & QueryContext;

export function runSqlJob(context: SqlContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const spec = sqlSpecSchema.parse(JSON.parse(run.spec));
    const outcome = await resultOf(context, spec, run.userId);
    if ('code' in outcome) return outcome;
    await finishUncached(context, await recordedOf(context, runId, outcome, spec.format));
    return null;
  });
}

/** Stores long results as objects, whose bytes API processes send as they are. */
async function recordedOf(
  { storage }: Pick<JobContext, 'storage'>,
  runId: string,
  result: SqlResult,
  format: SqlFormat,
): Promise<RecordedSql> {
  const json = Buffer.from(JSON.stringify(result));
  const isShort = json.length <= SQL_LIMITS.shortBytes;
  const bytes: RecordedSql['bytes'] = {};
  if (!isShort) bytes.json = await storage.put(sqlResultKey(runId, 'json'), Readable.from([json]));
  if (format !== 'json') {
    bytes[format] = await storage.put(sqlResultKey(runId, format), Readable.from([fileOf(result, format)]));
  }
  const { truncated, data_version } = result;
  return { truncated, data_version, result: isShort ? result : null, bytes };
}

async function resultOf(context: SqlContext, spec: SqlSpec, userId: number | null): Promise<SqlResult | RunFailure> {
  const { pool } = context;
  const { as_of_load: load } = spec;
  const lake = load === undefined ? await currentLake(context) : await lakeAt(context, load);
  if (!lake) {
    if (load === undefined) return { code: 'files_unavailable', details: {} };
    return { code: 'load_not_kept', details: await refusedLoad(pool, load) };
  }
  const folder = await cacheLake(context, lake, load === undefined ? null : (userId ?? 0)).catch((error) => {
    if (error instanceof CacheFull) return null;
    throw error;
  });
  if (folder === null) return { code: 'sql_unavailable', details: {} };
  const start = performance.now();
  const outcome = await answerOf(context, folder, spec, userId);
  if (load === undefined) keepSpare(folder);
  if (outcome.type === 'died') context.log.error(outcome, describeDeath(outcome));
  if (outcome.type !== 'done') return failureOfQuery(outcome);
  const { columns, rows, truncated } = outcome.result;
  return {
    columns,
    rows,
    truncated,
    elapsed_ms: Math.round(performance.now() - start),
    as_of: lake.newestSession,
    data_version: lake.dataVersion,
    snapshots: lake.snapshots,
  };
}

/** The rows of `my_columns` are written only for a query that names it. */
async function answerOf(
  context: SqlContext,
  folder: string,
  spec: SqlSpec,
  userId: number | null,
): Promise<QueryOutcome> {
  const run = async (columns?: FileHandle) => {
    const { outcome, seconds } = await runQuery(folder, spec, context, columns);
    context.cost.add(seconds);
    return outcome;
  };
  const outcome = await run();
  if (outcome.type !== 'lacks_columns') return outcome;
  const columns = await openColumns(context, userId);
  if (columns === null) return { type: 'exceeded', limit: 'columns' };
  try {
    return await run(columns);
  } finally {
    await columns.close();
  }
}

function failureOfQuery(outcome: Exclude<QueryOutcome, { type: 'done' }>): RunFailure {
  switch (outcome.type) {
    case 'invalid':
      return { code: 'sql_invalid', details: { problem: outcome.message } };
    case 'refused':
      return { code: 'sql_not_allowed', details: { value: shownRefusal(outcome.refusal) } };
    case 'exceeded':
      return { code: 'sql_exceeded', details: { limit: LIMITS[outcome.limit] } };
    case 'died':
    case 'lacks_columns':
      return { code: 'sql_unavailable', details: {} };
  }
}

const LIMITS = {
  time: `${SQL_LIMITS.seconds} s`,
  memory: `${SQL_LIMITS.memoryMb} MB`,
  result: `${SQL_LIMITS.resultMb} MB`,
  columns: `${SQL_LIMITS.columnsMb} MB (${COLUMNS_VIEW})`,
} as const;

const MAX_SHOWN = 80;

function shownRefusal({ problem, value }: Refusal): string {
  const shown = value.slice(0, MAX_SHOWN);
  if (problem === 'function') return `${shown}()`;
  return problem === 'not_one_select' ? ';' : shown || '…';
}

type Column = SqlResult['columns'][number];
type Cell = SqlResult['rows'][number][number];

/** Metadata of a file whose rows were cut off at the limit. */
const CUT = { truncated: 'true' } as const;

const PARQUET_TYPES = {
  boolean: 'boolean',
  integer: 'int64',
  number: 'double',
  date: 'date',
  text: 'text',
} as const satisfies Record<Column['type'], ParquetColumn['type']>;

/** A result as a file. Text columns have the texts of the JSON result; the metadata shows whether rows were cut off. */
export function fileOf(result: SqlResult, format: Exclude<SqlFormat, 'json'>): Buffer {
  return WRITERS[format](result);
}

const WRITERS = {
  csv: csvFile,
  parquet: parquetFile,
  arrow: (result: SqlResult) => arrowFile(result, 'file'),
  arrow_stream: (result: SqlResult) => arrowFile(result, 'stream'),
} as const;

/** With a byte order mark, and with cells escaped so that spreadsheets do not run them as formulas. */
function csvFile({ columns, rows }: SqlResult): Buffer {
  const fields = columns.map(({ name }) => name);
  return Buffer.from(`\uFEFF${Papa.unparse({ fields, data: rows }, { escapeFormulae: true, newline: '\r\n' })}\r\n`);
}

function parquetFile({ columns, rows, truncated }: SqlResult): Buffer {
  const kinds = columns.map((column, i) => kindOf(column, rows, i));
  const file = new ParquetFile(
    'query',
    columns.map(({ name }, i): ParquetColumn => ({ name, type: PARQUET_TYPES[kinds[i]], isOptional: true })),
    { metadata: truncated ? CUT : {} },
  );
  const data = columns.map((_, i): ColumnData => rows.map((row) => storedValue(row[i], kinds[i])));
  const group = rows.length > 0 ? file.group(data, rows.length) : Buffer.alloc(0);
  return Buffer.concat([group, file.finish()]);
}

const ARROW_TYPES = {
  boolean: () => new Bool(),
  integer: () => new Int64(),
  number: () => new Float64(),
  date: () => new DateDay(),
  text: () => new Utf8(),
} as const;

function arrowFile({ columns, rows, truncated }: SqlResult, form: 'file' | 'stream'): Buffer {
  const vectors = columns.map((column, i) => {
    const kind = kindOf(column, rows, i);
    const values = rows.map((row) => (kind === 'date' ? dateOf(row[i]) : storedValue(row[i], kind)));
    return [column.name, vectorFromArray(values, ARROW_TYPES[kind]())] as const;
  });
  const table = new Table(Object.fromEntries(vectors));
  if (truncated) for (const [key, value] of Object.entries(CUT)) table.schema.metadata.set(key, value);
  return Buffer.from(tableToIPC(table, form));
}

/** Columns with an integer beyond 64 bits or a date outside of four-digit years are text. */
function kindOf({ type }: Column, rows: SqlResult['rows'], i: number): Column['type'] {
  const fits = (cell: Cell) => {
    if (cell === null) return true;
    if (type === 'integer') return BigInt.asIntN(64, BigInt(String(cell))) === BigInt(String(cell));
    return type !== 'date' || /^\d{4}-\d\d-\d\d$/.test(String(cell));
  };
  return rows.every((row) => fits(row[i])) ? type : 'text';
}

function storedValue(cell: Cell, kind: Column['type']) {
  if (cell === null) return null;
  if (kind === 'integer') return BigInt(String(cell));
  if (kind === 'date') return requireDay(String(cell));
  return kind === 'text' ? String(cell) : cell;
}

const dateOf = (cell: Cell) => (cell === null ? null : new Date(`${cell}T00:00:00Z`));
