/** Everything that request handlers use, opened once per process. */

import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../../db/clock.ts';
import { CONNECTIONS, presenceConnection } from '../../db/connection-counts.ts';
import { listen } from '../../db/listener.ts';
import { type Coverage, type MarketStats, selectCoverage, selectMarketStats } from '../../db/market/coverage.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { selectStrategyProofs } from '../../db/runs/verdicts.ts';
import { CALL_TIMEOUTS, COUNTER_TIMEOUTS, LONG_TIMEOUTS, type Timeouts } from '../../db/session-limits.ts';
import type { DistributionMode } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { AllowedNetworks } from '../../jobs/contracts/webhooks.ts';
import { type Installed, installed } from '../../jobs/health/installation.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import type { ProviderId } from '../../jobs/providers/providers.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { RunQueue } from '../../jobs/runs/enqueue.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { AccessLog } from '../access/access-log.ts';
import type { AdminSessions } from '../access/caller.ts';
import { type CountryOf, openCountries } from '../access/countries.ts';
import { createCallerLookup, type Identify, type KnownCallers, openKnownCallers } from '../access/identify.ts';
import { LimiterClock } from '../access/limiter-clock.ts';
import { NearLimits } from '../access/near-limits.ts';
import { Limiter, type LimitRule } from '../access/rate-limit.ts';
import { AccessTokens } from '../access/tokens.ts';
import type { StrategyProofs } from '../backtests/strategies.ts';
import { IdempotencyKeys } from '../call/idempotency.ts';
import { createResponseCache, type ResponseCache } from '../http/answer/reply.ts';
import { FairSemaphore } from '../http/fair-semaphore.ts';
import { type Timed, timedCache } from '../http/timed-cache.ts';
import { MarketView } from '../market/market-view.ts';
import { EventStreams } from '../my/event-streams.ts';
import { type LoadProvider, openOAuth } from '../oauth/services.ts';
import { RunWaiting } from '../runs/wait.ts';
import { PastSnapshots, SnapshotView } from '../screener/snapshot-view.ts';
import type { TableFileSource } from '../tables/objects.ts';

export interface Services extends Installed {
  /** Routes of the back office, and those with `isLong`, get `longPool` instead. */
  readonly pool: Pool;
  /** For statements that take longer: counts over whole tables, and changes of many rows. */
  readonly longPool: Pool;
  readonly market: MarketView;
  readonly provider: Provider;
  /** Other providers that this installation has settings for. */
  readonly otherProviders: readonly ProviderId[];
  readonly boss: PgBoss;
  readonly now: () => number;
  readonly log: Logger;
  readonly identify: Identify;
  readonly knownCallers: KnownCallers;
  readonly tokens: AccessTokens;
  readonly oauth: LoadProvider;
  readonly adminSessions: AdminSessions;
  readonly limiter: Limiter;
  readonly nearLimits: NearLimits;
  readonly publicRule: LimitRule;
  readonly accessLog: AccessLog;
  readonly countryOf: CountryOf;
  /** Keys the hashes of login codes. */
  readonly loginCodeKey: string;
  /** Keys the hashes of e-mail addresses, IP addresses, and user agents. */
  readonly identifierKey: string;
  /** Networks besides the public internet that webhooks may reach. */
  readonly webhookNetworks: AllowedNetworks;
  /** For names that users have chosen; default: those of the system. */
  readonly nameServers?: readonly string[];
  readonly storage: ObjectStorage;
  readonly snapshots: SnapshotView;
  readonly pastSnapshots: PastSnapshots;
  readonly runs: RunWaiting;
  readonly streams: EventStreams;
  readonly runQueue: RunQueue;
  readonly idempotency: IdempotencyKeys;
  /** How long a call waits for its backtest, in ms. */
  readonly backtestWaitMs: number;
  readonly publicApiBase: string;
  /** Where readers of tables get the files. */
  readonly tableFiles: TableFileSource;
  /** Counts over everything, at most a minute old. */
  readonly stats: () => Promise<Timed<MarketStats & { generated_at: string }>>;
  /** The loaded sessions and symbols, at most a minute old. */
  readonly coverage: () => Promise<Timed<{ coverage: readonly Coverage[]; generated_at: string }>>;
  /** When each strategy was last found free of look-ahead; the last known value while the database is unavailable. */
  readonly strategyProofs: StrategyProofs;
  readonly responseCache: ResponseCache;
  /** Candles as JSON text, for batches. */
  readonly candleTexts: LRUCache<string, string>;
  /** Limits how many answers that need much memory are made at a time. */
  readonly largeAnswers: FairSemaphore;
  /** Limits how many answers pass on long parts of results at a time. */
  readonly longParts: FairSemaphore;
  /** Limits how many reads of the files of tables are under way at a time. */
  readonly tableReads: FairSemaphore;
}

export interface ServicesOptions
  extends Pick<
      Services,
      | 'provider'
      | 'otherProviders'
      | 'storage'
      | 'now'
      | 'log'
      | 'loginCodeKey'
      | 'identifierKey'
      | 'webhookNetworks'
      | 'nameServers'
      | 'publicApiBase'
      | 'tableFiles'
      | 'backtestWaitMs'
      | 'adminSessions'
    >,
    Partial<Installed> {
  readonly url: string;
  /** The clock of `now`; absent: it is pinned. */
  readonly clock?: DatabaseClock;
  /** Connections for reads and writes. Counters and notifications have separate ones. */
  readonly databasePool: number;
  readonly mode: DistributionMode;
  readonly staleSessions: number;
  readonly seriesCacheBytes: number;
  readonly responseCacheBytes: number;
  /** Multiplies every limit on calls; default 1. */
  readonly rateLimitFactor?: number;
  /** Signs access tokens. */
  readonly accessTokenKey: string;
  readonly countryDatabase?: string;
  /** Default: a call is answered within 5 seconds when the database is unavailable. */
  readonly timeouts?: DatabaseTimeouts;
}

/** How long the API waits for the database. */
export interface DatabaseTimeouts {
  readonly calls: Timeouts;
  readonly counters: Timeouts;
  readonly long: Timeouts;
}

export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  calls: CALL_TIMEOUTS,
  counters: COUNTER_TIMEOUTS,
  long: LONG_TIMEOUTS,
};

export interface OpenServices extends Services {
  /** Writes everything that is pending, and closes every connection. */
  close(): Promise<void>;
}

/** Calls of an address on public `/api` reads. */
const PUBLIC_READS_PER_MINUTE = 300;
const PROOFS_MAX_AGE_MS = 1_000;
const STATS_MAX_AGE_MS = 60_000;
const TEXT_OVERHEAD_BYTES = 300;
const LARGE_ANSWERS = { atOnce: 2, maxWaiting: 100, maxWaitingPerCaller: 10 };
const TABLE_READS = { atOnce: 16, maxWaiting: 1_000, maxWaitingPerCaller: 200 };
const LONG_PARTS = { atOnce: 2, maxWaiting: 1_000, maxWaitingPerCaller: 100 };

export async function openServices(options: ServicesOptions): Promise<OpenServices> {
  const { url, now, log, identifierKey, timeouts = DATABASE_TIMEOUTS } = options;
  const { pool, longPool, counters } = openPools({ ...options, timeouts });
  const boss = await openBoss({ url, log, timeouts: timeouts.calls });
  const listener = await listen({ url, log, clock: options.clock, applicationName: presenceConnection('api') });
  const market = await MarketView.open({ ...options, listener, pool, refreshPool: longPool });
  const limiterClock = await LimiterClock.open(counters, log);
  const limiter = new Limiter(counters, limiterClock, now, options.rateLimitFactor);
  const knownCallers = await openKnownCallers({ listener, db: counters });
  const runs = await RunWaiting.open({ listener, db: pool, log });
  const streams = await EventStreams.open({ listener, db: longPool, now, log });
  const idempotency = new IdempotencyKeys({ pool, now, log });
  const snapshots = await SnapshotView.open({ listener, db: pool, storage: options.storage, log });
  const pastSnapshots = new PastSnapshots(options.storage);
  const countryOf = await openCountries(log, options.countryDatabase);
  const tokens = new AccessTokens(options.accessTokenKey, now);
  const accessLog = new AccessLog({ pool: counters, countryOf, identifierKey, now, log });
  return {
    longPool,
    pool,
    market,
    boss,
    now,
    log,
    ...installed(options),
    tokens,
    oauth: openOAuth({ ...options, pool, allowed: options.webhookNetworks }),
    accessLog,
    countryOf,
    identifierKey,
    provider: options.provider,
    otherProviders: options.otherProviders,
    identify: createCallerLookup({ db: pool, known: knownCallers, tokens, identifierKey, now }),
    knownCallers,
    adminSessions: options.adminSessions,
    limiter,
    nearLimits: new NearLimits({ db: counters, now, log }),
    publicRule: { category: 'public', limit: PUBLIC_READS_PER_MINUTE, windowSeconds: 60 },
    loginCodeKey: options.loginCodeKey,
    webhookNetworks: options.webhookNetworks,
    nameServers: options.nameServers,
    publicApiBase: options.publicApiBase,
    tableFiles: options.tableFiles,
    storage: options.storage,
    snapshots,
    pastSnapshots,
    runs,
    streams,
    runQueue: new RunQueue(pool, boss),
    idempotency,
    backtestWaitMs: options.backtestWaitMs,
    ...openCaches(options.responseCacheBytes),
    ...openStats(longPool, market, now),
    largeAnswers: new FairSemaphore(LARGE_ANSWERS),
    longParts: new FairSemaphore(LONG_PARTS),
    tableReads: new FairSemaphore(TABLE_READS),
    close: async () => {
      await listener.close();
      idempotency.close();
      await accessLog.close();
      limiterClock.close();
      await market.close();
      runs.close();
      await streams.close();
      await snapshots.close();
      pastSnapshots.close();
      await boss.stop({ graceful: false });
      await counters.end();
      await longPool.end();
      await pool.end();
    },
  };
}

type PoolsOptions = Pick<ServicesOptions, 'url' | 'databasePool' | 'log'> & { readonly timeouts: DatabaseTimeouts };

function openPools({ url, databasePool, log, timeouts }: PoolsOptions) {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const pool = createPool({ url, max: databasePool, applicationName: 'api', onError, timeouts: timeouts.calls });
  const longPool = createPool({
    url,
    onError,
    max: CONNECTIONS.api.long,
    applicationName: 'api-long',
    timeouts: timeouts.long,
  });
  const counters = createPool({
    url,
    onError,
    timeouts: timeouts.counters,
    max: CONNECTIONS.api.counters,
    applicationName: 'api-counters',
    isDurable: false,
    isPlannedOnce: true,
  });
  return { pool, longPool, counters };
}

function openCaches(responseCacheBytes: number): Pick<Services, 'responseCache' | 'candleTexts'> {
  return {
    responseCache: createResponseCache(responseCacheBytes),
    candleTexts: new LRUCache({
      maxSize: Math.max(1, Math.floor(responseCacheBytes / 4)),
      sizeCalculation: (text) => text.length + TEXT_OVERHEAD_BYTES,
    }),
  };
}

function openStats(
  pool: Pool,
  market: MarketView,
  now: () => number,
): Pick<Services, 'stats' | 'coverage' | 'strategyProofs'> {
  const generatedAt = () => new Date(now()).toISOString();
  return {
    stats: timedCache(STATS_MAX_AGE_MS, async () => ({
      ...(await selectMarketStats(pool, formatDay(market.newestSession ?? 0))),
      generated_at: generatedAt(),
    })),
    strategyProofs: timedCache(PROOFS_MAX_AGE_MS, () => selectStrategyProofs(pool), { outlivesFailures: true }),
    coverage: timedCache(STATS_MAX_AGE_MS, async () => ({
      coverage: await selectCoverage(pool),
      generated_at: generatedAt(),
    })),
  };
}
