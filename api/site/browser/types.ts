/** The shapes of the API's answers: the types of the TypeScript client. */
import type { Schema } from '../../clients/typescript/types.ts';

export type MarketFiles = Schema<'Files'>;
export type QueryResult = Schema<'QueryResult'>;
export type Presets = Schema<'ScreenerPresets'>;
export type Screened = Schema<'ScreenerResult'>;
export type History = Schema<'BacktestHistoryItemList'>;
export type BacktestJob = Schema<'BacktestJob'>;
export type BacktestResult = Schema<'BacktestResult'>;
export type PortfolioResult = Schema<'PortfolioResult'>;
export type Sweep = Schema<'Sweep'>;
export type Sweeps = Schema<'SweepList'>;
export type SweepJob = Schema<'SweepJob'>;
export type SweepResult = Schema<'SweepResult'>;
export type Verification = Schema<'Verification'>;
export type Revision = Schema<'Revision'>;
export type LookAhead = Schema<'LookAheadReport'>;
/** The fields that results of every kind share. */
export type Evidence = Pick<BacktestResult, 'statistics' | 'selection' | 'receipt' | 'verification' | 'look_ahead'>;
export type Trade = NonNullable<BacktestResult['trades']>[number];
export type Sharing = Schema<'ShareBacktestData'>;
export type Strategies = Schema<'Strategies'>;
export type BarExplanation = Schema<'ExplainedBar'>;
export type Kline = Schema<'Candles'>;
export type Meta = Schema<'Meta'>;
export type Plan = Schema<'Plan'>;
export type Plans = Schema<'Plans'>;
export type StaticInfo = Schema<'StaticInfo'>;
export type Stats = Schema<'Stats'>;
export type SymbolItem = Schema<'SymbolItem'>;
export type SymbolSearch = Schema<'SymbolItemList'>;
export type TokenPair = Schema<'TokenPair'>;
export type Verified = Schema<'VerifyLoginCodeData'>;

export type BulkRetry = Schema<'RetryFailedJobsData'>;
export type Calendar = Schema<'DataCalendar'>;
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
