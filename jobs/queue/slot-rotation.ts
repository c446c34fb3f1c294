/**
 * Turns at the slots of a lane in which more jobs have begun than it has slots. They go round by account: no account has two of them
 * while a job of another is paused, and the account whose last part ended first is the next one.
 */
import { LRUCache } from 'lru-cache';
import { type Gate, setGate } from './gate.ts';

export interface BegunJob {
  /** Null: the job works for no account. */
  readonly account: string | null;
  readonly gate: Gate;
}

/** Accounts whose last parts are known. Another one counts as new. */
const MAX_ACCOUNTS = 1_000;

const ownerOf = ({ account }: BegunJob) => account ?? '';

export class SlotRotation<J extends BegunJob> {
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
