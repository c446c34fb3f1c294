/** Every route of the API, on one page. */
import { MARKET_ROUTES } from './market/routes.ts';
import { META_ROUTES } from './meta/routes.ts';
import type { Route } from './route.ts';

export const ROUTES: readonly Route[] = [...MARKET_ROUTES, ...META_ROUTES];
