/** Exports in the back office: ordered, made at once or queued, downloaded for a week. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type ExportRecord,
  failExport,
  finishExport,
  insertExport,
  type NewExport,
  selectExport,
  startExport,
} from '../../db/back-office/exports.ts';
import { readTransaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { type Day, formatDay, MS_PER_DAY, parseDay } from '../../engine/market/dates.ts';
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_RETENTION_DAYS,
  type ExportRequest,
  exportObjectKey,
  isSmallExport,
} from '../../jobs/export/contract.ts';
import { abortExport, enqueueExport, retryExport } from '../../jobs/export/enqueue.ts';
import { openExportFile } from '../../jobs/export/export-file.ts';
import { callerOf } from '../access/authorize.ts';
import { Accepted, FileReply, StoredFileReply } from '../http/answer/reply.ts';
import { type AdminCall, audited, detail } from '../http/audited.ts';
import type { z } from '../http/input/fields.ts';
import { assertAssetTypes, findInstrument } from '../market/directory.ts';
import { assertRange } from '../market/kline.ts';
import { emailOfCaller } from './caller-email.ts';
import type { ExportBody, exportSchema } from './export-schemas.ts';

export const EXPORTS_PATH = '/api/admin/data/exports';

export function exportView(exported: ExportRecord): z.input<typeof exportSchema> {
  return {
    id: exported.id,
    status: exported.status,
    owner: { id: exported.userId, email: exported.email },
    request: exported.request as Record<string, unknown>,
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

const fileName = ({ id, request }: ExportRecord) => `export-${id}.${(request as ExportRequest).format}`;

/** The order with its symbols as they are served; throws what is wrong with one. */
function requestOf({ services: { market } }: AdminCall, body: ExportBody): ExportRequest {
  const { symbols, start, end, asset_type, venue_mode, adjust, format } = body;
  assertRange({ start, end });
  if (asset_type !== undefined) assertAssetTypes(market.directory, [asset_type]);
  const named = symbols?.map((symbol) => findInstrument(market.directory, symbol).instrument.symbol);
  const range = { start: formatDay(start), end: formatDay(end) };
  return { symbols: named && [...new Set(named)], asset_type, ...range, venue_mode, adjust, format };
}

/** A small export is answered with its file, another one queued; either is recorded. */
export async function orderExport(call: AdminCall, body: ExportBody): Promise<FileReply | Accepted> {
  const { context, identity, services } = call;
  const request = requestOf(call, body);
  const isSmall = isSmallExport(request);
  const at = services.now();
  const exported = await audited(call, async (connection, trail) => {
    detail(trail, { request });
    const order: Omit<NewExport, 'queueJobId'> = {
      userId: callerOf(identity).userId,
      request,
      requestId: context.requestId,
      through: formatDay(services.market.distributableDay),
      createdAt: new Date(at),
      expiresAt: new Date(at + EXPORT_RETENTION_DAYS * MS_PER_DAY),
    };
    const id = isSmall
      ? await insertExport(connection, { ...order, queueJobId: null })
      : await enqueueExport(connection, services.boss, order);
    trail.targetId = String(id);
    return (await selectExport(connection, id)) as ExportRecord;
  });
  context.headers['X-Export-Id'] = exported.id;
  if (isSmall) return makeAtOnce(call, exported.id);
  return new Accepted(`${EXPORTS_PATH}/${exported.id}`, exportView(exported));
}

/** Makes a small export while its caller waits; its file is kept like any other. */
async function makeAtOnce({ services }: AdminCall, id: number): Promise<FileReply> {
  const { pool, storage, now } = services;
  const exported = await startExport(pool, id, new Date(now()));
  if (!exported) throw await notKept(pool, id);
  const request = exported.request as ExportRequest;
  const objectKey = exportObjectKey(exported);
  try {
    const { content, totals } = await readTransaction(pool, async (connection) => {
      const file = openExportFile(connection, request, parseDay(exported.through) as Day, async () => {});
      return { content: await buffer(file.content), totals: file.totals() };
    });
    await storage.put(objectKey, Readable.from([content]));
    const isKept = await finishExport(pool, exported, { objectKey, ...totals }, new Date(now()));
    if (!isKept) throw await notKept(pool, id);
    return new FileReply(fileName(exported), EXPORT_CONTENT_TYPES[request.format], content);
  } catch (error) {
    await storage.remove(objectKey).catch(() => {}); // The sweep finds what could not be removed.
    await failExport(pool, exported, (error as Error).message, new Date(now()));
    throw error;
  }
}

/** Why an export that was made is not kept: it was cancelled, or its account was deleted. */
async function notKept(db: Parameters<typeof selectExport>[0], id: number): Promise<ServiceError> {
  const exported = await selectExport(db, id);
  return exported
    ? new ServiceError('export_not_finished', { status: exported.status })
    : new ServiceError('invalid_credential');
}

async function existing(db: Parameters<typeof selectExport>[0], id: number): Promise<ExportRecord> {
  const exported = await selectExport(db, id);
  if (!exported) throw new ServiceError('not_found');
  return exported;
}

export async function viewExport({ services }: AdminCall, id: number): Promise<z.input<typeof exportSchema>> {
  return exportView(await existing(services.pool, id));
}

/** The file, to whoever ordered it. */
export async function downloadExport(call: AdminCall, id: number): Promise<StoredFileReply> {
  const { identity, services } = call;
  const { storage, now } = services;
  return audited(call, async (connection) => {
    const exported = await existing(connection, id);
    const { status, objectKey, bytes, checksum, request } = exported;
    if (exported.userId !== callerOf(identity).userId) throw new ServiceError('export_forbidden');
    if (exported.expiresAt.getTime() <= now()) throw new ServiceError('export_expired');
    if (status !== 'done') throw new ServiceError('export_not_finished', { status });
    if (objectKey === null || !(await storage.has(objectKey))) throw new ServiceError('export_expired');
    const open = async (range: { readonly start: number; readonly end: number }) => {
      const content = await storage.get(objectKey, range);
      if (!content) throw new ServiceError('export_expired');
      return content;
    };
    return new StoredFileReply({
      name: fileName(exported),
      contentType: EXPORT_CONTENT_TYPES[(request as ExportRequest).format],
      bytes: bytes as number,
      checksum: checksum as string,
      open,
    });
  });
}

/** Runs a change of one export; answers 202 with it as it is then. */
async function change(
  call: AdminCall,
  id: number,
  act: (connection: Parameters<typeof retryExport>[0], exported: ExportRecord) => Promise<void>,
): Promise<Accepted> {
  const exported = await audited(call, async (connection) => {
    await act(connection, await existing(connection, id));
    return existing(connection, id);
  });
  return new Accepted(`${EXPORTS_PATH}/${id}`, exportView(exported));
}

export function retryFailedExport(call: AdminCall, id: number): Promise<Accepted> {
  const { services, context } = call;
  return change(call, id, async (connection, exported) => {
    const at = new Date(services.now());
    await retryExport(connection, services.boss, exported, { requestId: context.requestId, at });
  });
}

export async function cancelRunningExport(call: AdminCall, id: number): Promise<Accepted> {
  const { boss, now } = call.services;
  const canceller = await emailOfCaller(call);
  return change(call, id, async (connection, exported) => {
    await abortExport(connection, boss, exported, { canceller, at: new Date(now()) });
  });
}
