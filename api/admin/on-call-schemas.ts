/** The state of the installation as the API answers it. */
import { REPAIRS } from '../../jobs/health/check.ts';
import { PROBLEM_KINDS } from '../../jobs/health/checks.ts';
import { instant, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { queueName } from './queue-schemas.ts';

/** Five minutes each. */
export const ACTIVITY_STEPS = 12;

export const problemSchema = z
  .object({
    kind: z.enum(PROBLEM_KINDS),
    caused_by: z.enum(PROBLEM_KINDS).nullable(),
    queue: z.string().nullable(),
    sync_job_id: z.int().nullable(),
    session: day.nullable(),
    until: day.nullable(),
    count: z.int().nullable().openapi({ description: 'Jobs, sessions, backtests, or seconds' }),
    detail: z.string().nullable(),
    under_way: z.boolean(),
    repair: z.enum(REPAIRS).nullable(),
    command: z.string().nullable(),
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
    processes: z.object({ api: z.int(), worker: z.int(), scheduler: z.int() }),
    loaded_to: day.nullable().openapi({ description: 'Newest loaded session that may be served' }),
    published_to: day.nullable(),
    sessions_behind: z.int().nullable().openapi({ description: 'Null: not known' }),
    activity: z.array(
      z.object({
        queue: queueName,
        ended: z
          .array(z.int())
          .length(ACTIVITY_STEPS)
          .openapi({ description: 'Ended jobs of each five minutes of the last hour' }),
      }),
    ),
  })
  .openapi('OnCallReport');
