/**
 * Decides which jobs are due by comparing what the provider has published with what is loaded. It remembers no schedule,
 * so anything missed, because a machine was off or a job failed, is due at the next tick.
 */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { selectLake } from '../../db/lake/lake-files.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import {
  type ProviderRange,
  saveProviderRanges,
  selectNewestSession,
  selectProviderRanges,
} from '../../db/market/loaded-sessions.ts';
import { recordMarketSource, saveConsolidatedFrom } from '../../db/market/market-source.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { failAbandonedSyncJobs } from '../../db/queue/sync-jobs.ts';
import { hasDueDelivery } from '../../db/webhooks/webhooks.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { SERVED_VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { enqueueDueBackups } from '../backup/enqueue.ts';
import type { BackupPlan } from '../contracts/backup.ts';
import { LAKE_SCHEMA } from '../contracts/lake.ts';
import { selectReadableSnapshots } from '../contracts/snapshot.ts';
import { dueClaims } from '../factors/due-claims.ts';
import { enqueueDueImpacts } from '../impact/enqueue.ts';
import { type Provider, ProviderError } from '../providers/provider.ts';
import { checkNewSessions } from '../quality/check-sessions.ts';
import { sendUnlessWaiting } from '../queue/send.ts';
import { enqueueDueRecords, enqueueDueSignals } from '../signals/enqueue.ts';
import { startWaitingSweeps } from '../sweep/enqueue.ts';
import { dueCorrections, dueSyncs, readSyncState, type SyncState } from '../sync/due-syncs.ts';
import { enqueueSync } from '../sync/enqueue.ts';
import { deleteExpired } from './cleanup.ts';

export interface PublishedOptions {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly now: () => number;
  readonly log: Logger;
}

export interface Published {
  readonly ranges: readonly ProviderRange[];
  /** Whether the provider does not answer and the ranges are those of an earlier answer. */
  readonly isUnreachable: boolean;
}

/** Served venue bases come first, so that histories are complete as soon as possible. */
const LOAD_ORDER: readonly VenueBasis[] = [...SERVED_VENUE_BASES, 'single_venue'];

/** Providers that do not answer, and since when in monotonic milliseconds. */
const awaySince = new WeakMap<Provider, number>();

/** Reads and records the published ranges. If the provider fails, returns the recorded ones. */
export async function refreshRanges(options: PublishedOptions): Promise<Published> {
  const { pool, provider, now, log } = options;
  const ranges: ProviderRange[] = [];
  try {
    for (const venueBasis of LOAD_ORDER) {
      const published = await provider.publishedSessions(venueBasis);
      if (published) ranges.push({ venueBasis, firstSession: published.first, newestSession: published.newest });
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    noteOutage(provider, error.message, log);
    return { ranges: await selectProviderRanges(pool), isUnreachable: true };
  }
  noteReturn(provider, log);
  const at = new Date(now());
  if (ranges.length > 0) {
    await recordMarketSource(pool, provider.source, at);
    await saveConsolidatedFrom(pool, (await provider.consolidatedFrom?.()) ?? null);
  }
  await saveProviderRanges(pool, provider.id, ranges, at);
  return { ranges, isUnreachable: false };
}

function noteOutage(provider: Provider, reason: string, log: Logger): void {
  if (awaySince.has(provider)) return;
  awaySince.set(provider, performance.now());
  log.error({ outage: 'provider', reason }, 'the provider does not answer');
}

function noteReturn(provider: Provider, log: Logger): void {
  const since = awaySince.get(provider);
  if (since === undefined) return;
  awaySince.delete(provider);
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  log.warn({ outage: 'provider', seconds }, 'the provider answers again');
}

/** Queues the snapshot and the lake when they lack distributable data and no session is held. */
async function queueFilesOfMarket({ pool, boss, now: clock, log }: SchedulerOptions): Promise<void> {
  const now = clock();
  const through = newestDistributableDay(now);
  const dataVersion = await selectDataVersion(pool);
  const isOutdated = (of: { readonly dataVersion: string; readonly through: string } | null | undefined) =>
    of?.dataVersion !== dataVersion || of.through !== formatDay(through);
  const [snapshot] = await selectReadableSnapshots(pool);
  const lake = await selectLake(pool);
  const isLakeDue = isOutdated(lake) || lake?.schemaVersion !== LAKE_SCHEMA;
  if (!isLakeDue && !isOutdated(snapshot)) return;
  const held = await checkNewSessions(pool, now, log);
  if (held.length > 0 || (await selectNewestSession(pool, 'consolidated', through)) === null) return;
  if (isOutdated(snapshot)) await sendUnlessWaiting(boss, 'snapshot.build', { requestId: null });
  if (isLakeDue) await sendUnlessWaiting(boss, 'lake.write', { requestId: null });
}

/** Queues published claims once the snapshot of the same data is there, so that no session is held. */
async function queueNewestClaims({ pool, boss, now }: SchedulerOptions): Promise<void> {
  const [snapshot] = await selectReadableSnapshots(pool);
  if (snapshot?.dataVersion !== (await selectDataVersion(pool))) return;
  if (await dueClaims(pool, now())) await sendUnlessWaiting(boss, 'claims.newest', { requestId: null });
}

export interface SchedulerOptions extends PublishedOptions {
  readonly boss: PgBoss;
  /** How many of the newest sessions are checked for corrections; default: none. */
  readonly revisitedSessions?: number;
  /** Default: backups are off. */
  readonly backups?: BackupPlan | null;
}

const FIND_CORRECTIONS_MS = 3_600_000;

/** When the last check found no correction, by provider. */
const uncorrectedAt = new WeakMap<Provider, number>();

/**
 * Checks for corrections once an hour, and at once after one was found. A provider that does not answer is asked again at
 * the next tick.
 */
async function corrections(options: SchedulerOptions, state: SyncState): Promise<ReturnType<typeof dueSyncs>> {
  const { pool, provider, now, revisitedSessions = 0 } = options;
  if (now() - (uncorrectedAt.get(provider) ?? -Infinity) < FIND_CORRECTIONS_MS) return [];
  try {
    const due = await dueCorrections(pool, provider, state, revisitedSessions);
    if (due.length === 0) uncorrectedAt.set(provider, now());
    return due;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    options.log.debug({ err: error }, 'corrections could not be checked for');
    return [];
  }
}

/**
 * Cleans up, queues all due jobs, and returns their number. Any number of schedulers may run at once. While the
 * provider does not answer, no load is queued, and everything else continues.
 */
export async function scheduleDueSyncs(options: SchedulerOptions): Promise<number> {
  const { pool, boss, now, log } = options;
  await deleteExpired(pool, now());
  await startWaitingSweeps(pool, boss, new Date(now()));
  await enqueueDueDeliveries(pool, boss, now());
  if (options.backups) await enqueueDueBackups(pool, boss, options.backups, now());
  const abandoned = await failAbandonedSyncJobs(pool);
  if (abandoned > 0) log.error({ abandoned }, 'sync jobs ended without a result');
  const published = await refreshRanges(options);
  const state = await readSyncState(pool, published.ranges, published.isUnreachable ? undefined : options.provider);
  const isRunning = state.recent.some((sync) => sync.status === 'running');
  const missing = published.isUnreachable ? [] : dueSyncs(state);
  const isCaughtUp = !published.isUnreachable && missing.length === 0 && !isRunning;
  const due = isCaughtUp ? await corrections(options, state) : missing;
  const isLoading = due.length > 0 || isRunning;
  if (!isLoading) {
    await queueFilesOfMarket(options);
    await enqueueDueImpacts(pool, boss);
    await queueNewestClaims(options);
    await enqueueDueSignals(pool, boss, now());
    await enqueueDueRecords(pool, boss, now());
  }
  for (const wanted of due) {
    const id = await transaction(pool, (connection) =>
      enqueueSync(connection, boss, { ...wanted, requestedBy: 'scheduler' }),
    );
    if (id !== null) log.debug({ syncJobId: id, jobType: wanted.jobType, request: wanted.spec }, 'sync queued');
  }
  return due.length;
}

/** Queues a delivery of webhooks if one is due. */
export async function enqueueDueDeliveries(pool: Pool, boss: PgBoss, now: number): Promise<void> {
  if (await hasDueDelivery(pool, new Date(now))) await sendUnlessWaiting(boss, 'webhooks.deliver', { requestId: null });
}
