/**
 * Turns of lanes, queues, and accounts: lanes are served in turn, and so are the queues of a lane. While two queues of a lane have
 * waiting jobs, neither gets more than every other free slot. The jobs of a queue have the turns of their accounts as priorities.
 */
import { LANES, type Lane } from './queue-contract.ts';
import { QUEUES, type QueueName, queuesOf } from './queues.ts';

export interface Turn {
  readonly queue: QueueName;
  /** Jobs to fetch at most. */
  readonly batchSize: number;
}

/** The items in their order, starting after `last`. */
function after<T>(items: readonly T[], last: T | undefined): T[] {
  const at = last === undefined ? 0 : items.indexOf(last) + 1;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** A job that a worker has taken, in the lane of the others. */
export interface HeldJob {
  /** Owner of what the job works for; a job that works for none has its queue here. */
  readonly account: string;
  /** Jobs of a higher one come first. */
  readonly priority: number;
  /** When it began, in monotonic milliseconds; null: it waits for a slot. */
  readonly since: number | null;
}

/** A job that has run for so long gives way: accounts that have none running need not wait for its slot. */
export const PART_MS = 1_000;
/** Jobs of a lane that run beside its slots at most, each in a thread of its own. */
const BESIDE_SLOTS = 4;

/** Whether a job of an account that has none running may begin although no slot is free. */
export function mayRunBeside(jobs: readonly HeldJob[], slots: number, now: number): boolean {
  const begun = jobs.flatMap(({ since }) => (since === null ? [] : [since]));
  const recent = begun.filter((since) => now - since < PART_MS);
  return recent.length < slots && begun.length < slots + BESIDE_SLOTS;
}

/**
 * The waiting job that begins next: of an account that has the fewest running and was not the last to begin one, by priority, and first
 * come. Null when none may begin.
 */
export function nextToBegin<T extends HeldJob>(
  jobs: readonly T[],
  { slots, isShared, last, now }: { slots: number; isShared: boolean; last: string | undefined; now: number },
): T | null {
  const running = jobs.filter(({ since }) => since !== null);
  const isFree = running.length < slots;
  if (!isFree && !(isShared && mayRunBeside(jobs, slots, now))) return null;
  const counts = Map.groupBy(running, ({ account }) => account);
  const load = ({ account }: T) => (counts.get(account)?.length ?? 0) + (account === last ? 0.5 : 0);
  const waiting = jobs.filter((job) => job.since === null && (isFree || !counts.has(job.account)));
  return waiting.toSorted((a, b) => load(a) - load(b) || b.priority - a.priority)[0] ?? null;
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
