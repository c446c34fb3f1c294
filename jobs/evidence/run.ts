/** The jobs that find verdicts on kept backtests. */
import { randomUUID } from 'node:crypto';
import { failRun, type StartedRun } from '../../db/backtests/backtest-runs.ts';
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import { storedResult } from '../../db/backtests/run-results.ts';
import { selectKeptById } from '../../db/backtests/verdicts.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { failureOf } from '../backtest/run-kept.ts';
import { isPermanent, type JobContext } from '../job-context.ts';
import { evidenceSpecSchema } from './contract.ts';
import { proveKept } from './look-ahead.ts';
import { verifyKept, verifySample } from './verify.ts';

type Work = (saved: SavedBacktest, run: StartedRun) => Promise<object | null>;

/** Runs `work` on the kept backtest of a run; one that is gone, or cannot be worked on, is not found. */
async function runOnKept(context: JobContext, runId: string, work: Work): Promise<void> {
  const { pool, now, run, cost, isLastAttempt } = context;
  if (!run) return;
  try {
    const { backtestId } = evidenceSpecSchema.parse(JSON.parse(run.spec));
    const saved = await selectKeptById(pool, backtestId);
    const found = saved && (await work(saved, run));
    const at = new Date(now());
    if (!found) return await failRun(pool, runId, { code: 'not_found', details: {} }, at, cost.seconds());
    // The result belongs to this run alone and is never reused.
    const fingerprint = Buffer.from(randomUUID());
    await context.endRun({ fingerprint, result: storedResult(found, {}), selection: null, trials: null, at });
  } catch (error) {
    if (isLastAttempt || isPermanent(error))
      await failRun(pool, runId, failureOf(error), new Date(now()), cost.seconds());
    throw error;
  }
}

interface RunPayload {
  readonly runId: string;
}

export function runVerifyJob(context: JobContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved, { dataVersion }) => verifyKept(context, saved, dataVersion));
}

export function runLookAheadJob(context: JobContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved) => proveKept(context, saved));
}

export async function runVerifySampleJob(context: JobContext): Promise<void> {
  await verifySample(context, await selectDataVersion(context.pool));
}
