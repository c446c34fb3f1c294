/** Exports in the back office: made at once or queued, and available for download for a week. */
import type { Queryable } from '../../db/pool.ts';
import {
  EXPORT_STATUSES,
  type ExportRecord,
  selectExport,
  selectExportByQueueJob,
  startExport,
} from '../../db/queue/exports.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportSpec,
  exportSpecOf,
  isSmallExport,
} from '../../jobs/contracts/export.ts';
import {
  abortExport,
  enqueueExport,
  recordInlineExport,
  retryExport,
  type WantedExport,
} from '../../jobs/export/enqueue.ts';
import type { ExportOptions } from '../../jobs/export/run.ts';
import { exportedFile } from '../accounts/data-export-routes.ts';
import { audited, auditFailure, auditIntent, changeRecord, entriesWith } from '../call/audited.ts';
import { Accepted, FileReply, type StoredFileReply } from '../http/answer/reply.ts';
import { adjustField, assertDayRange, dateField, instant, symbolField, text, z } from '../http/input/fields.ts';
import { assertAssetTypes, findInstrument } from '../market/directory.ts';
import { workOfCall } from '../runs/request.ts';
import type { AdminCall } from './services.ts';

export const exportSchema = z
  .object({
    id: z.int(),
    status: z.enum(EXPORT_STATUSES),
    owner: z.object({ id: z.int(), email: z.string() }),
    request: z.record(z.string(), z.unknown()),
    progress_pct: z.number().min(0).max(100),
    rows: z.int().nullable(),
    bytes: z.int().nullable(),
    checksum_sha256: z.string().nullable().meta({ description: 'SHA-256 of the file, in hexadecimal digits' }),
    error: z.string().nullable(),
    created_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    expires_at: instant.meta({ description: 'When the file is removed; the record stays' }),
  })
  .meta({ id: 'Export' });

export const MAX_EXPORT_SYMBOLS = 20_000;

export const exportBody = z.strictObject({
  symbols: z
    .array(symbolField)
    .min(1)
    .max(MAX_EXPORT_SYMBOLS)
    .optional()
    .meta({ description: 'Default: the whole market', example: ['ACRX', 'MTMX.US'] }),
  asset_type: text(1, 50).optional(),
  start: dateField,
  end: dateField.meta({ description: 'Days that may not be distributed yet are left out' }),
  venue_mode: z.enum(VENUE_BASES).default('consolidated'),
  adjust: adjustField.prefault('none'),
  format: z.enum(EXPORT_FORMATS).default('csv'),
});
type ExportBody = z.output<typeof exportBody>;

export const EXPORTS_PATH = '/api/admin/data/exports';

export function exportView(exported: ExportRecord): z.input<typeof exportSchema> {
  return {
    id: exported.id,
    status: exported.status,
    owner: { id: exported.userId, email: exported.email },
    request: { ...exportSpecOf(exported) },
    progress_pct: exported.progressPct,
    rows: exported.rows,
    bytes: exported.bytes,
    checksum_sha256: exported.checksum,
    error: exported.error,
    created_at: exported.createdAt.toISOString(),
    started_at: exported.startedAt?.toISOString() ?? null,
    finished_at: exported.finishedAt?.toISOString() ?? null,
    expires_at: exported.expiresAt.toISOString(),
  };
}

const acceptedExport = (exported: ExportRecord) => new Accepted(`${EXPORTS_PATH}/${exported.id}`, exportView(exported));

const fileName = (exported: ExportRecord) => `export-${exported.id}.${exportSpecOf(exported).format}`;

/** The specification of an export, with symbols as they are served. */
function specOf({ services: { market } }: AdminCall, body: ExportBody): ExportSpec {
  const { symbols, start, end, asset_type, venue_mode, adjust, format } = body;
  assertDayRange({ start, end });
  if (asset_type !== undefined) assertAssetTypes(market.directory, [asset_type]);
  const named = symbols?.map((symbol) => findInstrument(market.directory, symbol).instrument.symbol);
  const range = { start: formatDay(start), end: formatDay(end) };
  return { symbols: named && [...new Set(named)], asset_type, ...range, venue_mode, adjust, format };
}

/** Records an export. A small one is answered with its file; a larger one is queued, once under an idempotency key. */
export async function createExport(call: AdminCall, body: ExportBody): Promise<FileReply | Accepted> {
  const { context, caller, services } = call;
  const { pool, now } = services;
  const spec = specOf(call, body);
  const isSmall = isSmallExport(spec);
  const select = (jobId: string) => selectExportByQueueJob(pool, jobId);
  const work = await workOfCall(context, now(), select);
  if (work.isQueued) return newExport(call, found(await select(work.id)));
  const wanted: WantedExport = {
    userId: caller.account.userId,
    spec,
    requestId: context.requestId,
    at: now(),
    mode: services.market.mode,
  };
  const intent = auditIntent(call, { details: { request: spec } });
  const exported = await audited(call, intent, async (connection) => {
    const id = isSmall
      ? await recordInlineExport(connection, wanted)
      : await enqueueExport(connection, services.boss, wanted, work.id);
    return {
      result: found(await selectExport(connection, id)),
      entries: entriesWith(intent, { targetId: String(id) }),
    };
  });
  if (isSmall) {
    context.headers['X-Export-Id'] = exported.id;
    const intentOfFile = { ...intent, entries: entriesWith(intent, { targetId: String(exported.id) }) };
    return auditFailure(intentOfFile, () => makeInline(call, exported.id));
  }
  return newExport(call, exported);
}

function newExport({ context }: AdminCall, exported: ExportRecord): Accepted {
  context.headers['X-Export-Id'] = exported.id;
  return acceptedExport(exported);
}

/** Makes a small export while its caller waits, and stores its file like that of any other. */
async function makeInline({ services: { pool, storage, now } }: AdminCall, id: number): Promise<FileReply> {
  const exported = await startExport(pool, id, new Date(now()));
  if (!exported) throw await failureOfInline(pool, id);
  const options: ExportOptions = {
    pool,
    storage,
    now,
    report: async () => {},
    isInMemory: true,
    isFinal: () => true,
  };
  const { makeExport } = await import('../../jobs/export/run.ts');
  const made = await makeExport(options, exported);
  if (!made?.content) throw await failureOfInline(pool, id);
  return new FileReply(fileName(exported), EXPORT_CONTENT_TYPES[exportSpecOf(exported).format], made.content);
}

/** The error of an export that was canceled, or whose account was deleted, while it was made. */
async function failureOfInline(db: Queryable, id: number): Promise<ServiceError> {
  const exported = await selectExport(db, id);
  return exported
    ? new ServiceError('export_not_finished', { status: exported.status })
    : new ServiceError('invalid_credential');
}

export async function viewExport({ services }: AdminCall, id: number): Promise<z.input<typeof exportSchema>> {
  return exportView(found(await selectExport(services.pool, id)));
}

/** The file, for the administrator who created the export. */
export async function downloadExport(call: AdminCall, id: number): Promise<StoredFileReply> {
  const { caller, services } = call;
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    const exported = found(await selectExport(connection, id));
    if (exported.userId !== caller.account.userId) throw new ServiceError('export_forbidden');
    const contentType = EXPORT_CONTENT_TYPES[exportSpecOf(exported).format];
    const file = await exportedFile(services, exported, { name: fileName(exported), contentType });
    return { result: file, entries: intent.entries };
  });
}

export async function retryFailedExport(call: AdminCall, id: number): Promise<Accepted> {
  const { boss, now } = call.services;
  const wanted = { requestId: call.context.requestId, at: new Date(now()) };
  const select = (db: Queryable) => selectExport(db, id);
  return acceptedExport(await changeRecord(call, select, (db, exported) => retryExport(db, boss, exported, wanted)));
}

export async function cancelRunningExport(call: AdminCall, id: number): Promise<Accepted> {
  const { boss, now } = call.services;
  const wanted = { canceller: call.caller.account.userId, at: new Date(now()) };
  const select = (db: Queryable) => selectExport(db, id);
  return acceptedExport(await changeRecord(call, select, (db, exported) => abortExport(db, boss, exported, wanted)));
}
