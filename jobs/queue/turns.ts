/**
 * Turns of lanes and queues: lanes are served in turn, and so are the queues of a lane. While two queues of a lane have waiting
 * jobs, neither gets more than every other free slot.
 */
import { LANES, type Lane } from './queue-contract.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';

export interface Turn {
  readonly queue: QueueName;
  /** Jobs to fetch at most. */
  readonly batchSize: number;
}

const queuesOf = (lane: Lane) => QUEUE_NAMES.filter((name) => QUEUES[name].lane === lane);

/** The items in their order, starting after `last`. */
function after<T>(items: readonly T[], last: T | undefined): T[] {
  const at = last === undefined ? 0 : items.indexOf(last) + 1;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Jobs in hand in the order in which they begin: their queues take turns, starting after `last`, and each keeps its order. */
export function inTurns<T extends { readonly queue: QueueName }>(jobs: readonly T[], last: QueueName | undefined): T[] {
  const byQueue = Map.groupBy(jobs, ({ queue }) => queue);
  const grouped = after(QUEUE_NAMES, last).flatMap((name) => byQueue.get(name) ?? []);
  if (byQueue.size < 2) return grouped;
  const nth = new Map([...byQueue.values()].flatMap((ofQueue) => ofQueue.map((job, i) => [job, i] as const)));
  return grouped.toSorted((a, b) => (nth.get(a) ?? 0) - (nth.get(b) ?? 0));
}

export class Turns {
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
  next(freeSlots: (lane: Lane) => number): Turn | null {
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

  /** Records how many jobs a turn fetched. */
  took({ queue, batchSize }: Turn, jobs: number): void {
    if (jobs > 0) this.served.set(QUEUES[queue].lane, queue);
    if (jobs < batchSize) {
      this.unfinished.delete(queue);
      return;
    }
    // There may be more jobs, for free slots or for later ones.
    this.unfinished.add(queue);
    this.woken.add(queue);
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
