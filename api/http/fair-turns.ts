/** Limits how many calls do something at a time. Callers with waiting calls are served in turn. */
import { ServiceError } from '../../engine/errors.ts';

export interface TurnLimits {
  /** Concurrent turns. */
  readonly atOnce: number;
  /** Calls that may wait, in total and per caller. Further calls are refused. */
  readonly maxWaiting: number;
  readonly maxWaitingPerCaller: number;
}

/** A caller's turn, until it leaves. */
export interface Turn {
  readonly hasLeft: boolean;
  /** May be called more than once. */
  readonly leave: () => void;
}

type Start = (turn: Turn) => void;

export class Turns {
  private readonly limits: TurnLimits;
  private taken = 0;
  /** Waiting callers, in the order of their next turn. */
  private readonly waiting = new Map<string, Start[]>();

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** Resolves when it is the caller's turn. Throws when too many calls wait, or when `gone` aborts first. */
  async enter(caller: string, gone?: AbortSignal): Promise<Turn> {
    if (this.taken < this.limits.atOnce) return this.begin();
    this.assertRoom(caller);
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const own = this.waiting.get(caller);
    if (own) own.push(resolve);
    else this.waiting.set(caller, [resolve]);
    const giveUp = () => {
      this.forget(caller, resolve);
      reject(new ServiceError('invalid_request'));
    };
    gone?.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      gone?.removeEventListener('abort', giveUp);
    }
  }

  private assertRoom(caller: string): void {
    const all = [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
    const own = this.waiting.get(caller)?.length ?? 0;
    if (all < this.limits.maxWaiting && own < this.limits.maxWaitingPerCaller) return;
    throw new ServiceError('server_busy');
  }

  private begin(): Turn {
    this.taken++;
    let hasLeft = false;
    return {
      get hasLeft() {
        return hasLeft;
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
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

/** How long a turn waits for a client to read before another caller gets it. */
const READER_TIMEOUT_MS = 1_000;

/** Passes on `pieces`, which are made only while it is the caller's turn. */
export async function* inTurn<T>(
  turns: Turns,
  caller: string,
  gone: AbortSignal,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T> {
  let turn = await turns.enter(caller, gone);
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      timer = setTimeout(turn.leave, READER_TIMEOUT_MS);
      yield piece;
      clearTimeout(timer);
      if (turn.hasLeft) turn = await turns.enter(caller, gone);
    }
  } finally {
    clearTimeout(timer);
    turn.leave();
  }
}
