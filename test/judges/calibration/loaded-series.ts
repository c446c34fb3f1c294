/** Series of a loaded market, whose days paths draw again. */
import { selectLoadedSessions } from '../../../db/market/loaded-sessions.ts';
import { createPool } from '../../../db/pool.ts';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { readHistory } from '../../../jobs/runs/history.ts';
import type { Config } from '../../../ops/config.ts';
import { openDatabase } from '../../../ops/embedded/database.ts';

/** Sessions of ten years. */
const SESSIONS = 2_520;

/**
 * The newest ten years, or all there are, of the first instruments that traded in every session of them, with dividends. Empty if the
 * market has fewer such instruments.
 */
export async function loadedSeries(config: Config, count: number): Promise<BarSeries[]> {
  const database = await openDatabase(config, createLogger('bench', config.LOG_LEVEL));
  const pool = createPool({ url: database.url, max: 4, applicationName: 'bench' });
  try {
    const days = (await selectLoadedSessions(pool, 'consolidated')).slice(-SESSIONS);
    const { rows } = await pool.query<{ id: number }>('select id from instruments order by symbol');
    const found: BarSeries[] = [];
    for (const { id } of rows) {
      if (found.length === count || days.length === 0) break;
      const { series, events } = await readHistory(pool, id, days[days.length - 1]);
      const recent = sliceSeries(series, Math.max(0, series.length - days.length), series.length);
      if (days.every((day, i) => recent.day[i] === day)) found.push(adjustToLastBar(recent, events, 'total'));
    }
    return found.length === count ? found : [];
  } finally {
    await pool.end();
    await database.release();
  }
}
