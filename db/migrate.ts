/** Migrations of our schema, run by knex, after those of pg-boss. */
import type { Knex } from 'knex';
import { LAST_OF_FORMER_VERSION, MIGRATIONS, migrationSource } from '../migrations/index.ts';
import { isForbidden } from './errors.ts';
import type { Connection, Queryable } from './pool.ts';
import { limitSession, TRANSFER_LIMITS } from './session-limits.ts';

/** An older version can serve a database that a newer one has migrated, because migrations only add. */
const OPTIONS = { migrationSource, disableMigrationsListValidation: true };

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

/** Number of a batch of migrations, and their names. */
type Batch = readonly [number, string[]];

/** Knex would print a failure with its statement. We throw it. */
const SILENT = { warn: () => {}, error: () => {}, debug: () => {}, deprecate: () => {} };

/** Removes the statement that knex puts before the message of the database. */
function withoutStatement(error: unknown): unknown {
  if (error instanceof Error && 'severity' in error) error.message = error.message.split(' - ').at(-1) ?? '';
  return error;
}

interface KnexConnection {
  query(text: string, done: (error: Error | null) => void): void;
}

/** Runs on each new connection. */
function afterCreate(
  connection: KnexConnection,
  done: (error: Error | null, connection: KnexConnection) => void,
): void {
  connection.query(limitSession(TRANSFER_LIMITS), (error) => done(error, connection));
}

async function withKnex<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const { default: knex } = await import('knex');
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2, afterCreate }, log: SILENT });
  try {
    return await work(db);
  } catch (error) {
    throw withoutStatement(error);
  } finally {
    await db.destroy();
  }
}

/** Code of the error for a database of an earlier version, which survives serialization between processes. */
export const EARLIER_SCHEMA = 'EARLIER_SCHEMA';

/** Takes over a database with the last schema of the former version, which is the one that the first migration creates. */
async function adoptFormerSchema(db: Knex): Promise<void> {
  if (!(await db.schema.hasTable('knex_migrations'))) return;
  const applied: string[] = await db('knex_migrations').pluck('name');
  if (applied.length === 0 || applied.includes(MIGRATION_NAMES[0])) return;
  if (!applied.includes(LAST_OF_FORMER_VERSION)) {
    const message = 'The database is of an earlier version and cannot be migrated: start version 0.3.0 with it once.';
    throw Object.assign(new Error(message), { code: EARLIER_SCHEMA });
  }
  const [{ batch }]: { batch: number }[] = await db('knex_migrations').max({ batch: 'batch' });
  await db('knex_migrations').insert({ name: MIGRATION_NAMES[0], batch: batch + 1, migration_time: db.fn.now() });
}

/** Applies pending migrations and returns their names. When several processes call it at once, one works and the others wait. */
export function migrate(url: string): Promise<string[]> {
  return withKnex(url, async (db) => {
    try {
      await adoptFormerSchema(db);
      await migrateQueueSchema(url);
      const [, names]: Batch = await db.migrate.latest(OPTIONS);
      return names;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      throw new Error(
        'The role of DATABASE_URL may not change the schema, and migrations are pending: run "npm run ops -- db migrate" ' +
          "with the owner's DATABASE_URL first.",
        { cause: error },
      );
    }
  });
}

/** Empties the database, creates the schema, and writes rows, all in one transaction. The queue's schema stays. */
export async function withFreshSchema<T>(
  url: string,
  empty: (connection: Connection) => Promise<void>,
  fill: (connection: Connection) => Promise<T>,
): Promise<T> {
  await migrateQueueSchema(url);
  return withKnex(url, (db) =>
    db.transaction(async (trx) => {
      const connection: Connection = await trx.client.acquireConnection();
      await empty(connection);
      await trx.migrate.latest(OPTIONS);
      return fill(connection);
    }),
  );
}

/** Names of this version's migrations, oldest first. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);
export const LAST_MIGRATION = MIGRATION_NAMES[MIGRATION_NAMES.length - 1];

/** Rolls back the last batch and returns the names of its migrations. Null: the first one is among them, which cannot be undone. */
export function rollback(url: string): Promise<string[] | null> {
  return withKnex(url, async (db) => {
    const last = await db('knex_migrations').where('batch', db('knex_migrations').max('batch')).pluck('name');
    if (last.includes(MIGRATION_NAMES[0])) return null;
    const [, names]: Batch = await db.migrate.rollback(OPTIONS);
    return names;
  });
}

/** Migrations of this version that the database lacks. One small query, so that it can be called often. */
export async function selectPendingMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from knex_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
}

/** Names of the applied migrations since the one that creates the schema, oldest first. */
export async function selectAppliedMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select name from knex_migrations where id >= (select id from knex_migrations where name = $1) order by id',
    [MIGRATION_NAMES[0]],
  );
  return rows.map(({ name }) => name);
}

export function migrationStatus(url: string): Promise<MigrationStatus> {
  return withKnex(url, async (db) => {
    const [applied, pending]: [{ name: string }[], { name: string }[]] = await db.migrate.list(OPTIONS);
    return { applied: applied.map((m) => m.name), pending: pending.map((m) => m.name) };
  });
}

// The schema of pg-boss. It exists before our migrations run, because they put triggers on its jobs.

/** Creates or upgrades the schema. Where it is current nothing is written, so that a role without rights to it can start. */
async function migrateQueueSchema(url: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false, migrate: true });
  boss.on('error', () => {}); // start() rejects with it.
  await boss.start();
  await boss.stop({ graceful: false });
}
