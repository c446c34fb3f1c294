/**
 * Decides from which queue jobs are fetched next: round-robin over lanes, and over the queues of a lane, which share its free slots; and
 * which begun jobs go on. The turns of accounts are the priorities of the jobs in a queue.
 */
import { LRUCache } from 'lru-cache';
import { LANES, type Lane, MAX_EXTRA } from '../contracts/queue-contract.ts';
import { QUEUES, type QueueName, queuesOf } from '../contracts/queues.ts';
import { type Gate, setGate } from './thread-control.ts';

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

export interface BegunJob {
  /** Null: the job works for no account. */
  readonly account: string | null;
  readonly gate: Gate;
}

/** Accounts whose last parts are known. Another one counts as new. */
const MAX_ACCOUNTS = 1_000;

const ownerOf = ({ account }: BegunJob) => account ?? '';

/**
 * Turns at the slots of a lane in which more jobs have begun than it has slots. They go round by account: no account has two of them
 * while a job of another is paused, and the account whose last part ended first is the next one.
 */
export class SlotTurns<J extends BegunJob> {
  /** When the last part of each ended, in monotonic milliseconds. */
  private readonly jobs = new WeakMap<J, number>();
  private readonly accounts = new LRUCache<string, number>({ max: MAX_ACCOUNTS });

  /** Records that these jobs have had a part. */
  endParts(jobs: readonly J[], at: number): void {
    for (const job of jobs) {
      this.jobs.set(job, at);
      this.accounts.set(ownerOf(job), at);
    }
  }

  /** Lets as many of the jobs go on as there are slots, and pauses the others. */
  share(jobs: readonly J[], slots: number): void {
    for (const [place, { gate }] of this.inTurn(jobs).entries()) setGate(gate, place < slots);
  }

  private inTurn(jobs: readonly J[]): J[] {
    const ranked = [...Map.groupBy(jobs, ownerOf)].flatMap(([owner, some]) => {
      const endedAt = this.accounts.get(owner) ?? 0;
      const own = some.toSorted((a, b) => (this.jobs.get(a) ?? 0) - (this.jobs.get(b) ?? 0));
      return own.map((job, round) => ({ job, round, endedAt }));
    });
    return ranked.sort((a, b) => a.round - b.round || a.endedAt - b.endedAt).map(({ job }) => job);
  }
}
