/** Measures the snapshot of a past day, which the first screen as of that day waits for. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { deleteUnusedPastSnapshots } from '../../db/market/past-snapshots.ts';
import { ensurePastSnapshot } from '../../jobs/screen/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { type Figure, figure, inSeconds, summarize, timed } from './harness.ts';
import { BENCH_NOW, BENCH_SYMBOLS, type BenchMarket, ensureLoaded } from './market.ts';
import { addPrimaryYears, removePrimaryYears } from './screener.ts';

/** Each is built once: a day that is known is not built again. */
const DAYS = ['2025-06-02', '2025-03-03', '2024-12-02', '2024-09-03', '2023-06-01'];

export async function benchAsOf(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await addPrimaryYears(market);
  const storage = openStorage({ folder: market.objects });
  const context = {
    pool: market.pool,
    storage,
    now: () => BENCH_NOW,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  };
  const samples: number[] = [];
  // A version of the data that no snapshot is of.
  const dataVersion = randomUUID();
  for (const day of DAYS) samples.push(await timed(() => ensurePastSnapshot(context, day, dataVersion)));
  for (const key of await deleteUnusedPastSnapshots(market.pool, new Date(BENCH_NOW + 1), 0)) await storage.remove(key);
  await removePrimaryYears(market);
  const note = `a day of ${BENCH_SYMBOLS} instruments, built and stored`;
  return [figure('asof.snapshot_s', inSeconds(summarize(samples)), '< 10', note)];
}
