/** The job of a SQL query. */
import { randomUUID } from 'node:crypto';
import { failRun, type RunFailure } from '../../db/backtests/backtest-runs.ts';
import { storedResult } from '../../db/backtests/run-results.ts';
import { failureOf } from '../backtest/run-kept.ts';
import { isPermanent, type JobContext } from '../job-context.ts';
import { SQL_LIMITS, type SqlResult, type SqlSpec, sqlSpecSchema } from './contract.ts';
import { cachedLake } from './lake-cache.ts';
import { describeDeath, type QueryOutcome, runQuery } from './run-query.ts';
import { keepSpare } from './spare.ts';
import type { Refusal } from './statement.ts';

export async function runSqlJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  const { pool, now, run, cost, isLastAttempt } = context;
  if (!run) return;
  try {
    const outcome = await resultOf(context, sqlSpecSchema.parse(JSON.parse(run.spec)));
    const at = new Date(now());
    if ('code' in outcome) return await failRun(pool, runId, outcome, at, cost.seconds());
    // The result is the caller's alone, and never used again.
    const fingerprint = Buffer.from(randomUUID());
    await context.endRun({ fingerprint, result: storedResult(outcome, {}), selection: null, trials: null, at });
  } catch (error) {
    if (isLastAttempt || isPermanent(error))
      await failRun(pool, runId, failureOf(error), new Date(now()), cost.seconds());
    throw error;
  }
}

async function resultOf(context: JobContext, spec: SqlSpec): Promise<SqlResult | RunFailure> {
  const lake = await cachedLake(context);
  if (!lake) return { code: 'files_unavailable', details: {} };
  const start = performance.now();
  const outcome = await runQuery(lake.folder, spec, context.signal);
  context.cost.add((performance.now() - start) / 1_000);
  keepSpare(lake.folder);
  if (outcome.type === 'died') context.log.error(outcome, describeDeath(outcome));
  if (outcome.type !== 'done') return failureOfQuery(outcome);
  const { columns, rows, truncated } = outcome.result;
  return { columns, rows, truncated, elapsed_ms: Math.round(performance.now() - start), as_of: lake.asOf };
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
