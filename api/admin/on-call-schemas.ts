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
    count: z.int().nullable().meta({ description: 'Jobs, sessions, backtests, or seconds' }),
    detail: z.string().nullable(),
    under_way: z.boolean(),
    repair: z.enum(REPAIRS).nullable(),
    command: z.string().nullable(),
    runbook: z.string(),
  })
  .meta({ id: 'OnCallProblem' });

export const onCallSchema = z
  .object({
    generated_at: instant,
    problems: z.array(problemSchema).meta({ description: 'Causes before what they cause; empty: all is well' }),
    well_since: instant.nullable().meta({
      description: 'The last known repair; null while there is a problem',
    }),
    processes: z.object({ api: z.int(), worker: z.int(), scheduler: z.int() }),
    loaded_to: day.nullable().meta({ description: 'Newest loaded session that may be served' }),
    published_to: day.nullable(),
    sessions_behind: z.int().nullable().meta({ description: 'Null: not known' }),
    activity: z.array(
      z.object({
        queue: queueName,
        ended: z
          .array(z.int())
          .max(ACTIVITY_STEPS)
          .meta({ description: 'Ended jobs of each five minutes of the last hour' }),
      }),
    ),
  })
  .meta({ id: 'OnCallReport' });
