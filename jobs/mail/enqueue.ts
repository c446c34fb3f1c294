import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Connection } from '../../db/pool.ts';
import { send } from '../queue/send.ts';

/** Queues the mail of a recorded request for a login code, in the transaction that records it. */
export async function enqueueLoginCode(
  connection: Connection,
  boss: PgBoss,
  request: { readonly loginRequestId: number; readonly requestId: string | null },
): Promise<void> {
  await send(boss, connection, 'mail.login_code', randomUUID(), request);
}
