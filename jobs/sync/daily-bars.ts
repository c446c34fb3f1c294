/** Sync job `daily_bars`: loads a range of days on one venue basis or on all of them, unit by unit. */

import { indexNewDays, packNextYear } from '../../db/market/bar-blocks.ts';
import { bumpDataVersion } from '../../db/market/data-versions.ts';
import {
  countListedInstruments,
  selectInstrumentIds,
  selectInstrumentsLoadedBetween,
} from '../../db/market/instruments.ts';
import { recordEmptySessions, saveProviderRanges, selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import {
  insertRejectedRows,
  insertSyncUnit,
  type RejectedRow,
  type SyncUnit,
  selectSyncUnits,
} from '../../db/queue/sync-units.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { civilDate, dayOf, FAR_FUTURE } from '../../engine/market/dates.ts';
import type { TickerBook } from '../../engine/market/ticker-book.ts';
import { SERVED_VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import type { FileAccount } from '../providers/file-account.ts';
import { type LoadUnit, ProviderError } from '../providers/provider.ts';
import { loadTickerBook } from './adjustments.ts';
import { failSessions } from './failed-sessions.ts';
import {
  assertWhole,
  describeAccounts,
  RefusedFiles,
  rejectedRowsOf,
  saveAccounts,
  saveUnreadFiles,
  sumRejected,
} from './file-accounts.ts';
import { instrumentsOf, wholeUnit } from './forget.ts';
import { describeUnpublished, type LoadRange, loadRanges } from './load-range.ts';
import { LoadTally } from './load-tally.ts';
import type { SyncContext } from './run.ts';
import { TooManyMalformed } from './session-counts.ts';
import { UnitLoader } from './unit-loader.ts';

interface PlannedUnit {
  readonly venueBasis: VenueBasis;
  readonly unit: LoadUnit;
  readonly key: string;
}

interface JobPlan {
  readonly units: readonly PlannedUnit[];
  /** The published days of the specification, per venue basis. */
  readonly ranges: readonly LoadRange[];
}

/** The inputs that all units of a job share. */
interface Load {
  readonly tickers: TickerBook;
  /** Only these; null: all. */
  readonly instrumentIds: readonly number[] | null;
  readonly tally: LoadTally;
}

/**
 * A unit that cannot be loaded leaves its sessions unchanged and does not stop the others: the job continues, and then fails with the
 * list of such units.
 */
export async function syncDailyBars(context: SyncContext): Promise<void> {
  const { pool, job, spec, report } = context;
  const plan = await planJob(context);
  await assertAffordable(context, plan.ranges);
  const tickers = await loadTickerBook(pool);
  const instrumentIds = await wantedInstruments(pool, spec, tickers);
  const finished = await selectSyncUnits(pool, job.id);
  const tally = await tallyOf(pool, plan, finished, instrumentIds);
  const load: Load = { tickers, instrumentIds, tally };
  await report(tally.progress(), true);
  const failed = plan.units.filter(({ key }) => finished.get(key)?.error != null);
  for (const planned of plan.units) {
    if (finished.has(planned.key)) continue;
    if (!(await loadPlanned(context, planned, load))) failed.push(planned);
  }
  if (instrumentIds === null && spec.forget === undefined) await recordMissingSessions(context, plan, failed);
  await saveUnreadFiles(context);
  await indexNewDays(pool);
  for (const { venueBasis } of plan.ranges)
    if (SERVED_VENUE_BASES.includes(venueBasis)) await packHistory(pool, venueBasis);
  await report(tally.progress(), true);
  const failures = tally.describeFailures();
  if (failures !== null) throw new PermanentFailure(failures);
}

async function planJob({ pool, provider, spec, now }: SyncContext): Promise<JobPlan> {
  const ranges = await loadRanges(provider, spec);
  const unpublished = describeUnpublished(provider, spec, ranges);
  if (unpublished !== null) throw new PermanentFailure(unpublished);
  const published = ranges.map(({ venueBasis, published: { first, newest } }) => ({
    venueBasis,
    firstSession: first,
    newestSession: newest,
  }));
  // Missing sessions are found by comparing the loaded with the published ones.
  if (spec.forget === undefined) await saveProviderRanges(pool, provider.id, published, new Date(now()));
  const units: PlannedUnit[] = [];
  for (const { venueBasis, start, end } of ranges) {
    const planned = await provider.planUnits(venueBasis, start, end);
    const files = spec.forget && ((await provider.filesWith?.(spec.forget.tickers)) ?? new Set());
    for (const unit of files ? [wholeUnit(planned, start, end, files)] : planned) {
      units.push({ venueBasis, unit, key: `${venueBasis} ${unit.key}` });
    }
  }
  return { units, ranges };
}

/** Checks the cost before anything is bought, because an accidental backfill is expensive. */
async function assertAffordable(
  { provider, maxLoadCostUsd, job, log }: SyncContext,
  ranges: JobPlan['ranges'],
): Promise<void> {
  let cost = 0;
  for (const { venueBasis, start, end } of ranges) cost += (await provider.estimateCost?.(venueBasis, start, end)) ?? 0;
  if (cost > 0) log.info({ syncJobId: job.id, costUsd: cost }, 'the price of this load');
  if (cost <= maxLoadCostUsd) return;
  throw new PermanentFailure(
    `the provider charges $${cost.toFixed(2)} for this load, more than MAX_LOAD_COST_USD ($${maxLoadCostUsd}) allows`,
  );
}

async function wantedInstruments(
  pool: Pool,
  { symbols, forget }: SyncContext['spec'],
  book: TickerBook,
): Promise<number[] | null> {
  if (forget?.tickers) return instrumentsOf(book, forget.tickers);
  if (!symbols) return null;
  const ids = await selectInstrumentIds(pool, symbols);
  const unknown = symbols.filter((symbol) => !ids.has(symbol));
  if (unknown.length > 0) throw new PermanentFailure(`unknown symbols: ${unknown.slice(0, 20).join(', ')}`);
  return [...ids.values()];
}

/** The tally, including the units of earlier attempts. */
async function tallyOf(
  pool: Pool,
  { units, ranges }: JobPlan,
  finished: ReadonlyMap<string, SyncUnit>,
  instrumentIds: readonly number[] | null,
): Promise<LoadTally> {
  const first = Math.min(...ranges.map(({ start }) => start));
  const last = Math.max(...ranges.map(({ end }) => end));
  const listed = async () => (ranges.length === 0 ? 0 : await countListedInstruments(pool, first, last));
  const tally = new LoadTally(
    units.map(({ key, unit }) => ({ key, weight: unit.weight })),
    instrumentIds?.length ?? (await listed()),
  );
  for (const { key } of units) {
    const unit = finished.get(key);
    if (unit) tally.add(unit);
  }
  const loaded = units.filter(({ key }) => finished.get(key)?.error === null);
  for (const [venueBasis, done] of Map.groupBy(loaded, (planned) => planned.venueBasis)) {
    const start = Math.min(...done.map(({ unit }) => unit.start));
    const end = Math.max(...done.map(({ unit }) => unit.end));
    for (const id of await selectInstrumentsLoadedBetween(pool, venueBasis, start, end, instrumentIds))
      tally.instruments.add(id);
  }
  return tally;
}

/** Loads a unit in one transaction. False when it could not be loaded completely and is recorded as failed. */
async function loadPlanned(context: SyncContext, planned: PlannedUnit, load: Load): Promise<boolean> {
  try {
    return await loadUnit(context, planned, load);
  } catch (error) {
    const failure = failureOfUnit(error);
    if (!failure) throw error;
    const { pool, job } = context;
    const unit = { key: planned.key, written: 0, rejected: failure.rejected, error: failure.message };
    await transaction(pool, async (connection) => {
      await insertRejectedRows(connection, job.id, planned.key, failure.rejections);
      await insertSyncUnit(connection, job.id, unit, null);
      await failSessions(
        connection,
        context,
        planned.venueBasis,
        sessionsBetween(planned.unit.start, planned.unit.end),
        failure.message,
      );
      await saveAccounts(connection, job.id, failure.accounts);
    });
    load.tally.add(unit);
    return false;
  }
}

/** Files that turn out to be unusable while they are read are left out, and the unit is loaded again: `refused`. */
async function loadUnit(
  context: SyncContext,
  planned: PlannedUnit,
  load: Load,
  refused: readonly FileAccount[] = [],
): Promise<boolean> {
  const { tally } = load;
  try {
    const { done, loaded } = await transaction(context.pool, (c) => loadOnce(c, context, planned, load, refused));
    tally.add(done, loaded.instrumentIds, loaded.skippedSessions?.loadedShare);
    return done.error === null;
  } catch (error) {
    if (!(error instanceof RefusedFiles)) throw error;
    return loadUnit(context, planned, load, [...refused, ...error.accounts]);
  }
}

async function loadOnce(
  connection: Connection,
  context: SyncContext,
  { venueBasis, unit: planned, key }: PlannedUnit,
  { tickers, instrumentIds, tally }: Load,
  refused: readonly FileAccount[],
) {
  const { job, provider, spec, signal, report, now } = context;
  const paths = new Set(refused.map(({ file }) => file.path));
  const unit = { ...planned, parts: planned.parts.filter((path) => !paths.has(path)) };
  const loader = await UnitLoader.begin(connection, {
    venueBasis,
    unit,
    tickers,
    instrumentIds,
    knownInstruments: tally.instruments,
    origin: { syncJobId: job.id, at: new Date(now()) },
    keepsAccounts: provider.keepsAccounts ?? false,
    forgets: spec.forget !== undefined,
    refusedFiles: refused.length,
    takesFirstFile: provider.takesNewestFile ?? false,
  });
  await loader.load(provider, signal, (share, counts) => report(tally.progress({ key, share, counts })));
  const loaded = await loader.finish();
  if (spec.forget) assertWhole([...refused, ...loaded.book.all()]);
  const { accepted, change, skippedSessions, sources } = loaded;
  const accounts = [...refused, ...loaded.book.all()];
  if (skippedSessions) for (const account of accounts) account.tell(skippedSessions.error);
  const errors = [skippedSessions?.error, describeAccounts(accounts), loaded.held].filter((text) => text != null);
  const rejected = sumRejected(loaded.rejected, refused);
  const done = { key, written: accepted, rejected, error: errors.length > 0 ? errors.join('; ') : null };
  await insertRejectedRows(connection, job.id, key, [...loaded.rejections, ...rejectedRowsOf(refused, venueBasis)]);
  // A part of a file of one's own is no reading of it; what a vendor answers is kept by its newest days.
  if (instrumentIds === null && !(unit.isClipped && provider.folderState))
    await saveAccounts(connection, job.id, accounts);
  const { start, end } = unit;
  const covered = { venueBasis, start, end, instrumentIds, skippedSessions: skippedSessions?.days ?? [], sources };
  await insertSyncUnit(connection, job.id, done, covered);
  if (skippedSessions) await failSessions(connection, context, venueBasis, skippedSessions.days, skippedSessions.error);
  // Readers must notice a session that becomes complete even if it has no new rows.
  if (change.rows > 0 || change.completed > 0) await bumpDataVersion(connection, 'bars');
  return { done, loaded };
}

interface UnitFailure {
  readonly message: string;
  readonly rejected: SyncUnit['rejected'];
  readonly rejections: readonly RejectedRow[];
  readonly accounts: readonly FileAccount[];
}

/** The failure, if only this unit is affected; null: other units would fail too. */
function failureOfUnit(error: unknown): UnitFailure | null {
  if (error instanceof TooManyMalformed) return error;
  if (error instanceof ProviderError && error.isLocal)
    return { message: error.message, rejected: {}, rejections: [], accounts: [] };
  return null;
}

/** Records the sessions of a full load that no unit covers as empty, except those of failed units. */
async function recordMissingSessions(
  { pool, job, now }: SyncContext,
  { ranges }: JobPlan,
  failed: readonly Pick<PlannedUnit, 'venueBasis' | 'unit'>[],
): Promise<void> {
  await transaction(pool, async (connection) => {
    let completed = 0;
    const origin = { syncJobId: job.id, at: new Date(now()) };
    for (const { venueBasis, start, end } of ranges) {
      const units = failed.filter((planned) => planned.venueBasis === venueBasis).map(({ unit }) => unit);
      const sessions = sessionsBetween(start, end).filter(
        (day) => !units.some((unit) => day >= unit.start && day <= unit.end),
      );
      completed += await recordEmptySessions(connection, venueBasis, sessions, origin);
    }
    if (completed > 0) await bumpDataVersion(connection, 'bars');
  });
}

/** Packs all months before that of the newest session, each year in its own transaction. */
export async function packHistory(pool: Pool, venueBasis: VenueBasis): Promise<void> {
  const newest = await selectNewestSession(pool, venueBasis, FAR_FUTURE);
  if (newest === null) return;
  const { year, month } = civilDate(newest);
  const through = dayOf(year, month, 1) - 1;
  while (await transaction(pool, (connection) => packNextYear(connection, venueBasis, through)));
}
