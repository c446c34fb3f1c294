/** The job that reads the file of a column. */
import { endRuns } from '../../db/runs/run-ends.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import type { RunFailure, StartedRun } from '../../db/runs/runs.ts';
import { type ColumnResult, type ColumnSpec, columnSpecSchema } from '../contracts/columns.ts';
import { OverQuota } from './bounds.ts';
import { FileRefused } from './line-reader.ts';
import { loadColumn } from './load.ts';
import { runUploadJob, type UploadContext, type UploadedFile } from './upload.ts';

export function runColumnJob(context: UploadContext, { runId }: { readonly runId: string }): Promise<void> {
  return runUploadJob(context, runId, columnSpecSchema, (run, spec, file) => load(context, runId, run, spec, file));
}

async function load(
  { pool, now, cost }: UploadContext,
  runId: string,
  { userId, fingerprint }: StartedRun,
  { name, isCommon, settings, quota }: ColumnSpec,
  { path, folder, report }: UploadedFile,
): Promise<RunFailure | null> {
  const end = async (connection: Parameters<typeof endRuns>[0], result: ColumnResult) => {
    const ended = { fingerprint, result: storedResult(result), backtestId: null, selection: null, trials: null };
    await endRuns(connection, [{ id: runId, end: { ...ended, at: new Date(now()), workerSeconds: cost.seconds() } }]);
  };
  try {
    const target = { accountId: isCommon ? null : userId, name, settings, quota };
    await loadColumn({ pool, workFolder: folder, now, report }, target, path, end);
    return null;
  } catch (error) {
    if (error instanceof FileRefused) return { code: 'column_refused', details: { problem: error.message } };
    if (!(error instanceof OverQuota)) throw error;
    return error.failure(quota?.plan ?? '');
  }
}
