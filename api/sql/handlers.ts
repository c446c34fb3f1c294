/** Handlers of the routes of SQL. */
import Papa from 'papaparse';
import { type SqlResult, sqlResultSchema } from '../../jobs/sql/contract.ts';
import type { AccountCaller } from '../access/caller.ts';
import { type BacktestCall, isDone, ownRun } from '../backtests/handlers.ts';
import { requestRun, SQL_JOBS_PATH } from '../backtests/run.ts';
import { acceptedRun, runState } from '../backtests/run-failure.ts';
import { jsonObject } from '../http/answer/json-text.ts';
import { type Accepted, FileReply, JsonText } from '../http/answer/reply.ts';
import { assertPlanHas, assertWithin } from '../limits/quotas.ts';
import { arrowFile, parquetFile } from './files.ts';

export const SQL_FORMATS = ['json', 'csv', 'parquet', 'arrow'] as const;

export const SQL_FILE_TYPES = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
} as const;

interface SqlBody {
  readonly query: string;
  readonly format: (typeof SQL_FORMATS)[number];
  readonly limit: number;
}

/** Runs a query in the queue: its result in the wanted format, or 202 with where to ask for it. */
export async function answerSql(
  call: BacktestCall<AccountCaller>,
  { query, format, limit }: SqlBody,
): Promise<JsonText | FileReply | Accepted> {
  const { services, context, caller } = call;
  assertPlanHas(caller, 'sql_rows_max');
  assertWithin(caller, 'sql_rows_max', limit);
  const isAsync = /(^|,)\s*respond-async\s*(,|;|$)/i.test(context.prefer ?? '');
  const run = await requestRun(services, context, caller, {
    kind: 'sql',
    spec: { query, limit },
    save: false,
    isAsync,
  });
  if (isDone(run) && !isAsync) return inFormat(run.result.summary, format);
  return acceptedRun(services.pool, run, SQL_JOBS_PATH, context.locale);
}

function inFormat(text: string, format: SqlBody['format']): JsonText | FileReply {
  if (format === 'json') return new JsonText(text);
  const result = sqlResultSchema.parse(JSON.parse(text));
  return new FileReply(`query.${format}`, SQL_FILE_TYPES[format], CONTENTS[format](result));
}

const CONTENTS = { csv: csvText, parquet: parquetFile, arrow: arrowFile } as const;

/** With a byte order mark, and with cells that no spreadsheet runs as a formula. */
function csvText({ columns, rows }: SqlResult): string {
  const fields = columns.map(({ name }) => name);
  return `\uFEFF${Papa.unparse({ fields, data: rows.map((row) => [...row]) }, { escapeFormulae: true, newline: '\r\n' })}\r\n`;
}

export async function sqlState(call: BacktestCall, jobId: string, waitSeconds: number): Promise<JsonText> {
  const run = await ownRun(call, 'sql', jobId, waitSeconds);
  const head = await runState(call.services.pool, run, call.context.locale);
  return new JsonText(jsonObject(head, [['result', isDone(run) ? run.result.summary : 'null']]));
}
