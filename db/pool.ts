/** Connections to PostgreSQL. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { toError } from '../engine/thrown.ts';
import { isDeadlock, isUnanswered } from './errors.ts';

export type Pool = pg.Pool;
export type Connection = pg.PoolClient;
/** Whatever runs a statement: the pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

// bigint columns hold counts and volumes below 2^53, dates travel as YYYY-MM-DD text.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
};

/** How long callers of a pool wait, in milliseconds, before a database that does not answer counts as away. */
export interface Patience {
  /** For a connection: one of the pool that is free, or a new one. */
  readonly connectMs: number;
  /** For a statement: the server is asked to end it then. */
  readonly statementMs: number;
  /** For a lock that another connection holds. */
  readonly lockMs: number;
  /** How long a connection is kept that nobody uses. */
  readonly idleMs: number;
}

/** For what a call waits for: even the longest wait for a connection and then for a statement ends within 5 seconds. */
export const CALL_PATIENCE: Patience = { connectMs: 2_000, statementMs: 2_400, lockMs: 2_000, idleMs: 60_000 };
/**
 * For counts over everything that is kept, and changes of many rows. Connections are not kept: with so much patience one
 * that has gone silent meanwhile would be noticed late.
 */
export const LONG_PATIENCE: Patience = { connectMs: 4_000, statementMs: 60_000, lockMs: 2_000, idleMs: 1_000 };

/** A server that does not end a statement in time is given this much more before its connection counts as lost. */
const SERVER_GRACE_MS = 200;

/** How a connection is opened by someone with so much patience. */
export function patientOptions({ connectMs, statementMs, lockMs }: Omit<Patience, 'idleMs'>): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    query_timeout: statementMs + SERVER_GRACE_MS,
  };
}

export interface PoolOptions {
  readonly url: string;
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called when an idle connection breaks (the pool replaces it by itself). */
  readonly onError?: (error: Error) => void;
  /**
   * Whether a commit waits for the disk (default). Without, a crash of the database forgets the last fraction of a
   * second; for counters and records of which that is true anyway.
   */
  readonly isDurable?: boolean;
  /** Default: 5 seconds for a connection, and any time for a statement. */
  readonly patience?: Patience;
}

export function connectionOptions(url: string, applicationName: string): pg.ClientConfig {
  return { connectionString: url, application_name: applicationName, keepAlive: true, types };
}

export function createPool(settings: PoolOptions): Pool {
  const { url, max, applicationName, onError = () => {}, isDurable = true, patience } = settings;
  const pool = new pg.Pool({
    ...connectionOptions(url, applicationName),
    ...(isDurable ? {} : { options: '-c synchronous_commit=off' }),
    max,
    ...(patience ? patientOptions(patience) : { connectionTimeoutMillis: 5_000 }),
    idleTimeoutMillis: patience?.idleMs ?? 60_000,
  });
  pool.on('error', onError);
  return pool;
}

/** Lends one connection to `work` inside a transaction: committed when it resolves, rolled back when it throws. */
export async function transaction<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two statements says so here and nowhere else; the next statement fails.
  const onBroken = (error: Error) => {
    broken = error;
  };
  connection.on('error', onBroken);
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    return result;
  } catch (error) {
    // Whatever does not answer will not answer a rollback either; its end is one.
    if (isUnanswered(error)) broken = toError(error);
    else {
      await connection.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    connection.off('error', onBroken);
    connection.release(broken);
  }
}

/** Runs a transaction again when the server has ended it to resolve a deadlock, `attempts` times in all. */
export async function retryDeadlocks<T>(
  pool: Pool,
  attempts: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await transaction(pool, work);
    } catch (error) {
      if (left === 1 || !isDeadlock(error)) throw error;
    }
  }
}

/** Runs `work` as a part of the transaction that is rolled back alone when it throws. */
export async function withSavepoint<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('savepoint part');
  try {
    const result = await work();
    await connection.query('release savepoint part');
    return result;
  } catch (error) {
    await connection.query('rollback to savepoint part');
    throw error;
  }
}

/** Lends one connection for reads that all see the same moment of the database. */
export function readTransaction<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  return transaction(pool, async (connection) => {
    await connection.query('set transaction isolation level repeatable read, read only');
    return work(connection);
  });
}

/** Creates the database `name` on the server behind `url` unless it exists. */
export async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url, 'setup'));
  await client.connect();
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Rejects when the database does not answer. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1');
}

/** How many others are connected to the server. */
export async function countOtherClients(url: string): Promise<number> {
  const client = new pg.Client(connectionOptions(url, 'setup'));
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rows[0].count;
  } finally {
    await client.end();
  }
}

/**
 * Lets the queue run its statements on our connection, and so inside our transaction. They are prepared under a name of
 * their own: planning them costs more than running them.
 */
export function executorOn(db: Queryable) {
  return { executeSql: (text: string, values?: unknown[]) => db.query({ name: statementName(text), text, values }) };
}

/**
 * Has the prepared statements of a connection planned anew. A queue's table grows and shrinks faster than its statistics
 * follow, and a plan that was made for ten rows reads all of ten thousand.
 */
export async function forgetPlans(db: Queryable): Promise<void> {
  await db.query('discard plans');
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `queue_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    if (statementNames.size < MAX_STATEMENT_NAMES) statementNames.set(text, name);
  }
  return name;
}

const MAX_STATEMENT_NAMES = 200;
