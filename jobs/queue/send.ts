/** Queues jobs on an open pg-boss. Whoever only sends does not load its code. */
import type { PgBoss } from 'pg-boss';
import { executorOn, type Queryable } from '../../db/pool.ts';
import { type Payload, QUEUES, type QueueName } from './queues.ts';

/** Queues a job in the caller's transaction. Waiting jobs with a higher priority run first. */
export async function send<Q extends QueueName>(
  boss: PgBoss,
  db: Queryable,
  queue: Q,
  id: string,
  payload: Payload<Q>,
  priority = 0,
): Promise<void> {
  const data = QUEUES[queue].payload.parse(payload);
  const sent = await boss.send(queue, data, { id, priority, db: executorOn(db) });
  if (sent === null) throw new Error(`queue ${queue} refused job ${id}`);
}

/** Queues a job of a queue that allows one waiting job. Returns its id; null when one waits already. */
export async function sendUnlessWaiting<Q extends QueueName>(
  boss: PgBoss,
  queue: Q,
  payload: Payload<Q>,
): Promise<string | null> {
  return boss.send(queue, QUEUES[queue].payload.parse(payload));
}
