/**
 * Turns of lanes, queues, and accounts: lanes are served in turn, and so are the queues of a lane. While two queues of a lane have
 * waiting jobs, neither gets more than every other free slot. The jobs of a queue have the turns of their accounts as priorities.
 */
import { LANES, type Lane } from '../contracts/queue-contract.ts';
import { QUEUES, type QueueName, queuesOf } from '../contracts/queues.ts';

export interface FetchRequest {
  readonly queue: QueueName;
  /** Jobs to fetch at most. */
  readonly batchSize: number;
}

/** The items in their order, starting after `last`. */
function after<T>(items: readonly T[], last: T | undefined): T[] {
  const at = last === undefined ? 0 : items.indexOf(last) + 1;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** How long a job keeps the slot of its lane to itself. */
export const PART_MS = 1_000;
/** Jobs of a lane that run beside its slots at most, each in a thread of its own. */
const BESIDE_SLOTS = 4;

/**
 * Whether a job of an account that has none running may begin although no slot is free: beside one that has run for long. `since`: when
 * the running jobs of the lane began, in monotonic milliseconds.
 */
export function mayRunBeside(since: readonly number[], slots: number, now: number): boolean {
  const recent = since.filter((began) => now - began < PART_MS);
  return recent.length < slots && since.length < slots + BESIDE_SLOTS;
}

export class QueueRotation {
  /** Queues that may have a job to take. */
  private readonly woken = new Set<QueueName>();
  /** Queues that may hold more jobs than there were slots for. */
  private readonly unfinished = new Set<QueueName>();
  /** The queue of each lane that was given a slot last. */
  private readonly served = new Map<Lane, QueueName>();
  private lastLane: Lane | undefined;

  wake(queues: readonly QueueName[]): void {
    for (const queue of queues) this.woken.add(queue);
  }

  /** A slot of the lane is free: queues that found none before may try again. */
  wakeUnfinished(lane: Lane): void {
    for (const queue of this.unfinished) if (QUEUES[queue].lane === lane) this.woken.add(queue);
  }

  get isIdle(): boolean {
    return this.woken.size === 0;
  }

  /** The next queue to fetch from, with its share of the free slots of its lane; null when none has a job or a slot. */
  next(freeSlots: (lane: Lane) => number): FetchRequest | null {
    for (const lane of after(LANES, this.lastLane)) {
      const queues = after(queuesOf(lane), this.served.get(lane)).filter((queue) => this.woken.has(queue));
      if (queues.length === 0) continue;
      const free = freeSlots(lane);
      if (free <= 0) {
        this.putOff(queues);
        continue;
      }
      this.lastLane = lane;
      this.woken.delete(queues[0]);
      return { queue: queues[0], batchSize: Math.ceil(free / queues.length) };
    }
    return null;
  }

  /** Records how many jobs a turn fetched, and whether it left out those of some accounts. */
  took({ queue, batchSize }: FetchRequest, jobs: number, isPartial: boolean): void {
    if (jobs > 0) this.served.set(QUEUES[queue].lane, queue);
    const isEmpty = jobs < batchSize;
    if (isEmpty && !isPartial) this.unfinished.delete(queue);
    else this.unfinished.add(queue);
    // There may be more jobs, for free slots or for later ones.
    if (!isEmpty) this.woken.add(queue);
  }

  /** Fetching failed: all queues wait until they are woken again. */
  pause(): void {
    this.putOff([...this.woken]);
  }

  private putOff(queues: readonly QueueName[]): void {
    for (const queue of queues) {
      this.woken.delete(queue);
      this.unfinished.add(queue);
    }
  }
}
