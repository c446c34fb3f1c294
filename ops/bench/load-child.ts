/** Loads all years in a thread like a worker's; prints rows, seconds, and the peak memory of the process. */
import { isMainThread, Worker } from 'node:worker_threads';
import { createPool } from '../../db/pool.ts';
import { FilesProvider } from '../../jobs/providers/files/files-provider.ts';
import { THREAD_LIMITS } from '../../jobs/queue/thread-pool.ts';
import { BENCH_YEARS, loadUnit, yearUnit } from './market.ts';
import { peakResidentMb } from './processes.ts';

if (isMainThread) {
  new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), resourceLimits: THREAD_LIMITS });
} else {
  const [folder, url] = process.argv.slice(2);
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  const provider = new FilesProvider({ folder, cacheFile: `${folder}.index`, now: Date.now });
  const start = performance.now();
  let rows = 0;
  for (const year of BENCH_YEARS) rows += await loadUnit({ pool, provider }, yearUnit(folder, year));
  const seconds = (performance.now() - start) / 1000;
  await pool.end();
  process.stdout.write(JSON.stringify({ rows, seconds, maxRssMb: Math.round(peakResidentMb()) }));
}
