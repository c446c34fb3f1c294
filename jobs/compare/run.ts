/**
 * The job of a comparison: reads the other provider unit by unit, as a load does, compares its bars with the loaded ones,
 * and stores the differences. Only days that both sides have are compared bar by bar; a session that one side lacks is
 * reported as a whole.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Comparison,
  deleteDifferences,
  finishComparison,
  refuseComparison,
  selectComparison,
  updateComparisonProgress,
} from '../../db/market/comparisons.ts';
import { selectLoadedSessionsWithBars } from '../../db/market/loaded-sessions.ts';
import {
  type Compared,
  copyOtherBars,
  countBothSides,
  findDifferences,
  listFoundDifferences,
  readDifferences,
  selectOtherDays,
} from '../../db/market/other-bars.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { figuresFault, isTradingDay } from '../../engine/market/faults.ts';
import { withoutMarket } from '../../engine/market/symbols.ts';
import type { TickerBook } from '../../engine/market/ticker-book.ts';
import { toError } from '../../engine/util/errors.ts';
import { comparisonKey } from '../../storage/keys.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import { LocalFile } from '../lake/local-file.ts';
import { type BarBatch, type LoadUnit, NO_DAY, type Provider, ProviderError } from '../providers/provider.ts';
import { labelOf, PROVIDER_IDS } from '../providers/providers.ts';
import { progressThrottle } from '../runs/frame.ts';
import { loadTickerBook } from '../sync/adjustments.ts';
import { DifferenceFile, Tally, UnusableRows } from './tally.ts';

/** Differences of each kind that are listed; the file has all of them. */
const MAX_LISTED = 100_000;
const MIN_LISTED_OF_UNIT = 50;

/** Everything that the units of a comparison share. */
interface Work {
  readonly comparison: Comparison;
  readonly provider: Provider;
  readonly tickers: TickerBook;
  /** Loaded sessions of the requested range, whether the other provider has published them or not. */
  readonly loaded: readonly Day[];
  readonly tally: Tally;
  readonly differences: DifferenceFile;
  readonly file: LocalFile;
  /** Differences of each kind that are listed per unit. */
  readonly listedOfUnit: number;
}

type CompareContext = Pick<
  JobContext,
  'pool' | 'storage' | 'provider' | 'otherProvider' | 'workFolder' | 'maxLoadCostUsd' | 'now' | 'log' | 'signal'
>;

export async function runComparison(
  context: CompareContext,
  { comparisonId }: { readonly comparisonId: number },
): Promise<void> {
  const { pool, workFolder } = context;
  const comparison = await selectComparison(pool, comparisonId);
  if (!comparison || comparison.finishedAt !== null) return;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'compare-'));
  try {
    await compare(context, comparison, folder);
  } catch (error) {
    if (error instanceof RefusedComparison) {
      await refuseComparison(pool, comparisonId, error.message, new Date(context.now()));
      return;
    }
    if (error instanceof ProviderError && !error.isTransient)
      throw new PermanentFailure(error.message, { cause: error });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(context: CompareContext, comparison: Comparison, folder: string): Promise<void> {
  const { pool, storage, maxLoadCostUsd, now, log } = context;
  const { venueBasis, id } = comparison;
  const provider = await otherProvider(context, comparison);
  const { start, end } = await comparableRange(provider, comparison, now());
  await assertAffordable(provider, comparison, { start, end }, maxLoadCostUsd);
  const requested = {
    start: requireDay(comparison.start),
    end: Math.min(requireDay(comparison.end), newestDistributableDay(now())),
  };
  const loaded = (await selectLoadedSessionsWithBars(pool, venueBasis)).filter(
    (day) => day >= requested.start && day <= requested.end,
  );
  const units = await provider.planUnits(venueBasis, start, end);
  // An earlier attempt may have listed some.
  await deleteDifferences(pool, id);
  const file = await LocalFile.create(folder, 'differences.parquet', '');
  const work: Work = {
    comparison,
    provider,
    loaded,
    file,
    tickers: await loadTickerBook(pool),
    tally: new Tally(),
    differences: new DifferenceFile(),
    listedOfUnit: Math.max(MIN_LISTED_OF_UNIT, Math.ceil(MAX_LISTED / units.length)),
  };
  try {
    await compareUnits(context, work, units);
    await file.add({ bytes: work.differences.end(), rows: 0 });
  } catch (error) {
    await file.abandon();
    throw error;
  }
  const { bytes, sha256, open } = await file.end();
  const key = comparisonKey(id);
  await storage.put(key, open());
  await finishComparison(pool, id, work.tally.end({ key, bytes, sha256 }), new Date(now()));
  log.debug({ comparisonId: id, compared: work.tally.compared }, 'comparison done');
}

async function otherProvider(context: CompareContext, { against, folder }: Comparison): Promise<Provider> {
  const id = PROVIDER_IDS.find((known) => known === against);
  if (!id) throw new PermanentFailure(`there is no provider ${against}`);
  const own = await context.provider();
  const other = await context.otherProvider(id, folder).catch((error: unknown) => {
    throw new PermanentFailure(toError(error).message, { cause: error });
  });
  assertAnother(own, other);
  return other;
}

async function compareUnits({ pool, signal }: CompareContext, work: Work, units: readonly LoadUnit[]): Promise<void> {
  const { comparison, loaded, tally } = work;
  const total = units.reduce((sum, { weight }) => sum + weight, 0);
  let done = 0;
  const isDue = progressThrottle();
  const covered = new Set<Day>();
  for (const unit of units) {
    const report: Report = async (share) => {
      signal.throwIfAborted();
      if (!isDue()) return;
      await updateComparisonProgress(pool, comparison.id, (99 * (done + share * unit.weight)) / total);
    };
    for (const day of await daysOfUnit(pool, work, unit, signal, report)) covered.add(day);
    done += unit.weight;
  }
  const onlyHere = loaded.filter((day) => !covered.has(day));
  tally.sessionsOnlyHere.push(...onlyHere.map(formatDay));
}

type Report = (share: number) => Promise<void>;

/** Compares a unit. Returns the days of its bars, or all its loaded days when it cannot be read and is only named. */
async function daysOfUnit(
  pool: Pool,
  work: Work,
  unit: LoadUnit,
  signal: AbortSignal,
  report: Report,
): Promise<readonly Day[]> {
  try {
    return await transaction(pool, (connection) => compareUnit(connection, work, unit, signal, report));
  } catch (error) {
    if (!(error instanceof ProviderError && error.isLocal)) throw error;
    work.tally.addUnread({ unit: unit.key, error: error.message });
    return work.loaded.filter((day) => day >= unit.start && day <= unit.end);
  }
}

async function compareUnit(
  connection: Connection,
  work: Work,
  unit: LoadUnit,
  signal: AbortSignal,
  report: Report,
): Promise<Day[]> {
  const { comparison, provider, tally, loaded, file, differences } = work;
  const { venueBasis, tolerancePct, volumeTolerancePct } = comparison;
  const copy = await copyOtherBars(connection, venueBasis);
  const unusable = new UnusableRows();
  try {
    for await (const batch of provider.dailyBars(venueBasis, unit, signal)) {
      for (let row = 0; row < batch.count; row++)
        if (addRow(work, copy, unusable, unit, batch, row)) await copy.flush();
      unusable.malformed += batch.unreadable.length;
      await report(batch.progress);
    }
    await copy.finish();
  } catch (error) {
    copy.abort();
    throw error;
  }
  tally.addUnusable(unusable);
  const there = (await selectOtherDays(connection)).map(requireDay);
  const here = new Set(loaded);
  const both = there.filter((day) => here.has(day));
  tally.sessions += both.length;
  tally.sessionsOnlyThere.push(...there.filter((day) => !here.has(day)).map(formatDay));
  const compared: Compared = { venueBasis, tolerancePct, volumeTolerancePct, days: both.map(formatDay) };
  tally.compared += await countBothSides(connection, compared);
  await findDifferences(connection, compared);
  await listFoundDifferences(connection, comparison.id, work.listedOfUnit);
  for await (const found of readDifferences(connection)) {
    signal.throwIfAborted();
    tally.addDifferences(found);
    await file.add({ bytes: differences.add(found), rows: found.length });
  }
  return there;
}

/** Adds a row to the copy if it is a valid bar of a known instrument. True when the copy must be flushed. */
function addRow(
  { tickers }: Work,
  copy: Awaited<ReturnType<typeof copyOtherBars>>,
  unusable: UnusableRows,
  { start, end }: LoadUnit,
  { ticker, day, open, high, low, close, volume }: BarBatch,
  row: number,
): boolean {
  const isDay = day[row] !== NO_DAY;
  if (isDay && (day[row] < start || day[row] > end)) return false;
  const isBar = isDay && isTradingDay(day[row]);
  if (!isBar || figuresFault(open[row], high[row], low[row], close[row], volume[row]) !== null) {
    unusable.malformed++;
    return false;
  }
  const instrumentId =
    tickers.instrumentOn(ticker[row], day[row]) ?? tickers.instrumentOn(withoutMarket(ticker[row]), day[row]);
  if (instrumentId === null) {
    unusable.addUnknown(ticker[row]);
    return false;
  }
  return copy.add(instrumentId, day[row], open[row], high[row], low[row], close[row], volume[row]);
}

/** The comparison cannot be made as it was requested; a retry does not help. */
class RefusedComparison extends Error {
  override readonly name = 'RefusedComparison';
}

function assertAnother(own: Provider, other: Provider): void {
  const isSame = own.source.provider === other.source.provider && own.source.folder === other.source.folder;
  if (isSame)
    throw new RefusedComparison(`the market is loaded from ${labelOf(other).en}: name another provider or folder`);
}

/** The requested days that may be distributed and that the other provider has published. */
async function comparableRange(
  provider: Provider,
  { venueBasis, start, end }: Comparison,
  at: number,
): Promise<{ readonly start: Day; readonly end: Day }> {
  const published = await provider.publishedSessions(venueBasis);
  if (!published) throw new RefusedComparison(`${labelOf(provider).en} has no bars on the venue basis ${venueBasis}`);
  const range = {
    start: Math.max(requireDay(start), published.first),
    end: Math.min(requireDay(end), published.newest, newestDistributableDay(at)),
  };
  if (range.start <= range.end) return range;
  const has = `${formatDay(published.first)} to ${formatDay(published.newest)}`;
  throw new RefusedComparison(`${labelOf(provider).en} has bars from ${has}, none from ${start} to ${end}`);
}

async function assertAffordable(
  provider: Provider,
  { venueBasis }: Comparison,
  { start, end }: { readonly start: Day; readonly end: Day },
  maxCostUsd: number,
): Promise<void> {
  const cost = (await provider.estimateCost?.(venueBasis, start, end)) ?? 0;
  if (cost <= maxCostUsd) return;
  throw new RefusedComparison(
    `the provider charges $${cost.toFixed(2)} for these bars, more than MAX_LOAD_COST_USD ($${maxCostUsd}) allows`,
  );
}
