/** Requests and responses of queues and jobs. */
import { JOB_STATES } from '../../db/queue/queue-jobs.ts';
import { QUEUE_NAMES } from '../../jobs/contracts/queues.ts';
import { instant, instantField, z } from '../http/input/fields.ts';

const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c41';
export const queueName = z.enum(QUEUE_NAMES);
const queueField = z.string().max(64).meta({ example: 'export' });
export const queuePath = z.object({ queue: queueField });
export const jobPath = z.object({ queue: queueField, id: z.uuid().meta({ example: EXAMPLE_JOB }) });
const runbook = z
  .string()
  .meta({ description: 'The section of the runbook for this failure', example: 'ops/docs/RUNBOOK.md#loads' });

export const queueSchema = z
  .object({
    queue: queueName,
    waiting: z.int(),
    active: z.int(),
    retry: z.int().meta({ description: 'Jobs that wait for their next attempt' }),
    failed: z.int(),
    completed: z.int().meta({ description: 'Of the last days' }),
    oldest_waiting_s: z.number().nullable(),
    paused: z.boolean(),
    paused_by: z.string().nullable(),
    paused_at: instant.nullable(),
  })
  .meta({ id: 'Queue' });

const job = {
  id: z.uuid(),
  queue: z.string(),
  state: z.enum(JOB_STATES),
  attempts: z.int().meta({ description: 'Attempts so far' }),
  max_attempts: z.int(),
  error: z.string().nullable(),
  runbook: runbook.nullable(),
  request_id: z.string().nullable(),
  subject: z.string().nullable(),
  account: z.string().nullable(),
  worker: z.string().nullable(),
  created_at: instant,
  start_after: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
};
export const jobSchema = z.object(job).meta({ id: 'Job' });
const attemptSchema = z.object({
  attempt: z.int(),
  worker: z.string().nullable(),
  taken_at: instant,
  ended_at: instant.nullable(),
  error: z.string().nullable(),
});
export const jobDetailSchema = z
  .object({
    ...job,
    input: z.record(z.string(), z.unknown()),
    stack: z.string().nullable(),
    history: z.array(attemptSchema),
  })
  .meta({ id: 'JobDetail' });

export const failureSchema = z.object({
  queue: z.string(),
  cause: z.string().meta({ description: 'The error message without numbers and ids' }),
  last_error: z.string().meta({ description: 'The error message of the latest of these jobs' }),
  count: z.int(),
  first_at: instant,
  last_at: instant,
  example_job_id: z.uuid(),
  runbook,
});

export const bulkBody = z.strictObject({
  dry_run: z.boolean().default(false).meta({ description: 'Only list the jobs that would be retried' }),
  failed_before: instantField('last').optional().meta({
    description: 'Only jobs that failed before this time; a date includes the whole day (UTC). Default: now',
  }),
  cause: z
    .string()
    .max(300)
    .optional()
    .meta({ description: 'Only jobs with this cause, as `/api/admin/jobs/failures` names it' }),
});
export const bulkSchema = z.object({
  queue: z.string(),
  failed_before: instant,
  job_ids: z.array(z.uuid()),
  retried: z.int(),
  skipped: z.int().meta({ description: 'Jobs whose request has ended, or that are already running' }),
});
