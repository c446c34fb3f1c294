/** SQL over the files of the market: `/v1/sql`. */
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { SQL_FILE_TYPES, SQL_FORMATS, SQL_LIMITS, SQL_VIEWS } from '../../jobs/contracts/sql.ts';
import type { Route } from '../call/route.ts';
import { z } from '../http/input/fields.ts';
import { jobPath, waitQuery } from '../runs/fields.ts';
import { jobSchema } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../runs/services.ts';
import { answerSql, sqlState } from './handlers.ts';
import { sqlSchema, sqlStateSchema } from './schemas.ts';

const TAG = 'Files and SQL';
const { min, max, default: usual } = SQL_LIMITS.rows;

const sqlBody = z.strictObject({
  query: z.string().min(1).max(SQL_LIMITS.queryChars),
  format: z.enum(SQL_FORMATS).default('json'),
  limit: z.int().min(min).max(max).default(usual).meta({ description: 'Rows at most' }),
});

export const SQL_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'runQuery',
    method: 'post',
    path: '/v1/sql',
    tag: TAG,
    summary: 'Query the market in SQL',
    description: `One SELECT of DuckDB over ${SQL_VIEWS.join(', ')}; DESCRIBE, SUMMARIZE, SHOW TABLES, PRAGMA table_info, and EXPLAIN answer too. Plans pro and enterprise. A result that ends at \`limit\` says so: \`truncated\` in JSON, the header \`X-Truncated: true\`, a file name that ends in \`-truncated\`, and the metadata \`truncated\` of Parquet and Arrow.`,
    access: 'member',
    limit: 'batch',
    takesIdempotencyKey: true,
    takesPrefer: true,
    bodySchema: sqlBody,
    bodyExample: {
      query: "select symbol, rsi_14 from screener_daily where date = '2026-05-29' order by rsi_14 limit 3",
    },
    dataSchema: sqlSchema,
    acceptedSchema: jobSchema,
    alsoAnswers: Object.values(SQL_FILE_TYPES),
    errors: [
      'plan_capability',
      'quota_exceeded',
      'sql_invalid',
      'sql_not_allowed',
      'sql_exceeded',
      'sql_unavailable',
      'files_unavailable',
      'concurrent_backtests',
      'backtest_cancelled',
    ],
    errorDetails: { plan_capability: { plan: 'free', category: 'sql_rows_max' } },
    handle: ({ body, ...call }) => answerSql(call, body),
  }),
  defineRoute({
    operationId: 'getQueryJob',
    method: 'get',
    path: `${RUN_KINDS.sql.jobsPath}/{job_id}`,
    tag: TAG,
    summary: 'State of a queued query',
    access: 'anyone',
    limit: 'public',
    pathSchema: jobPath,
    querySchema: waitQuery,
    dataSchema: sqlStateSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => sqlState(call, path.job_id, query.wait),
  }),
];
