/**
 * The process of one query: opens the lake, reads a request from standard input, answers on standard output, and ends. Its working folder
 * is the cache of the lake; its arguments are DuckDB's memory in MB and an option (`WARM_UP`, `WITHOUT_VIEWS`, or `WITH_COLUMNS`). It has
 * no environment variables. When started as root it becomes the user nobody before it reads the query. The cache is read-only, and DuckDB
 * may read nothing else but the file of columns.
 */
import { text } from 'node:stream/consumers';
import { type DuckDBConnection, DuckDBInstance, DuckDBTypeId } from '@duckdb/node-api';
import { toError } from '../../engine/util/errors.ts';
import { COLUMNS_VIEW, type SQL_TYPES } from '../contracts/sql.ts';
import {
  BEGUN,
  END,
  READY,
  type SandboxReply,
  type SandboxRequest,
  WARM_UP,
  WITH_COLUMNS,
  WITHOUT_VIEWS,
} from './sandbox-protocol.ts';
import { checkQuery, plainMessage } from './statement.ts';
import { COLUMNS_FILE, columnsView, VIEW_DEFINITIONS } from './views.ts';

/** The user and group `nobody`. */
const NOBODY = 65_534;
/** Runs while the process waits for its query, so that threads, code, and memory are ready. */
const WARM_UP_QUERY = `select count(symbol), max(date), sum(volume), avg(close) from (from bars limit 200000)`;

/** Opens DuckDB over the working folder and locks everything that a query could change. */
async function openLake(memoryMb: number, option: string | undefined): Promise<DuckDBConnection> {
  const hasColumns = option === WITH_COLUMNS;
  const views = option === WITHOUT_VIEWS ? [] : [...VIEW_DEFINITIONS, columnsView(hasColumns)];
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${memoryMb}MB`, threads: '2' });
  const connection = await instance.connect();
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  }
  // In this order: what may be read can only be set while access is enabled.
  await connection.run(`set temp_directory = ''`);
  await connection.run(`set allowed_directories = ['.']`);
  if (hasColumns) await connection.run(`set allowed_paths = ['${COLUMNS_FILE}']`);
  await connection.run('set enable_external_access = false');
  for (const view of views) await connection.run(view);
  await connection.run('set lock_configuration = true');
  return connection;
}

async function answer(connection: DuckDBConnection, request: SandboxRequest): Promise<SandboxReply> {
  const checked = await checkQuery(connection, request.query);
  if (!('statement' in checked)) return checked;
  if (checked.views.has(COLUMNS_VIEW) && option !== WITH_COLUMNS) return { type: 'lacks_columns' };
  return run(connection, checked.statement, request);
}

async function run(
  connection: DuckDBConnection,
  statement: string,
  { limit, resultMb }: SandboxRequest,
): Promise<SandboxReply> {
  const reader = await connection.streamAndReadUntil(statement, limit + 1);
  const columns = reader.deduplicatedColumnNames().map((name, i) => ({ name, type: typeOf(reader.columnTypeId(i)) }));
  const rows = reader.getRowsJson().slice(0, limit);
  const result = {
    columns,
    rows: rows.map((row) => row.map((value, i) => cellOf(value, columns[i].type))),
    truncated: reader.currentRowCount > limit,
  };
  const reply: SandboxReply = { type: 'done', result };
  return Buffer.byteLength(JSON.stringify(reply)) > resultMb * 2 ** 20 ? { type: 'exceeded', limit: 'result' } : reply;
}

type SqlType = (typeof SQL_TYPES)[number];

const INTEGERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);
const NUMBERS = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL]);

function typeOf(id: DuckDBTypeId): SqlType {
  if (id === DuckDBTypeId.BOOLEAN) return 'boolean';
  if (id === DuckDBTypeId.DATE) return 'date';
  if (INTEGERS.has(id)) return 'integer';
  return NUMBERS.has(id) ? 'number' : 'text';
}

/** Large integers stay text, so that no digit is lost; infinities and NaN, which JSON lacks, become null. */
function cellOf(value: unknown, type: SqlType): string | number | boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  if (type === 'integer' || type === 'number') {
    const number = Number(value);
    if (!Number.isFinite(number)) return null;
    return type === 'integer' && !Number.isSafeInteger(number) ? String(value) : number;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function failureOf(error: unknown): SandboxReply {
  const { message } = toError(error);
  if (message.startsWith('Out of Memory')) return { type: 'exceeded', limit: 'memory' };
  return { type: 'invalid', message: plainMessage(message) };
}

const [, , memoryMb, option] = process.argv;
const connection = await openLake(Number(memoryMb), option);
if (option === WARM_UP) await answer(connection, { query: WARM_UP_QUERY, limit: 1, resultMb: 1 }).catch(failureOf);
process.stdout.write(READY);
const input = await text(process.stdin);
if (input === '') process.exit(0);
process.stdout.write(BEGUN.slice(READY.length));
const reply = await answer(connection, JSON.parse(input)).catch(failureOf);
process.stdout.write(`${JSON.stringify(reply)}${END}`, () => process.exit(0));
