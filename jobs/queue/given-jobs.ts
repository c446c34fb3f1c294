/**
 * The jobs that this worker is given. While it has free slots it offers them, and an API process that records a run gives it the
 * run's job: it is claimed for this worker from its beginning and comes by notification. What was given while no notification
 * could come is found among the worker's claims.
 */
import type { Logger } from 'pino';
import type { Pool, Queryable } from '../../db/pool.ts';
import type { TakenJob } from '../../db/queue/job-fetch.ts';
import {
  deleteOffer,
  givenChannel,
  type JobOffer,
  offerAhead,
  parseGivenJob,
  selectClaimedJobs,
  upsertOffer,
} from '../../db/queue/job-offers.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { Lane } from './queue-contract.ts';
import { isQueueName, QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';

export interface GivenJobsOptions {
  readonly pool: Pool;
  readonly workerKey: number;
  readonly lane: Lane;
  /** Slots of the lane. */
  readonly slots: number;
  /** How many jobs beyond the slots the worker would take now. */
  readonly ahead: () => number;
  readonly log: Logger;
  /** The attempts that the worker has or is settling, by `attemptKey`. */
  readonly known: ReadonlySet<string>;
  readonly accept: (queue: QueueName, job: TakenJob) => void;
}

export const attemptKey = ({ id, attempt }: Pick<TakenJob, 'id' | 'attempt'>) => `${id} ${attempt}`;

/** A notification takes less than this; a job that is claimed for longer and not known was not heard of. */
const UNHEARD_MS = 1_000;

export class GivenJobs {
  readonly channel: string;
  private readonly options: GivenJobsOptions;
  private readonly worker: Pick<JobOffer, 'workerKey' | 'engineVersion'>;

  constructor(options: GivenJobsOptions) {
    this.options = options;
    this.channel = givenChannel(options.workerKey);
    this.worker = { workerKey: options.workerKey, engineVersion: ENGINE_VERSION };
  }

  /** Offers the slots. Must follow the lease, so that nothing is given to a worker that counts as dead. */
  async offer(connection: Queryable): Promise<void> {
    const { lane, slots } = this.options;
    if (slots === 0) return;
    const queues = QUEUE_NAMES.filter(
      (name) => QUEUES[name].lane === lane && QUEUES[name].options.policy === 'standard',
    );
    await upsertOffer(connection, { ...this.worker, queues, slots });
  }

  /** Offers as many places beyond the slots as the worker would fill now. */
  async offerAhead(): Promise<void> {
    const { pool, workerKey, ahead } = this.options;
    await offerAhead(pool, workerKey, ahead());
  }

  /** Is given nothing any more; what was given until now is accepted. */
  async withdraw(): Promise<void> {
    await deleteOffer(this.options.pool, this.options.workerKey);
    await this.look(0);
  }

  hear(message: string): void {
    const job = parseGivenJob(message);
    if (job) this.accept([job]);
    else this.lookNow();
  }

  /** Accepts everything that was given, when notifications may have been missed. */
  lookNow(): void {
    this.look(0).catch((error) => this.options.log.warn({ err: error }, 'the jobs of this worker could not be read'));
  }

  /** Accepts jobs of this worker that it has not heard of within a second. */
  lookForUnheard(): Promise<void> {
    return this.look(UNHEARD_MS);
  }

  private async look(ageMs: number): Promise<void> {
    const { pool, known } = this.options;
    // One that ends meanwhile was known before.
    const before = new Set(known);
    const jobs = await selectClaimedJobs(pool, this.worker, ageMs);
    this.accept(jobs.filter((job) => !before.has(attemptKey(job))));
  }

  private accept(jobs: readonly TakenJob[]): void {
    const { known, accept } = this.options;
    for (const job of jobs) if (isQueueName(job.queue) && !known.has(attemptKey(job))) accept(job.queue, job);
  }
}
