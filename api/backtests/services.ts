/** Services that the routes of this room use. */
import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import type { selectStrategyProofs } from '../../db/runs/verdicts.ts';
import type { RunQueue } from '../../jobs/backtest/enqueue.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { Limiter } from '../access/rate-limit.ts';
import { routesWith } from '../call/route.ts';
import type { FairSemaphore } from '../http/fair-semaphore.ts';
import type { Timed } from '../http/timed-cache.ts';
import type { MarketView } from '../market/market-view.ts';
import type { BacktestWaiting } from './waiting.ts';

export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly boss: PgBoss;
  readonly now: () => number;
  readonly limiter: Limiter;
  readonly storage: ObjectStorage;
  readonly backtests: BacktestWaiting;
  readonly runQueue: RunQueue;
  readonly backtestWaitMs: number;
  readonly publicApiBase: string;
  readonly strategyProofs: () => Promise<Timed<Awaited<ReturnType<typeof selectStrategyProofs>>>>;
  readonly longParts: FairSemaphore;
}

export const defineRoute = routesWith<Services>();
