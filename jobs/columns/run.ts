/** The job that reads the file of a column. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { endRuns } from '../../db/runs/run-ends.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import type { RunFailure, StartedRun } from '../../db/runs/runs.ts';
import { type ColumnResult, type ColumnSpec, columnSpecSchema } from '../contracts/columns.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { progressThrottle, type RunContext, RunSuperseded, runFrame } from '../runs/frame.ts';
import { reportProgress } from '../runs/search.ts';
import { OverQuota } from './bounds.ts';
import { FileRefused } from './line-reader.ts';
import { loadColumn } from './load.ts';

type ColumnContext = RunContext & Pick<JobContext, 'storage' | 'workFolder' | 'signal'>;

/** The file is removed when the run ends; those of others are found by the search for orphans. */
export async function runColumnJob(context: ColumnContext, { runId }: { readonly runId: string }): Promise<void> {
  const { storage, isLastAttempt } = context;
  let key: string | undefined;
  let isOver = isLastAttempt;
  try {
    await runFrame(context, runId, async (run) => {
      const spec = columnSpecSchema.parse(JSON.parse(run.spec));
      key = spec.key;
      const failure = await loadUpload(context, runId, run, spec);
      isOver = true;
      return failure;
    });
  } finally {
    if (key !== undefined && isOver) await storage.remove(key);
  }
}

async function loadUpload(
  context: ColumnContext,
  runId: string,
  { userId, fingerprint }: StartedRun,
  { name, isCommon, key, settings, quota }: ColumnSpec,
): Promise<RunFailure | null> {
  const { pool, storage, workFolder, signal, now, cost } = context;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'upload-'));
  const throttled = progressThrottle();
  const report = async (share: number) => {
    signal.throwIfAborted();
    if (throttled()) await reportProgress(pool, runId, 100 * share);
  };
  const end = async (connection: Parameters<typeof endRuns>[0], result: ColumnResult) => {
    const ended = { fingerprint, result: storedResult(result), backtestId: null, selection: null, trials: null };
    await endRuns(connection, [{ id: runId, end: { ...ended, at: new Date(now()), workerSeconds: cost.seconds() } }]);
  };
  try {
    const content = await storage.get(key);
    // A former attempt has ended the run, or it was canceled.
    if (content === null) throw new RunSuperseded();
    const path = join(folder, 'file');
    await pipeline(content, createWriteStream(path), { signal });
    const target = { accountId: isCommon ? null : userId, name, settings, quota };
    await loadColumn({ pool, workFolder: folder, now, report }, target, path, end);
    return null;
  } catch (error) {
    if (error instanceof FileRefused) return { code: 'column_refused', details: { problem: error.message } };
    if (!(error instanceof OverQuota)) throw error;
    const { quota: name, max, count } = error;
    return { code: 'quota_exceeded', details: { plan: quota?.plan ?? '', quota: name, max, count } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
