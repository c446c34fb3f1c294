/** Services that the routes of this room use. */
import type { Logger } from 'pino';
import type { Pool } from '../../db/pool.ts';
import type { Limiter, LimitRule } from '../access/rate-limit.ts';
import type { MarketView } from '../market/market-view.ts';

export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly log: Logger;
  readonly limiter: Limiter;
  readonly publicRule: LimitRule;
  readonly publicApiBase: string;
}
