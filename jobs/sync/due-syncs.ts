/** Decides which sync jobs are due, by comparing what the provider has published with what is loaded. */
import { type ProviderRange, selectLoadedSessions } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import { selectListStates, selectReadFiles } from '../../db/queue/file-readings.ts';
import { type RecentSync, selectRecentScheduled, selectWatermarks } from '../../db/queue/sync-jobs.ts';
import { selectSourcesOfDays } from '../../db/queue/sync-units.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { ChangedUnit, FolderState, Provider } from '../providers/provider.ts';
import type { WantedSync } from './enqueue.ts';

/** Pause before a failed job is queued again. For bars it doubles with each consecutive failure. */
const BACKOFF_S = 15 * 60;
const MAX_BACKOFF_S = 6 * 3600;
/** The period in which failures are counted. */
const LOOK_BACK_S = 24 * 3600;

export interface SyncState {
  readonly ranges: readonly ProviderRange[];
  /** Sessions that full loads have covered, per venue basis. */
  readonly loaded: ReadonlyMap<VenueBasis, ReadonlySet<Day>>;
  /** The session through which the list is synchronized; null: never. */
  readonly symbolsThrough: Day | null;
  readonly adjustmentsThrough: Day | null;
  /** Scheduled jobs that run, or failed within a day. */
  readonly recent: readonly RecentSync[];
  /** Changes of the folder of the provider; null: it has none. */
  readonly folder: FolderChanges | null;
}

export interface FolderChanges extends FolderState {
  readonly isSymbolsChanged: boolean;
  readonly isAdjustmentsChanged: boolean;
}

/**
 * The due sync jobs: symbols, then adjustments, then the missing sessions of each venue basis. Each waits for the one before, but bars
 * do not wait for adjustments that have failed.
 */
export function dueSyncs(state: SyncState): Omit<WantedSync, 'requestedBy'>[] {
  if (state.ranges.length === 0) return [];
  const newest = Math.max(...state.ranges.map((range) => range.newestSession));
  const through = formatDay(newest);
  const held = state.recent.filter(holdsBack);
  const isBusy = (jobType: string) => held.some((sync) => sync.jobType === jobType);
  const hasFailed = (jobType: string) => held.some((sync) => sync.jobType === jobType && sync.status === 'failed');

  const { folder } = state;
  if ((state.symbolsThrough ?? -Infinity) < newest || folder?.isSymbolsChanged) {
    return isBusy('symbols') ? [] : [{ jobType: 'symbols', spec: { through, files: folder?.symbols } }];
  }
  const due: Omit<WantedSync, 'requestedBy'>[] = [];
  if ((state.adjustmentsThrough ?? -Infinity) < newest || folder?.isAdjustmentsChanged) {
    if (!isBusy('adjustments')) due.push({ jobType: 'adjustments', spec: { through, files: folder?.adjustments } });
    if (!hasFailed('adjustments')) return due;
  }
  return [...due, ...dueBars(state, held)];
}

/** A load of changed files or missing sessions of each venue basis. */
function dueBars(
  { ranges, loaded, folder }: SyncState,
  held: readonly RecentSync[],
): Omit<WantedSync, 'requestedBy'>[] {
  const due: Omit<WantedSync, 'requestedBy'>[] = [];
  for (const range of ranges) {
    const loads = held.filter(({ jobType, venueBasis }) => jobType === 'daily_bars' && venueBasis === range.venueBasis);
    if (loads.some(({ status }) => status === 'running')) continue;
    const units = folder?.units.get(range.venueBasis) ?? [];
    const missing = firstMissingRun(range, loaded.get(range.venueBasis) ?? new Set(), loads);
    const run = firstChangedRun(units, loads) ?? (missing && wholeUnits(missing, units));
    if (!run) continue;
    const spec = { venue_mode: range.venueBasis, start: formatDay(run.start), end: formatDay(run.end) };
    due.push({ jobType: 'daily_bars', spec });
  }
  return due;
}

/** Whether a job runs, or failed too recently to be retried. */
function holdsBack({ jobType, status, failedSinceS, failures }: RecentSync): boolean {
  if (status === 'running') return true;
  const pause = jobType === 'daily_bars' ? Math.min(BACKOFF_S * 2 ** (failures - 1), MAX_BACKOFF_S) : BACKOFF_S;
  return (failedSinceS ?? 0) < pause;
}

/** The oldest consecutive published sessions that are not loaded, except those of loads that have failed recently. */
function firstMissingRun(
  range: ProviderRange,
  loaded: ReadonlySet<Day>,
  failed: readonly RecentSync[],
): { start: Day; end: Day } | null {
  const waits = (day: Day) => failed.some(({ start, end }) => isWithin(formatDay(day), start, end));
  const isDue = (day: Day) => !loaded.has(day) && !waits(day);
  const sessions = sessionsBetween(range.firstSession, range.newestSession);
  const start = sessions.findIndex(isDue);
  if (start === -1) return null;
  const next = sessions.findIndex((day, i) => i > start && !isDue(day));
  return { start: sessions[start], end: sessions[(next === -1 ? sessions.length : next) - 1] };
}

type Run = { readonly start: Day; readonly end: Day };

/** A load of changed files that has just failed is not repeated at once, unless one of them was written since. */
const CHANGED_PAUSE_S = 30;

/** The oldest consecutive units with a file that has changed. */
function firstChangedRun(units: readonly ChangedUnit[], recent: readonly RecentSync[]): Run | null {
  const waits = (unit: ChangedUnit) =>
    recent.some(({ failedSinceS, start, end }) => {
      const since = failedSinceS ?? 0;
      return since < CHANGED_PAUSE_S && since < unit.writtenAgoS && isWithin(formatDay(unit.start), start, end);
    });
  const isDue = (unit: ChangedUnit) => unit.isChanged && !waits(unit);
  const first = units.findIndex(isDue);
  if (first === -1) return null;
  const next = units.findIndex((unit, i) => i > first && !isDue(unit));
  return { start: units[first].start, end: units[(next === -1 ? units.length : next) - 1].end };
}

/** A run with the whole of the units that it touches, because every line of a file is accounted for at once. */
function wholeUnits({ start, end }: Run, units: readonly Run[]): Run {
  const touched = units.filter((unit) => unit.end >= start && unit.start <= end);
  return {
    start: touched.reduce((day, unit) => Math.min(day, unit.start), start),
    end: touched.reduce((day, unit) => Math.max(day, unit.end), end),
  };
}

/** Whether a load of a session runs, or failed too recently to be retried. */
function isHeldBack(recent: readonly RecentSync[], venueBasis: VenueBasis, day: Day): boolean {
  const isOfDay = (sync: RecentSync) =>
    sync.jobType === 'daily_bars' && sync.venueBasis === venueBasis && isWithin(formatDay(day), sync.start, sync.end);
  return recent.some((sync) => isOfDay(sync) && holdsBack(sync));
}

/** Whether a date is in a range; null: unbounded. */
function isWithin(date: string, start: string | null, end: string | null): boolean {
  return (start === null || date >= start) && (end === null || date <= end);
}

/** Reads which published sessions are loaded, and which loads run or have failed recently. */
export async function readSyncState(
  pool: Pool,
  ranges: readonly ProviderRange[],
  provider?: Provider,
): Promise<SyncState> {
  const watermarks = await selectWatermarks(pool);
  const loaded = new Map<VenueBasis, ReadonlySet<Day>>();
  for (const { venueBasis } of ranges) loaded.set(venueBasis, new Set(await selectLoadedSessions(pool, venueBasis)));
  const dayOrNull = (text: string | undefined) => (text === undefined ? null : parseDay(text));
  // Before the failures: a file that was written right after one is then younger than it.
  const folder = await folderChanges(pool, provider);
  return {
    ranges,
    loaded,
    symbolsThrough: dayOrNull(watermarks.get('symbols')),
    adjustmentsThrough: dayOrNull(watermarks.get('adjustments')),
    recent: await selectRecentScheduled(pool, LOOK_BACK_S),
    folder,
  };
}

async function folderChanges(pool: Pool, provider: Provider | undefined): Promise<FolderChanges | null> {
  if (!provider?.folderState) return null;
  const folder = await provider.folderState(await selectReadFiles(pool));
  const known = await selectListStates(pool);
  return {
    ...folder,
    isSymbolsChanged: known.get('symbols') !== folder.symbols,
    isAdjustmentsChanged: known.get('adjustments') !== folder.adjustments,
  };
}

/** Whether everything that the provider has published is loaded or has failed recently. */
export async function isCaughtUp(pool: Pool, ranges: readonly ProviderRange[]): Promise<boolean> {
  const state = await readSyncState(pool, ranges);
  return dueSyncs(state).length === 0 && !state.recent.some((sync) => sync.status === 'running');
}

/**
 * A load of the oldest corrected session of each venue basis, among the `revisited` newest loaded ones. Its changes become revisions.
 * Sessions whose load has failed recently wait.
 */
export async function dueCorrections(
  pool: Pool,
  provider: Provider,
  { ranges, loaded, recent }: SyncState,
  revisited: number,
): Promise<Omit<WantedSync, 'requestedBy'>[]> {
  const due: Omit<WantedSync, 'requestedBy'>[] = [];
  for (const { venueBasis } of revisited > 0 ? ranges : []) {
    const days = [...(loaded.get(venueBasis) ?? [])].sort((a, b) => a - b).slice(-revisited);
    const read = await selectSourcesOfDays(pool, venueBasis, days);
    const corrected = await provider.republishedSessions?.(venueBasis, read);
    const day = corrected?.find((one) => !isHeldBack(recent, venueBasis, one));
    if (day === undefined) continue;
    const date = formatDay(day);
    due.push({ jobType: 'daily_bars', spec: { venue_mode: venueBasis, start: date, end: date } });
  }
  return due;
}
