import type { AuditedConnection } from '../../db/log/audit-log.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectFailureGroups } from '../../db/queue/queue-jobs.ts';
import { type QueueState, type QueueTimes, selectQueueStates, selectQueueTimes } from '../../db/queue/queues.ts';
import { QUEUE_NAMES, type QueueName } from '../../jobs/contracts/queues.ts';
import {
  type Operator,
  pauseQueue,
  queueOf,
  resumeQueue,
  retryFailedJobs,
  runbookOf,
} from '../../jobs/worker/operate.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { listSchema, onePage, z } from '../http/input/fields.ts';
import { CHANGE, COMMON, operatorOf } from './operator.ts';
import { bulkBody, bulkSchema, failureSchema, queueName, queuePath, queueSchema, TIMED_JOBS } from './queue-schemas.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const percentiles = ([p50, p95, p99]: readonly number[]) => ({ p50, p95, p99 });

async function readQueues(db: Queryable, queues: readonly QueueName[]): Promise<z.input<typeof queueSchema>[]> {
  const times = await selectQueueTimes(db, queues, TIMED_JOBS);
  return (await selectQueueStates(db, queues)).map((state) => queueView(state, times.get(state.queue)));
}

function queueView(
  { oldestWaitingS, pausedBy, pausedAt, ...state }: QueueState<QueueName>,
  times: QueueTimes | undefined,
): z.input<typeof queueSchema> {
  return {
    ...state,
    times: times
      ? { jobs: times.jobs, waiting_s: percentiles(times.waiting), running_s: percentiles(times.running) }
      : null,
    oldest_waiting_s: oldestWaitingS === null ? null : Math.max(0, Math.round(oldestWaitingS * 10) / 10),
    paused: pausedAt !== null,
    paused_by: pausedBy,
    paused_at: pausedAt?.toISOString() ?? null,
  };
}

async function bulkRetry(call: AdminCall, queue: QueueName, body: z.output<typeof bulkBody>) {
  const operator = operatorOf(call);
  const failedBefore = body.failed_before ?? operator.at;
  const retry = { failedBefore, cause: body.cause ?? null, isDryRun: body.dry_run };
  const intent = auditIntent(call);
  const result = await audited(call, intent, async (connection) => {
    const done = await retryFailedJobs(connection, call.services.boss, queue, retry, operator);
    const details = { dry_run: body.dry_run, count: done.retried, job_ids: done.jobIds.slice(0, 100) };
    return { result: done, entries: entriesWith(intent, { details }) };
  });
  const { jobIds, retried, skipped } = result;
  return { queue, failed_before: failedBefore.toISOString(), job_ids: [...jobIds], retried, skipped };
}

async function changeQueue(
  call: AdminCall,
  queue: QueueName,
  change: (connection: AuditedConnection, queue: QueueName, operator: Operator) => Promise<void>,
): Promise<z.input<typeof queueSchema>> {
  const intent = auditIntent(call);
  await audited(call, intent, async (connection) => {
    await change(connection, queue, operatorOf(call));
    return { result: undefined, entries: intent.entries };
  });
  const [state] = await readQueues(call.services.pool, [queue]);
  return state;
}

export const QUEUE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listQueues',
    ...COMMON,
    method: 'get',
    path: '/api/admin/queues',
    summary: 'List queues with their waiting, running, and failed jobs',
    dataSchema: listSchema(queueSchema),
    errors: [],
    handle: async ({ services: { pool } }) => onePage(await readQueues(pool, QUEUE_NAMES)),
  }),
  defineRoute({
    operationId: 'retryFailedJobs',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/retry-failed',
    summary: 'Retry failed jobs, at most 1,000 at a time',
    description:
      'First send `dry_run`, then the `failed_before` of its answer: exactly the jobs that were shown are retried.',
    audit: { action: 'job.retry', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    bodySchema: bulkBody,
    bodyExample: { dry_run: true },
    dataSchema: bulkSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => bulkRetry(call, queueOf(path.queue), body),
  }),
  defineRoute({
    operationId: 'pauseQueue',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/pause',
    summary: 'Pause a queue on all machines',
    description: 'Running jobs continue, and queued jobs wait.',
    audit: { action: 'queue.pause', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    dataSchema: queueSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'running', status: 'paused' } },
    handle: ({ path, ...call }) => changeQueue(call, queueOf(path.queue), pauseQueue),
  }),
  defineRoute({
    operationId: 'resumeQueue',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/resume',
    summary: 'Resume a queue',
    audit: { action: 'queue.resume', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    dataSchema: queueSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'paused', status: 'running' } },
    handle: ({ path, ...call }) => changeQueue(call, queueOf(path.queue), resumeQueue),
  }),
  defineRoute({
    operationId: 'listJobFailures',
    ...COMMON,
    method: 'get',
    path: '/api/admin/jobs/failures',
    summary: 'Count failed jobs by queue and cause, latest first',
    querySchema: z.object({ queue: queueName.optional().meta({ description: 'Only failures of this queue' }) }),
    dataSchema: listSchema(failureSchema),
    errors: [],
    handle: async ({ query: { queue = null }, services: { pool } }) =>
      onePage(
        (await selectFailureGroups(pool, queue)).map((group) => ({
          queue: group.queue,
          cause: group.cause,
          last_error: group.lastError,
          count: group.count,
          first_at: group.firstAt.toISOString(),
          last_at: group.lastAt.toISOString(),
          example_job_id: group.exampleJobId,
          runbook: runbookOf(group.queue),
        })),
      ),
  }),
];
