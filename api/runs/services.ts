/** Services that the routes of all kinds of runs use. */
import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import type { RunQueue } from '../../jobs/runs/enqueue.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { AccountCaller, Caller } from '../access/caller.ts';
import type { Limiter } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import { routesWith } from '../call/route.ts';
import type { FairSemaphore } from '../http/fair-semaphore.ts';
import type { MarketView } from '../market/market-view.ts';
import type { RunWaiting } from './wait.ts';

export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly boss: PgBoss;
  readonly now: () => number;
  readonly limiter: Limiter;
  readonly storage: ObjectStorage;
  readonly runs: RunWaiting;
  readonly runQueue: RunQueue;
  readonly backtestWaitMs: number;
  readonly publicApiBase: string;
  readonly longParts: FairSemaphore;
}

/** The part of a call that every handler of runs needs. */
export interface RunCall<C extends Caller = Caller, S extends Services = Services> {
  readonly services: S;
  readonly context: RequestContext;
  readonly caller: C;
}

/** A call of a signed-in account. */
export type AccountCall = RunCall<AccountCaller>;

export const defineRoute = routesWith<Services>();
