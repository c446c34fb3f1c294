/** Loads of bars that wait or run. Notifications of their records keep the list up to date. */
import type { Logger } from 'pino';
import type { Pool } from '../../db/pool.ts';
import { selectRunningLoads } from '../../db/queue/sync-jobs.ts';
import { type Day, FAR_FUTURE, FAR_PAST, parseDay } from '../../engine/market/dates.ts';
import type { DayRange } from '../../engine/market/session-ledger.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { Refresher } from '../../jobs/refresher.ts';

/** The days that a load fills on one venue basis. */
export interface LoadingRange extends DayRange {
  readonly venueBasis: VenueBasis;
}

interface Load extends LoadingRange {
  readonly progressPct: number;
}

export class RunningLoads {
  private readonly pool: Pool;
  private readonly refresher: Refresher;
  private loads: readonly Load[] = [];
  private changes = 0;

  constructor(pool: Pool, log: Logger) {
    this.pool = pool;
    this.refresher = new Refresher(() => this.read(), log, 'the running loads could not be read');
  }

  refresh(): void {
    this.refresher.refresh();
  }

  async read(): Promise<void> {
    const running = await selectRunningLoads(this.pool);
    const loads = running.flatMap(({ venueBasis: only, start, end, progressPct }) => {
      const range = { start: dayOr(start, FAR_PAST), end: dayOr(end, FAR_FUTURE), progressPct };
      const loaded = VENUE_BASES.filter((venueBasis) => only === null || venueBasis === only);
      return loaded.map((venueBasis) => ({ venueBasis, ...range }));
    });
    if (keyOf(loads) !== keyOf(this.loads)) this.changes++;
    this.loads = loads;
  }

  /** Changes when the sessions that are being loaded change, but not with the progress. */
  get version(): number {
    return this.changes;
  }

  get loading(): readonly LoadingRange[] {
    return this.loads;
  }

  /** Progress of the furthest load of each venue basis, in percent to one decimal, as `/v1/meta` serves it. */
  get progress(): { basis: VenueBasis; progress_pct: number }[] {
    return VENUE_BASES.flatMap((venueBasis) => {
      const shares = this.loads.filter((load) => load.venueBasis === venueBasis).map(({ progressPct }) => progressPct);
      return shares.length === 0
        ? []
        : [{ basis: venueBasis, progress_pct: Math.round(10 * Math.max(...shares)) / 10 }];
    });
  }

  async close(): Promise<void> {
    await this.refresher.close();
  }
}

function dayOr(text: string | null, open: Day): Day {
  return text === null ? open : (parseDay(text) ?? open);
}

function keyOf(loads: readonly Load[]): string {
  return loads.map(({ venueBasis, start, end }) => `${venueBasis} ${start} ${end}`).join();
}
