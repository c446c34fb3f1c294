/** Queues jobs by an open pg-boss; does not import pg-boss itself. */
import type { PgBoss } from 'pg-boss';
import { executorOn, type Queryable } from '../../db/pool.ts';
import { type Payload, QUEUES, type QueueName } from '../contracts/queues.ts';
import { traceHeaders } from '../contracts/traces.ts';

export interface SendOptions {
  /** Waiting jobs with a higher priority run first. */
  readonly priority?: number;
  /** Account or guest whose record the job works for. */
  readonly account?: string;
}

/** Queues a job in the caller's transaction. */
export async function send<Q extends QueueName>(
  boss: PgBoss,
  db: Queryable,
  queue: Q,
  id: string,
  payload: Payload<Q>,
  { priority = 0, account }: SendOptions = {},
): Promise<void> {
  const data = { ...QUEUES[queue].payload.parse(payload), ...traceHeaders() };
  const sent = await boss.send(queue, data, {
    id,
    priority,
    group: account === undefined ? undefined : { id: account },
    db: executorOn(db),
  });
  if (sent === null) throw new Error(`queue ${queue} refused job ${id}`);
}

/** Queues a job in a queue that allows one waiting job. Returns its id; null: one waits already. */
export async function sendUnlessWaiting<Q extends QueueName>(
  boss: PgBoss,
  queue: Q,
  payload: Payload<Q>,
  db?: Queryable,
): Promise<string | null> {
  const data = { ...QUEUES[queue].payload.parse(payload), ...traceHeaders() };
  return boss.send(queue, data, db && { db: executorOn(db) });
}
