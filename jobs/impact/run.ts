/** The job after a load that has revised what was served: computes the kept runs again that it has hit, and tells their owners. */
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import {
  type Computed,
  planImpact,
  publishImpacts,
  saveImpact,
  selectUnplannedLoads,
  selectWaitingImpacts,
  type WaitingImpact,
} from '../../db/runs/impacts.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import { selectSweep } from '../../db/sweeps/sweeps.ts';
import { FiguresOverflow } from '../../engine/market/figures.ts';
import { isOutOfSpace, isPermanent, type JobContext } from '../contracts/job-context.ts';
import { CHECKED_VENUE_BASIS, checkNewSessions } from '../quality/check-sessions.ts';
import type { ReadContext } from '../runs/kind.ts';
import { compareRun, NOT_COMPUTED } from './figures.ts';
import { compareStudy } from './study.ts';

/** Runs that are read at once. */
const PAGE = 100;

type Context = ReadContext & Pick<JobContext, 'storage' | 'now' | 'log'>;

/**
 * Every step is recorded, so that another attempt goes on where one was interrupted. Nobody is told of a load while a session that it has
 * revised is held.
 */
export async function computeImpacts(context: Context): Promise<void> {
  const { pool, now, log } = context;
  for (const load of await selectUnplannedLoads(pool)) {
    await transaction(pool, (connection) => planImpact(connection, load));
  }
  const dataVersion = await selectDataVersion(pool);
  const loads: number[] = [];
  let runs = 0;
  do {
    runs += await computeWaiting(context, dataVersion);
    await checkNewSessions(pool, now(), log);
    const publish = (connection: Connection) => publishImpacts(connection, CHECKED_VENUE_BASIS, new Date(now()));
    loads.push(...(await transaction(pool, publish)));
    // Runs wait now that have ended since their loads were planned.
  } while ((await selectWaitingImpacts(pool, 1)).length > 0);
  log.info({ runs, loads }, 'the impact of loads was computed');
}

/** Returns how many were computed. */
async function computeWaiting(context: Context, dataVersion: string): Promise<number> {
  let runs = 0;
  for (;;) {
    const page = await selectWaitingImpacts(context.pool, PAGE);
    if (page.length === 0) return runs;
    for (const waiting of page) {
      context.signal.throwIfAborted();
      await computeOne(context, dataVersion, waiting);
    }
    runs += page.length;
  }
}

/** A fault of one is recorded, and does not keep the others waiting. */
async function computeOne(context: Context, dataVersion: string, waiting: WaitingImpact): Promise<void> {
  const { pool, log } = context;
  try {
    const computed = await compare(context, dataVersion, waiting);
    // Deleted meanwhile, and the row with it.
    if (computed !== null) await saveImpact(pool, waiting.id, computed);
  } catch (error) {
    if (!(error instanceof FiguresOverflow) && (!isPermanent(error) || isOutOfSpace(error))) throw error;
    log.error({ err: error, ...waiting }, 'the impact of a load could not be computed');
    await saveImpact(pool, waiting.id, NOT_COMPUTED);
  }
}

async function compare(context: Context, dataVersion: string, waiting: WaitingImpact): Promise<Computed | null> {
  const { pool, now } = context;
  const { backtestId, sweepId } = waiting;
  if (sweepId !== null) {
    const study = await selectSweep(pool, sweepId);
    return study && compareStudy(context, study, waiting);
  }
  const saved = backtestId === null ? null : await selectKeptById(pool, backtestId);
  return saved && compareRun({ ...context, dataVersion, at: new Date(now()) }, saved, waiting);
}
