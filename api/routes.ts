/** Every route of the API. */
import { ACCOUNT_ROUTES } from './accounts/account-routes.ts';
import { AUTH_ROUTES } from './accounts/auth-routes.ts';
import { DATA_EXPORT_ROUTES } from './accounts/data-export-routes.ts';
import { ARTICLE_ADMIN_ROUTES } from './admin/article-routes.ts';
import { AUDIT_ROUTES } from './admin/audit-routes.ts';
import { CALENDAR_ROUTES } from './admin/calendar-routes.ts';
import { COMMON_COLUMN_ROUTES } from './admin/column-routes.ts';
import { COMPARISON_ROUTES } from './admin/comparison-routes.ts';
import { DATA_ROUTES } from './admin/data-routes.ts';
import { EXPORT_ROUTES } from './admin/export-routes.ts';
import { FILE_CHECK_ROUTES } from './admin/file-check-routes.ts';
import { FINDING_ROUTES } from './admin/finding-routes.ts';
import { JOB_ROUTES } from './admin/job-routes.ts';
import { ON_CALL_ROUTES } from './admin/on-call-routes.ts';
import { QUEUE_ROUTES } from './admin/queue-routes.ts';
import { SESSION_ROUTES } from './admin/session-routes.ts';
import { STATS_ROUTES } from './admin/stats.ts';
import { ADMIN_SWEEP_ROUTES } from './admin/sweep-routes.ts';
import { SYNC_ROUTES } from './admin/sync-routes.ts';
import { USER_ROUTES } from './admin/user-routes.ts';
import { ARTICLE_ROUTES } from './articles/routes.ts';
import { BACKTESTS } from './backtests/routes.ts';
import { CLAIM_ROUTES } from './factors/claim-routes.ts';
import { FACTOR_STUDIES } from './factors/routes.ts';
import { FILE_ROUTES } from './files/routes.ts';
import { FORWARD } from './forward/routes.ts';
import { JUDGEMENTS } from './judge/routes.ts';
import { IMPACT_ROUTES } from './market/impact-routes.ts';
import { REVISION_ROUTES } from './market/revision-routes.ts';
import { MARKET_ROUTES } from './market/routes.ts';
import { WHOLE_MARKET_ROUTES } from './market/whole-market-routes.ts';
import { META_ROUTES } from './meta/routes.ts';
import { COLUMNS } from './my/column-routes.ts';
import { DRAWING_ROUTES } from './my/drawing-routes.ts';
import { OWN_STRATEGY_ROUTES } from './my/strategy-routes.ts';
import { STREAM_ROUTES } from './my/stream-routes.ts';
import { WATCH_ROUTES } from './my/watch-routes.ts';
import { WEBHOOK_ROUTES } from './my/webhook-routes.ts';
import { GRANT_ROUTES } from './oauth/routes.ts';
import { SEARCHES } from './optimize/routes.ts';
import { OUTCOMES } from './outcomes/routes.ts';
import { PORTFOLIOS } from './portfolios/routes.ts';
import { RULE_ROUTES } from './rules/routes.ts';
import { EVIDENCE_STATES } from './runs/evidence-routes.ts';
import { routesOfKind } from './runs/kinds.ts';
import { TEAR_SHEET_STATE } from './runs/tear-sheet-routes.ts';
import { MARKET_OVERVIEW_ROUTES } from './screener/overview-routes.ts';
import { SCREENS } from './screener/routes.ts';
import { QUERIES } from './sql/routes.ts';
import { SWEEPS } from './sweeps/routes.ts';
import { TABLE_ROUTES } from './tables/routes.ts';

/** Routes of runs; the routes of a subject stand together, as in the interface description. */
const RUN_ROUTES = [
  ...Map.groupBy(
    [
      ...routesOfKind(BACKTESTS),
      ...routesOfKind(SEARCHES),
      ...EVIDENCE_STATES,
      ...REVISION_ROUTES,
      ...IMPACT_ROUTES,
      TEAR_SHEET_STATE,
      ...routesOfKind(PORTFOLIOS),
    ],
    ({ tag }) => tag,
  ).values(),
].flat();

export const ROUTES = [
  ...MARKET_ROUTES,
  ...MARKET_OVERVIEW_ROUTES,
  ...WHOLE_MARKET_ROUTES,
  ...META_ROUTES,
  ...AUTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...DATA_EXPORT_ROUTES,
  ...GRANT_ROUTES,
  ...RUN_ROUTES,
  ...routesOfKind(SWEEPS),
  ...routesOfKind(FACTOR_STUDIES),
  ...routesOfKind(CLAIM_ROUTES),
  ...routesOfKind(OUTCOMES),
  ...routesOfKind(JUDGEMENTS),
  ...routesOfKind(FORWARD),
  ...routesOfKind(SCREENS),
  ...FILE_ROUTES,
  ...TABLE_ROUTES,
  ...RULE_ROUTES,
  ...routesOfKind(QUERIES),
  ...OWN_STRATEGY_ROUTES,
  ...WATCH_ROUTES,
  ...routesOfKind(COLUMNS),
  ...DRAWING_ROUTES,
  ...WEBHOOK_ROUTES,
  ...STREAM_ROUTES,
  ...ARTICLE_ROUTES,
  ...ARTICLE_ADMIN_ROUTES,
  ...USER_ROUTES,
  ...AUDIT_ROUTES,
  ...DATA_ROUTES,
  ...COMMON_COLUMN_ROUTES,
  ...CALENDAR_ROUTES,
  ...SESSION_ROUTES,
  ...FINDING_ROUTES,
  ...FILE_CHECK_ROUTES,
  ...SYNC_ROUTES,
  ...COMPARISON_ROUTES,
  ...EXPORT_ROUTES,
  ...STATS_ROUTES,
  ...QUEUE_ROUTES,
  ...JOB_ROUTES,
  ...ADMIN_SWEEP_ROUTES,
  ...ON_CALL_ROUTES,
];
