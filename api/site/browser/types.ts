/** The shapes of the API's answers: the types of the TypeScript client. */
import type { Schema } from '../../clients/typescript/types.ts';

export type MarketFiles = Schema<'Files'>;
export type MarketTables = Schema<'Tables'>;
export type MarketTable = Schema<'Table'>;
export type QueryResult = Schema<'QueryResult'>;
export type Presets = Schema<'ScreenerPresets'>;
export type Screened = Schema<'ScreenerResult'>;
export type History = Schema<'BacktestHistoryItemList'>;
export type BacktestJob = Schema<'BacktestJob'>;
export type BacktestResult = Schema<'BacktestResult'>;
export type BacktestExample = Schema<'BacktestExample'>;
export type Neighbors = Schema<'NeighborsOfBacktest'>;
export type PortfolioResult = Schema<'PortfolioResult'>;
export type TearSheet = Schema<'TearSheet'>;
export type Rebalance = NonNullable<PortfolioResult['rebalances']>[number];
export type Sweep = Schema<'Sweep'>;
export type ReadSweep = Schema<'ReadSweep'>;
export type Sweeps = Schema<'SweepList'>;
export type SweepJob = Schema<'SweepJob'>;
export type SweepResult = Schema<'SweepResult'>;
export type FactorStudy = Schema<'FactorStudy'>;
export type ReadFactorStudy = Schema<'ReadFactorStudy'>;
export type FactorStudies = Schema<'FactorStudyList'>;
export type FactorResult = Schema<'FactorStudyResult'>;
export type FactorsBody = Schema<'RunFactorStudyRequest'>;
export type Outcomes = Schema<'Outcomes'>;
export type OutcomesCall = Schema<'RunOutcomesRequest'>;
export type Judgement = Schema<'Judgement'>;
export type Forward = Schema<'ForwardRecord'>;
export type Forwards = Schema<'ForwardRecordList'>;
export type ForwardDetail = Schema<'ForwardRecordDetail'>;
export type Claim = Schema<'Claim'>;
export type Claims = Schema<'Claims'>;
export type Verification = Schema<'Verification'>;
export type Revision = Schema<'Revision'>;
export type ImpactFigures = Schema<'ImpactFigures'>;
export type Impact = Schema<'Impact'>;
export type SessionImpact = Schema<'SessionImpactList'>;
export type Revised = Schema<'Revised'>;
export type LookAhead = Schema<'LookAheadReport'>;
/** The fields that results of every kind share. */
export type Evidence = Pick<BacktestResult, 'receipt' | 'verification' | 'look_ahead'>;
export type Trade = NonNullable<BacktestResult['trades']>[number];
export type Sharing = Schema<'ShareBacktestData'>;
export type Strategies = Schema<'Strategies'>;
export type BarExplanation = Schema<'ExplainedBar'>;
export type Kline = Schema<'Candles'>;
export type Stats = Schema<'Stats'>;
export type Batch = Schema<'Batch'>;
export type MarketItem = Schema<'MarketOverviewItem'>;
export type MarketOverview = Schema<'MarketOverview'>;
export type Quote = Schema<'Quote'>;
export type Drawings = { readonly items: readonly Schema<'Drawing'>[] };
export type Meta = Schema<'Meta'>;
export type Plan = Schema<'Plan'>;
export type Plans = Schema<'Plans'>;
export type StaticInfo = Schema<'StaticInfo'>;
export type SymbolItem = Schema<'SymbolItem'>;
export type SymbolSearch = Schema<'SymbolItemList'>;
export type TokenPair = Schema<'TokenPair'>;
export type LoginCodeSent = Schema<'RequestLoginCodeData'>;
export type Verified = Schema<'VerifyLoginCodeData'>;

export type BulkRetry = Schema<'RetryFailedJobsData'>;
export type FileCheck = Schema<'FileCheck'>;
export type DataFindings = Schema<'DataFindingList'>;
export type DataFinding = Schema<'DataFinding'>;
export type Calendar = Schema<'DataCalendar'>;
export type JobsUpdate = Schema<'JobsUpdate'>;
export type Instances = Schema<'InstanceList'>;
export type SessionSteps = Schema<'SessionSteps'>;
export type SessionStepsList = Schema<'SessionStepsList'>;
export type SessionStepRun = Schema<'SessionStepRun'>;
export type JobFailure = Schema<'JobFailures'>['items'][number];
export type JobFailures = Schema<'JobFailures'>;
export type QueueJob = Schema<'Job'>;
export type QueueJobs = Schema<'JobList'>;
export type JobDetail = Schema<'JobDetail'>;
export type OnCallReport = Schema<'OnCallReport'>;
export type OpenSweeps = Schema<'OperatedSweepList'>;
export type OperatedSweep = Schema<'OperatedSweep'>;
export type Queue = Schema<'Queue'>;
export type Queues = Schema<'QueueList'>;
export type SyncJob = Schema<'SyncJob'>;
export type SyncJobs = Schema<'SyncJobList'>;
export type SyncJobFiles = Schema<'SyncJobFileList'>;

export type Deliveries = Schema<'WebhookDeliveryList'>;
export type Delivery = Schema<'WebhookDelivery'>;
export type Webhook = Schema<'Webhook'>;
export type WebhookList = Schema<'WebhookList'>;
export type NewWebhook = Schema<'NewWebhook'>;
export type WebhookEvent = Schema<'CreateWebhookRequest'>['events'][number];
export type DataExport = Schema<'DataExport'>;
export type AccountPlan = Schema<'AccountPlan'>;
export type ApiKey = Schema<'ApiKey'>;
export type NewApiKey = Schema<'NewApiKey'>;
export type Usage = Schema<'Usage'>;
export type User = Schema<'User'>;
export type KeyList = Schema<'ApiKeyList'>;
export type AssistantGrant = Schema<'AssistantGrant'>;
export type GrantList = Schema<'AssistantGrantList'>;
export type GrantRequest = Schema<'GrantRequest'>;

export type ArticleItem = Schema<'ArticleItem'>;
export type Article = Schema<'Article'>;
export type ArticleList = Schema<'ArticleItemList'>;
export type ArticlePreview = Schema<'PreviewArticleData'>;
export const CATEGORIES = [
  'strategy',
  'backtest',
  'data',
  'concept',
] as const satisfies readonly ArticleItem['category'][];

export type AuditEntry = Schema<'AuditEntry'>;
export type AuditVocabulary = Schema<'AuditVocabulary'>;
export type Export = Schema<'Export'>;
export type Comparison = Schema<'Comparison'>;
export type BarDifference = Schema<'BarDifference'>;
export type Overview = Schema<'StatsOverview'>;
export type AdminUser = Schema<'AdminUser'>;
export type UserDetail = Schema<'AdminUserDetail'>;
export type ArticleGroupItem = Schema<'ArticleGroupItem'>;
export type ArticleGroup = Schema<'ArticleGroup'>;

export interface Listed<Item> {
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly items: readonly Item[];
}

/** The last comparisons, and the providers to compare with. */
export interface Comparisons extends Listed<Comparison> {
  readonly providers: readonly string[];
}

export type RuleCheck = Schema<'RuleCheck'>;
export type RuleValues = Schema<'RuleValues'>;
export type RulePart = 'entry' | 'exit' | 'stop' | 'trail' | 'where' | 'value';
export type OwnStrategy = Schema<'OwnStrategyDetail'>;
export type SharedStrategy = Schema<'SharedStrategy'>;
export type OwnStrategies = Schema<'OwnStrategyList'>;
export type Watch = Schema<'Watch'>;
export type Watches = Schema<'WatchList'>;
export type Signal = Schema<'Signal'>;
export type OwnColumn = Schema<'OwnColumn'>;
export type OwnColumns = Schema<'OwnColumnList'>;
export type WrittenColumn = Schema<'WrittenColumn'>;
export type ColumnDetail = Schema<'Column'>;
export type ColumnRows = Schema<'ColumnRows'>;
export type Signals = Schema<'SignalList'>;

export type SearchResult = NonNullable<Schema<'OptimizationJob'>['result']>;
export type SweepExample = Schema<'SweepExample'>;
export type SearchExample = Schema<'OptimizationExample'>;
export type Best = SearchResult['best'][number];
export type WalkForward = NonNullable<SearchResult['walk_forward']>;
