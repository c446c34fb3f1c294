/** Every route of the API, on one page. */
import { ACCOUNT_ROUTES } from './accounts/account-routes.ts';
import { AUTH_ROUTES } from './accounts/auth-routes.ts';
import { BACKTEST_ROUTES } from './backtests/routes.ts';
import { WEB_BACKTEST_ROUTES } from './backtests/web-routes.ts';
import { MARKET_ROUTES } from './market/routes.ts';
import { META_ROUTES } from './meta/routes.ts';
import type { Route } from './route.ts';
import { SCREENER_ROUTES } from './screener/routes.ts';

export const ROUTES: readonly Route[] = [
  ...MARKET_ROUTES,
  ...META_ROUTES,
  ...AUTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...BACKTEST_ROUTES,
  ...WEB_BACKTEST_ROUTES,
  ...SCREENER_ROUTES,
];
