/** The jobs that find verdicts on kept backtests. */
import { selectDataVersion } from '../../db/market/data-versions.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import type { StartedRun } from '../../db/runs/runs.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import { evidenceSpecSchema } from '../contracts/evidence.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { type LookAheadContext, proveKept } from './look-ahead.ts';
import { type SampleContext, type VerifyContext, verifyKept, verifySample } from './verify.ts';

type Work = (saved: SavedBacktest, run: StartedRun) => Promise<object | null>;

/** Runs `work` on the kept backtest that the run names; a deleted or unreadable one counts as not found. */
function runOnKept(context: RunContext, runId: string, work: Work): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const { backtestId } = evidenceSpecSchema.parse(JSON.parse(run.spec));
    const saved = await selectKeptById(context.pool, backtestId);
    const verdict = saved && (await work(saved, run));
    if (!verdict) return { code: 'not_found', details: {} };
    await finishUncached(context, verdict);
    return null;
  });
}

interface RunPayload {
  readonly runId: string;
}

export function runVerifyJob(context: RunContext & VerifyContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved, { dataVersion }) => verifyKept(context, saved, dataVersion));
}

export function runLookAheadJob(context: RunContext & LookAheadContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved) => proveKept(context, saved));
}

export async function runVerifySampleJob(context: SampleContext): Promise<void> {
  await verifySample(context, await selectDataVersion(context.pool));
}
