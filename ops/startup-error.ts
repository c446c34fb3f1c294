/** Failures at start that an operator can fix, described in one sentence each. */
import { isDatabaseUnreachable, isMissingTable } from '../db/errors.ts';
import { EARLIER_SCHEMA } from '../db/migrate.ts';
import { codeOf, stringProperty, toError } from '../engine/util/errors.ts';
import type { Config } from './config.ts';

/** A failure that an operator can fix; its message says how. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Errors of the database server, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28000': 'refuses the user of DATABASE_URL',
  '28P01': 'refuses the password of DATABASE_URL',
  '3D000': 'has no database of the name in DATABASE_URL. Create it first',
  '53300': 'has no connection left. Raise its max_connections or lower DATABASE_POOL',
  '53100': 'has no disk space left. Free some space',
};

/** The error for a failure of the machine or the database; null: it is a defect. */
export function toStartupError(error: unknown, { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): StartupError | null {
  if (error instanceof StartupError) return error;
  const code = codeOf(error);
  if (code === EARLIER_SCHEMA) return new StartupError(toError(error).message, { cause: error });
  if (isMissingTable(error))
    return new StartupError('The database has no schema. Run "npm start", or "npm run ops -- db migrate".', {
      cause: error,
    });
  if (!DATABASE_URL) return null;
  const { hostname, port } = new URL(DATABASE_URL);
  const server = `The database at ${hostname}:${port || 5432}`;
  const refusal = code === undefined ? undefined : REFUSALS[code];
  if (refusal) return new StartupError(`${server} ${refusal}.`, { cause: error });
  if (!isDatabaseUnreachable(error)) return null;
  return new StartupError(
    `${server} does not answer (${code ?? stringProperty(error, 'message')}). Start it, or check DATABASE_URL.`,
    {
      cause: error,
    },
  );
}
