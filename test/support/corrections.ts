/** Corrections of what was served, as loads make them. */
import { BarLoad } from '../../db/market/bar-load.ts';
import { bumpDataVersion } from '../../db/market/data-versions.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { insertSyncJob } from '../../db/queue/sync-jobs.ts';
import type { Day } from '../../engine/market/dates.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import { required } from '../../engine/util/values.ts';

/** Corrects something in a load that has ended. Returns its id. */
export async function correct(
  pool: Pool,
  change: (connection: Connection, load: number) => Promise<void>,
): Promise<number> {
  const job = { jobType: 'daily_bars', request: {}, requestedBy: 'test', requestId: null } as const;
  const load = required(await insertSyncJob(pool, { ...job, queueJobId: crypto.randomUUID() }));
  await transaction(pool, async (connection) => {
    await change(connection, load);
    await bumpDataVersion(connection, 'bars');
    await connection.query(
      `update sync_jobs set status = 'ok', started_at = now(), finished_at = now() where id = $1`,
      [load],
    );
  });
  return load;
}

export interface CorrectedBar {
  readonly id: number;
  readonly day: Day;
  /** Null: the bar is removed. */
  readonly close: number | null;
  readonly basis: VenueBasis;
}

/** Loads the bar of an instrument and a day again, or none. */
export async function loadBar(
  connection: Connection,
  origin: { readonly syncJobId: number; readonly at: Date },
  { id, day, close, basis }: CorrectedBar,
): Promise<void> {
  const bars = await BarLoad.begin(connection, {
    venueBasis: basis,
    start: day,
    end: day,
    instrumentIds: [id],
    origin,
    keepsGone: false,
    forgets: close === null,
  });
  if (close !== null) bars.copy.add(id, day, close, close + 1, close - 1, close, 5_000);
  await bars.finish([{ day, rows: 1, rejected: 0, malformed: 0 }], () => ({ instrumentIds: [id], years: [2025] }));
}
