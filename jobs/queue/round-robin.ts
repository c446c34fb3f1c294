/**
 * Decides from which queue jobs are fetched next: round-robin over lanes, and over the queues of a lane, which share its free slots. The
 * turns of accounts are the priorities of the jobs in a queue.
 */
import { LANES, type Lane, MAX_EXTRA } from '../contracts/queue-contract.ts';
import { QUEUES, type QueueName, queuesOf } from '../contracts/queues.ts';

export interface FetchRequest {
  readonly queue: QueueName;
  /** The most jobs to fetch. */
  readonly batchSize: number;
}

/** The items in their order, starting after `last`. */
function after<T>(items: readonly T[], last: T | undefined): T[] {
  const at = last === undefined ? 0 : items.indexOf(last) + 1;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** After so long, a job no longer keeps an extra one from starting. */
export const PART_MS = 1_000;
/** So many extra jobs of a lane may always start; others while the memory of a large job is available. */
const FREE_EXTRA = 4;
const LARGE_JOB_BYTES = 2 ** 30;
/** The queue whose jobs read one instrument: they are small and end within a part, so they start beyond the bound. */
const SMALL: QueueName = 'backtest';

export interface RunningLane {
  /** When its jobs started, in monotonic milliseconds. */
  readonly since: readonly number[];
  readonly slots: number;
  readonly now: number;
  readonly availableBytes: number;
}

/** Whether a job of an account that has none running may start although no slot is free, because another one has run for long. */
export function mayStartExtra(queue: QueueName, { since, slots, now, availableBytes }: RunningLane): boolean {
  const recent = since.filter((startedAt) => now - startedAt < PART_MS);
  const most = availableBytes < LARGE_JOB_BYTES ? FREE_EXTRA : MAX_EXTRA;
  const beyond = queue === SMALL ? slots : 0;
  return recent.length < slots && since.length < slots + most + beyond;
}

export class RoundRobin {
  /** Queues that may have waiting jobs. */
  private readonly woken = new Set<QueueName>();
  /** Queues that may have more waiting jobs than there were slots for. */
  private readonly unfinished = new Set<QueueName>();
  /** The queue of each lane from which a job was fetched last. */
  private readonly served = new Map<Lane, QueueName>();
  private lastLane: Lane | undefined;

  wake(queues: readonly QueueName[]): void {
    for (const queue of queues) this.woken.add(queue);
  }

  /** Wakes the queues of the lane that may have more jobs than there were slots for. */
  wakeUnfinished(lane: Lane): void {
    for (const queue of this.unfinished) if (QUEUES[queue].lane === lane) this.woken.add(queue);
  }

  get isIdle(): boolean {
    return this.woken.size === 0;
  }

  /** The next queue to fetch from, with its share of the free slots of its lane; null: no queue has both a job and a slot. */
  next(freeSlots: (queue: QueueName) => number): FetchRequest | null {
    for (const lane of after(LANES, this.lastLane)) {
      const woken = after(queuesOf(lane), this.served.get(lane)).filter((queue) => this.woken.has(queue));
      const queues = woken.filter((queue) => freeSlots(queue) > 0);
      this.postpone(woken.filter((queue) => !queues.includes(queue)));
      if (queues.length === 0) continue;
      const [queue] = queues;
      this.lastLane = lane;
      this.woken.delete(queue);
      return { queue, batchSize: Math.ceil(freeSlots(queue) / queues.length) };
    }
    return null;
  }

  /** Records how many jobs were fetched, and whether those of some accounts were excluded. */
  took({ queue, batchSize }: FetchRequest, jobs: number, isPartial: boolean): void {
    if (jobs > 0) this.served.set(QUEUES[queue].lane, queue);
    const isEmpty = jobs < batchSize;
    if (isEmpty && !isPartial) this.unfinished.delete(queue);
    else this.unfinished.add(queue);
    // There may be more jobs, for free slots or for later ones.
    if (!isEmpty) this.woken.add(queue);
  }

  /** After a failed fetch: all queues wait until they are woken again. */
  pause(): void {
    this.postpone([...this.woken]);
  }

  private postpone(queues: readonly QueueName[]): void {
    for (const queue of queues) {
      this.woken.delete(queue);
      this.unfinished.add(queue);
    }
  }
}
