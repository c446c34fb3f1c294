/** Limits of sessions: how long users of a connection wait for the database, and the database for them. */
import type pg from 'pg';

/**
 * Limits of a session, in milliseconds. The server ends what a client holds that has vanished without closing its connection: a
 * machine without power, a stopped process.
 */
export interface Limits {
  /** How long a statement waits for a lock of another connection. */
  readonly lockMs: number;
  /** How long a transaction may wait for its client's next statement. The server ends the connection then. */
  readonly transactionIdleMs: number;
  /**
   * How long the server tries to send what its client does not take in. The kernel counts a client that pauses as one that has
   * vanished, so that readers of long results need more than their longest pause: a slow object storage, a turn of other jobs.
   */
  readonly sendMs: number;
  /** For a statement, which the server cancels then. Absent: no limit. */
  readonly statementMs?: number;
}

/** For work off the request path. */
const WORK_LIMITS: Limits = { lockMs: 120_000, transactionIdleMs: 30_000, sendMs: 300_000 };
/** For the bookkeeping of processes: short transactions without other work between their statements. */
export const PROCESS_LIMITS: Limits = { lockMs: 10_000, transactionIdleMs: 10_000, sendMs: 10_000 };
/** For transactions in which objects or files are written, or a schema is changed. */
export const TRANSFER_LIMITS: Limits = { lockMs: 1_800_000, transactionIdleMs: 1_800_000, sendMs: 1_800_000 };
/** For claims of jobs and admissions of runs, which others wait for. */
export const CLAIM_IDLE_MS = 3_000;

/** How long users of a pool wait, in milliseconds, before they consider the database unreachable. */
export interface Timeouts extends Limits {
  /** For a free connection of the pool, or a new one. */
  readonly connectMs: number;
  readonly statementMs: number;
  /** For a commit, which may wait for a standby: the server never ends that wait. */
  readonly commitMs: number;
  /** How long an idle connection is kept. */
  readonly idleMs: number;
}

const CONNECT_MS = 5_000;
/** The server gets this much more time to cancel a statement before the connection counts as lost. */
const SERVER_GRACE_MS = 200;

/** For calls. The longest wait for a connection and then a statement ends within 5 seconds. */
export const CALL_TIMEOUTS: Timeouts = {
  connectMs: 2_000,
  statementMs: 2_400,
  commitMs: 2_600,
  lockMs: 2_000,
  transactionIdleMs: 5_000,
  sendMs: 10_000,
  idleMs: 60_000,
};
/** For the limiter's counters: a call can do without them, and must not wait for them before it asks for what it needs. */
export const COUNTER_TIMEOUTS: Timeouts = {
  ...CALL_TIMEOUTS,
  connectMs: 1_500,
  statementMs: 1_500,
  lockMs: 1_400,
};
/**
 * For counts over whole tables, and changes of many rows. Idle connections are closed soon, because with these limits a dead one
 * would be noticed late.
 */
export const LONG_TIMEOUTS: Timeouts = { ...CALL_TIMEOUTS, connectMs: 4_000, statementMs: 60_000, idleMs: 1_000 };

/** For a client that is silent, as long as no pooler is between. */
const KEEPALIVES = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3';

/** Statements that limit a session. A pooler passes on statements, but not every option of a connection. */
export function limitSession({ lockMs, transactionIdleMs, sendMs, statementMs = 0 }: Limits): string {
  return (
    `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; ` +
    `set idle_in_transaction_session_timeout = ${transactionIdleMs}; set tcp_user_timeout = ${sendMs}; ${KEEPALIVES}`
  );
}

/** The options of connections with these limits; `more`: further statements at the beginning of each session. */
export function limitedOptions(limits: Limits | Timeouts = WORK_LIMITS, more = ''): pg.PoolConfig {
  const text = limitSession(limits) + more;
  if (!('connectMs' in limits)) return { connectionTimeoutMillis: CONNECT_MS, onConnect: beginWith(text, CONNECT_MS) };
  const { connectMs, statementMs } = limits;
  return {
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + SERVER_GRACE_MS,
    onConnect: beginWith(text, connectMs / 2),
  };
}

/** The pool waits for it, and hands out no session where it fails. */
function beginWith(text: string, query_timeout: number): NonNullable<pg.PoolConfig['onConnect']> {
  const settings: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout };
  return (connection) => connection.query(settings);
}
