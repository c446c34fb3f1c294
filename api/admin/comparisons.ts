/** Vendor comparisons in the back office: queued, listed with their differences, downloaded. */
import { selectDifferences } from '../../db/market/comparison-differences.ts';
import { type Comparison, type ComparisonResult, selectComparison } from '../../db/market/comparisons.ts';
import type { BarDifference } from '../../db/market/other-bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { enqueueComparison } from '../../jobs/compare/enqueue.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { audited, auditIntent } from '../call/audited.ts';
import type { StoredFileReply } from '../http/answer/reply.ts';
import { storedFile } from '../http/answer/stored-object.ts';
import type { z } from '../http/input/fields.ts';
import { assertDayRange } from '../http/input/ranges.ts';
import { findInstrument } from '../market/directory.ts';
import { emailOfCaller } from './caller-email.ts';
import type { ComparisonBody, comparisonSchema, DifferenceQuery, differenceSchema } from './comparison-schemas.ts';
import type { AdminCall } from './services.ts';

export function comparisonView(comparison: Comparison): z.input<typeof comparisonSchema> {
  const { id, against, venueBasis, start, end, status, error, requestedAt, finishedAt, result } = comparison;
  return {
    id,
    against,
    venue_mode: venueBasis,
    start,
    end,
    tolerance_pct: comparison.tolerancePct,
    volume_tolerance_pct: comparison.volumeTolerancePct,
    status,
    progress_pct: comparison.progressPct,
    job_id: comparison.queueJobId,
    requested_by: comparison.requestedBy,
    requested_at: requestedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    error,
    result: result && resultView(result),
  };
}

function resultView(result: ComparisonResult): z.input<typeof comparisonSchema>['result'] {
  const { compared, sessions, differences, unread, unknown, file } = result;
  return {
    compared,
    sessions,
    differences: { ...differences },
    sessions_only_here: result.sessionsOnlyHere.length,
    sessions_only_there: result.sessionsOnlyThere.length,
    unread: [...unread],
    unknown_rows: unknown.rows,
    unknown_tickers: [...unknown.tickers],
    malformed_rows: result.malformed,
    bytes: file.bytes,
  };
}

type Bar = z.input<typeof differenceSchema>['here'];

/** Null when a side has no bar, of which all figures are null then. */
function barOf(
  open: number | null,
  high: number | null,
  low: number | null,
  close: number | null,
  volume: number | null,
): Bar {
  if (open === null || high === null || low === null || close === null || volume === null) return null;
  return { open, high, low, close, volume };
}

function differenceView(found: BarDifference): z.input<typeof differenceSchema> {
  const { symbol, date, kind, open, high, low, close, volume, pricePct, volumePct } = found;
  return {
    symbol: qualifiedSymbol(symbol),
    date,
    kind,
    here: barOf(open, high, low, close, volume),
    there: barOf(found.otherOpen, found.otherHigh, found.otherLow, found.otherClose, found.otherVolume),
    price_pct: pricePct,
    volume_pct: volumePct,
  };
}

/** The result; throws while there is none. */
async function finished(db: Queryable, id: number): Promise<ComparisonResult> {
  const { status, result } = found(await selectComparison(db, id));
  if (!result) throw new ServiceError('wrong_state', { needed: 'done', status });
  return result;
}

export async function createComparison(
  call: AdminCall,
  body: ComparisonBody,
): Promise<z.input<typeof comparisonSchema>> {
  const { boss, now, otherProviders } = call.services;
  const { against, start, end } = body;
  assertDayRange({ start, end });
  if (!otherProviders.includes(against)) {
    const allowed = otherProviders.join(', ') || '–';
    throw new ServiceError('provider_not_configured', { provider: against, allowed });
  }
  const spec = {
    venueBasis: body.venue_mode,
    against,
    folder: null,
    start: formatDay(start),
    end: formatDay(end),
    tolerancePct: body.tolerance_pct,
    volumeTolerancePct: body.volume_tolerance_pct,
  };
  const requested = { by: await emailOfCaller(call), at: new Date(now()) };
  const intent = auditIntent(call, { details: { request: spec } });
  const comparison = await audited(call, intent, async (connection) => {
    const id = await enqueueComparison(connection, boss, spec, requested);
    return { result: found(await selectComparison(connection, id)), entries: intent.entries };
  });
  return comparisonView(comparison);
}

/** One page of the differences that are listed; the file has all. */
export async function listDifferences({ services }: AdminCall, id: number, query: DifferenceQuery) {
  const { kind, symbol, start, end, page, size } = query;
  const { pool, market } = services;
  assertDayRange({ start, end });
  await finished(pool, id);
  const filter = {
    kind,
    instrumentId: symbol === undefined ? undefined : findInstrument(market.directory, symbol).instrument.id,
    start: start === undefined ? undefined : formatDay(start),
    end: end === undefined ? undefined : formatDay(end),
  };
  const { total, items } = await selectDifferences(pool, id, filter, { page, size });
  return { total, page, size, items: items.map(differenceView) };
}

export async function downloadDifferences({ services }: AdminCall, id: number): Promise<StoredFileReply> {
  const { storage, pool } = services;
  const { key, bytes, sha256: checksum } = (await finished(pool, id)).file;
  const name = `comparison-${id}.parquet`;
  return storedFile(storage, { key, name, contentType: EXPORT_CONTENT_TYPES.parquet, bytes, checksum }, 'not_found');
}
