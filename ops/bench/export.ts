/** Compares a whole-market export of millions of rows as csv.gz with COPY of the same rows to a file, and measures the coverage. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { insertUser, selectUserByEmail } from '../../db/accounts/users.ts';
import { selectCoverage } from '../../db/market/coverage.ts';
import { insertExport } from '../../db/queue/exports.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { required } from '../../engine/util/required.ts';
import type { ExportSpec } from '../../jobs/contracts/export.ts';
import { THREAD_LIMITS } from '../../jobs/queue/thread-pool.ts';
import { BENCH_VENUE_BASIS, type Bench, type BenchMarket, copyRows, ensureLoaded } from './market.ts';
import { inSeconds, inTurns, ratioOf, summarize, timed, timedRounds } from './measure.ts';
import { runChild } from './processes.ts';
import { figure } from './report.ts';

const ROUNDS = 5;
const REQUEST: ExportSpec = {
  start: '2024-01-01',
  end: '2025-12-31',
  venue_mode: BENCH_VENUE_BASIS,
  adjust: 'none',
  format: 'csv.gz',
};
const COPY = `select i.symbol || '.US', d.day, d.open, d.high, d.low, d.close, d.volume, '${BENCH_VENUE_BASIS}'
  from daily_bars d join instruments i on i.id = d.instrument_id
  where d.basis = ${VENUE_BASIS_CODE[BENCH_VENUE_BASIS]} and d.day between '${REQUEST.start}' and '${REQUEST.end}'`;
const EMAIL = 'bench@example.com';
/** The limit of a worker's threads: three spaces of this size. */
const YOUNG_GENERATION = `--max-semi-space-size=${(THREAD_LIMITS.maxYoungGenerationSizeMb ?? 0) / 3}`;

interface Run {
  readonly rows: number;
  readonly ms: number;
  readonly maxRssMb: number;
}

async function ownerOf({ pool }: BenchMarket): Promise<number> {
  const profile = { name: 'Bench', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const user =
    (await selectUserByEmail(pool, EMAIL)) ?? (await insertUser(pool, { email: EMAIL, at: new Date(), ...profile }));
  return required(user, 'the account').id;
}

async function runOnce(market: BenchMarket, userId: number, folder: string): Promise<Run> {
  const [createdAt, expiresAt] = [new Date(), new Date()];
  const added = { userId, request: REQUEST, through: REQUEST.end, queueJobId: randomUUID(), requestId: 'bench' };
  const id = await insertExport(market.pool, { ...added, createdAt, expiresAt });
  const run = runChild<Run>('./export-child.ts', [market.url, folder, String(id)], [YOUNG_GENERATION]);
  rmSync(folder, { recursive: true });
  return run;
}

const benchRate: Bench = async (market) => {
  await ensureLoaded(market);
  const userId = await ownerOf(market);
  const [folder, copied] = [join(market.folder, 'exports'), join(market.folder, 'copied.csv')];
  const runs: Run[] = [];
  const { ours, floor } = await inTurns(ROUNDS, {
    ours: async () => {
      const run = await runOnce(market, userId, folder);
      runs.push(run);
      return run.ms;
    },
    floor: () => timed(() => copyRows(market, COPY, createWriteStream(copied))),
  });
  const megabytes = Math.round(statSync(copied).size / 1e6);
  rmSync(copied);
  const [{ rows }] = runs;
  const rate = (ms: number) => `${Math.round(rows / ms)} k rows/s`;
  const peak = summarize(runs.map(({ maxRssMb }) => maxRssMb));
  const note = `csv.gz ${rate(ours.median)}, COPY of ${megabytes} MB to a file ${rate(floor.median)}`;
  return [
    figure('export.rate_vs_copy', ratioOf(floor, ours), note),
    figure('export.peak_rss_mb', peak, `${(rows / 1e6).toFixed(1)} M rows, the whole process`),
  ];
};

const benchCoverage: Bench = async (market) => {
  await ensureLoaded(market);
  const measured = await timedRounds(ROUNDS, () => selectCoverage(market.pool));
  const [{ rows }] = await selectCoverage(market.pool);
  return [figure('coverage.uncached_s', inSeconds(measured), `${(rows / 1e6).toFixed(1)} M bars`)];
};

export const EXPORT = { export: benchRate, 'coverage.uncached_s': benchCoverage };
