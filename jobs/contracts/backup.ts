/** Backups in a bucket: jobs write one each day and restore the newest one each week. */
import type { S3Settings } from '../../storage/s3.ts';
import { emptyPayload, HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

/** A job of these is not queued while one runs, which may not have recorded yet that it does. */
const OPTIONS = { ...ONE_AT_A_TIME, policy: 'exclusive', expireInSeconds: 12 * HOUR_S } as const;

export const BACKUP_QUEUE = {
  name: 'backup.write',
  record: null,
  runbook: 'backups',
  lane: 'background',
  payload: emptyPayload,
  options: OPTIONS,
} as const satisfies QueueContract;

export const DRILL_QUEUE = {
  name: 'backup.drill',
  record: null,
  runbook: 'drills',
  lane: 'background',
  payload: emptyPayload,
  options: OPTIONS,
} as const satisfies QueueContract;

export interface BackupPlan {
  /** Bucket and prefix. */
  readonly location: string;
  /** When a backup is written, in minutes after midnight UTC. */
  readonly minute: number;
  /** Days and weeks whose newest backup is kept. */
  readonly daily: number;
  readonly weekly: number;
}

export interface BackupSettings extends BackupPlan {
  readonly bucket: S3Settings;
  /** Begins each key. It ends with a slash, or is empty. */
  readonly prefix: string;
  /** Whether stored objects are part of backups: a bucket has backups of its own. */
  readonly includesObjects: boolean;
}
