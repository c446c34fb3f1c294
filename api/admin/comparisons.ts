/** Comparisons with other providers in the back office: queued, listed with their differences, downloaded. */
import {
  COMPARISON_STATUSES,
  type Comparison,
  type ComparisonResult,
  selectComparison,
  selectDifferences,
} from '../../db/market/comparisons.ts';
import { type BarDifference, DIFFERENCE_KINDS } from '../../db/market/other-bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { enqueueComparison } from '../../jobs/compare/enqueue.ts';
import { DEFAULT_TOLERANCES } from '../../jobs/contracts/compare.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { PROVIDER_IDS } from '../../jobs/providers/providers.ts';
import { audited, auditIntent } from '../call/audited.ts';
import { type StoredFileReply, storedFile } from '../http/answer/reply.ts';
import { assertDayRange, dateField, instant, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import { day } from '../market/schemas.ts';
import type { AdminCall } from './services.ts';

const spec = {
  against: z.enum(PROVIDER_IDS),
  venue_mode: z.enum(VENUE_BASES),
  start: day,
  end: day,
  tolerance_pct: z.number(),
  volume_tolerance_pct: z.number(),
};

const count = z.int().min(0);

export const comparisonSchema = z
  .object({
    id: z.int(),
    ...spec,
    against: z.string(),
    status: z.enum(COMPARISON_STATUSES),
    progress_pct: z.number(),
    job_id: z.uuid(),
    requested_by: z.string(),
    requested_at: instant,
    finished_at: instant.nullable(),
    error: z.string().nullable(),
    result: z
      .object({
        compared: count,
        sessions: count,
        differences: z.object({ differs: count, only_here: count, only_there: count }),
        sessions_only_here: count,
        sessions_only_there: count,
        unread: z.array(z.object({ unit: z.string(), error: z.string() })),
        unknown_rows: count,
        unknown_tickers: z.array(z.string()),
        malformed_rows: count,
        bytes: count,
      })
      .nullable(),
  })
  .meta({ id: 'Comparison' });

const percent = z.number().min(0).max(100);

export const comparisonBody = z.strictObject({
  against: spec.against,
  venue_mode: spec.venue_mode.default('consolidated'),
  start: dateField,
  end: dateField,
  tolerance_pct: percent.default(DEFAULT_TOLERANCES.pricePct),
  volume_tolerance_pct: percent.default(DEFAULT_TOLERANCES.volumePct),
});
type ComparisonBody = z.output<typeof comparisonBody>;

export const differenceQuery = z.object({
  kind: z.enum(DIFFERENCE_KINDS).optional().meta({ description: 'Only differences of this kind' }),
  symbol: symbolField.optional(),
  start: dateField.optional().meta({ description: 'First day' }),
  end: dateField.optional().meta({ description: 'Last day' }),
  ...pageQuery,
});
type DifferenceQuery = z.output<typeof differenceQuery>;

const bar = z
  .object({ open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() })
  .nullable();

export const differenceSchema = z
  .object({
    symbol: z.string(),
    date: day,
    kind: z.enum(DIFFERENCE_KINDS),
    here: bar,
    there: bar,
    price_pct: z.number().nullable(),
    volume_pct: z.number().nullable(),
  })
  .meta({ id: 'BarDifference' });

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

/** Null if a side has no bar: all its figures are null then. */
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

/** The result of a comparison. Throws if it has none yet. */
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
  const requested = { by: call.caller.account.userId, at: new Date(now()) };
  const intent = auditIntent(call, { details: { request: spec } });
  const comparison = await audited(call, intent, async (connection) => {
    const id = await enqueueComparison(connection, boss, spec, requested);
    return { result: found(await selectComparison(connection, id)), entries: intent.entries };
  });
  return comparisonView(comparison);
}

/** One page of the listed differences. */
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
