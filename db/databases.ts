/** The databases of a server, before any of them is in use. */
import pg from 'pg';
import { connectionOptions } from './pool.ts';

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(url, 'setup'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Names of the databases of the server at `url`, oldest first. */
export function selectDatabaseNames(url: string): Promise<string[]> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where not datistemplate order by oid',
    );
    return rows.map(({ name }) => name);
  });
}

/** Renames a database that nobody is connected to. */
export function renameDatabase(url: string, from: string, to: string): Promise<void> {
  return onServer(url, async (client) => {
    await client.query(`alter database ${pg.escapeIdentifier(from)} rename to ${pg.escapeIdentifier(to)}`);
  });
}

/** Resolves if the database at `url` answers on a new connection within `timeoutMs`; otherwise rejects. */
export async function pingDatabase(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    ...connectionOptions(url, 'setup'),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // The statement below rejects then.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    // Not awaited, because the end of a connection that was never made may never be reported.
    client.end().catch(() => {});
  }
}
