/** The frame of jobs that read a file which an account has sent. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import type { RunFailure, StartedRun } from '../../db/runs/runs.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { progressThrottle, type RunContext, RunSuperseded, runFrame } from '../runs/frame.ts';
import { reportProgress } from '../runs/search.ts';

export type UploadContext = RunContext & Pick<JobContext, 'storage' | 'workFolder' | 'signal'>;

export interface UploadedFile {
  readonly path: string;
  /** For what does not fit into memory; it is removed with the file. */
  readonly folder: string;
  /** To be called often, with the share of the work that is done. */
  readonly report: (share: number) => Promise<void>;
}

/**
 * Runs `work`, which ends the run and returns null, or returns why the run fails. The stored file is removed when the run ends; those of
 * others are found by the search for orphans.
 */
export async function runUploadJob<Spec extends { readonly key: string }>(
  context: UploadContext,
  runId: string,
  schema: z.ZodType<Spec>,
  work: (run: StartedRun, spec: Spec, file: UploadedFile) => Promise<RunFailure | null>,
): Promise<void> {
  const { storage, isLastAttempt } = context;
  let key: string | undefined;
  let isOver = isLastAttempt;
  try {
    await runFrame(context, runId, async (run) => {
      const spec = schema.parse(JSON.parse(run.spec));
      key = spec.key;
      const failure = await withFile(context, runId, spec.key, (file) => work(run, spec, file));
      isOver = true;
      return failure;
    });
  } finally {
    if (key !== undefined && isOver) await storage.remove(key);
  }
}

async function withFile<T>(
  { pool, storage, workFolder, signal }: UploadContext,
  runId: string,
  key: string,
  work: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'upload-'));
  const throttled = progressThrottle();
  const report = async (share: number) => {
    signal.throwIfAborted();
    if (throttled()) await reportProgress(pool, runId, 100 * share);
  };
  try {
    const content = await storage.get(key);
    // A former attempt has ended the run, or it was canceled.
    if (content === null) throw new RunSuperseded();
    const path = join(folder, 'file');
    await pipeline(content, createWriteStream(path), { signal });
    return await work({ path, folder, report });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
