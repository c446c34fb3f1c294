/** Transactions that wait for a client which may have vanished. */
import { PRESENCE_CONNECTIONS, PURPOSE } from './connection-counts.ts';
import type { Queryable } from './pool.ts';

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
