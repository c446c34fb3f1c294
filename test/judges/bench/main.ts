/** `npm run bench [-- --json] [--only NAME] [--quick]`: speed and memory as ratios to floors measured in the same run. */
import '../../../ops/node-version.cjs';
import { join } from 'node:path';
import { Command } from 'commander';
import { startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { toError } from '../../../engine/util/errors.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { readConfig } from '../../../ops/config.ts';
import { ASSEMBLY } from './assembly.ts';
import { BACKTEST } from './backtest.ts';
import { COLUMNS } from './columns.ts';
import { DEFAULT_BACKTESTS } from './default-backtests.ts';
import { ENGINE } from './engine.ts';
import { EXPORT } from './export.ts';
import { FACTORS_BENCH } from './factors.ts';
import { FILES } from './files.ts';
import { FORWARD_BENCH } from './forward.ts';
import { GROWTH } from './growth.ts';
import { HTTP } from './http.ts';
import { IMPACT_BENCH } from './impact.ts';
import { JUDGE_BENCH } from './judge.ts';
import { LAKE } from './lake.ts';
import { LIMITER } from './limiter.ts';
import { LOAD } from './load.ts';
import { LOOP } from './loop.ts';
import { type Bench, openBenchMarket } from './market.ts';
import type { Figure } from './measure.ts';
import { OUTCOMES_BENCH } from './outcomes.ts';
import { PORTFOLIO } from './portfolio.ts';
import { QUEUE } from './queue.ts';
import { GOALS, recordCalibration, toObject, toTable } from './report.ts';
import { ROTATION } from './rotation.ts';
import { RULES } from './rules.ts';
import { SCREENER } from './screener.ts';
import { SITE } from './site.ts';
import { SPARK } from './spark.ts';
import { SQL } from './sql.ts';
import { START } from './start.ts';
import { STATISTICS } from './statistics.ts';
import { STREAMS_AND_ARROW } from './streams.ts';
import { SWEEP } from './sweep.ts';
import { TABLES } from './tables.ts';
import { TEAR_SHEET } from './tear-sheet.ts';
import { TRACE } from './trace.ts';

const GROUPS: readonly Readonly<Record<string, Bench>>[] = [
  ...[
    LOAD,
    FILES,
    COLUMNS,
    EXPORT,
    LAKE,
    TABLES,
    SQL,
    LIMITER,
    LOOP,
    HTTP,
    STREAMS_AND_ARROW,
    TRACE,
    ENGINE,
    RULES,
    STATISTICS,
    TEAR_SHEET,
    PORTFOLIO,
    ROTATION,
    FACTORS_BENCH,
    OUTCOMES_BENCH,
    FORWARD_BENCH,
    JUDGE_BENCH,
    IMPACT_BENCH,
  ],
  ...[QUEUE, BACKTEST, DEFAULT_BACKTESTS, SWEEP, ASSEMBLY, SPARK, SCREENER, SITE, GROWTH, START],
];
/** By the row that each measures, or by the beginning of the names of its rows. */
const BENCHES = GROUPS.flatMap((group) => Object.entries(group));

const command = new Command('bench')
  .option('--json', 'print one object of numbers')
  .option('--only <name>', 'a row, or the beginning of the names of several: http, http.quote_p99_vs_floor_p99')
  .option('--quick', 'one round on a small market: shows that every row is produced; its figures mean nothing')
  .option('--record', 'write the calibration of verdicts to its page')
  .parse();
const { json = false, only = '', record = false } = command.opts<{ json?: boolean; only?: string; record?: boolean }>();
const isWanted = (key: string) => key.startsWith(only);
const wanted = BENCHES.filter(([name]) => isWanted(name) || only.startsWith(`${name}.`));
if (wanted.length === 0)
  command.error(`there is no row "${only}"; they begin with ${BENCHES.map(([name]) => name).join(', ')}`);

const config = readConfig();
const directory = join(config.DATA_DIR, 'bench');
const progress = (text: string) => process.stderr.write(text);
const server = await startEmbeddedPostgres(directory, createLogger('bench', config.LOG_LEVEL));
const figures = new Map<string, Figure>();
try {
  progress('preparing the market …\n');
  const market = await openBenchMarket(directory, server.url);
  for (const [name, bench] of wanted) {
    progress(`${name} …\n`);
    try {
      const measured = await bench(market);
      const rows = measured instanceof Map ? measured : new Map([[name, measured]]);
      for (const [key, figure] of rows) figures.set(key, figure);
      progress(toTable(rows));
    } catch (error) {
      // The remaining rows are still measured; missing ones are reported at the end.
      progress(`${name}: ${toError(error).stack}\n`);
    }
  }
  await market.pool.end();
} finally {
  await server.stop();
}
const reported = new Map([...figures].filter(([key]) => isWanted(key)));
const missing = Object.keys(GOALS).filter((key) => isWanted(key) && !reported.has(key));
process.stdout.write(json ? `${JSON.stringify(toObject(reported))}\n` : toTable(reported));
if (record) await recordCalibration(reported);
if (missing.length > 0) throw new Error(`no figure for ${missing.join(', ')}`);
