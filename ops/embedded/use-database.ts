/** Changes which database of the embedded server is in use. */
import type { Logger } from 'pino';
import { renameDatabase, selectDatabaseNames } from '../../db/databases.ts';
import { migrate } from '../../db/migrate.ts';
import type { Config } from '../config.ts';
import { StartupError } from '../startup-error.ts';
import { DATABASE_NAME, renameFormerDatabase } from './database.ts';

const UNUSED_NAME = `${DATABASE_NAME}_unused`;

/**
 * Makes another database of the server the current one and keeps the previous one under another name. Neither may have connections.
 * Throws a `StartupError` when there is no database with that name.
 */
export async function useDatabase(config: Config, serverUrl: string, name: string, log: Logger): Promise<string> {
  const names = await selectDatabaseNames(serverUrl);
  if (!names.includes(name) || !name.startsWith(`${DATABASE_NAME}_`)) {
    const others = names.filter((other) => other.startsWith(`${DATABASE_NAME}_`));
    throw new StartupError(
      `There is no database ${name}; there are: ${others.join(', ') || 'none but the one in use'}.`,
    );
  }
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url);
  let free = 1;
  while (names.includes(`${UNUSED_NAME}_${free}`)) free++;
  if (names.includes(DATABASE_NAME)) await renameDatabase(serverUrl, DATABASE_NAME, `${UNUSED_NAME}_${free}`);
  return renameFormerDatabase(config, serverUrl, { url, formerName: name, others: [] }, log);
}
