/** Schema migrations: ours through knex, the queue's through pg-boss. */
import knex, { type Knex } from 'knex';
import { migrationSource } from '../migrations/index.ts';

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

async function withKnex<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Applies what is pending and returns the names. Several processes may call it at once: one works, the others wait. */
export function migrate(url: string): Promise<string[]> {
  return withKnex(url, async (db) => {
    const [, names] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
    return names;
  });
}

/** Takes back the last batch and returns the names. */
export function rollback(url: string): Promise<string[]> {
  return withKnex(url, async (db) => {
    const [, names] = (await db.migrate.rollback({ migrationSource })) as [number, string[]];
    return names;
  });
}

export function migrationStatus(url: string): Promise<MigrationStatus> {
  return withKnex(url, async (db) => {
    const [applied, pending] = (await db.migrate.list({ migrationSource })) as [{ name: string }[], { name: string }[]];
    return { applied: applied.map((m) => m.name), pending: pending.map((m) => m.name) };
  });
}
