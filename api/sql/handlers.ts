/** Handlers of the routes of SQL. */
import type { ServedResult } from '../../db/runs/run-results.ts';
import type { Run } from '../../db/runs/runs.ts';
import { type RecordedSql, recordedSqlSchema, SQL_FILE_TYPES, type SqlFormat } from '../../jobs/contracts/sql.ts';
import { sqlResultKey } from '../../storage/keys.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { type Accepted, FileStream, JsonStream, JsonText, openObject } from '../http/answer/reply.ts';
import { requestRun } from '../runs/request.ts';
import type { RunCall } from '../runs/services.ts';
import { acceptedRun, isDone, ownRun, runState } from '../runs/state.ts';

interface SqlBody {
  readonly query: string;
  readonly format: SqlFormat;
  readonly limit: number;
}

/** Runs a query in the queue: its result in the wanted format, or 202 with where to ask for it. */
export async function answerSql(
  call: RunCall<AccountCaller>,
  { query, format, limit }: SqlBody,
): Promise<JsonText | JsonStream | FileStream | Accepted> {
  const { services, context, caller } = call;
  assertPlanHas(caller, 'sql_rows_max');
  assertWithin(caller, 'sql_rows_max', limit);
  const run = await requestRun(services, context, caller, {
    kind: 'sql',
    spec: { query, limit, format },
    save: false,
    isAsync: context.isAsync,
  });
  if (isDone(run) && !context.isAsync) return inFormat(call, run, format);
  return acceptedRun(services.pool, run, context.locale);
}

type DoneRun = Pick<Run, 'id'> & { readonly result: ServedResult };

/** The record of a result. One that was cut says so in a header. */
function recordedOf({ context }: RunCall, { result }: DoneRun): RecordedSql {
  const recorded = recordedSqlSchema.parse(JSON.parse(result.summary));
  if (recorded.truncated) context.headers['X-Truncated'] = 'true';
  return recorded;
}

function inFormat(call: RunCall, run: DoneRun, format: SqlFormat): JsonText | JsonStream | FileStream {
  const recorded = recordedOf(call, run);
  if (format === 'json') return jsonOf(call, run, recorded);
  const name = recorded.truncated ? 'query-truncated' : 'query';
  return new FileStream(`${name}.${format}`, SQL_FILE_TYPES[format], storedPieces(call, run, format));
}

function jsonOf(call: RunCall, run: DoneRun, { result }: RecordedSql): JsonText | JsonStream {
  return result ? new JsonText(JSON.stringify(result)) : new JsonStream(storedPieces(call, run, 'json'), run.id);
}

/** The bytes that the worker has stored. */
function storedPieces({ services }: RunCall, { id }: DoneRun, format: SqlFormat): AsyncIterable<Buffer> {
  async function* read(): AsyncGenerator<Buffer> {
    yield* await openObject(services.storage, sqlResultKey(id, format), 'sql_unavailable');
  }
  return { [Symbol.asyncIterator]: read };
}

export async function sqlState(call: RunCall, jobId: string, waitSeconds: number): Promise<JsonText | JsonStream> {
  const run = await ownRun(call, 'sql', jobId, waitSeconds);
  const head = await runState(call.services.pool, run, call.context.locale);
  const result = isDone(run) ? jsonOf(call, run, recordedOf(call, run)) : new JsonText('null');
  return objectWith(head, [['result', result]]);
}
