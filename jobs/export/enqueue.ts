/** Records and queues exports, retries them, and cancels them. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { lockUser } from '../../db/accounts/users.ts';
import { type Actor, describeActor } from '../../db/actors.ts';
import type { AuditedConnection } from '../../db/log/audit-log.ts';
import { type Connection, executorOn } from '../../db/pool.ts';
import {
  cancelExport,
  type ExportContent,
  type ExportRecord,
  expireAccountExports,
  insertExport,
  type NewExport,
  reopenExport,
  selectAccountExport,
} from '../../db/queue/exports.ts';
import { DAYS_HELD_BACK, type DistributionMode } from '../../engine/market/calendar.ts';
import { type Day, formatDay, MS_PER_DAY, newYorkDay } from '../../engine/market/dates.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { ACCOUNT_EXPORT_QUEUE, EXPORT_QUEUE, EXPORT_RETENTION_DAYS, type ExportSpec } from '../contracts/export.ts';
import { send } from '../queue/send.ts';

const QUEUE_OF = {
  market: EXPORT_QUEUE.name,
  account: ACCOUNT_EXPORT_QUEUE.name,
} as const satisfies Record<ExportContent, string>;

export interface WantedExport {
  readonly userId: number;
  readonly spec: ExportSpec;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly mode: DistributionMode;
}

function recordOfExport({ userId, spec, requestId, at, mode }: WantedExport): Omit<NewExport, 'queueJobId'> {
  return {
    userId,
    content: 'market',
    request: spec,
    requestId,
    through: formatDay(exportCutOff(at, mode)),
    createdAt: new Date(at),
    expiresAt: new Date(at + EXPORT_RETENTION_DAYS * MS_PER_DAY),
  };
}

/** Records an export whose caller waits for the file; returns its id. */
export function recordInlineExport(connection: AuditedConnection, wanted: WantedExport): Promise<number> {
  return insertExport(connection, { ...recordOfExport(wanted), queueJobId: null });
}

/** Records and queues an export; returns its id. */
export async function enqueueExport(
  connection: AuditedConnection,
  boss: PgBoss,
  wanted: WantedExport,
  queueJobId: string,
): Promise<number> {
  const exportId = await insertExport(connection, { ...recordOfExport(wanted), queueJobId });
  await send(boss, connection, QUEUE_OF.market, queueJobId, { exportId, requestId: wanted.requestId });
  return exportId;
}

/** An account gets one archive of what it has kept in this time. */
const ACCOUNT_EXPORT_EVERY_MS = 60 * 60_000;

/** Records and queues the archive of what an account has kept, which replaces the one before. The lock serializes requests. */
export async function enqueueAccountExport(
  connection: AuditedConnection,
  boss: PgBoss,
  { userId, requestId, at }: Pick<WantedExport, 'userId' | 'requestId' | 'at'>,
): Promise<ExportRecord> {
  if ((await lockUser(connection, userId)) === null) throw new ServiceError('invalid_credential');
  const before = await selectAccountExport(connection, userId);
  if (before?.finishedAt === null) throw new ServiceError('already_running');
  const next = before?.status === 'done' ? before.finishedAt.getTime() + ACCOUNT_EXPORT_EVERY_MS : 0;
  if (next > at) throw new ServiceError('export_too_soon', { after: new Date(next).toISOString() });
  await expireAccountExports(connection, userId, new Date(at));
  const queueJobId = randomUUID();
  const exportId = await insertExport(connection, {
    userId,
    content: 'account',
    request: {},
    requestId,
    through: null,
    queueJobId,
    createdAt: new Date(at),
    expiresAt: new Date(at + EXPORT_RETENTION_DAYS * MS_PER_DAY),
  });
  await send(boss, connection, QUEUE_OF.account, queueJobId, { exportId, requestId });
  return required(await selectAccountExport(connection, userId));
}

/** Queues a failed export that has not expired again; returns the id of its job. */
export async function retryExport(
  connection: Connection,
  boss: PgBoss,
  { id, status, content, expiresAt }: ExportRecord,
  { requestId, at }: { readonly requestId: string | null; readonly at: Date },
): Promise<string> {
  if (expiresAt <= at) throw new ServiceError('export_expired');
  const queueJobId = randomUUID();
  if (!(await reopenExport(connection, id, queueJobId))) {
    throw new ServiceError('wrong_state', { needed: 'failed', status });
  }
  await send(boss, connection, QUEUE_OF[content], queueJobId, { exportId: id, requestId });
  return queueJobId;
}

/** Cancels a waiting or running export. Its worker deletes the partial file. */
export async function abortExport(
  connection: Connection,
  boss: PgBoss,
  { id, status, content }: ExportRecord,
  { canceller, at }: { readonly canceller: Actor; readonly at: Date },
): Promise<void> {
  const cancelled = await cancelExport(connection, id, `cancelled by ${describeActor(canceller)}`, at);
  if (!cancelled) throw new ServiceError('wrong_state', { needed: 'pending, running', status });
  if (cancelled.queueJobId === null) return;
  await boss.cancel(QUEUE_OF[content], cancelled.queueJobId, { db: executorOn(connection) });
}

/**
 * The newest day that the file of an export may hold. `at` is the time of the request (epoch milliseconds); a
 * retry keeps the cut-off of the first attempt.
 */
export function exportCutOff(at: number, mode: DistributionMode): Day {
  return newYorkDay(at) - DAYS_HELD_BACK[mode];
}
