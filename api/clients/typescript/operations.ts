// Written by generate.ts from the interface description. Do not edit.

/** Operation → method, path, and whether it takes an idempotency key. */
export const OPERATIONS = {
  getQuote: ['get', '/v1/quote/{symbol}'],
  getKline: ['get', '/v1/kline/{symbol}'],
  listEvents: ['get', '/v1/events/{symbol}'],
  getStaticInfo: ['get', '/v1/static/{symbol}'],
  getIntraday: ['get', '/v1/intraday/{symbol}'],
  getBatch: ['post', '/v1/batch'],
  searchSymbols: ['get', '/v1/symbols'],
  getMarketOverview: ['get', '/v1/market/overview'],
  getCalendar: ['get', '/v1/calendar'],
  getSession: ['get', '/v1/market/{date}'],
  listMarketEvents: ['get', '/v1/events'],
  listSymbolChanges: ['get', '/v1/symbols/changes'],
  getMeta: ['get', '/api/meta'],
  listPlans: ['get', '/api/plans'],
  getStats: ['get', '/api/stats'],
  requestLoginCode: ['post', '/api/auth/request-code'],
  verifyLoginCode: ['post', '/api/auth/verify'],
  loginAdmin: ['post', '/api/auth/admin-login'],
  refreshTokens: ['post', '/api/auth/refresh'],
  logout: ['post', '/api/auth/logout'],
  getProfile: ['get', '/api/auth/me'],
  updateProfile: ['patch', '/api/auth/me'],
  deleteAccount: ['delete', '/api/auth/me'],
  listApiKeys: ['get', '/api/account/keys'],
  createApiKey: ['post', '/api/account/keys'],
  resetApiKeys: ['post', '/api/account/keys/reset'],
  updateApiKey: ['patch', '/api/account/keys/{key_id}'],
  deleteApiKey: ['delete', '/api/account/keys/{key_id}'],
  getUsage: ['get', '/api/account/usage'],
  getAccountPlan: ['get', '/api/account/plan'],
  createVisit: ['post', '/api/visits', true],
  createDataExport: ['post', '/api/account/data-export', true],
  getDataExport: ['get', '/api/account/data-export'],
  downloadDataExport: ['get', '/api/account/data-export/file'],
  listGrants: ['get', '/api/account/grants'],
  deleteGrant: ['delete', '/api/account/grants/{grant_id}'],
  getGrantRequest: ['get', '/api/account/grant-requests/{request_id}'],
  createGrant: ['post', '/api/account/grant-requests/{request_id}', true],
  runBacktest: ['post', '/v1/backtest', true],
  listStrategies: ['get', '/v1/strategies'],
  listBacktests: ['get', '/v1/backtests'],
  getBacktestJob: ['get', '/v1/backtests/jobs/{job_id}'],
  getBacktest: ['get', '/v1/backtests/{backtest_id}'],
  updateBacktest: ['patch', '/v1/backtests/{backtest_id}'],
  shareBacktest: ['post', '/v1/backtests/{backtest_id}/share', true],
  runNeighbors: ['post', '/v1/backtest/neighbors', true],
  getBacktestExample: ['get', '/v1/backtest/example'],
  getOptimizationExample: ['get', '/v1/optimize/example'],
  runOptimization: ['post', '/v1/optimize', true],
  getOptimizationJob: ['get', '/v1/optimize/jobs/{job_id}'],
  runWebBacktest: ['post', '/api/backtest', true],
  runNestedBacktest: ['post', '/api/backtest/run', true],
  listWebStrategies: ['get', '/api/backtest/strategies'],
  listWebBacktests: ['get', '/api/backtest/history'],
  getSharedBacktest: ['get', '/api/backtest/shared/{slug}'],
  getWebBacktest: ['get', '/api/backtest/{backtest_id}'],
  deleteBacktest: ['delete', '/api/backtest/{backtest_id}'],
  shareWebBacktest: ['post', '/api/backtest/{backtest_id}/share', true],
  exportBacktest: ['get', '/api/backtest/{backtest_id}/export'],
  getReceipt: ['get', '/v1/backtests/{backtest_id}/receipt.json'],
  verifyBacktest: ['post', '/v1/backtests/{backtest_id}/verify', true],
  runLookAhead: ['post', '/v1/backtests/{backtest_id}/look-ahead', true],
  getVerificationJob: ['get', '/v1/verify/jobs/{job_id}'],
  getLookAheadJob: ['get', '/v1/look-ahead/jobs/{job_id}'],
  getBarOrigin: ['get', '/v1/static/{symbol}/bars/{date}'],
  listRevisions: ['get', '/v1/revisions'],
  getLoadImpact: ['get', '/v1/revisions/loads/{load}/impact'],
  listMyImpact: ['get', '/v1/my/impact'],
  getPortfolioReceipt: ['get', '/v1/portfolios/{portfolio_id}/receipt.json'],
  verifyPortfolio: ['post', '/v1/portfolios/{portfolio_id}/verify', true],
  runPortfolioLookAhead: ['post', '/v1/portfolios/{portfolio_id}/look-ahead', true],
  getBacktestTearSheet: ['get', '/v1/backtests/{backtest_id}/tear-sheet'],
  exportBacktestTearSheet: ['get', '/v1/backtests/{backtest_id}/tear-sheet.csv'],
  getTearSheetJob: ['get', '/v1/tear-sheets/jobs/{job_id}'],
  getPortfolioTearSheet: ['get', '/v1/portfolios/{portfolio_id}/tear-sheet'],
  exportPortfolioTearSheet: ['get', '/v1/portfolios/{portfolio_id}/tear-sheet.csv'],
  runPortfolio: ['post', '/v1/portfolio', true],
  getPortfolioExample: ['get', '/v1/portfolio/example'],
  listRebalances: ['get', '/v1/portfolios/{portfolio_id}/rebalances'],
  getPortfolioJob: ['get', '/v1/portfolio/jobs/{job_id}'],
  getPortfolio: ['get', '/v1/portfolios/{portfolio_id}'],
  updatePortfolio: ['patch', '/v1/portfolios/{portfolio_id}'],
  sharePortfolio: ['post', '/v1/portfolios/{portfolio_id}/share', true],
  runWebPortfolio: ['post', '/api/portfolio/run', true],
  getSharedPortfolio: ['get', '/api/portfolio/shared/{slug}'],
  getWebPortfolio: ['get', '/api/portfolio/{portfolio_id}'],
  deletePortfolio: ['delete', '/api/portfolio/{portfolio_id}'],
  shareWebPortfolio: ['post', '/api/portfolio/{portfolio_id}/share', true],
  exportPortfolio: ['get', '/api/portfolio/{portfolio_id}/export'],
  runSweep: ['post', '/v1/sweeps', true],
  getSweepExample: ['get', '/v1/sweeps/example'],
  listSweeps: ['get', '/v1/sweeps'],
  getSweepResult: ['get', '/v1/sweeps/{sweep_id}/result'],
  downloadSweepCells: ['get', '/v1/sweeps/{sweep_id}/cells.parquet'],
  retrySweep: ['post', '/v1/sweeps/{sweep_id}/retry'],
  deleteSweep: ['delete', '/v1/sweeps/{sweep_id}'],
  getSweep: ['get', '/v1/sweeps/{sweep_id}'],
  runFactorStudy: ['post', '/v1/factors', true],
  listFactorStudies: ['get', '/v1/factors'],
  getFactorStudyResult: ['get', '/v1/factors/{study_id}/result'],
  downloadFactorSeries: ['get', '/v1/factors/{study_id}/series.parquet'],
  downloadFactorValues: ['get', '/v1/factors/{study_id}/values.parquet'],
  getFactorValuesJob: ['get', '/v1/factor-values/jobs/{job_id}'],
  retryFactorStudy: ['post', '/v1/factors/{study_id}/retry'],
  deleteFactorStudy: ['delete', '/v1/factors/{study_id}'],
  getFactorStudy: ['get', '/v1/factors/{study_id}'],
  listClaims: ['get', '/v1/claims'],
  getClaim: ['get', '/v1/claims/{code}'],
  runClaims: ['post', '/v1/claims/run', true],
  getClaimsJob: ['get', '/v1/claims/jobs/{job_id}'],
  runOutcomes: ['post', '/v1/outcomes', true],
  getOutcomesJob: ['get', '/v1/outcomes/jobs/{job_id}'],
  getOutcomes: ['get', '/v1/outcomes/{outcomes_id}'],
  updateOutcomes: ['patch', '/v1/outcomes/{outcomes_id}'],
  shareOutcomes: ['post', '/v1/outcomes/{outcomes_id}/share', true],
  getOutcomesReceipt: ['get', '/v1/outcomes/{outcomes_id}/receipt.json'],
  verifyOutcomes: ['post', '/v1/outcomes/{outcomes_id}/verify', true],
  getSharedOutcomes: ['get', '/api/outcomes/shared/{slug}'],
  getWebOutcomes: ['get', '/api/outcomes/{outcomes_id}'],
  deleteOutcomes: ['delete', '/api/outcomes/{outcomes_id}'],
  shareWebOutcomes: ['post', '/api/outcomes/{outcomes_id}/share', true],
  exportOutcomes: ['get', '/api/outcomes/{outcomes_id}/export'],
  runJudgement: ['post', '/v1/judge', true],
  getJudgementJob: ['get', '/v1/judge/jobs/{job_id}'],
  sealRun: ['post', '/v1/my/forward', true],
  listForwardRecords: ['get', '/v1/my/forward'],
  getForwardRecord: ['get', '/v1/my/forward/{forward_id}'],
  listForwardEntries: ['get', '/v1/my/forward/{forward_id}/entries'],
  shareForwardRecord: ['post', '/v1/my/forward/{forward_id}/share', true],
  stopForwardRecord: ['post', '/v1/my/forward/{forward_id}/stop', true],
  listForwardHeads: ['get', '/v1/forward/heads'],
  getSharedForwardRecord: ['get', '/v1/forward/{slug}'],
  listSharedForwardEntries: ['get', '/v1/forward/{slug}/entries'],
  getSealJob: ['get', '/v1/my/forward-jobs/{job_id}'],
  runScreener: ['post', '/v1/screener', true],
  getScreenerExample: ['get', '/api/screener/examples/{preset}'],
  getScreenerPresets: ['get', '/api/screener/presets'],
  getScreenerJob: ['get', '/v1/screener/jobs/{job_id}'],
  listFiles: ['get', '/v1/files'],
  downloadFile: ['get', '/v1/files/{path}'],
  listTables: ['get', '/v1/tables'],
  getTable: ['get', '/v1/tables/{table}'],
  verifyRule: ['post', '/v1/rules/check'],
  getRuleValues: ['get', '/v1/rules/values/{symbol}'],
  runQuery: ['post', '/v1/sql', true],
  getQueryJob: ['get', '/v1/sql/jobs/{job_id}'],
  listOwnStrategies: ['get', '/v1/my/strategies'],
  createOwnStrategy: ['post', '/v1/my/strategies', true],
  getOwnStrategy: ['get', '/v1/my/strategies/{strategy_id}'],
  updateOwnStrategy: ['put', '/v1/my/strategies/{strategy_id}'],
  deleteOwnStrategy: ['delete', '/v1/my/strategies/{strategy_id}'],
  shareOwnStrategy: ['post', '/v1/my/strategies/{strategy_id}/share', true],
  getSharedStrategy: ['get', '/v1/strategies/shared/{slug}'],
  listWatches: ['get', '/v1/my/watches'],
  createWatch: ['post', '/v1/my/watches', true],
  getWatch: ['get', '/v1/my/watches/{watch_id}'],
  updateWatch: ['patch', '/v1/my/watches/{watch_id}'],
  deleteWatch: ['delete', '/v1/my/watches/{watch_id}'],
  listSignals: ['get', '/v1/my/signals'],
  updateColumn: ['put', '/v1/my/columns/{name}'],
  listColumns: ['get', '/v1/my/columns'],
  getColumn: ['get', '/v1/my/columns/{name}'],
  listColumnRows: ['get', '/v1/my/columns/{name}/rows'],
  deleteColumn: ['delete', '/v1/my/columns/{name}'],
  getColumnJob: ['get', '/v1/my/column-jobs/{job_id}'],
  listDrawings: ['get', '/v1/my/drawings/{symbol}'],
  createDrawing: ['post', '/v1/my/drawings/{symbol}', true],
  deleteDrawing: ['delete', '/v1/my/drawings/{symbol}/{drawing_id}'],
  listWebhooks: ['get', '/v1/my/webhooks'],
  createWebhook: ['post', '/v1/my/webhooks'],
  updateWebhook: ['patch', '/v1/my/webhooks/{webhook_id}'],
  deleteWebhook: ['delete', '/v1/my/webhooks/{webhook_id}'],
  listDeliveries: ['get', '/v1/my/webhooks/{webhook_id}/deliveries'],
  createTestDelivery: ['post', '/v1/my/webhooks/{webhook_id}/deliveries', true],
  retryDelivery: ['post', '/v1/my/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', true],
  retryDeliveries: ['post', '/v1/my/webhooks/{webhook_id}/replay', true],
  getStream: ['get', '/v1/stream'],
  listArticles: ['get', '/api/articles'],
  getArticle: ['get', '/api/articles/{slug}'],
  downloadArticleCover: ['get', '/api/articles/{slug}/cover'],
  listAdminArticles: ['get', '/api/admin/articles'],
  createArticle: ['post', '/api/admin/articles', true],
  previewArticle: ['post', '/api/articles/preview'],
  getAdminArticle: ['get', '/api/admin/articles/{slug}'],
  updateArticle: ['put', '/api/admin/articles/{slug}'],
  updateArticleCover: ['put', '/api/admin/articles/{slug}/cover'],
  deleteArticleCover: ['delete', '/api/admin/articles/{slug}/cover'],
  deleteArticle: ['delete', '/api/admin/articles/{slug}'],
  publishArticle: ['post', '/api/admin/articles/{slug}/publish', true],
  unpublishArticle: ['post', '/api/admin/articles/{slug}/unpublish', true],
  listUsers: ['get', '/api/admin/users'],
  listUserCountries: ['get', '/api/admin/users/countries'],
  getUser: ['get', '/api/admin/users/{user_id}'],
  updateUser: ['patch', '/api/admin/users/{user_id}'],
  deleteUserApiKey: ['delete', '/api/admin/users/{user_id}/api-keys/{key_id}'],
  listLoginEvents: ['get', '/api/admin/users/{user_id}/login-events'],
  listAuditEntries: ['get', '/api/admin/audit'],
  getAuditVocabulary: ['get', '/api/admin/audit/actions'],
  getAuditEntry: ['get', '/api/admin/audit/{entry_id}'],
  listLoadedSymbols: ['get', '/api/admin/data/symbols'],
  getCoverage: ['get', '/api/admin/data/coverage'],
  updateCommonColumn: ['put', '/api/admin/columns/{name}'],
  deleteCommonColumn: ['delete', '/api/admin/columns/{name}'],
  getDataCalendar: ['get', '/api/admin/data/calendar'],
  getSessionImpact: ['get', '/api/admin/data/calendar/{date}/impact'],
  releaseSession: ['post', '/api/admin/data/calendar/{date}/release', true],
  listSessionSteps: ['get', '/api/admin/sessions'],
  runSessionStep: ['post', '/api/admin/sessions/run', true],
  listDataFindings: ['get', '/api/admin/data/findings'],
  updateDataFinding: ['patch', '/api/admin/data/findings/{id}'],
  previewDataFiles: ['post', '/api/admin/data/files/check'],
  listSyncJobs: ['get', '/api/admin/data/sync-jobs'],
  createSyncJob: ['post', '/api/admin/data/sync-jobs', true],
  getSyncJob: ['get', '/api/admin/data/sync-jobs/{id}'],
  listSyncJobFiles: ['get', '/api/admin/data/sync-jobs/{id}/files'],
  retrySyncJob: ['post', '/api/admin/data/sync-jobs/{id}/retry', true],
  cancelSyncJob: ['post', '/api/admin/data/sync-jobs/{id}/cancel', true],
  listComparisons: ['get', '/api/admin/data/comparisons'],
  createComparison: ['post', '/api/admin/data/comparisons', true],
  listDifferences: ['get', '/api/admin/data/comparisons/{id}/differences'],
  downloadDifferences: ['get', '/api/admin/data/comparisons/{id}/download'],
  createExport: ['post', '/api/admin/data/export', true],
  listExports: ['get', '/api/admin/data/exports'],
  getExport: ['get', '/api/admin/data/exports/{export_id}'],
  downloadExport: ['get', '/api/admin/data/exports/{export_id}/download'],
  retryExport: ['post', '/api/admin/data/exports/{export_id}/retry', true],
  cancelExport: ['post', '/api/admin/data/exports/{export_id}/cancel', true],
  getStatsOverview: ['get', '/api/admin/stats/overview'],
  getStatsTimeseries: ['get', '/api/admin/stats/timeseries'],
  getClientStats: ['get', '/api/admin/stats/clients'],
  listQueues: ['get', '/api/admin/queues'],
  retryFailedJobs: ['post', '/api/admin/queues/{queue}/retry-failed', true],
  pauseQueue: ['post', '/api/admin/queues/{queue}/pause', true],
  resumeQueue: ['post', '/api/admin/queues/{queue}/resume', true],
  listJobFailures: ['get', '/api/admin/jobs/failures'],
  listJobs: ['get', '/api/admin/jobs'],
  updateJobs: ['post', '/api/admin/jobs/update', true],
  listInstances: ['get', '/api/admin/instances'],
  getJob: ['get', '/api/admin/jobs/{queue}/{id}'],
  retryJob: ['post', '/api/admin/jobs/{queue}/{id}/retry', true],
  cancelJob: ['post', '/api/admin/jobs/{queue}/{id}/cancel', true],
  listOpenSweeps: ['get', '/api/admin/sweeps'],
  cancelAnySweep: ['delete', '/api/admin/sweeps/{sweep_id}'],
  retryAnySweep: ['post', '/api/admin/sweeps/{sweep_id}/retry', true],
  getOnCallReport: ['get', '/api/admin/on-call'],
} as const;

export type ErrorKey =
  | 'error.body_not_json'
  | 'error.body_too_deep'
  | 'error.body_too_large'
  | 'error.body_too_many_values'
  | 'error.headers_too_large'
  | 'error.idempotency_in_progress'
  | 'error.idempotency_mismatch'
  | 'error.invalid_date'
  | 'error.invalid_date_range'
  | 'error.invalid_request'
  | 'error.method_not_allowed'
  | 'error.host_refused'
  | 'error.origin_refused'
  | 'error.not_found'
  | 'error.precondition_failed'
  | 'error.range_not_satisfiable'
  | 'error.request_timeout'
  | 'error.too_many_connections'
  | 'error.too_many_streams'
  | 'error.unknown_event'
  | 'error.unsupported_media_type'
  | 'error.validation_failed'
  | 'error.account_inactive'
  | 'error.admin_login_required'
  | 'error.admin_required'
  | 'error.api_keys_max'
  | 'error.scope_missing'
  | 'error.code_invalid'
  | 'error.email_mismatch'
  | 'error.grant_required'
  | 'error.invalid_credential'
  | 'error.last_admin'
  | 'error.login_failed'
  | 'error.login_required'
  | 'error.plan_capability'
  | 'error.profile_required'
  | 'error.rate_limited'
  | 'error.refresh_invalid'
  | 'error.self_change'
  | 'error.intraday_not_provided'
  | 'error.invalid_adjust'
  | 'error.invalid_asset_type'
  | 'error.invalid_interval'
  | 'error.invalid_market'
  | 'error.invalid_period'
  | 'error.invalid_symbol'
  | 'error.market_not_open'
  | 'error.no_quote'
  | 'error.session_not_distributable'
  | 'error.symbol_not_found'
  | 'error.too_many_symbols'
  | 'error.upstream_unavailable'
  | 'error.backtest_cancelled'
  | 'error.concurrent_backtests'
  | 'error.example_not_ready'
  | 'error.files_unavailable'
  | 'error.invalid_backtest_adjust'
  | 'error.invalid_execute_on'
  | 'error.invalid_format'
  | 'error.invalid_preset'
  | 'error.invalid_screener_field'
  | 'error.invalid_screener_operator'
  | 'error.invalid_strategy'
  | 'error.invalid_time_range'
  | 'error.column_deleted'
  | 'error.load_not_kept'
  | 'error.figures_overflow'
  | 'error.no_bars_in_range'
  | 'error.no_data_on_day'
  | 'error.name_taken'
  | 'error.quota_exceeded'
  | 'error.rotation_invalid'
  | 'error.rule_invalid'
  | 'error.snapshot_unavailable'
  | 'error.job_too_long'
  | 'error.too_many_hits'
  | 'error.trial_budget_spent'
  | 'error.column_refused'
  | 'error.record_refused'
  | 'error.sql_exceeded'
  | 'error.sql_invalid'
  | 'error.sql_not_allowed'
  | 'error.sql_unavailable'
  | 'error.sweep_expired'
  | 'error.sweep_failed'
  | 'error.sweep_not_finished'
  | 'error.venue_mode_refused'
  | 'error.walk_forward_range'
  | 'error.already_running'
  | 'error.article_exists'
  | 'error.article_incomplete'
  | 'error.article_untitled'
  | 'error.cover_refused'
  | 'error.export_expired'
  | 'error.export_forbidden'
  | 'error.export_not_finished'
  | 'error.export_too_soon'
  | 'error.files_refused'
  | 'error.provider_not_configured'
  | 'error.job_is_over'
  | 'error.wrong_state'
  | 'error.unavailable'
  | 'error.internal'
  | 'error.server_busy'
  | 'error.storage_full';
