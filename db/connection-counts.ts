/**
 * The most connections to the database that each part of the service has, by purpose; RELIABILITY.md adds them up. Running processes
 * are counted by their connections.
 */
import { SERVICE_VERSION } from '../engine/util/service-version.ts';
import type { Queryable } from './pool.ts';

/** An instance of the queue: one that sends, and that of a worker, which also supervises. */
export const QUEUE_CONNECTIONS = { sending: 2, supervising: 4 } as const;
const { sending, supervising } = QUEUE_CONNECTIONS;

export const CONNECTIONS = {
  /** An API process, besides those of `DATABASE_POOL` for its calls. */
  api: { long: 4, counters: 3, queue: sending, listener: 1 },
  worker: { jobs: 4, fetching: 1, queue: supervising, listener: 1 },
  /** A thread of a worker; one per slot. */
  thread: { job: 3 },
  scheduler: { loads: 2, queue: sending, listener: 1 },
} as const;

/** The sum over all purposes of a part. */
export const connectionsOf = (part: keyof typeof CONNECTIONS): number =>
  Object.values(CONNECTIONS[part]).reduce((sum, count) => sum + count, 0);

export const PROCESS_KINDS = ['api', 'worker', 'scheduler'] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

/** The connection that every process of a kind has exactly once while it works. */
const CONNECTION_OF = {
  api: 'api-listener',
  worker: 'worker-lease',
  scheduler: 'scheduler-listener',
} as const satisfies Record<ProcessKind, string>;

/** Names of the connections that count as processes. Each is heard of every two seconds. */
const PRESENCE_CONNECTIONS: readonly string[] = Object.values(CONNECTION_OF);

/** Name of the connection that counts as a process of a kind: `api-listener/0.3.0`. */
export const presenceConnection = (kind: ProcessKind): string => `${CONNECTION_OF[kind]}/${SERVICE_VERSION}`;

/** Names a connection, with what is wrong with the clock of its process. */
export async function nameConnection(db: Queryable, name: string, fault: string | null): Promise<void> {
  await db.query(`select set_config('application_name', $1, false)`, [fault === null ? name : `${name} ${fault}`]);
}

/** SQL: the purpose of a connection, before the version of its process and the fault of a clock that its name says. */
const PURPOSE = `split_part(split_part(application_name, ' ', 1), '/', 1)`;
const VERSION = `split_part(split_part(application_name, ' ', 1), '/', 2)`;
const FAULT = `substr(application_name, strpos(application_name, ' ') + 1)`;

export interface WrongClock {
  readonly kind: ProcessKind;
  /** By how many seconds it is ahead of the database's clock, and where the process runs: `+86400s host (process 12)`. */
  readonly fault: string;
}

/** Processes whose clock differs from the database's. */
export async function selectWrongClocks(db: Queryable): Promise<WrongClock[]> {
  const { rows } = await db.query<{ purpose: string; fault: string }>(
    `select ${PURPOSE} as purpose, ${FAULT} as fault from pg_stat_activity
     where datname = current_database() and ${PURPOSE} = any($1) and application_name like '% %' order by 1, 2`,
    [PRESENCE_CONNECTIONS],
  );
  return rows.flatMap(({ purpose, fault }) =>
    PROCESS_KINDS.filter((kind) => CONNECTION_OF[kind] === purpose).map((kind) => ({ kind, fault })),
  );
}

export async function countConnectedProcesses(db: Queryable): Promise<Record<ProcessKind, number>> {
  const { rows } = await db.query<{ name: string; connections: number }>(
    `select ${PURPOSE} as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and ${PURPOSE} = any($1) group by 1`,
    [PRESENCE_CONNECTIONS],
  );
  const found = new Map(rows.map(({ name, connections }) => [name, connections]));
  return {
    api: found.get(CONNECTION_OF.api) ?? 0,
    worker: found.get(CONNECTION_OF.worker) ?? 0,
    scheduler: found.get(CONNECTION_OF.scheduler) ?? 0,
  };
}

/** How many processes run each version; an empty one is that of a release before versions were told. */
export async function countVersions(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ version: string; processes: number }>(
    `select ${VERSION} as version, count(*)::int as processes from pg_stat_activity
     where datname = current_database() and ${PURPOSE} = any($1) group by 1 order by 1`,
    [PRESENCE_CONNECTIONS],
  );
  return new Map(rows.map(({ version, processes }) => [version, processes]));
}

export interface ConnectedProcess {
  readonly kind: ProcessKind;
  /** Address of its machine; null: that of the database. */
  readonly host: string | null;
  readonly since: Date;
}

/** The processes of some kinds, by their connections. */
export async function selectConnectedProcesses(
  db: Queryable,
  kinds: readonly ProcessKind[],
): Promise<ConnectedProcess[]> {
  const { rows } = await db.query<Omit<ConnectedProcess, 'kind'> & { readonly purpose: string }>(
    `select ${PURPOSE} as purpose, host(client_addr) as host, backend_start as since from pg_stat_activity
     where datname = current_database() and ${PURPOSE} = any($1) order by 1, 3`,
    [kinds.map((kind) => CONNECTION_OF[kind])],
  );
  return rows.flatMap(({ purpose, ...one }) =>
    kinds.filter((kind) => CONNECTION_OF[kind] === purpose).map((kind) => ({ kind, ...one })),
  );
}

export interface StalledTransaction {
  /** Process of the server. */
  readonly pid: number;
  /** Name of the connection. */
  readonly name: string;
  /** Address of the client; null: it is on the machine of the server. */
  readonly host: string | null;
  /** Seconds for which it has waited for its client. */
  readonly idleS: number;
  /** Statements that wait for its locks. */
  readonly waiting: number;
  /** Whether a process of the service on that machine has been heard of in the last seconds. */
  readonly isHostAlive: boolean;
}

/** Transactions that hold up others, or whose machine has no heartbeat, longest first. */
export async function selectStalledTransactions(db: Queryable): Promise<StalledTransaction[]> {
  const { rows } = await db.query<StalledTransaction>(
    `with session as materialized (select * from pg_stat_activity where datname = current_database()),
     alive as materialized (
       select distinct client_addr from session
       where ${PURPOSE} = any($1) and state_change > clock_timestamp() - interval '5 seconds'),
     blocked as materialized (select unnest(pg_blocking_pids(pid)) as by from session where wait_event_type = 'Lock'),
     stalled as (
       select pid, ${PURPOSE} as name, host(client_addr) as host,
         round(extract(epoch from clock_timestamp() - state_change))::int as "idleS",
         (select count(*)::int from blocked where by = pid) as waiting,
         exists (select from alive a where a.client_addr is not distinct from s.client_addr) as "isHostAlive"
       from session s
       where state like 'idle in transaction%' and state_change < clock_timestamp() - interval '2 seconds')
     select * from stalled where waiting > 0 or not "isHostAlive" order by "idleS" desc, pid`,
    [PRESENCE_CONNECTIONS],
  );
  return rows;
}

/** For operators. */
export function describeStalled({ pid, name, host, idleS, waiting, isHostAlive }: StalledTransaction): string {
  const where = host === null ? 'this machine' : host;
  const silent = isHostAlive ? '' : ', which has no heartbeat';
  return `${name} of ${where}${silent}, for ${idleS} s; ${waiting} wait for it (pid ${pid})`;
}
