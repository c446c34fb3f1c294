/** Schema migrations: ours through knex, the queue's through pg-boss. */
import knex, { type Knex } from 'knex';
import { MIGRATIONS, migrationSource } from '../migrations/index.ts';
import type { Connection, Queryable } from './pool.ts';

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** A database that a newer version has migrated is served by an older one too: migrations only add to what it knows. */
const OPTIONS = { migrationSource, disableMigrationsListValidation: true };

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

/** A failure is thrown; knex would also print it with its statement. */
const SILENT = { warn: () => {}, error: () => {}, debug: () => {}, deprecate: () => {} };

/** Knex puts the statement before the message of the database. */
function withoutStatement(error: unknown): unknown {
  if (error instanceof Error && 'severity' in error) error.message = error.message.split(' - ').at(-1) as string;
  return error;
}

async function withKnex<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 }, log: SILENT });
  try {
    return await work(db);
  } catch (error) {
    throw withoutStatement(error);
  } finally {
    await db.destroy();
  }
}

/** Applies what is pending and returns the names. Several processes may call it at once: one works, the others wait. */
export function migrate(url: string): Promise<string[]> {
  return withKnex(url, async (db) => {
    try {
      const [, names] = (await db.migrate.latest(OPTIONS)) as [number, string[]];
      return names;
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new Error(
        'The role of DATABASE_URL may not change the schema, and migrations are pending: run "npm run ops -- db migrate" ' +
          "with the owner's DATABASE_URL first.",
        { cause: error },
      );
    }
  });
}

/** A connection in a transaction that is about to be filled, with the migrations of its own. */
export interface FreshDatabase {
  readonly connection: Connection;
  /** Applies those of the named migrations that this version knows. */
  migrateTo(names: readonly string[]): Promise<void>;
  /** Applies the rest. */
  migrateOn(): Promise<void>;
}

/** Lends a transaction in which migrations and rows come together: all of it is there afterwards, or nothing. */
export function withFreshDatabase<T>(url: string, work: (database: FreshDatabase) => Promise<T>): Promise<T> {
  return withKnex(url, (db) =>
    db.transaction(async (trx) => {
      const connection = (await trx.client.acquireConnection()) as Connection;
      const apply = async (listed: typeof MIGRATIONS) => {
        const getMigrations = async () => [...listed];
        await trx.migrate.latest({ ...OPTIONS, migrationSource: { ...migrationSource, getMigrations } });
      };
      return work({
        connection,
        migrateTo: (names) => apply(MIGRATIONS.filter(({ name }) => names.includes(name))),
        migrateOn: () => apply(MIGRATIONS),
      });
    }),
  );
}

/** Names of all migrations of this version, oldest first. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** Takes back the last batch and returns the names. */
export function rollback(url: string): Promise<string[]> {
  return withKnex(url, async (db) => {
    const [, names] = (await db.migrate.rollback(OPTIONS)) as [number, string[]];
    return names;
  });
}

/** Migrations of this version that the database lacks. Cheap: for whoever asks again and again. */
export async function selectPendingMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from knex_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
}

/** Names of the applied migrations, oldest first. */
export async function selectAppliedMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from knex_migrations order by id');
  return rows.map(({ name }) => name);
}

export function migrationStatus(url: string): Promise<MigrationStatus> {
  return withKnex(url, async (db) => {
    const [applied, pending] = (await db.migrate.list(OPTIONS)) as [{ name: string }[], { name: string }[]];
    return { applied: applied.map((m) => m.name), pending: pending.map((m) => m.name) };
  });
}
