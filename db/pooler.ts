/** Requirements on a pooler between the service and PostgreSQL. */
import type { Connection, Pool } from './pool.ts';

/** Others on the same pooler may take the session that would tell. */
const ROUNDS = 3;

async function sessionOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0].pid;
}

/** `other` keeps a session in a transaction: the newest that is free, or else one of its own. */
async function areOne(one: Connection, other: Connection): Promise<boolean> {
  const before = await sessionOf(one);
  await other.query('begin');
  if ((await sessionOf(other)) === before || (await sessionOf(one)) !== before) return true;
  await other.query('rollback');
  return false;
}

/**
 * Whether a connection's next statement may run in another session of the server than its last, as behind a pooler in transaction
 * mode: limits, locks, and notifications would be lost, or those of another process. `pool` has room for two connections.
 */
export async function sharesSessions(pool: Pool): Promise<boolean> {
  const one = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      for (let round = 0; round < ROUNDS; round++) if (await areOne(one, other)) return true;
      return false;
    } finally {
      other.release(true);
    }
  } finally {
    one.release();
  }
}
