/** The backups in the bucket for them, and the drills that have restored one. */

import type { Pool, Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

export const DRILL_SERVERS = ['embedded', 'own'] as const;
/** `embedded`: a PostgreSQL of the drill. `own`: a database of its own on the server of the service. */
export type DrillServer = (typeof DRILL_SERVERS)[number];

const BACKUP = selection('backups', {
  id: 'id',
  key: 'object_key',
  state: 'state',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  bytes: 'bytes',
  rows: 'rows',
  sha256: 'sha256',
  error: 'error',
  removedAt: 'removed_at',
  lastMigration: 'last_migration',
});
export type Backup = Selected<typeof BACKUP>;

const DRILL = selection('backup_drills', {
  id: 'id',
  backupId: 'backup_id',
  state: 'state',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  server: 'server',
  rows: 'rows',
  error: 'error',
});
export type Drill = Selected<typeof DRILL>;

export async function insertBackup(
  db: Queryable,
  { key, at, lastMigration }: { readonly key: string; readonly at: Date; readonly lastMigration: string },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into backups (object_key, state, started_at, last_migration) values ($1, 'running', $2, $3) returning id`,
    [key, at, lastMigration],
  );
  return rows[0].id;
}

/** False: another attempt has ended it. */
export async function finishBackup(
  db: Queryable,
  { id, at, bytes, rows, sha256 }: Readonly<Record<'id' | 'bytes' | 'rows', number>> & { at: Date; sha256: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update backups set state = 'done', ended_at = $2, bytes = $3, rows = $4, sha256 = $5 where id = $1 and state = 'running'`,
    [id, at, bytes, rows, sha256],
  );
  return rowCount === 1;
}

/** Ends a backup that runs. */
export async function failBackup(db: Queryable, id: number, error: string, at: Date): Promise<void> {
  await db.query(`update backups set state = 'failed', ended_at = $2, error = $3 where id = $1 and state = 'running'`, [
    id,
    at,
    error,
  ]);
}

export async function markBackupRemoved(db: Queryable, id: number, at: Date): Promise<void> {
  await db.query('update backups set removed_at = $2 where id = $1', [id, at]);
}

/** Backups of which something may be in the bucket that is not whole. */
export async function selectUnfinishedBackups(db: Queryable): Promise<Backup[]> {
  const { rows } = await db.query<Backup>(
    `select ${BACKUP.sql} from backups where state <> 'done' and removed_at is null order by id`,
  );
  return rows;
}

export interface StoredBackup extends Backup {
  /** Whether a drill has found it damaged. */
  readonly isDamaged: boolean;
  /** Whether a drill has restored it. */
  readonly isProven: boolean;
}

const drilled = (state: string) =>
  `exists (select from backup_drills d where d.backup_id = backups.id and d.state = '${state}')`;

/** Complete backups whose objects are there, newest first. */
export async function selectStoredBackups(db: Queryable): Promise<StoredBackup[]> {
  const { rows } = await db.query<StoredBackup>(
    `select ${BACKUP.sql}, ${drilled('damaged')} as "isDamaged", ${drilled('passed')} as "isProven"
     from backups where state = 'done' and removed_at is null order by id desc`,
  );
  return rows;
}

/** The newest complete backup that a service with this newest migration can restore; null: there is none. */
export async function selectRestorableBackup(db: Queryable, lastMigration: string): Promise<Backup | null> {
  return (await selectStoredBackups(db)).find((backup) => backup.lastMigration === lastMigration) ?? null;
}

/** Newest first. */
export async function selectBackups(db: Queryable, { page, size }: PageRequest): Promise<Page<Backup>> {
  const { rows: counts } = await db.query<{ total: number }>('select count(*)::float8 as total from backups');
  const { rows } = await db.query<Backup>(`select ${BACKUP.sql} from backups order by id desc limit $1 offset $2`, [
    size,
    (page - 1) * size,
  ]);
  return { total: counts[0].total, items: rows };
}

/** The newest backup; `isDone`: of those that are complete. Null: there is none. */
export async function selectLastBackup(db: Queryable, isDone: boolean): Promise<Backup | null> {
  const { rows } = await db.query<Backup>(
    `select ${BACKUP.sql} from backups where state = 'done' or not $1 order by id desc limit 1`,
    [isDone],
  );
  return rows[0] ?? null;
}

/** Records a drill, and ends those that a dead worker has left. */
export async function startDrill(pool: Pool, backupId: number, at: Date): Promise<number> {
  await pool.query(
    `update backup_drills set state = 'failed', ended_at = $1, error = 'it was interrupted' where state = 'running'`,
    [at],
  );
  const { rows } = await pool.query<{ id: number }>(
    `insert into backup_drills (backup_id, state, started_at) values ($1, 'running', $2) returning id`,
    [backupId, at],
  );
  return rows[0].id;
}

export async function finishDrill(
  db: Queryable,
  id: number,
  { state, at, server, rows = null, error = null }: DrillEnd,
): Promise<void> {
  await db.query(
    `update backup_drills set state = $2, ended_at = $3, server = $4, rows = $5, error = $6 where id = $1 and state = 'running'`,
    [id, state, at, server, rows, error],
  );
}

export interface DrillEnd {
  readonly state: Exclude<Drill['state'], 'running'>;
  readonly at: Date;
  readonly server: DrillServer | null;
  readonly rows?: number | null;
  readonly error?: string | null;
}

/** The newest drill that has ended, or with `state` the newest in that state. Null: none. */
export async function selectLastDrill(db: Queryable, state: Drill['state'] | null = null): Promise<Drill | null> {
  const { rows } = await db.query<Drill>(
    `select ${DRILL.sql} from backup_drills where case when $1::text is null then state <> 'running' else state = $1 end
     order by id desc limit 1`,
    [state],
  );
  return rows[0] ?? null;
}
