/** Sync job `daily_bars`: loads a range of days on one basis or on all of them, unit by unit. */

import { recordEmptySessions } from '../../db/bar-load.ts';
import { indexNewDays, sealNextYear } from '../../db/bars.ts';
import { bumpDataVersion } from '../../db/data-versions.ts';
import { selectInstrumentIds } from '../../db/instruments.ts';
import { selectNewestSession } from '../../db/loaded-sessions.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { insertRejectedRows, insertSyncUnit, selectSyncUnits } from '../../db/sync-jobs.ts';
import { BASES, type Basis } from '../../engine/basis.ts';
import { sessionsBetween } from '../../engine/calendar.ts';
import { civilDate, type Day, dayOf, parseDay } from '../../engine/dates.ts';
import type { TickerBook } from '../../engine/ticker-book.ts';
import { PermanentFailure } from '../job-context.ts';
import type { LoadUnit } from '../providers/provider.ts';
import { loadTickerBook } from './adjustments.ts';
import type { SyncContext } from './run-sync.ts';
import { TooManyRejected, UnitLoader } from './unit-loader.ts';

interface PlannedUnit {
  readonly basis: Basis;
  readonly unit: LoadUnit;
  readonly key: string;
}

interface JobPlan {
  readonly units: readonly PlannedUnit[];
  /** The days that were asked for, per basis. */
  readonly ranges: readonly { readonly basis: Basis; readonly start: Day; readonly end: Day }[];
}

interface Totals {
  written: number;
  rejected: number;
  done: number;
}

const FAR_FUTURE = dayOf(9999, 12, 31);

/** Bases that are read as series; only their history is packed. */
const SERVED_BASES: readonly Basis[] = ['consolidated', 'primary_session'];

export async function syncDailyBars(context: SyncContext): Promise<void> {
  const { pool, job } = context;
  const { units: planned, ranges } = await planJob(context);
  await assertAffordable(context, ranges);
  const instrumentIds = await namedInstruments(pool, context.request.symbols);
  const tickers = await loadTickerBook(pool);
  const finished = await selectSyncUnits(pool, job.id);
  const totals: Totals = { written: 0, rejected: 0, done: 0 };
  for (const { written, rejected } of finished.values()) {
    totals.written += written;
    totals.rejected += rejected;
  }
  for (const item of planned) {
    if (!finished.has(item.key)) await loadPlanned(context, item, tickers, instrumentIds, totals, planned.length);
    totals.done++;
  }
  if (instrumentIds === null) {
    for (const { basis, start, end } of ranges) await recordEmptySessions(pool, basis, sessionsBetween(start, end));
  }
  await indexNewDays(pool);
  for (const { basis } of ranges) if (SERVED_BASES.includes(basis)) await packHistory(pool, basis);
  await context.report({ progressPct: 100, rowsWritten: totals.written, rowsRejected: totals.rejected });
}

async function planJob({ provider, request }: SyncContext): Promise<JobPlan> {
  const units: PlannedUnit[] = [];
  const ranges: JobPlan['ranges'][number][] = [];
  for (const basis of request.venue_mode ? [request.venue_mode] : BASES) {
    const published = await provider.publishedSessions(basis);
    if (!published) continue;
    const start = request.start ? (parseDay(request.start) as Day) : published.first;
    const end = Math.min(request.end ? (parseDay(request.end) as Day) : published.newest, published.newest);
    ranges.push({ basis, start, end });
    for (const unit of await provider.planUnits(basis, start, end)) {
      units.push({ basis, unit, key: `${basis} ${unit.key}` });
    }
  }
  return { units, ranges };
}

/** Before anything is bought: a backfill by mistake is expensive. */
async function assertAffordable(
  { provider, maxLoadCostUsd, job, log }: SyncContext,
  ranges: JobPlan['ranges'],
): Promise<void> {
  let cost = 0;
  for (const { basis, start, end } of ranges) cost += (await provider.estimateCost?.(basis, start, end)) ?? 0;
  if (cost > 0) log.info({ syncJobId: job.id, costUsd: cost }, 'the provider asks for this load');
  if (cost <= maxLoadCostUsd) return;
  throw new PermanentFailure(
    `the provider asks $${cost.toFixed(2)} for this load, more than MAX_LOAD_COST_USD ($${maxLoadCostUsd}) allows`,
  );
}

async function namedInstruments(pool: Pool, symbols: readonly string[] | undefined): Promise<number[] | null> {
  if (!symbols) return null;
  const ids = await selectInstrumentIds(pool, symbols);
  const unknown = symbols.filter((symbol) => !ids.has(symbol));
  if (unknown.length > 0) throw new PermanentFailure(`unknown symbols: ${unknown.slice(0, 20).join(', ')}`);
  return [...ids.values()];
}

/** One unit in one transaction; what it refused is kept even when the unit is taken back. */
async function loadPlanned(
  context: SyncContext,
  { basis, unit, key }: PlannedUnit,
  tickers: TickerBook,
  instrumentIds: readonly number[] | null,
  totals: Totals,
  units: number,
): Promise<void> {
  const { pool, job, provider, signal, report } = context;
  const isLast = totals.done === units - 1;
  try {
    const result = await transaction(pool, async (connection) => {
      const loader = await UnitLoader.begin(connection, {
        basis,
        unit,
        tickers,
        instrumentIds,
        before: totals,
        isLast,
      });
      await loader.load(provider, signal, (share, counts) =>
        report({
          progressPct: (99 * (totals.done + share)) / units,
          rowsWritten: totals.written + counts.accepted,
          rowsRejected: totals.rejected + counts.rejected,
          ...(counts.symbols > 0 ? { symbolsTotal: counts.symbols, symbolsDone: counts.symbols } : {}),
        }),
      );
      const { accepted, rejected, changed, rejections } = await loader.finish();
      await insertRejectedRows(connection, job.id, rejections);
      await insertSyncUnit(connection, job.id, { key, written: accepted, rejected });
      if (changed > 0) await bumpDataVersion(connection, 'bars');
      return { accepted, rejected };
    });
    totals.written += result.accepted;
    totals.rejected += result.rejected;
  } catch (error) {
    if (!(error instanceof TooManyRejected)) throw error;
    await insertRejectedRows(pool, job.id, error.rejections);
    await report({ progressPct: 100, rowsWritten: totals.written, rowsRejected: totals.rejected + error.rejected });
    throw new PermanentFailure(error.message, { cause: error });
  }
}

/** Packs all months before that of the newest session; each year is its own transaction. */
export async function packHistory(pool: Pool, basis: Basis): Promise<void> {
  const newest = await selectNewestSession(pool, basis, FAR_FUTURE);
  if (newest === null) return;
  const { year, month } = civilDate(newest);
  const through = dayOf(year, month, 1) - 1;
  while (await transaction(pool, (connection) => sealNextYear(connection, basis, through)));
}
