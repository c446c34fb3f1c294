/** Queues comparisons. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Actor } from '../../db/actors.ts';
import { type ComparisonSpec, insertComparison } from '../../db/market/comparisons.ts';
import type { Connection } from '../../db/pool.ts';
import { send } from '../queue/send.ts';

/** Records and queues a comparison in the caller's transaction. */
export async function enqueueComparison(
  connection: Connection,
  boss: PgBoss,
  spec: ComparisonSpec,
  requested: { readonly by: Actor; readonly at: Date },
): Promise<number> {
  const queueJobId = randomUUID();
  const added = { ...spec, requestedBy: requested.by, requestedAt: requested.at, queueJobId };
  const comparisonId = await insertComparison(connection, added);
  await send(boss, connection, 'compare', queueJobId, { comparisonId, requestId: null });
  return comparisonId;
}
