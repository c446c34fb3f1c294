/** SQL over the files of the market: `/v1/sql`. */
import {
  type RecordedSql,
  recordedSqlSchema,
  SQL_FILE_TYPES,
  SQL_FORMATS,
  SQL_LIMITS,
  SQL_TYPES,
  SQL_VIEWS,
  type SqlFormat,
} from '../../jobs/contracts/sql.ts';
import { sqlResultKey } from '../../storage/keys.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { ARROW_STREAM } from '../http/answer/arrow.ts';
import { FileStream, JsonStream, JsonText, openObject } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import { asOfLoad, readSnapshots, requireKept } from '../runs/as-of-load.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { type Asked, startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import type { RunCall, Services } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';

const { awaited } = startsWith<Services>();

const TAG = 'Files and SQL';
const { min, max, default: usual } = SQL_LIMITS.rows;

const sqlBody = z.strictObject({
  query: z.string().min(1).max(SQL_LIMITS.queryChars),
  format: z.enum(SQL_FORMATS).default('json'),
  limit: z.int().min(min).max(max).default(usual).meta({ description: 'Rows at most' }),
  as_of_load: asOfLoad,
});

const sqlSchema = z
  .object({
    columns: z.array(z.object({ name: z.string(), type: z.enum(SQL_TYPES) })),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    truncated: z.boolean(),
    elapsed_ms: z.int(),
    as_of: z.string(),
    data_version: z.string(),
    snapshots: readSnapshots,
  })
  .meta({ id: 'QueryResult' });

const sqlStateSchema = stateOf(sqlSchema);

async function askedQuery(
  call: RunCall<AccountCaller>,
  { query, format, limit, as_of_load }: z.output<typeof sqlBody>,
): Promise<Asked<JsonText | JsonStream | FileStream>> {
  assertPlanHas(call.caller, 'sql_rows_max');
  assertWithin(call.caller, 'sql_rows_max', limit);
  if (as_of_load !== undefined) await requireKept(call.services.pool, as_of_load);
  const isStream = format === 'json' && call.context.preferredType(['application/json', ARROW_STREAM]) === ARROW_STREAM;
  const chosen = isStream ? 'arrow_stream' : format;
  return {
    kind: 'sql',
    spec: { query, limit, format: chosen, as_of_load },
    show: (run) => inFormat(call, run, chosen),
  };
}

/** The record of a result. Sets headers that files have too. */
function recordedOf({ context }: RunCall, { result }: DoneRun): RecordedSql {
  const recorded = recordedSqlSchema.parse(JSON.parse(result.summary));
  context.headers['X-Data-Version'] = recorded.data_version;
  if (recorded.truncated) context.headers['X-Truncated'] = 'true';
  return recorded;
}

function inFormat(call: RunCall, run: DoneRun, format: SqlFormat): JsonText | JsonStream | FileStream {
  const recorded = recordedOf(call, run);
  if (format === 'json') return jsonOf(call, run, recorded);
  const name = recorded.truncated ? 'query-truncated' : 'query';
  const extension = format === 'arrow_stream' ? 'arrow' : format;
  return new FileStream(`${name}.${extension}`, SQL_FILE_TYPES[format], storedPieces(call, run, format));
}

function jsonOf(call: RunCall, run: DoneRun, { result }: RecordedSql): JsonText | JsonStream {
  return result ? new JsonText(JSON.stringify(result)) : new JsonStream(storedPieces(call, run, 'json'), run.id);
}

/** The bytes of the file that the worker has stored. */
function storedPieces({ services }: RunCall, { id }: DoneRun, format: SqlFormat): AsyncIterable<Buffer> {
  async function* read(): AsyncGenerator<Buffer> {
    yield* await openObject(services.storage, sqlResultKey(id, format), 'sql_unavailable');
  }
  return { [Symbol.asyncIterator]: read };
}

export const QUERIES: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'runQuery',
      path: '/v1/sql',
      tag: TAG,
      summary: 'Query the market in SQL',
      description: `One SELECT of DuckDB over ${SQL_VIEWS.join(', ')}; DESCRIBE, SUMMARIZE, SHOW TABLES, PRAGMA table_info, and EXPLAIN work too. Plans pro and enterprise. A result that is cut off at \`limit\` says so: \`truncated\` in JSON, the header \`X-Truncated: true\`, a file name that ends in \`-truncated\`, and the metadata \`truncated\` of Parquet and Arrow. \`Accept\` of a stream of Arrow is \`format: arrow_stream\`.\n\n\`my_columns\` has the rows of the caller's columns and of everyone's, in their newest versions. The other views are the Iceberg tables of \`/iceberg\`. With \`as_of_load\`, they are as they were after an earlier load; \`data_version\`, also a header (\`X-Data-Version\`), and \`snapshots\` say what was read.`,
      access: 'member',
      limit: 'batch',
      bodySchema: sqlBody,
      bodyExample: {
        query: "select symbol, rsi_14 from screener_daily where date = '2026-05-29' order by rsi_14 limit 3",
      },
      dataSchema: sqlSchema,
      alsoAnswers: Object.values(SQL_FILE_TYPES),
      errors: [
        'plan_capability',
        'quota_exceeded',
        'sql_invalid',
        'sql_not_allowed',
        'sql_exceeded',
        'sql_unavailable',
        'files_unavailable',
        'load_not_kept',
      ],
      errorDetails: { plan_capability: { plan: 'free', category: 'sql_rows_max' } },
      read: ({ body, ...call }) => askedQuery(call, body),
    }),
  ],
  state: stateRoute('sql', TAG, {
    operationId: 'getQueryJob',
    summary: 'Get the state of a queued query',
    dataSchema: sqlStateSchema,
    show: (call, run) => jsonOf(call, run, recordedOf(call, run)),
  }),
};
