/** A semaphore that limits concurrent work. Callers with waiting calls get permits in turn. */
import { ServiceError } from '../../engine/util/errors.ts';

export interface SemaphoreLimits {
  /** Permits held at a time. */
  readonly atOnce: number;
  /** Calls that may wait, in total and per caller. Further calls are refused. */
  readonly maxWaiting: number;
  readonly maxWaitingPerCaller: number;
}

/** Held by a caller until it is released. */
export interface Permit {
  readonly isReleased: boolean;
  /** May be called more than once. */
  readonly release: () => void;
}

type Start = (permit: Permit) => void;

export class FairSemaphore {
  private readonly limits: SemaphoreLimits;
  private taken = 0;
  /** Waiting callers, in the order of their next permits. */
  private readonly waiting = new Map<string, Start[]>();

  constructor(limits: SemaphoreLimits) {
    this.limits = limits;
  }

  /** Resolves when the caller gets a permit. Throws when too many calls wait, or when `abort` aborts first. */
  async acquire(caller: string, abort?: AbortSignal): Promise<Permit> {
    if (this.taken < this.limits.atOnce) return this.begin();
    this.assertRoom(caller);
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    const own = this.waiting.get(caller);
    if (own) own.push(resolve);
    else this.waiting.set(caller, [resolve]);
    const giveUp = () => {
      this.forget(caller, resolve);
      reject(new ServiceError('invalid_request'));
    };
    abort?.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      abort?.removeEventListener('abort', giveUp);
    }
  }

  private assertRoom(caller: string): void {
    const all = [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
    const own = this.waiting.get(caller)?.length ?? 0;
    if (all < this.limits.maxWaiting && own < this.limits.maxWaitingPerCaller) return;
    throw new ServiceError('server_busy');
  }

  private begin(): Permit {
    this.taken++;
    let isReleased = false;
    return {
      get isReleased() {
        return isReleased;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.taken--;
        this.startNext();
      },
    };
  }

  private startNext(): void {
    const next = this.waiting.entries().next().value;
    if (!next) return;
    const [caller, [start, ...others]] = next;
    this.waiting.delete(caller);
    if (others.length > 0) this.waiting.set(caller, others);
    start(this.begin());
  }

  private forget(caller: string, start: Start): void {
    const others = this.waiting.get(caller)?.filter((one) => one !== start) ?? [];
    if (others.length > 0) this.waiting.set(caller, others);
    else this.waiting.delete(caller);
  }
}

/** A client that takes longer to read a piece loses its permit to another caller. */
const READER_TIMEOUT_MS = 1_000;

/** Passes on `pieces`, each of which is made only while the caller holds a permit. */
export async function* withPermit<T>(
  semaphore: FairSemaphore,
  caller: string,
  abort: AbortSignal,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T> {
  let permit = await semaphore.acquire(caller, abort);
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      timer = setTimeout(permit.release, READER_TIMEOUT_MS);
      yield piece;
      clearTimeout(timer);
      if (permit.isReleased) permit = await semaphore.acquire(caller, abort);
    }
  } finally {
    clearTimeout(timer);
    permit.release();
  }
}
