/** The databases of a server: what the embedded one holds, before any of them is opened. */
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

/** Names of all databases of the server behind `url`, oldest first. */
export function selectDatabaseNames(url: string): Promise<string[]> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where not datistemplate order by oid',
    );
    return rows.map(({ name }) => name);
  });
}

/** Nobody may be connected to it. */
export function renameDatabase(url: string, from: string, to: string): Promise<void> {
  return onServer(url, async (client) => {
    await client.query(`alter database ${pg.escapeIdentifier(from)} rename to ${pg.escapeIdentifier(to)}`);
  });
}

/** Resolves when the database behind `url` answers a new connection within `timeoutMs`; rejects otherwise. */
export async function pingDatabase(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    ...connectionOptions(url, 'setup'),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {}); // The query or the connection below fails.
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    client.end().catch(() => {}); // Not awaited: a connection that was never made may never say that it ended.
  }
}
