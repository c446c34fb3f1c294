/** Queued jobs: their state and result. */
import type { Caller, OperationOptions } from './caller.ts';
import { JobFailed, TimedOut } from './errors.ts';
import { type JobWatch, watchJob } from './events.ts';
import { checkWaitOptions } from './options.ts';
import type { Data, Schema } from './types.ts';

export interface WaitOptions {
  /** For the whole job, in milliseconds. Default: an hour. The job itself continues. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called at every change of the state. */
  readonly onProgress?: (state: JobProgress) => void;
}

/** Options of a call whose job is awaited. */
export type Awaited = OperationOptions & WaitOptions;

export interface JobProgress {
  readonly status: Schema<'BacktestJob'>['status'];
  /** 0 to 100; null for jobs that do not report progress. */
  readonly percent: number | null;
}

/** A job of the service, which continues if the program that queued it ends. */
export interface Job<Result> {
  readonly id: string;
  readonly state: (options?: OperationOptions) => Promise<JobProgress>;
  /** Waits for the result. Throws `JobFailed` when there will be none, and `TimedOut` when the time is over. */
  readonly result: (options?: WaitOptions) => Promise<Result>;
}

/** Jobs by the operation that returns their state. */
export type JobOperation =
  | 'getBacktestJob'
  | 'getPortfolioJob'
  | 'getOptimizationJob'
  | 'getVerificationJob'
  | 'getLookAheadJob'
  | 'getTearSheetJob'
  | 'getScreenerJob'
  | 'getClaimsJob'
  | 'getOutcomesJob'
  | 'getJudgementJob'
  | 'getQueryJob'
  | 'getSealJob'
  | 'getColumnJob';
export type ResultOf<Id extends JobOperation> = NonNullable<Extract<Data<Id>, { result: unknown }>['result']>;

/** The fields that every state of a job has. */
export interface StateOfJob<Result> extends JobProgress {
  readonly result: Result | null;
  readonly error: { readonly message: string; readonly key: string | null } | null;
}

/** Reads the state when it changes, or after some seconds. */
export type ReadState<Result> = (waitSeconds: number, options?: OperationOptions) => Promise<StateOfJob<Result>>;

const TIMEOUT_MS = 3_600_000;
const FIRST_WAIT_S = 1;
/** The longest wait that the service accepts. */
const MAX_WAIT_S = 30;
const MS_PER_S = 1_000;

export function openJob<Result>(caller: Caller, id: string, read: ReadState<Result>): Job<Result> {
  return {
    id,
    state: async (options) => progressOf(await read(0, options)),
    result: async (options = {}) => {
      checkWaitOptions(options);
      const { timeoutMs = TIMEOUT_MS, signal, onProgress } = options;
      const endsAt = performance.now() + timeoutMs;
      const report = changesOnly(onProgress);
      // Short jobs need no events.
      let waitS = FIRST_WAIT_S;
      let watch: JobWatch | null = null;
      try {
        for (;;) {
          const leftS = (endsAt - performance.now()) / MS_PER_S;
          if (leftS <= 0) throw new TimedOut(`job ${id} has no result after ${timeoutMs} ms; the job continues`);
          const state = await read(watch ? 0 : Math.min(waitS, Math.ceil(leftS)), { signal });
          report(state);
          if (state.result !== null) return state.result;
          if (state.error !== null) throw new JobFailed(id, state.error);
          const isTold = watch !== null && (await watch.changed(Math.min(MAX_WAIT_S, leftS) * MS_PER_S));
          if (!isTold) watch = await watchJob(caller, id, signal);
          waitS = MAX_WAIT_S;
        }
      } finally {
        watch?.close();
      }
    },
  };
}

function changesOnly(onProgress: WaitOptions['onProgress']): (state: JobProgress) => void {
  let reported = '';
  return (state) => {
    const progress = progressOf(state);
    if (JSON.stringify(progress) !== reported) onProgress?.(progress);
    reported = JSON.stringify(progress);
  };
}

function progressOf({ status, percent }: JobProgress): JobProgress {
  return { status, percent };
}

/** Reads the state of a job by its operation. */
export function readerOf<Id extends JobOperation>(caller: Caller, id: Id, jobId: string): ReadState<ResultOf<Id>> {
  return async (wait, options) => {
    const {
      status,
      progress_pct: percent = null,
      result,
      error,
    } = await caller.data(id, { path: { job_id: jobId }, query: { wait } }, options);
    return { status, percent, result, error };
  };
}
