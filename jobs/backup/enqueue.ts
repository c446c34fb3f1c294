/** Queues backups and drills that are due. */
import type { PgBoss } from 'pg-boss';
import { selectLastBackup, selectLastDrill, selectRestorableBackup } from '../../db/backup/backups.ts';
import { LAST_MIGRATION } from '../../db/migrate.ts';
import type { Pool } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { BACKUP_QUEUE, type BackupPlan, DRILL_QUEUE } from '../contracts/backup.ts';
import { sendUnlessWaiting } from '../queue/send.ts';
import { lastDueTime } from './retention.ts';

/** After a backup that has failed, with the attempts of its job. */
const RETRY_MS = 3_600_000;
const DRILL_EVERY_MS = 7 * MS_PER_DAY;
/** After a drill that has not passed. */
const DRILL_AGAIN_MS = MS_PER_DAY;

export async function enqueueDueBackups(pool: Pool, boss: PgBoss, { minute }: BackupPlan, now: number): Promise<void> {
  if (await isBackupDue(pool, minute, now)) await sendUnlessWaiting(boss, BACKUP_QUEUE.name, { requestId: null });
  if (await isDrillDue(pool, now)) await sendUnlessWaiting(boss, DRILL_QUEUE.name, { requestId: null });
}

async function isBackupDue(pool: Pool, minute: number, now: number): Promise<boolean> {
  const last = await selectLastBackup(pool, false);
  if (last === null) return true;
  const age = now - last.startedAt.getTime();
  if (last.state === 'running') return age > BACKUP_QUEUE.options.expireInSeconds * 1000;
  if (last.state === 'failed' && age < RETRY_MS) return false;
  const done = await selectLastBackup(pool, true);
  return done === null || done.startedAt.getTime() < lastDueTime(now, minute);
}

async function isDrillDue(pool: Pool, now: number): Promise<boolean> {
  if ((await selectRestorableBackup(pool, LAST_MIGRATION)) === null) return false;
  const running = await selectLastDrill(pool, 'running');
  if (running && now - running.startedAt.getTime() < DRILL_QUEUE.options.expireInSeconds * 1000) return false;
  const last = await selectLastDrill(pool);
  const everyMs = last?.state === 'passed' ? DRILL_EVERY_MS : DRILL_AGAIN_MS;
  return last === null || now - last.startedAt.getTime() >= everyMs;
}
