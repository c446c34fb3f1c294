/** Queues that an operator has paused. */
import { type Actor, actorValues } from '../actors.ts';
import type { Queryable } from '../pool.ts';

export const QUEUE_PAUSES_CHANNEL = 'queue_pauses';

export async function isQueuePaused(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('select from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
}

/** False when the queue was already paused. */
export async function insertPause(db: Queryable, queue: string, by: Actor, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into paused_queues (queue, paused_by_id, paused_by, paused_at) values ($1, $2, $3, $4) on conflict do nothing',
    [queue, ...actorValues(by), at],
  );
  return rowCount === 1;
}

/** False when the queue was not paused. */
export async function deletePause(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
}
