/** Exports in the queue: ordered, tried again, given up. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { AuditedConnection } from '../../db/back-office/audit-log.ts';
import {
  cancelExport,
  type ExportRecord,
  insertExport,
  type NewExport,
  reopenExport,
} from '../../db/back-office/exports.ts';
import { type Connection, executorOn } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { send } from '../queue/boss.ts';

/** Records and queues an export. */
export async function enqueueExport(
  connection: AuditedConnection,
  boss: PgBoss,
  order: Omit<NewExport, 'queueJobId'>,
): Promise<number> {
  const queueJobId = randomUUID();
  const exportId = await insertExport(connection, { ...order, queueJobId });
  await send(boss, connection, 'export', queueJobId, { exportId, requestId: order.requestId });
  return exportId;
}

/** Queues a failed export again, within the days that its file is kept, and returns the id of its queue job. */
export async function retryExport(
  connection: Connection,
  boss: PgBoss,
  { id, status, expiresAt }: ExportRecord,
  { requestId, at }: { readonly requestId: string | null; readonly at: Date },
): Promise<string> {
  if (expiresAt <= at) throw new ServiceError('export_expired');
  const queueJobId = randomUUID();
  if (!(await reopenExport(connection, id, queueJobId))) {
    throw new ServiceError('wrong_state', { needed: 'failed', status });
  }
  await send(boss, connection, 'export', queueJobId, { exportId: id, requestId });
  return queueJobId;
}

/** Ends an export that waits or runs; its worker removes what it has written. */
export async function abortExport(
  connection: Connection,
  boss: PgBoss,
  { id, status }: ExportRecord,
  { canceller, at }: { readonly canceller: string; readonly at: Date },
): Promise<void> {
  const cancelled = await cancelExport(connection, id, `cancelled by ${canceller}`, at);
  if (!cancelled) throw new ServiceError('wrong_state', { needed: 'pending, running', status });
  if (cancelled.queueJobId === null) return;
  await boss.cancel('export', cancelled.queueJobId, { db: executorOn(connection) });
}
