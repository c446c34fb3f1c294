/** The checks of jobs: which fail, wait, or do not end. */
import { AWAITED_LANES } from '../contracts/queue-contract.ts';
import { isQueueName, QUEUES } from '../contracts/queues.ts';
import { type HealthCheck, QUEUE } from './process-checks.ts';

export const JOB_CHECKS = [
  {
    kind: 'jobs_failed',
    name: 'no job fails for good',
    runbook: 'jobs',
    reads: QUEUE,
    follows: ['object storage can be used', 'loaded sessions look right'],
    repair: 'retry_jobs',
    command: ({ queue }) => `npm run ops -- jobs retry-failed ${queue}`,
    findProblems: async ({ failures }) => {
      // The records of loads say whether a failed load has been repaired.
      const open = (await failures()).filter(
        ({ queue, recoveredAt }) => recoveredAt === null && !queue.startsWith('sync.'),
      );
      return open.map(({ queue, count, lastAt, lastError: detail }) => {
        const jobs = count === 1 ? 'a job' : `${count} jobs`;
        const when = `${lastAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
        const text = `${jobs} of ${queue} failed, the last one at ${when}, and none has ended well since: ${detail}`;
        return { text, queue, count, detail, runbook: isQueueName(queue) ? QUEUES[queue].runbook : undefined };
      });
    },
  },
  {
    kind: 'jobs_waiting',
    name: 'no caller waits for a worker',
    runbook: 'backtests',
    /** Seconds that an awaited job may wait. */
    threshold: 10,
    reads: QUEUE,
    follows: ['a worker runs', 'no transaction waits for a vanished machine'],
    findProblems: async ({ queues }, longestS) => {
      const late = (await queues()).filter(({ queue, oldestWaitingS, pausedAt }) => {
        const isAwaited = AWAITED_LANES.includes(QUEUES[queue].lane);
        return isAwaited && pausedAt === null && (oldestWaitingS ?? 0) > longestS;
      });
      return late.map(({ queue, oldestWaitingS }) => {
        const count = Math.round(oldestWaitingS ?? 0);
        return { text: `a job of ${queue} has waited for ${count} s`, queue, count };
      });
    },
  },
  {
    kind: 'job_stuck',
    name: 'no awaited job runs for long',
    runbook: 'stuck',
    /** Seconds that an awaited job may run. */
    threshold: 45,
    reads: QUEUE,
    follows: ['object storage can be used', 'no transaction waits for a vanished machine'],
    command: ({ queue }) => `npm run ops -- jobs list --queue ${queue} --state active`,
    findProblems: async ({ workers }, longestS) => {
      const running = (await workers()).flatMap(({ name, jobs }) => jobs.map((job) => ({ ...job, name })));
      const stuck = running.filter(
        ({ queue, forS }) => isQueueName(queue) && AWAITED_LANES.includes(QUEUES[queue].lane) && forS > longestS,
      );
      return stuck.map(({ queue, id, name, forS }) => {
        const detail = `${id} on ${name}`;
        return { text: `a job of ${queue} has run for ${forS} s: ${detail}`, queue, count: forS, detail };
      });
    },
  },
] as const satisfies readonly HealthCheck[];
