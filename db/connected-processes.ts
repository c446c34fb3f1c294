/** The processes of the service that are connected to the database, on all machines. */
import type { Queryable } from './pool.ts';

export const PROCESS_KINDS = ['api', 'worker', 'scheduler'] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

/** The connection that every process of a kind has exactly once while it works. */
const CONNECTION_OF = {
  api: 'api-listener',
  worker: 'worker-lease',
  scheduler: 'scheduler-listener',
} as const satisfies Record<ProcessKind, string>;

/** Name of the connection that counts as a process of a kind. */
export const presenceConnection = (kind: ProcessKind): string => CONNECTION_OF[kind];

export async function countConnectedProcesses(db: Queryable): Promise<Record<ProcessKind, number>> {
  const { rows } = await db.query<{ name: string; connections: number }>(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name = any($1) group by 1`,
    [Object.values(CONNECTION_OF)],
  );
  const found = new Map(rows.map(({ name, connections }) => [name, connections]));
  return {
    api: found.get(CONNECTION_OF.api) ?? 0,
    worker: found.get(CONNECTION_OF.worker) ?? 0,
    scheduler: found.get(CONNECTION_OF.scheduler) ?? 0,
  };
}
