/** The shapes of the API's answers, from the schemas that the API itself checks and documents. */
import type { z } from 'zod';
import type { tokenPairSchema, verifySchema } from '../../accounts/schemas.ts';
import type { calendarSchema } from '../../admin/calendar-schemas.ts';
import type { onCallSchema } from '../../admin/on-call-schemas.ts';
import type {
  bulkSchema,
  failureSchema,
  jobDetailSchema,
  jobSchema as queueJobSchema,
  queueSchema,
} from '../../admin/queue-schemas.ts';
import type { syncJobSchema } from '../../admin/sync-schemas.ts';
import type { lookAheadSchema } from '../../backtests/evidence-schemas.ts';
import type {
  historySchema,
  jobSchema,
  resultSchema,
  sharingSchema,
  strategiesSchema,
} from '../../backtests/schemas.ts';
import type { revisionSchema, verificationSchema } from '../../evidence/schemas.ts';
import type { filesSchema } from '../../files/schemas.ts';
import type { klineSchema, staticSchema, symbolItemSchema, symbolSearchSchema } from '../../market/schemas.ts';
import type { metaSchema, planSchema, statsSchema } from '../../meta/schemas.ts';
import type { portfolioSchema } from '../../portfolios/schemas.ts';
import type { presetsSchema, screenerSchema } from '../../screener/schemas.ts';
import type { sqlSchema } from '../../sql/schemas.ts';
import type { operatedSweepSchema, sweepJobSchema, sweepResultSchema, sweepSchema } from '../../sweeps/schemas.ts';

export type MarketFiles = z.output<typeof filesSchema>;
export type QueryResult = z.output<typeof sqlSchema>;
export type Presets = z.output<typeof presetsSchema>;
export type Screened = z.output<typeof screenerSchema>;
export type History = z.output<typeof historySchema>;
export type BacktestJob = z.output<typeof jobSchema>;
export type BacktestResult = z.output<typeof resultSchema>;
export type PortfolioResult = z.output<typeof portfolioSchema>;
export type Sweep = z.output<typeof sweepSchema>;
export type SweepJob = z.output<typeof sweepJobSchema>;
export type SweepResult = z.output<typeof sweepResultSchema>;
export type Verification = z.output<typeof verificationSchema>;
export type Revision = z.output<typeof revisionSchema>;
export type LookAhead = z.output<typeof lookAheadSchema>;
/** The fields that results of every kind share. */
export type Evidence = Pick<BacktestResult, 'statistics' | 'selection' | 'receipt' | 'verification' | 'look_ahead'>;
export type Trade = NonNullable<BacktestResult['trades']>[number];
export type Sharing = z.output<typeof sharingSchema>;
export type Strategies = z.output<typeof strategiesSchema>;
export type Strategy = Strategies['strategies'][number];
export type Kline = z.output<typeof klineSchema>;
export type Meta = z.output<typeof metaSchema>;
export type Plan = z.output<typeof planSchema>;
export type StaticInfo = z.output<typeof staticSchema>;
export type Stats = z.output<typeof statsSchema>;
export type SymbolItem = z.output<typeof symbolItemSchema>;
export type SymbolSearch = z.output<typeof symbolSearchSchema>;
export type TokenPair = z.output<typeof tokenPairSchema>;
export type Verified = z.output<typeof verifySchema>;

export type BulkRetry = z.output<typeof bulkSchema>;
export type Calendar = z.output<typeof calendarSchema>;
export type JobFailure = z.output<typeof failureSchema>;
export type QueueJob = z.output<typeof queueJobSchema>;
export type JobDetail = z.output<typeof jobDetailSchema>;
export type OnCallReport = z.output<typeof onCallSchema>;
export type OperatedSweep = z.output<typeof operatedSweepSchema>;
export type Queue = z.output<typeof queueSchema>;
export type SyncJob = z.output<typeof syncJobSchema>;
