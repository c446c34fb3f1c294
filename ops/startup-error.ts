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

const PROTOCOL_VIOLATION = '08P01';
/** Messages of PgBouncer, which has this code for every refusal of its own. */
const POOLER_REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'is a pooler that refuses an option of DATABASE_URL or PGOPTIONS. Set it for the role instead',
  ],
  [
    /query_wait_timeout/,
    'is a pooler without a free connection. Raise its default_pool_size as "npm run ops -- deploy reckon" says',
  ],
  [
    /no more connections allowed/,
    'is a pooler with too many clients. Raise its max_client_conn as "npm run ops -- deploy reckon" says',
  ],
  [
    /server_login_retry|server conn|login failed/,
    'is a pooler that cannot reach its server. Start that, or correct the host in the pooler',
  ],
];

/** Names the database of a URL in messages. */
export function placeOfDatabase(url: string): string {
  const { hostname, port } = new URL(url);
  return `The database at ${hostname}:${port || 5432}`;
}

/** The refusal of a server that answered; undefined: it did not answer. */
function refusalOf(error: unknown): string | undefined {
  const [code = '', message = ''] = [codeOf(error), stringProperty(error, 'message')];
  const ofPooler = code === PROTOCOL_VIOLATION ? POOLER_REFUSALS.find(([said]) => said.test(message))?.[1] : undefined;
  const isAnswer = isDatabaseUnreachable(error) && stringProperty(error, 'severity') !== undefined;
  return REFUSALS[code] ?? ofPooler ?? (isAnswer ? `refuses connections: ${message}` : undefined);
}

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
  const server = placeOfDatabase(DATABASE_URL);
  const refusal = refusalOf(error);
  if (refusal) return new StartupError(`${server} ${refusal}.`, { cause: error });
  if (!isDatabaseUnreachable(error)) return null;
  return new StartupError(
    `${server} does not answer (${code ?? stringProperty(error, 'message')}). Start it, or check DATABASE_URL.`,
    {
      cause: error,
    },
  );
}
