/** Asking for a search, and waiting for its end. */
import { JobFailure, path } from '../api.ts';
import type { RuleScreen } from '../elements/universe-fields.ts';
import { tellNotice } from '../notices.ts';
import type { RunBody } from '../run/specification.ts';
import { get, post } from '../session.ts';
import type { BacktestJob, SearchJob, SearchResult } from '../types.ts';
import type { Axis } from './grid.ts';

export interface SearchBody extends RunBody {
  /** One of these three. */
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly screen?: RuleScreen;
  readonly grid: Readonly<Record<string, Axis>>;
  readonly objective: string;
  readonly heatmap?: readonly [string, string];
  readonly walk_forward?: { readonly train_bars: number; readonly test_bars: number };
}

const WAIT_S = 25;

/** The id of the job. */
export async function startSearch(body: SearchBody): Promise<string> {
  const { job_id } = await post<BacktestJob>('/v1/optimize', body);
  return job_id;
}

/** Waits for a search, and tells how far it is, in percent. Throws an `ApiError`, or a `JobFailure`. */
export async function searchResult(
  jobId: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<SearchResult> {
  const address = path('/v1/optimize/jobs/{job_id}', { job_id: jobId });
  try {
    let job = await get<SearchJob>(address, { signal });
    for (;;) {
      if (job.result) return job.result;
      if (job.error) throw new JobFailure(job.error.message);
      tellNotice(job.notice);
      onProgress(job.progress_pct);
      job = await get<SearchJob>(address, { query: { wait: WAIT_S }, signal });
    }
  } finally {
    tellNotice(null);
  }
}
