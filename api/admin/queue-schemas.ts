/** The queue as operators see it and what they may ask of it. */
import { JOB_STATES } from '../../db/queue/queue-jobs.ts';
import { QUEUE_NAMES } from '../../jobs/queue/queues.ts';
import { instant, instantField, z } from '../http/input/fields.ts';

const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c41';
export const queueName = z.enum(QUEUE_NAMES);
const queueField = z.string().max(64).openapi({ example: 'export' });
export const queuePath = z.object({ queue: queueField });
export const jobPath = z.object({ queue: queueField, id: z.uuid().openapi({ example: EXAMPLE_JOB }) });
const runbook = z
  .string()
  .openapi({ description: 'Section of the runbook that says what to do', example: 'ops/RUNBOOK.md#loads' });

export const queueSchema = z
  .object({
    queue: queueName,
    waiting: z.int(),
    active: z.int(),
    retry: z.int().openapi({ description: 'Failed once and waiting for the next attempt' }),
    failed: z.int(),
    completed: z.int().openapi({ description: 'Of late: finished jobs are forgotten after hours or days' }),
    oldest_waiting_s: z.number().nullable(),
    paused: z.boolean(),
    paused_by: z.string().nullable(),
    paused_at: instant.nullable(),
  })
  .openapi('Queue');

const job = {
  id: z.uuid(),
  queue: z.string(),
  state: z.enum(JOB_STATES),
  attempts: z.int().openapi({ description: 'Starts so far' }),
  max_attempts: z.int(),
  error: z.string().nullable(),
  runbook: runbook.nullable(),
  request_id: z.string().nullable(),
  created_at: instant,
  start_after: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
};
export const jobSchema = z.object(job).openapi('Job');
export const jobDetailSchema = z
  .object({ ...job, input: z.record(z.string(), z.unknown()), stack: z.string().nullable() })
  .openapi('JobDetail');

export const failureSchema = z.object({
  queue: z.string(),
  cause: z.string().openapi({ description: 'The message without its numbers and ids' }),
  count: z.int(),
  first_at: instant,
  last_at: instant,
  example_job_id: z.uuid(),
  runbook,
});

export const bulkBody = z.strictObject({
  dry_run: z.boolean().default(false).openapi({ description: 'Only say what would be tried again' }),
  failed_before: instantField('last')
    .optional()
    .openapi({ description: 'Fixes the set: what fails later is not meant; a day counts whole (UTC). Default: now' }),
  cause: z.string().max(300).optional().openapi({ description: 'As `/api/admin/jobs/failures` names it' }),
});
export const bulkSchema = z.object({
  queue: z.string(),
  failed_before: instant,
  job_ids: z.array(z.uuid()),
  retried: z.int(),
  skipped: z.int().openapi({ description: 'Of no use any more, or running already' }),
});
