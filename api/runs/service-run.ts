/** Runs of the service itself, whose results are for everybody. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDuplicate } from '../../db/errors.ts';
import { selectRun } from '../../db/runs/runs.ts';
import type { RunWork } from '../../jobs/contracts/run-kinds.ts';
import type { RequestContext } from '../access/request-context.ts';
import { idOfDigest } from '../call/digest-id.ts';
import type { Services } from './services.ts';
import { type DoneRun, isDone } from './state.ts';

/** They count together. */
const OWNER = 'service';
const MAX_RUNS = 16;
/** A result that no account keeps is stored for so long. */
export const KEPT_MS = 3_600_000;

/**
 * All processes use one run for the same `name`, and it goes on when the reader who caused it leaves. Null: it failed, or has not
 * ended in time.
 */
export async function serviceRun(
  { pool, runs, runQueue, now, backtestWaitMs }: Services,
  { requestId }: RequestContext,
  name: string,
  { kind, spec }: RunWork,
): Promise<DoneRun | null> {
  const id = idOf(`${kind} ${name} ${Math.floor(now() / KEPT_MS)}`);
  const { ended, queued, forget } = runs.expect(id);
  try {
    if ((await selectRun(pool, id)) === null) {
      const owned = { owner: OWNER, userId: null, isSaved: false, historyMax: null, max: MAX_RUNS };
      await runQueue.add({ id, kind, spec, requestId, at: new Date(now()), ...owned }).catch(ignoreDuplicate);
    }
    queued();
    await Promise.race([ended, wait(backtestWaitMs, undefined, { ref: false })]);
  } finally {
    forget();
  }
  const run = await runs.read(id);
  return run !== null && isDone(run) ? run : null;
}

const idOf = (facts: string) => idOfDigest(createHash('sha256').update(facts).digest());

/** Another process has queued the run at the same time. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error;
}
