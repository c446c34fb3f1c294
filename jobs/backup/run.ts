/** The job that writes a backup to the bucket and removes the ones that are no longer kept. */
import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import {
  type Backup,
  failBackup,
  finishBackup,
  insertBackup,
  markBackupRemoved,
  selectStoredBackups,
  selectUnfinishedBackups,
} from '../../db/backup/backups.ts';
import { LAST_MIGRATION } from '../../db/migrate.ts';
import { toError } from '../../engine/util/errors.ts';
import { backupKey } from '../../storage/keys.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { BackupPlan, BackupSettings } from '../contracts/backup.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import type { ArchiveEnd } from './archive.ts';
import { Digest } from './digest.ts';
import { expiredBackups } from './retention.ts';
import { writeBackup } from './write.ts';

export type BackupContext = Pick<JobContext, 'pool' | 'storage' | 'backups' | 'now' | 'log' | 'signal'>;

/** Parts of this size let a backup have 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
/** Later than any write that has begun. */
const EVER = new Date(8.64e15);

export function requireBackups(backups: BackupSettings | null): BackupSettings {
  if (!backups) throw new PermanentFailure('BACKUP_BUCKET is not set where this worker runs');
  return backups;
}

export const openBackupBucket = ({ bucket }: BackupSettings): ObjectStorage =>
  openStorage({ s3: { ...bucket, partBytes: PART_BYTES } });

/** Each attempt begins anew, under a key of its own. */
export async function runBackup(context: BackupContext): Promise<void> {
  const { pool, now, log } = context;
  const backups = requireBackups(context.backups);
  const bucket = openBackupBucket(backups);
  for (const unfinished of await selectUnfinishedBackups(pool))
    await discard(context, bucket, unfinished, 'it was interrupted');
  const at = new Date(now());
  const key = backupKey(backups.prefix, at, randomUUID());
  const id = await insertBackup(pool, { key, at, lastMigration: LAST_MIGRATION });
  try {
    const { end, digest } = await upload(context, bucket, { key, at, includesObjects: backups.includesObjects });
    const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
    const { bytes } = digest;
    if ((await bucket.size(key)) !== bytes) throw new Error('the bucket does not have all of it');
    const isOurs = await finishBackup(pool, { id, at: new Date(now()), bytes, rows, sha256: digest.sha256() });
    if (!isOurs) throw new Error('another attempt has begun');
    log.info({ key, bytes, rows }, 'a backup was written');
  } catch (error) {
    // The next attempt removes what this one cannot.
    await discard(context, bucket, { id, key }, toError(error).message).catch(() => {});
    throw error;
  }
  await removeExpired(context, bucket, backups).catch((error) =>
    log.error({ err: error }, 'expired backups could not be removed'),
  );
}

interface Uploaded {
  readonly end: ArchiveEnd;
  readonly digest: Digest;
}

async function upload(
  { pool, storage, signal }: BackupContext,
  bucket: ObjectStorage,
  { key, at, includesObjects }: { readonly key: string; readonly at: Date; readonly includesObjects: boolean },
): Promise<Uploaded> {
  const digest = addAbortSignal(signal, new Digest());
  const uploading = bucket.put(key, digest);
  // The writer would wait for a reader that has gone.
  uploading.catch((error) => digest.destroy(toError(error)));
  const options = { pool, storage: includesObjects ? storage : null, at, onProgress: () => {} };
  const [written] = await Promise.allSettled([writeBackup(digest, options), uploading]);
  // When the upload fails, the writer has failed with its error.
  if (written.status === 'rejected') throw written.reason;
  await uploading;
  return { end: written.value, digest };
}

/** Ends a backup and removes what it has left in the bucket. */
async function discard(
  { pool, now }: BackupContext,
  bucket: ObjectStorage,
  { id, key }: Pick<Backup, 'id' | 'key'>,
  error: string,
): Promise<void> {
  await failBackup(pool, id, error, new Date(now()));
  await bucket.removeUnfinished(EVER, key);
  await bucket.remove(key);
  await markBackupRemoved(pool, id, new Date(now()));
}

async function removeExpired({ pool, now }: BackupContext, bucket: ObjectStorage, plan: BackupPlan): Promise<void> {
  for (const { id, key } of expiredBackups(await selectStoredBackups(pool), plan)) {
    await bucket.remove(key);
    await markBackupRemoved(pool, id, new Date(now()));
  }
}
