/** Runs the jobs of calls in this process, as a worker does. */
import type { Response } from 'supertest';
import type { RunKind } from '../../db/backtests/backtest-runs.ts';
import { HANDLERS } from '../../jobs/handlers.ts';
import type { JobContext } from '../../jobs/job-context.ts';
import type { TestApi } from './api.ts';
import { testJobContext } from './job-context.ts';

type Headers = Record<string, string>;

/** Sends a call that queues a run, runs it, and returns the state of its job. */
export async function runNow(
  api: TestApi,
  given: Partial<JobContext>,
  { path, body, headers }: { readonly path: string; readonly body?: object; readonly headers: Headers },
): Promise<Response> {
  const accepted = await api.post(path, body, { ...headers, prefer: 'respond-async' });
  if (accepted.status !== 202) throw new Error(`${path}: ${accepted.status} ${accepted.text.slice(0, 500)}`);
  const { job_id: runId, location } = accepted.body.data;
  const { pool, now } = api.services;
  const { rows } = await pool.query<{ kind: RunKind }>('select kind from backtest_runs where id = $1', [runId]);
  await HANDLERS[rows[0].kind](testJobContext({ pool, now, ...given }), { runId, requestId: null });
  await pool.query(`delete from pgboss.job where id = $1`, [runId]);
  return api.get(location, headers);
}
