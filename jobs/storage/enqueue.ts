/** Queues removals of stored objects. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Connection } from '../../db/pool.ts';
import { send } from '../queue/send.ts';

/** Queues the removal of every object under a prefix, in the transaction that deletes its rows. */
export async function enqueueRemoval(
  connection: Connection,
  boss: PgBoss,
  removal: { readonly prefix: string; readonly requestId: string | null },
): Promise<void> {
  await send(boss, connection, 'storage.remove', randomUUID(), removal);
}
