/** `npm run bench [-- --json] [--only NAME]`: speed and memory as ratios to floors measured in the same run. */
import '../node-version.ts';
import { join } from 'node:path';
import { Command } from 'commander';
import { createLogger } from '../../jobs/logger.ts';
import { readConfig } from '../config.ts';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { benchAsOf } from './as-of.ts';
import { benchBacktest } from './backtest.ts';
import { benchCapacity } from './capacity.ts';
import { benchEngine } from './engine.ts';
import { benchExport } from './export.ts';
import { benchGrowth } from './growth.ts';
import type { Figure } from './harness.ts';
import { benchHttp } from './http.ts';
import { benchLake } from './lake.ts';
import { benchLimiter } from './limiter.ts';
import { benchDayUpsert, benchLoad } from './load.ts';
import { benchLoop } from './loop.ts';
import { MachineNoise } from './machine-noise.ts';
import { type BenchMarket, openBenchMarket } from './market.ts';
import { benchNetwork } from './network.ts';
import { benchPortfolio } from './portfolio.ts';
import { benchQueue } from './queue.ts';
import { benchRead } from './read.ts';
import { toObject, toTable } from './report.ts';
import { benchRules } from './rules.ts';
import { benchScreener, benchSnapshot } from './screener.ts';
import { benchSite } from './site.ts';
import { benchSql } from './sql.ts';
import { benchRest, benchStart } from './start.ts';
import { benchStatistics } from './statistics.ts';
import { benchSweeps } from './sweep.ts';

const SECTIONS: Readonly<Record<string, (market: BenchMarket) => Promise<Figure[]>>> = {
  load: benchLoad,
  day_upsert: benchDayUpsert,
  read: benchRead,
  limiter: benchLimiter,
  loop: benchLoop,
  http: benchHttp,
  engine: benchEngine,
  rules: benchRules,
  sweep: benchSweeps,
  portfolio: benchPortfolio,
  statistics: benchStatistics,
  queue: benchQueue,
  backtest: benchBacktest,
  network: benchNetwork,
  capacity: benchCapacity,
  screener: benchScreener,
  snapshot: benchSnapshot,
  asof: benchAsOf,
  export: benchExport,
  lake: benchLake,
  sql: benchSql,
  site: benchSite,
  growth: benchGrowth,
  start: benchStart,
  rest: benchRest,
};

const command = new Command('bench')
  .option('--json', 'print one object of numbers')
  .option('--only <name>', `one of ${Object.keys(SECTIONS).join(', ')}`)
  .parse();
const { json = false, only } = command.opts<{ json?: boolean; only?: string }>();
if (only !== undefined && !SECTIONS[only]) command.error(`there is no section "${only}"`);

const config = readConfig();
const directory = join(config.DATA_DIR, 'bench');
const progress = (text: string) => process.stderr.write(text);
const server = await startEmbeddedPostgres(directory, createLogger('bench', config.LOG_LEVEL));
const figures: Figure[] = [];
const noise = new MachineNoise();
try {
  progress('preparing the market …\n');
  const market = await openBenchMarket(directory, server.url);
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (only !== undefined && name !== only) continue;
    progress(`${name} …\n`);
    noise.sample();
    figures.push(...(await section(market)));
  }
  await market.pool.end();
} finally {
  await server.stop();
}
figures.push(noise.figure());
process.stdout.write(json ? `${JSON.stringify(toObject(figures))}\n` : toTable(figures));
