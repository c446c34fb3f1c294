/** Records that a job takes a step of the newest session, and why it fails. The job itself records that the step is done. */
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { dropIdleStep, failStep, type SessionStep, startStep } from '../../db/queue/session-steps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { toError } from '../../engine/util/errors.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { CHECKED_VENUE_BASIS } from './check-sessions.ts';

type StepContext = Pick<JobContext, 'pool' | 'jobId' | 'now' | 'log'>;

export async function runStep(context: StepContext, step: SessionStep, work: () => Promise<void>): Promise<void> {
  const { pool, jobId, now, log } = context;
  const day = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(now()));
  if (day === null) return work();
  await startStep(pool, { step, day, jobId, at: new Date(now()) });
  try {
    await work();
  } catch (error) {
    const failure = { step, days: [day], at: new Date(now()), reason: toError(error).message, by: { jobId } };
    await failStep(pool, failure).catch((second) => log.warn({ err: second }, 'a failed step could not be recorded'));
    throw error;
  }
  await dropIdleStep(pool, { step, day, jobId, at: new Date(now()) });
}
