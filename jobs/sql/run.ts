/** The job of a SQL query. */
import { Readable } from 'node:stream';
import type { RunFailure } from '../../db/runs/runs.ts';
import { sqlResultKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { refusedLoad } from '../contracts/load.ts';
import {
  type RecordedSql,
  SQL_LIMITS,
  type SqlFormat,
  type SqlResult,
  type SqlSpec,
  sqlSpecSchema,
} from '../contracts/sql.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { currentLake, lakeAt } from '../tables/lake-at.ts';
import { fileOf } from './files.ts';
import { type CacheContext, CacheFull, cacheLake } from './lake-cache.ts';
import { describeDeath, type QueryContext, type QueryOutcome, runQuery } from './run-query.ts';
import type { Refusal } from './sandbox-protocol.ts';
import { keepSpare } from './spare.ts';

type SqlContext = RunContext & CacheContext & QueryContext;

export function runSqlJob(context: SqlContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const spec = sqlSpecSchema.parse(JSON.parse(run.spec));
    const outcome = await resultOf(context, spec, run.userId ?? 0);
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

async function resultOf(context: SqlContext, spec: SqlSpec, userId: number): Promise<SqlResult | RunFailure> {
  const { pool } = context;
  const { as_of_load: load } = spec;
  const lake = load === undefined ? await currentLake(context) : await lakeAt(context, load);
  if (!lake) {
    if (load === undefined) return { code: 'files_unavailable', details: {} };
    return { code: 'load_not_kept', details: await refusedLoad(pool, load) };
  }
  const folder = await cacheLake(context, lake, load === undefined ? null : userId).catch((error) => {
    if (error instanceof CacheFull) return null;
    throw error;
  });
  if (folder === null) return { code: 'sql_unavailable', details: {} };
  const start = performance.now();
  const { outcome, seconds } = await runQuery(folder, spec, context);
  context.cost.add(seconds);
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

function failureOfQuery(outcome: Exclude<QueryOutcome, { type: 'done' }>): RunFailure {
  switch (outcome.type) {
    case 'invalid':
      return { code: 'sql_invalid', details: { problem: outcome.message } };
    case 'refused':
      return { code: 'sql_not_allowed', details: { value: shownRefusal(outcome.refusal) } };
    case 'exceeded':
      return { code: 'sql_exceeded', details: { limit: LIMITS[outcome.limit] } };
    case 'died':
      return { code: 'sql_unavailable', details: {} };
  }
}

const LIMITS = {
  time: `${SQL_LIMITS.seconds} s`,
  memory: `${SQL_LIMITS.memoryMb} MB`,
  result: `${SQL_LIMITS.resultMb} MB`,
} as const;

const MAX_SHOWN = 80;

function shownRefusal({ problem, value }: Refusal): string {
  const shown = value.slice(0, MAX_SHOWN);
  if (problem === 'function') return `${shown}()`;
  return problem === 'not_one_select' ? ';' : shown || '…';
}
