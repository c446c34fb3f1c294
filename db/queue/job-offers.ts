/**
 * Offers of workers with free slots, and the jobs that they are given by `admit_run` and `admit_runs` as runs are recorded, so that
 * nobody has to look for them.
 */
import { z } from 'zod';
import { IS_UNDER_WAY } from '../backtests/backtest-runs.ts';
import { isKnown } from '../backtests/run-results.ts';
import { DATA_VERSION } from '../market/data-versions.ts';
import { type Queryable, statementOf } from '../pool.ts';
import { ownBytes, type TakenJob, type TakenRow, takenJob } from './job-fetch.ts';

export interface JobOffer {
  readonly workerKey: number;
  /** The queues that share the slots. */
  readonly queues: readonly string[];
  readonly slots: number;
  readonly engineVersion: string;
}

/** Notified with a job that a worker is given; with nothing when it must read it. */
export const givenChannel = (workerKey: number) => `job_given_${workerKey}`;

/** Offers slots, and at first no places beyond them. */
export async function upsertOffer(db: Queryable, { workerKey, queues, slots, engineVersion }: JobOffer): Promise<void> {
  await db.query(
    `insert into job_offers (worker_key, queues, slots, engine_version) values ($1, $2, $3, $4)
     on conflict (worker_key) do update
       set queues = excluded.queues, slots = excluded.slots, ahead = 0, engine_version = excluded.engine_version`,
    [workerKey, queues, slots, engineVersion],
  );
}

/** Offers `ahead` places beyond the slots, or none while another worker could begin their jobs sooner. */
export async function offerAhead(db: Queryable, workerKey: number, ahead: number): Promise<void> {
  await db.query({
    name: 'offer_ahead',
    text: `update job_offers o set ahead = wanted.ahead
           from (select case when exists (select from job_offers where worker_key <> $1) then 0 else $2 end as ahead) wanted
           where o.worker_key = $1 and o.ahead <> wanted.ahead`,
    values: [workerKey, ahead],
  });
}

/** Resolves when no job is being given on this offer any more. */
export async function deleteOffer(db: Queryable, workerKey: number): Promise<void> {
  await db.query('delete from job_offers where worker_key = $1', [workerKey]);
}

const givenJob = z.object({
  queue: z.string(),
  id: z.uuid(),
  data: z.unknown(),
  retryLimit: z.int(),
  run: z.object({
    spec: z.string(),
    userId: z.int().nullable(),
    isSaved: z.boolean(),
    historyMax: z.int().nullable(),
    dataVersion: z.string(),
    fingerprint: z.hex().transform((hex) => ownBytes(Buffer.from(hex, 'hex'))),
    isKnown: z.boolean(),
  }),
});

/** The job of a notification; null when it has none, or one in the form of another version. Throws when it is not JSON. */
export function parseGivenJob(message: string): TakenJob | null {
  if (message === '') return null;
  const { data } = givenJob.safeParse(JSON.parse(message));
  return data ? { ...data, attempt: 0 } : null;
}

/** The active jobs that a worker has claimed for `ageMs` at least. */
export async function selectClaimedJobs(
  db: Queryable,
  { workerKey, engineVersion }: Pick<JobOffer, 'workerKey' | 'engineVersion'>,
  ageMs: number,
): Promise<TakenJob[]> {
  const { rows } = await db.query<TakenRow>(
    statementOf(
      `with data as materialized (select (${DATA_VERSION}) as version),
       claimed as (
         select j.name as queue, j.id, j.data, c.attempt, j.retry_limit as "retryLimit", r.spec::text as spec,
           r.user_id as "userId", r.is_saved as "isSaved", r.history_max as "historyMax",
           case when r.id is not null then data.version end as "dataVersion",
           sha256(convert_to(concat_ws(E'\\n', $2::text, data.version, r.spec::text), 'UTF8')) as fingerprint
         from data cross join job_claims c
         join pgboss.job j on j.name = c.queue and j.id = c.job_id and j.state = 'active' and j.retry_count = c.attempt
         left join backtest_runs r on r.id = j.id and r.${IS_UNDER_WAY}
         where c.worker_key = $1 and c.claimed_at <= now() - $3 * interval '1 ms')
       select *, (${isKnown('claimed')}) as "isKnown" from claimed`,
      [workerKey, engineVersion, ageMs],
    ),
  );
  return rows.map(takenJob);
}
