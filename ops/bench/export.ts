/** Compares a whole-market export of millions of rows as csv.gz with COPY of the same rows to a file, and measures the coverage. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { to as copyTo } from 'pg-copy-streams';
import { insertUser, selectUserByEmail } from '../../db/accounts/users.ts';
import { insertExport } from '../../db/back-office/exports.ts';
import { selectCoverage } from '../../db/market/coverage.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { present } from '../../engine/present.ts';
import type { ExportSpec } from '../../jobs/export/contract.ts';
import { THREAD_LIMITS } from '../../jobs/queue/thread-pool.ts';
import { type Figure, figure, inSeconds, inTurns, ratioOf, summarize, timed, timedRounds } from './harness.ts';
import { BENCH_VENUE_BASIS, type BenchMarket, ensureLoaded } from './market.ts';

const ROUNDS = 5;
const REQUEST: ExportSpec = {
  start: '2024-01-01',
  end: '2025-12-31',
  venue_mode: BENCH_VENUE_BASIS,
  adjust: 'none',
  format: 'csv.gz',
};
const EMAIL = 'bench@example.com';
/** The limit of a worker's threads: three spaces of this size. */
const YOUNG_GENERATION = `--max-semi-space-size=${(THREAD_LIMITS.maxYoungGenerationSizeMb ?? 0) / 3}`;
const CHILD = fileURLToPath(new URL('./export-child.ts', import.meta.url));

interface Run {
  readonly rows: number;
  readonly ms: number;
  readonly maxRssMb: number;
}

async function ownerOf({ pool }: BenchMarket): Promise<number> {
  const profile = { name: 'Bench', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const user =
    (await selectUserByEmail(pool, EMAIL)) ?? (await insertUser(pool, { email: EMAIL, at: new Date(), ...profile }));
  return present(user, 'the account').id;
}

async function runOnce(market: BenchMarket, userId: number, folder: string): Promise<Run> {
  const [createdAt, expiresAt] = [new Date(), new Date()];
  const added = { userId, request: REQUEST, through: REQUEST.end, queueJobId: randomUUID(), requestId: 'bench' };
  const id = await insertExport(market.pool, { ...added, createdAt, expiresAt });
  const command = [YOUNG_GENERATION, CHILD, market.url, folder, String(id)];
  const run = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));
  rmSync(folder, { recursive: true });
  return run;
}

async function copyRows({ pool }: BenchMarket, file: string): Promise<void> {
  const connection = await pool.connect();
  try {
    const copy = `copy (select i.symbol || '.US', d.day, d.open, d.high, d.low, d.close, d.volume, '${BENCH_VENUE_BASIS}'
      from daily_bars d join instruments i on i.id = d.instrument_id
      where d.basis = ${VENUE_BASIS_CODE[BENCH_VENUE_BASIS]} and d.day between '${REQUEST.start}' and '${REQUEST.end}')
      to stdout with (format csv)`;
    await pipeline(connection.query(copyTo(copy)), createWriteStream(file));
  } finally {
    connection.release();
  }
}

export async function benchExport(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  const userId = await ownerOf(market);
  const folder = join(market.folder, 'exports');
  const copied = join(market.folder, 'copied.csv');
  const runs: Run[] = [];
  const { ours, floor } = await inTurns(ROUNDS, {
    ours: async () => {
      const run = await runOnce(market, userId, folder);
      runs.push(run);
      return run.ms;
    },
    floor: () => timed(() => copyRows(market, copied)),
  });
  const megabytes = Math.round(statSync(copied).size / 1e6);
  rmSync(copied);
  const [{ rows }] = runs;
  const rate = (ms: number) => `${Math.round(rows / ms)} k rows/s`;
  const peak = summarize(runs.map(({ maxRssMb }) => maxRssMb));
  const note = `csv.gz ${rate(ours.median)}, COPY of ${megabytes} MB to a file ${rate(floor.median)}`;
  return [
    figure('export.rate_vs_copy', ratioOf(floor, ours), '>= 0.85', note),
    figure('export.peak_rss_mb', peak, '< 200', `${(rows / 1e6).toFixed(1)} M rows, the whole process`),
    ...(await benchCoverage(market)),
  ];
}

async function benchCoverage({ pool }: BenchMarket): Promise<Figure[]> {
  const measured = await timedRounds(ROUNDS, () => selectCoverage(pool));
  const [{ rows }] = await selectCoverage(pool);
  return [figure('coverage.uncached_s', inSeconds(measured), '< 3', `${(rows / 1e6).toFixed(1)} M bars`)];
}
