/** The download of everything that an account has kept: `/api/account/data-export`. */
import { EXPORT_STATUSES, type ExportRecord, selectAccountExport } from '../../db/queue/exports.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_RETENTION_DAYS } from '../../jobs/contracts/export.ts';
import { enqueueAccountExport } from '../../jobs/export/enqueue.ts';
import { type AuditedCall, audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { Accepted, type StoredFile, type StoredFileReply, storedFile } from '../http/answer/reply.ts';
import { instant, z } from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';

const PATH = '/api/account/data-export';
const COMMON = { tag: 'Account console', access: 'console', limit: 'account' } as const;
const ZIP = 'application/zip';

const dataExportSchema = z
  .object({
    status: z.enum(EXPORT_STATUSES),
    progress_pct: z.number().min(0).max(100),
    files: z.int().nullable().meta({ description: 'Files in the archive' }),
    bytes: z.int().nullable(),
    checksum_sha256: z.string().nullable(),
    created_at: instant,
    finished_at: instant.nullable(),
    expires_at: instant.meta({ description: 'When the archive is removed' }),
  })
  .meta({ id: 'DataExport' });

function dataExportView(exported: ExportRecord): z.input<typeof dataExportSchema> {
  return {
    status: exported.status,
    progress_pct: exported.progressPct,
    files: exported.rows,
    bytes: exported.bytes,
    checksum_sha256: exported.checksum,
    created_at: exported.createdAt.toISOString(),
    finished_at: exported.finishedAt?.toISOString() ?? null,
    expires_at: exported.expiresAt.toISOString(),
  };
}

/** The file of an export. Throws when it is not finished or has expired. */
export async function exportedFile(
  { storage, now }: Pick<Services, 'storage' | 'now'>,
  { status, objectKey: key, bytes, checksum, expiresAt }: ExportRecord,
  names: Pick<StoredFile, 'name' | 'contentType'>,
): Promise<StoredFileReply> {
  if (expiresAt.getTime() <= now()) throw new ServiceError('export_expired');
  if (status !== 'done') throw new ServiceError('export_not_finished', { status });
  if (key === null || bytes === null || checksum === null) throw new ServiceError('export_expired');
  return storedFile(storage, { key, ...names, bytes, checksum }, 'export_expired');
}

function createDataExport(call: AuditedCall<Services>): Promise<Accepted> {
  const { context, caller, services } = call;
  const intent = auditIntent(call, { details: { content: 'account' } });
  const wanted = { userId: caller.account.userId, requestId: context.requestId, at: services.now() };
  return audited(call, intent, async (connection) => {
    const exported = await enqueueAccountExport(connection, services.boss, wanted);
    return {
      result: new Accepted(PATH, dataExportView(exported)),
      entries: entriesWith(intent, { targetId: String(exported.id) }),
    };
  });
}

function downloadDataExport(call: AuditedCall<Services>): Promise<StoredFileReply> {
  const { caller, services } = call;
  const intent = auditIntent(call, { details: { content: 'account' } });
  return audited(call, intent, async (connection) => {
    const exported = found(await selectAccountExport(connection, caller.account.userId));
    const name = `account-data-${exported.createdAt.toISOString().slice(0, 10)}.zip`;
    const file = await exportedFile(services, exported, { name, contentType: ZIP });
    return { result: file, entries: entriesWith(intent, { targetId: String(exported.id) }) };
  });
}

export const DATA_EXPORT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'createDataExport',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: PATH,
    summary: 'Export everything that the account has kept',
    description:
      'Queues a zip archive of JSON files: account, keys and sessions without secrets, runs with their long parts, strategies ' +
      `with their versions, watches, signals, drawings, columns, webhooks, sweeps. One an hour; kept for ${EXPORT_RETENTION_DAYS} days.`,
    audit: { action: 'export.create', target: 'export' },
    successStatus: 202,
    dataSchema: dataExportSchema,
    errors: ['already_running', 'export_too_soon'],
    handle: createDataExport,
  }),
  defineRoute({
    operationId: 'getDataExport',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'Get the progress of the newest export of the account',
    dataSchema: dataExportSchema,
    errors: ['not_found'],
    handle: async ({ caller, services: { pool } }) =>
      dataExportView(found(await selectAccountExport(pool, caller.account.userId))),
  }),
  defineRoute({
    operationId: 'downloadDataExport',
    ...COMMON,
    method: 'get',
    path: `${PATH}/file`,
    summary: 'Download the newest export of the account',
    audit: { action: 'export.download', target: 'export' },
    fileTypes: [ZIP],
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'export_expired', 'export_not_finished'],
    handle: downloadDataExport,
  }),
];
