/** Loads as the API answers them. */
import { SYNC_JOB_TYPES, SYNC_STATUSES } from '../../db/queue/sync-jobs.ts';
import { instant, z } from '../http/input/fields.ts';

export const syncJobSchema = z
  .object({
    id: z.int(),
    job_type: z.enum(SYNC_JOB_TYPES),
    status: z.enum(SYNC_STATUSES).meta({ description: 'A job that waits is `running`, with `started_at` null' }),
    requested_by: z.string(),
    request: z.record(z.string(), z.unknown()),
    progress_pct: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'The share of the load that is in place. A failed load keeps its share' }),
    symbols_total: z.int().nullable().meta({
      description: 'The named instruments, or all that were listed in the range. Null until a worker starts it',
    }),
    symbols_done: z.int().meta({
      description:
        'Instruments of which the job has loaded a row so far, each counted once. Instruments without a row at the provider ' +
        'are never counted',
    }),
    rows_written: z.int(),
    rows_rejected: z.int().meta({ description: 'Rows that were set aside, also of units that were not loaded' }),
    rows_rejected_by_reason: z.record(z.string(), z.int().min(0)).meta({
      description: '`rows_rejected` by reason. `unknown_instrument` never fails a load',
      example: { unknown_instrument: 120, bad_price: 3 },
    }),
    attempts: z.int(),
    error: z.string().nullable(),
    queued_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
  })
  .meta({ id: 'SyncJob' });
