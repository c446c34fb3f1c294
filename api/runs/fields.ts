/** Fields of requests about queued runs. */
import { queryInteger, z } from '../http/input/fields.ts';

const MAX_WAIT_S = 30;
const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c40';

export const waitQuery = z.object({
  wait: queryInteger(0, MAX_WAIT_S)
    .prefault(0)
    .meta({
      description:
        'Seconds to wait for a change of state or progress. Answers at once when the run has ended, or when ten ' +
        'calls of the caller already wait',
    }),
});

export const jobPath = z.object({ job_id: z.uuid().meta({ example: EXAMPLE_JOB }) });
