/** Services that the routes of this room use. */
import type { MarketStats } from '../../db/market/market-stats.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { routesWith } from '../call/route.ts';
import type { Timed } from '../http/timed-cache.ts';
import type { MarketView } from '../market/market-view.ts';

export interface Services {
  readonly market: MarketView;
  readonly provider: Provider;
  readonly publicApiBase: string;
  readonly stats: () => Promise<Timed<MarketStats & { generated_at: string }>>;
}

export const defineRoute = routesWith<Services>();
