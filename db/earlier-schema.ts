/** The schema before the baseline migration. Its databases are not migrated, but their backups are restored. */
import type { Queryable } from './pool.ts';

const FIRST_MIGRATION = '001_market';
const LAST_MIGRATION = '091_previous_names';
/** Table → its name now. */
const RENAMED: Readonly<Record<string, string>> = { backtest_runs: 'runs' };

/** Code of the error for a database of this schema, which survives serialization between processes. */
export const EARLIER_SCHEMA = 'EARLIER_SCHEMA';

export const isEarlierSchema = (migrations: readonly string[]) => migrations.includes(FIRST_MIGRATION);

/** Whether all of its migrations were applied, so that the rows fit the tables of the baseline. */
export const isLastEarlierSchema = (migrations: readonly string[]) => migrations.includes(LAST_MIGRATION);

export function earlierSchemaError(): Error {
  const message =
    'The database is of an earlier version and cannot be migrated: write it to a file by "npm run ops -- backup FILE" and put ' +
    'it back by "npm run ops -- restore FILE --replace".';
  return Object.assign(new Error(message), { code: EARLIER_SCHEMA });
}

/** The table that takes the rows of a table of this schema. */
export const nameSinceBaseline = (table: string): string => RENAMED[table] ?? table;

/** Adds the columns and the table that were removed since, so that the rows of a backup can be copied in. */
export async function addRemovedParts(db: Queryable): Promise<void> {
  await db.query(`
    alter table runs add column "order" json;
    alter table rate_limits add column counts integer[], add column used integer;
    create table login_codes (id bigint, email text, locale text, code_hash bytea, tries smallint, created_at timestamptz,
      expires_at timestamptz)`);
}

export async function dropRemovedParts(db: Queryable): Promise<void> {
  await db.query(`
    alter table runs drop column "order";
    alter table rate_limits drop column counts, drop column used;
    drop table login_codes`);
}
