/** Services that the routes of market data use. */
import type { LRUCache } from 'lru-cache';
import type { Provider } from '../../jobs/providers/provider.ts';
import { routesWith } from '../call/route.ts';
import type { FairSemaphore } from '../http/fair-semaphore.ts';
import type { MarketView } from './market-view.ts';

export interface Services {
  readonly market: MarketView;
  readonly provider: Provider;
  readonly now: () => number;
  readonly candleTexts: LRUCache<string, string>;
  readonly largeAnswers: FairSemaphore;
}

export const defineRoute = routesWith<Services>();
