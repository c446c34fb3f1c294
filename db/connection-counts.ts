/** How many connections to the database each part of the service has at most, by what they are for. RELIABILITY.md adds them up. */

/** An instance of the queue: one that sends, and that of a worker, which also supervises. */
export const QUEUE_CONNECTIONS = { sending: 2, supervising: 4 } as const;
const { sending, supervising } = QUEUE_CONNECTIONS;

export const CONNECTIONS = {
  /** An API process, beside those of `DATABASE_POOL` for its calls. */
  api: { long: 4, counters: 3, queue: sending, listener: 1 },
  worker: { jobs: 4, fetching: 1, queue: supervising, listener: 1 },
  /** A thread of a worker; one per slot. */
  thread: { job: 3 },
  /** More of a thread of sweeps, because it queues the next step of its sweep. */
  sweepThread: { queue: sending },
  scheduler: { loads: 2, queue: sending, listener: 1 },
} as const;

/** The sum over all purposes of a part. */
export const connectionsOf = (part: keyof typeof CONNECTIONS): number =>
  Object.values(CONNECTIONS[part]).reduce((sum, count) => sum + count, 0);
