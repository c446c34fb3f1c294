/** The job after a load that has revised what was served: computes the kept runs again that it has hit, and tells their owners. */
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { transaction } from '../../db/pool.ts';
import {
  planImpact,
  publishImpacts,
  saveImpact,
  selectUnplannedLoads,
  selectWaitingImpacts,
  type WaitingImpact,
} from '../../db/runs/impacts.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { CHECKED_VENUE_BASIS, checkNewSessions } from '../quality/check-sessions.ts';
import type { ReadContext } from '../runs/kind.ts';
import { compareRun } from './figures.ts';

/** Runs that are read at once. */
const PAGE = 100;

type Context = ReadContext & Pick<JobContext, 'now' | 'log'>;

/**
 * Every step is recorded, so that another attempt goes on where one was interrupted. Nobody is told of a load while a session that it has
 * revised is held.
 */
export async function computeImpacts(context: Context): Promise<void> {
  const { pool, now, log, signal } = context;
  for (const load of await selectUnplannedLoads(pool)) {
    await transaction(pool, (connection) => planImpact(connection, load));
  }
  const dataVersion = await selectDataVersion(pool);
  let runs = 0;
  for (;;) {
    const page = await selectWaitingImpacts(pool, PAGE);
    if (page.length === 0) break;
    for (const waiting of page) {
      signal.throwIfAborted();
      await computeOne(context, dataVersion, waiting);
    }
    runs += page.length;
  }
  await checkNewSessions(pool, now(), log);
  const loads = await transaction(pool, (connection) =>
    publishImpacts(connection, CHECKED_VENUE_BASIS, new Date(now())),
  );
  log.info({ runs, loads }, 'the impact of loads was computed');
}

async function computeOne(context: Context, dataVersion: string, waiting: WaitingImpact): Promise<void> {
  const { pool, now } = context;
  const saved = await selectKeptById(pool, waiting.backtestId);
  // Deleted meanwhile, and the row with it.
  if (saved === null) return;
  await saveImpact(
    pool,
    waiting.id,
    await compareRun({ ...context, dataVersion, at: new Date(now()) }, saved, waiting),
  );
}
