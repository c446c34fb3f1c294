/** Finished results that pages open with: computed once for each version of the loaded market, and the same for everybody. */
import { ServiceError } from '../../engine/util/errors.ts';
import type { RunWork } from '../../jobs/contracts/run-kinds.ts';
import type { Guest } from '../access/caller.ts';
import { RequestFailure } from '../http/input/request-failure.ts';
import { KEPT_MS, serviceRun } from './service-run.ts';
import type { RunCall, Services } from './services.ts';
import type { DoneRun } from './state.ts';

/** Who asks for an example: no reader, so that nobody's plan limits it. */
const NOBODY: Guest = { kind: 'guest', counter: 'example', plan: 'enterprise' };

interface Kept<T> {
  readonly version: string;
  readonly example: Promise<T>;
  usedAt: number;
}

export class MarketExample<S extends Services, T> {
  private readonly compute: (call: RunCall<Guest, S>) => Promise<T>;
  /** The newest example of each market that this process serves. */
  private readonly kept = new WeakMap<Services['market'], Kept<T>>();

  constructor(compute: (call: RunCall<Guest, S>) => Promise<T>) {
    this.compute = compute;
  }

  read({ services, context }: Pick<RunCall<Guest, S>, 'services' | 'context'>): Promise<T> {
    const { market, now } = services;
    const { version } = market;
    const known = this.kept.get(market);
    // Parts of a result that nobody has read for so long are no longer stored.
    if (known?.version === version && now() - known.usedAt < KEPT_MS) {
      known.usedAt = now();
      return known.example;
    }
    const example = this.compute({ services, context, caller: NOBODY }).catch(refusedAsNotReady);
    const kept = { version, example, usedAt: now() };
    this.kept.set(market, kept);
    // The next reader tries again.
    example.catch(() => this.kept.get(market) === kept && this.kept.delete(market));
    return example;
  }
}

/** A market whose history is too short for an example has none yet. */
function refusedAsNotReady(error: unknown): never {
  throw error instanceof RequestFailure ? new ServiceError('example_not_ready') : error;
}

/** A run of an example; `name` tells those of one kind apart. */
export async function exampleRun({ services, context }: RunCall<Guest>, name: string, work: RunWork): Promise<DoneRun> {
  const run = await serviceRun(services, context, `${name} ${services.market.version}`, work);
  if (run === null) throw new ServiceError('example_not_ready');
  return run;
}
