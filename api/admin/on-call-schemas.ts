/** The state of the installation as the API answers it. */
import { instant, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { queueName } from './queue-schemas.ts';

/** Causes come before what they cause. */
export const PROBLEM_KINDS = [
  'no_worker',
  'no_scheduler',
  'queue_paused',
  'load_failed',
  'session_held',
  'jobs_failed',
  'data_behind',
  'snapshot_behind',
] as const;
/** Five minutes each. */
export const ACTIVITY_STEPS = 12;

export const problemSchema = z
  .object({
    kind: z.enum(PROBLEM_KINDS),
    queue: z.string().nullable(),
    sync_job_id: z.int().nullable(),
    session: day.nullable(),
    count: z.int().nullable().openapi({ description: 'Failed jobs, or sessions behind' }),
    detail: z.string().nullable(),
    runbook: z.string(),
  })
  .openapi('OnCallProblem');

export const onCallSchema = z
  .object({
    generated_at: instant,
    problems: z.array(problemSchema).openapi({ description: 'Causes before what they cause; empty: all is well' }),
    well_since: instant.nullable().openapi({
      description: 'The last known repair; null while there is a problem',
    }),
    processes: z
      .object({ api: z.int(), worker: z.int(), scheduler: z.int() })
      .openapi({ description: 'On all machines' }),
    loaded_to: day.nullable().openapi({ description: 'Newest loaded session that may be distributed' }),
    published_to: day.nullable().openapi({ description: 'Newest published session' }),
    sessions_behind: z.int().nullable().openapi({
      description: 'Null: not known',
    }),
    activity: z.array(
      z.object({
        queue: queueName,
        ended: z
          .array(z.int())
          .length(ACTIVITY_STEPS)
          .openapi({ description: 'Jobs that ended in each five minutes of the last hour, the oldest first' }),
      }),
    ),
  })
  .openapi('OnCallReport');
