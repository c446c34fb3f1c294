/** Running a backtest: the call waits for it, and goes on asking where it takes longer. */
import { dataOf } from '../api.ts';
import { get, sendAsReader } from '../session.ts';
import type { BacktestJob, BacktestResult } from '../types.ts';

export interface BacktestBody {
  readonly symbol: string;
  readonly strategy: string;
  /** With the strategy `rules`. */
  readonly rules?: Readonly<Partial<Record<string, string>>>;
  readonly time_range?: string;
  readonly start?: string;
  readonly end?: string;
  readonly params?: Readonly<Record<string, number | string | boolean>>;
  readonly execute_on?: string;
  readonly adjust?: string;
  readonly cost?: Readonly<Record<string, number>>;
  readonly save?: boolean;
}

const WAIT_S = 25;

/** A job that ended without a result: its message says why. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

interface JobState<Result> {
  readonly result: Result | null;
  readonly error: { readonly message: string } | null;
}

/** The result of a call that runs a job. Throws an `ApiError`, or a `JobFailure`. */
export async function runJob<Result>(address: string, body: object | undefined, signal: AbortSignal): Promise<Result> {
  const response = await sendAsReader('POST', address, { body, signal });
  if (response.status !== 202) return dataOf<Result>(response);
  const { location } = await dataOf<BacktestJob>(response);
  for (;;) {
    const job = await get<JobState<Result>>(location, { query: { wait: WAIT_S }, signal });
    if (job.result) return job.result;
    if (job.error) throw new JobFailure(job.error.message);
  }
}

export function runBacktest(body: BacktestBody, signal: AbortSignal): Promise<BacktestResult> {
  return runJob<BacktestResult>('/v1/backtest', body, signal);
}

/** The call that gives a result again. */
export function bodyOf(result: BacktestResult): BacktestBody {
  const { symbol, strategy, time_range, start_date, end_date, params, cost, adjust } = result;
  const { execute_on, commission_rate, min_commission, slippage_bps } = cost;
  const range = time_range === 'CUSTOM' ? { start: start_date, end: end_date } : { time_range, end: end_date };
  return {
    symbol,
    strategy,
    ...range,
    params,
    execute_on,
    adjust,
    cost: { commission_rate, min_commission, slippage_bps },
  };
}
