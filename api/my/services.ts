/** Services that the routes of strategies, watches, and webhooks use. */
import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import type { AllowedNetworks } from '../../jobs/contracts/webhooks.ts';
import { routesWith } from '../call/route.ts';
import type { MarketView } from '../market/market-view.ts';

export interface Services {
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly market: MarketView;
  readonly now: () => number;
  readonly webhookNetworks: AllowedNetworks;
  readonly nameServers?: readonly string[];
  readonly publicApiBase: string;
}

export const defineRoute = routesWith<Services>();
