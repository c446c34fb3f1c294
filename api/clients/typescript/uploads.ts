/** Uploads of files that a job reads. */
import type { Caller } from './caller.ts';
import { type Awaited, type JobOperation, openJob, type ResultOf, readerOf } from './jobs.ts';
import { checkRunOptions } from './options.ts';
import type { InputOf } from './types.ts';

const TIMEOUT_MS = 3_600_000;

/** Sends a file, and awaits the job that reads it. `timeoutMs` is that of the upload, and then that of the job. */
export async function upload<Id extends 'updateColumn' | 'runJudgement', State extends JobOperation>(
  caller: Caller,
  operation: Id,
  state: State,
  input: InputOf<Id>,
  given: Awaited = {},
): Promise<ResultOf<State>> {
  checkRunOptions(given);
  const { onProgress, timeoutMs = TIMEOUT_MS, ...options } = given;
  const headers = { ...options.headers, Prefer: 'respond-async' };
  const { job_id: id } = await caller.data(operation, input, { ...options, timeoutMs, headers });
  return openJob(caller, id, readerOf(caller, state, id)).result({ timeoutMs, onProgress, signal: options.signal });
}
