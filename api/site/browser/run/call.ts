/** Calls that run a job: they wait for its result, and poll if it takes longer. */
import { ApiError, dataOf, JobFailure } from '../api.ts';
import { showJobNotice } from '../notices.ts';
import { get, sendAsReader } from '../session.ts';
import type { BacktestJob } from '../types.ts';

const WAIT_S = 25;
/** Between two looks at the progress of a job. */
const PROGRESS_WAIT_S = 2;
/** How often a call is sent again, a second apart, while other runs of the reader take all that the plan allows at once. */
const BUSY_TRIES = 10;

interface JobState<Result> {
  readonly result: Result | null;
  readonly error: { readonly message: string } | null;
  readonly notice: string | null;
  readonly progress_pct?: number;
}

/** An awaited job that failed through no fault of its caller is answered with 500. */
function failed(error: unknown): never {
  throw error instanceof ApiError && error.status === 500 ? new JobFailure(error.message) : error;
}

/** The result of a call that runs a job; `answered` gets its first response. Throws an `ApiError`, or a `JobFailure`. */
export async function runJob<Result>(
  address: string,
  body: object | undefined,
  signal: AbortSignal,
  answered: (response: Response) => void = () => {},
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const response = await sendAsReader('POST', address, { body, signal });
    answered(response);
    if (response.status === 202) return awaitJob(response, signal);
    try {
      return await dataOf<Result>(response);
    } catch (error) {
      if (!isBusy(error) || tries === BUSY_TRIES) failed(error);
      const { retryAfter } = error;
      await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1_000));
    }
  }
}

const isBusy = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.key === 'error.concurrent_backtests';

/** The result of the job that an answer with 202 names; `progressed` gets its percent. Throws a `JobFailure`. */
export async function awaitJob<Result>(
  response: Response,
  signal: AbortSignal,
  progressed?: (percent: number) => void,
): Promise<Result> {
  const { location, notice } = await dataOf<BacktestJob>(response);
  showJobNotice(notice);
  try {
    for (;;) {
      const wait = progressed ? PROGRESS_WAIT_S : WAIT_S;
      const job = await get<JobState<Result>>(location, { query: { wait }, signal });
      if (job.result) return job.result;
      if (job.error) throw new JobFailure(job.error.message);
      showJobNotice(job.notice);
      progressed?.(job.progress_pct ?? 0);
    }
  } finally {
    showJobNotice(null);
  }
}
