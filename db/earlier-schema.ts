/** The migrations that the baseline replaced. Their databases are not migrated, but their backups are restored. */
const FIRST_REPLACED = '001_market';
const LAST_REPLACED = '091_previous_names';

/** Code of the error for a database of these migrations, which it keeps on its way between processes. */
export const EARLIER_SCHEMA = 'EARLIER_SCHEMA';

export const isEarlierSchema = (migrations: readonly string[]) => migrations.includes(FIRST_REPLACED);

/** Whether all of these migrations were applied, so that the rows fit the tables of the baseline. */
export const isLastEarlierSchema = (migrations: readonly string[]) => migrations.includes(LAST_REPLACED);

export function earlierSchemaError(): Error {
  const message =
    'The database is of an earlier version and cannot be migrated: write it to a file by "npm run ops -- backup FILE" of the ' +
    'version before, then run "npm run ops -- restore FILE --replace" of this one.';
  return Object.assign(new Error(message), { code: EARLIER_SCHEMA });
}
