/** Combines concurrent requests to the database into one transaction. */
import { isDatabaseUnreachable, isLockTimeout } from './errors.ts';

export interface BatcherOptions<Item, Result> {
  /** Items of a batch at most. */
  readonly max: number;
  /** Resolves with a result for each item, in their order. It has no effect when it rejects. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How long the transaction of a batch waits for a lock. Its items are then tried one by one. */
export const BATCH_LOCK_MS = 100;

/** A batch that takes longer than this probably waits for a lock; later items get their own batch. */
const SLOW_MS = 20;
const MAX_IN_FLIGHT = 4;

/**
 * Collects items while a batch is under way, and runs them together when it has ended. An item that makes its batch fail does not
 * fail the others: each is tried again alone.
 */
export class Batcher<Item, Result> {
  private readonly options: BatcherOptions<Item, Result>;
  private waiting: Waiting<Item, Result>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private overdue: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.waiting.length === 0 || this.inFlight >= MAX_IN_FLIGHT) return;
    if (this.inFlight > 0) {
      this.overdue ??= setTimeout(() => this.send(), SLOW_MS);
    } else if (!this.isScheduled) {
      // After everything else in this iteration of the event loop.
      this.isScheduled = true;
      setImmediate(() => this.send());
    }
  }

  private async send(): Promise<void> {
    clearTimeout(this.overdue);
    this.overdue = undefined;
    this.isScheduled = false;
    const batch = this.waiting.splice(0, this.options.max);
    if (batch.length === 0) return;
    this.inFlight++;
    // For items beyond the largest batch.
    this.schedule();
    try {
      await this.settle(batch);
    } finally {
      this.inFlight--;
      this.schedule();
    }
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]);
    } catch (error) {
      if (batch.length > 1 && (!isDatabaseUnreachable(error) || isLockTimeout(error))) {
        await Promise.all(batch.map((one) => this.settle([one])));
      } else for (const { reject } of batch) reject(error);
    }
  }
}
