/** Calls that run a job: they wait for its result, and follow the job if it takes longer. */
import { ApiError, dataOf, JobFailure } from '../api.ts';
import { newsOf } from '../job-news.ts';
import { showJobNotice } from '../notices.ts';
import { get, sendAsReader } from '../session.ts';
import type { BacktestJob } from '../types.ts';

/** The state of a job is read again after this, also when nothing is told: its queue may have been paused. */
const WAIT_S = 20;
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

/**
 * The state of a job at an address of the API, now and after each change, until the caller stops or `signal` aborts: by news of
 * it, and by held calls for guests and wherever there is no news.
 * @param progressed gets the progress that is told, which is then no change.
 */
export async function* followJob<State>(
  address: string,
  signal: AbortSignal,
  progressed?: (percent: number) => void,
): AsyncGenerator<State, void, undefined> {
  const read = (wait: number) => get<State>(address, { query: { wait }, signal });
  const jobId = address.slice(address.lastIndexOf('/') + 1);
  yield await read(0);
  while (!signal.aborted) {
    const news = await newsOf(jobId, signal, progressed);
    try {
      if (news) {
        do yield await read(0);
        while (await news.changed(WAIT_S * 1_000));
      }
    } finally {
      news?.close();
    }
    yield await read(WAIT_S);
  }
}

/** The result of the job that an answer with 202 names; `progressed` gets its percent. Throws a `JobFailure`. */
export async function awaitJob<Result>(
  response: Response,
  signal: AbortSignal,
  progressed?: (percent: number) => void,
): Promise<Result> {
  const { location, notice } = await dataOf<BacktestJob>(response);
  showJobNotice(notice);
  return jobResult(location, signal, progressed);
}

/** The result of a job at an address of the API; `progressed` gets its percent. Throws a `JobFailure`. */
export async function jobResult<Result>(
  address: string,
  signal: AbortSignal,
  progressed: (percent: number) => void = () => {},
): Promise<Result> {
  let percent = 0;
  const show = (fresh: number) => {
    percent = fresh;
    progressed(fresh);
  };
  const told = (fresh: number) => {
    showJobNotice(null);
    // The stream may be behind the state that was read.
    if (fresh > percent) show(fresh);
  };
  try {
    for await (const job of followJob<JobState<Result>>(address, signal, told)) {
      if (job.result) return job.result;
      if (job.error) throw new JobFailure(job.error.message);
      showJobNotice(job.notice);
      show(job.progress_pct ?? 0);
    }
    throw signal.reason;
  } finally {
    showJobNotice(null);
  }
}
