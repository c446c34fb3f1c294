/** Connections to PostgreSQL. */
import { createHash } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import pg from 'pg';
import { stringProperty, toError } from '../engine/util/errors.ts';
import { isDeadlock, spoilsConnection } from './errors.ts';
import { type Limits, limitedOptions, type Timeouts, TRANSFER_LIMITS } from './session-limits.ts';

export type Pool = pg.Pool;
export type Connection = pg.PoolClient;
/** Runs statements: the pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

const BIGINT_ARRAY = 1016;
const toNumbers = (text: string) => text.slice(1, -1).split(',').map(Number);

// Numbers in bigint columns are below 2^53, and their arrays are one-dimensional and not empty. A date is a text, YYYY-MM-DD.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === BIGINT_ARRAY) return toNumbers;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  readonly url: string;
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onError?: (error: Error) => void;
  /**
   * Whether a commit waits for the disk (default: true). Otherwise a crash of the database loses the last fraction of a second,
   * which is acceptable for counters and statistics.
   */
  readonly isDurable?: boolean;
  /**
   * Whether a prepared statement keeps one plan for all values (default: the server decides for each statement). For statements
   * whose plan is the same for any values: otherwise the server may plan each execution, which costs more than running it.
   */
  readonly isPlannedOnce?: boolean;
  /** Default: 5 seconds for a connection, no limit for a statement, and patient with locks. */
  readonly timeouts?: Limits | Timeouts;
}

/** A statement that runs; without its values. */
export interface TracedStatement {
  readonly text: string;
}

/** Tells of the statements of all pools that were created while somebody listened. */
export const STATEMENTS = tracingChannel<unknown, TracedStatement>('market-data.statement');

const commitLimits = new WeakMap<Pool, number>();

export function connectionOptions(url: string, applicationName: string): pg.ClientConfig {
  return { connectionString: url, application_name: applicationName, keepAlive: true, types };
}

/** When a pool last failed to give a connection, by `performance.now()`. */
const lastFailures = new WeakMap<Pool, number>();

/** A pool that remembers when somebody waited for a connection in vain. */
class WatchedPool extends pg.Pool {
  override connect(): Promise<Connection>;
  override connect(given: Parameters<pg.Pool['connect']>[0]): void;
  override connect(given?: Parameters<pg.Pool['connect']>[0]): Promise<Connection> | undefined {
    const note = (error: unknown) => {
      if (error) lastFailures.set(this, performance.now());
    };
    if (!given) {
      const connection = super.connect();
      connection.catch(note);
      return connection;
    }
    super.connect((error, connection, release) => {
      note(error);
      given(error, connection, release);
    });
    return undefined;
  }
}

export function createPool(settings: PoolOptions): Pool {
  const { url, max, applicationName, onError = () => {}, isDurable = true, isPlannedOnce, timeouts } = settings;
  const more = [
    isDurable ? '' : '; set synchronous_commit = off',
    isPlannedOnce ? '; set plan_cache_mode = force_generic_plan' : '',
  ];
  const pool = new WatchedPool({
    ...connectionOptions(url, applicationName),
    ...limitedOptions(timeouts, more.join('')),
    max,
    idleTimeoutMillis: timeouts && 'idleMs' in timeouts ? timeouts.idleMs : 60_000,
  });
  if (timeouts && 'commitMs' in timeouts) commitLimits.set(pool, timeouts.commitMs);
  pool.on('error', onError);
  // A connection that breaks between two statements of its user says so by an event, which without a listener would end the process.
  // The next statement fails, and the pool does not take the connection back.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  if (STATEMENTS.hasSubscribers) pool.on('connect', traceStatements);
  return pool;
}

/** Tells of each statement of a connection, whether it calls back or returns a promise; not of COPY, which is a stream. */
function traceStatements(connection: Connection): void {
  const { query } = connection;
  const traced = (...given: Parameters<typeof query>) => {
    const [statement] = given;
    const text = typeof statement === 'string' ? statement : stringProperty(statement, 'text');
    if (text === undefined || Reflect.has(Object(statement), 'submit')) return Reflect.apply(query, connection, given);
    const run = async () => Reflect.apply(query, connection, given);
    return typeof given.at(-1) === 'function'
      ? STATEMENTS.traceCallback(query, -1, { text }, connection, ...given)
      : STATEMENTS.tracePromise(run, { text });
  };
  Object.assign(connection, { query: traced });
}

/**
 * Runs `work` with a connection in a transaction, which is committed when `work` resolves and rolled back when it
 * throws. `limits`: those of its statements that differ from the pool's.
 */
export async function transaction<T>(
  pool: Pool,
  work: (connection: Connection) => Promise<T>,
  { lockMs, transactionIdleMs }: Partial<Limits> = {},
): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query(
      'begin' +
        (lockMs === undefined ? '' : `; set local lock_timeout = ${lockMs}`) +
        (transactionIdleMs === undefined
          ? ''
          : `; set local idle_in_transaction_session_timeout = ${transactionIdleMs}`),
    );
    const result = await work(connection);
    await commit(connection, commitLimits.get(pool));
    return result;
  } catch (error) {
    // A connection that does not answer would not answer a rollback either. Closing it has the same effect.
    if (spoilsConnection(error)) broken = toError(error);
    else {
      await connection.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    connection.release(broken);
  }
}

function commit(connection: Connection, query_timeout?: number): Promise<unknown> {
  if (query_timeout === undefined) return connection.query('commit');
  const limited: pg.QueryConfig & { readonly query_timeout: number } = { text: 'commit', query_timeout };
  return connection.query(limited);
}

/** Runs a transaction again if the server ended it to resolve a deadlock, at most `attempts` times in all. */
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

/** Runs `work` with a connection whose reads all see the same state of the database. It may write files between them. */
export function readTransaction<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const read = async (connection: Connection) => {
    await connection.query('set transaction isolation level repeatable read, read only');
    return work(connection);
  };
  return transaction(pool, read, TRANSFER_LIMITS);
}

/** Creates the database `name` on the server at `url` unless it exists. */
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

const FAILURE_REMEMBERED_MS = 5_000;

/**
 * Rejects when the database does not answer, or when somebody got no connection of the pool in the last seconds: an open connection
 * can answer although no further one can be had.
 */
export async function checkPool(pool: Pool): Promise<void> {
  await ping(pool);
  const failedAt = lastFailures.get(pool);
  if (failedAt !== undefined && performance.now() - failedAt < FAILURE_REMEMBERED_MS) {
    throw new Error('the pool could not open a connection');
  }
}

/** Counts the other clients of the server. */
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
 * Lets pg-boss run its statements on our connection, and so in our transaction. They are prepared, because planning them costs
 * more than running them.
 */
export function executorOn(db: Queryable) {
  return { executeSql: (text: string, values?: unknown[]) => db.query(namedStatement(text, values)) };
}

/** A prepared statement that is named after its text. */
export function namedStatement(text: string, values: unknown[] = []): pg.QueryConfig {
  return { name: statementName(text), text, values };
}

/** Items filled up to the next power of two, so that statements of a few sizes only have to be planned. */
export function paddedToPower<Item, Padding>(items: readonly Item[], padding: Padding): (Item | Padding)[] {
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...new Array<Padding>(size - items.length).fill(padding)];
}

/**
 * Discards the plans of a connection's prepared statements. A queue's table grows and shrinks faster than its statistics, and a
 * plan made for ten rows would read all of ten thousand.
 */
export async function discardPlans(db: Queryable): Promise<void> {
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
