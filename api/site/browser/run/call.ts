/** Running a backtest: the call waits for it, and goes on asking where it takes longer. */
import { dataOf, path } from '../api.ts';
import { get, sendAsReader } from '../session.ts';
import type { BacktestJob, BacktestJobState, BacktestResult } from '../types.ts';

export interface BacktestBody {
  readonly symbol: string;
  readonly strategy: string;
  readonly time_range?: string;
  readonly start?: string;
  readonly end?: string;
  readonly params?: Readonly<Record<string, number | string | boolean>>;
  readonly execute_on?: string;
  readonly cost?: Readonly<Record<string, number>>;
  readonly save?: boolean;
}

const WAIT_S = 25;

/** A job that ended without a result: its message says why. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

/** Throws an `ApiError`, or a `JobFailure`. */
export async function runBacktest(body: BacktestBody, signal: AbortSignal): Promise<BacktestResult> {
  const response = await sendAsReader('POST', '/v1/backtest', { body, signal });
  if (response.status !== 202) return dataOf<BacktestResult>(response);
  const { job_id } = await dataOf<BacktestJob>(response);
  const address = path('/v1/backtests/jobs/{job_id}', { job_id });
  for (;;) {
    const job = await get<BacktestJobState>(address, { query: { wait: WAIT_S }, signal });
    if (job.result) return job.result;
    if (job.error) throw new JobFailure(job.error.message);
  }
}

/** The call that gives a result again. */
export function bodyOf(result: BacktestResult): BacktestBody {
  const { symbol, strategy, time_range, start_date, end_date, params, cost } = result;
  const { execute_on, commission_rate, min_commission, slippage_bps } = cost;
  const range = time_range === 'CUSTOM' ? { start: start_date, end: end_date } : { time_range, end: end_date };
  return { symbol, strategy, ...range, params, execute_on, cost: { commission_rate, min_commission, slippage_bps } };
}
