/** Compares a whole-market export of millions of rows as csv.gz with COPY of the same rows to a file, and measures the coverage. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { selectCoverage } from '../../../db/market/coverage.ts';
import { createPool } from '../../../db/pool.ts';
import { insertExport, selectExport } from '../../../db/queue/exports.ts';
import { required } from '../../../engine/util/values.ts';
import type { ExportSpec } from '../../../jobs/contracts/export.ts';
import { runExport } from '../../../jobs/export/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BENCH_VENUE_BASIS,
  BENCH_VENUE_BASIS_CODE,
  type Bench,
  copyRows,
  ensureLoaded,
  replaceCallers,
} from './market.ts';
import { alone, figure, inTurns, ratioFigure, timed } from './measure.ts';
import { inTask, peakResidentMb, THREAD_ARGUMENTS } from './processes.ts';

const REQUEST: ExportSpec = {
  start: '2024-01-01',
  end: '2025-12-31',
  venue_mode: BENCH_VENUE_BASIS,
  adjust: 'none',
  format: 'csv.gz',
};
const COPY = `select i.symbol || '.US', d.day, d.open, d.high, d.low, d.close, d.volume, '${BENCH_VENUE_BASIS}'
  from daily_bars d join instruments i on i.id = d.instrument_id
  where d.basis = ${BENCH_VENUE_BASIS_CODE} and d.day between '${REQUEST.start}' and '${REQUEST.end}'`;

/** Runs one export as the job does. */
export async function exportOnce([url, folder, id]: readonly string[]) {
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  const context = testJobContext({ pool, storage: openStorage({ folder }) });
  const ms = await timed(() => runExport(context, { exportId: Number(id) }));
  return { rows: required((await selectExport(pool, Number(id)))?.rows), ms, peakMb: peakResidentMb() };
}

const benchRate: Bench = async (market) => {
  const { pool, url } = market;
  await ensureLoaded(market);
  const [{ userId }] = await replaceCallers(pool, 1);
  const [folder, copied] = [join(market.folder, 'exports'), join(market.folder, 'copied.csv')];
  const peaks: number[] = [];
  let rows = 0;
  const { ours, floor } = await inTurns({
    ours: async () => {
      const [queueJobId, at] = [randomUUID(), new Date()];
      const about = { content: 'market', request: REQUEST, through: REQUEST.end } as const;
      const added = { userId, ...about, queueJobId, requestId: 'bench' };
      const id = await insertExport(pool, { ...added, createdAt: at, expiresAt: at });
      const exported = await inTask(exportOnce, [url, folder, String(id)], THREAD_ARGUMENTS);
      rmSync(folder, { recursive: true });
      peaks.push(exported.peakMb);
      rows = exported.rows;
      return rows / exported.ms;
    },
    floor: async () => rows / (await timed(() => copyRows(market, COPY, createWriteStream(copied)))),
  });
  rmSync(copied);
  const millions = `${(rows / 1e6).toFixed(1)} M rows`;
  return new Map([
    ['export.rate_vs_copy', ratioFigure(ours, floor, 'k rows/s', `${millions} as csv.gz; COPY of them to a file`)],
    ['export.peak_rss_mb', figure(peaks, `${millions}, the whole process`)],
  ]);
};

const benchCoverage: Bench = async (market) => {
  await ensureLoaded(market);
  const coverage = async () => (await timed(() => selectCoverage(market.pool))) / 1000;
  return alone('the whole market', coverage);
};

export const EXPORT = { export: benchRate, 'coverage.uncached_s': benchCoverage };
