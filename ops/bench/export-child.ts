/** Runs one export as the job does; prints rows, time, and the peak memory of its process. */
import pino from 'pino';
import { createPool } from '../../db/pool.ts';
import { selectExport } from '../../db/queue/exports.ts';
import { runExport } from '../../jobs/export/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { peakResidentMb } from './processes.ts';

const [url, folder, id] = process.argv.slice(2);
const pool = createPool({ url, max: 3, applicationName: 'bench' });
const context = {
  pool,
  storage: openStorage({ folder }),
  now: Date.now,
  log: pino({ level: 'silent' }),
  isLastAttempt: true,
  signal: new AbortController().signal,
};
const start = performance.now();
await runExport(context, { exportId: Number(id) });
const ms = performance.now() - start;
const exported = await selectExport(pool, Number(id));
await pool.end();
process.stdout.write(JSON.stringify({ rows: exported?.rows, ms, maxRssMb: peakResidentMb() }));
