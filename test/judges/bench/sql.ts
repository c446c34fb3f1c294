/** Compares queries as callers send them with DuckDB alone, in this process, over the same files. */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SQL_LIMITS } from '../../../jobs/contracts/sql.ts';
import { runQuery } from '../../../jobs/sql/run-query.ts';
import { endSpare, keepSpare, spareReady } from '../../../jobs/sql/spare.ts';
import { VIEW_DEFINITIONS } from '../../../jobs/sql/views.ts';
import { benchWrite, lakeFolder } from './lake.ts';
import type { Bench } from './market.ts';
import { alone, compare, timed } from './measure.ts';

const ROWS = 1_000;

/** From a lookup to a window over the whole market. */
const QUERIES = [
  `select year, count(*) as bars, sum(close * volume) as turnover from bars group by year order by year`,
  `select symbol, avg(close * volume) as turnover from bars where year = 2025 group by symbol order by 2 desc limit 20`,
  `select date, close, total_return_close from bars_adjusted where symbol = 'ACRX.US' order by date`,
  `select date_trunc('month', date) as month, arg_max(close, date) as close from bars_adjusted where symbol = 'ACRX.US'
   group by 1 order by 1`,
  `select symbol, date, close from bars where year = 2025
   qualify close = max(close) over (partition by symbol) order by date desc, symbol limit 100`,
  `with changes as (select date, close - lag(close) over (partition by symbol order by date) as change from bars where year >= 2024)
   select date, avg((change > 0)::int) as advancing from changes where change is not null group by date order by date`,
  `with returns as (select symbol, ln(close / lag(close) over (partition by symbol order by date)) as r from bars where year = 2025)
   select symbol, stddev(r) * sqrt(252) as volatility from returns group by symbol having count(r) > 200 order by 2 desc limit 20`,
  `select corr(a.close, b.close) as correlation from bars a join bars b using (date)
   where a.symbol = 'ACRX.US' and b.symbol = (select max(symbol) from symbols)`,
  `select asset_type, primary_venue, median(volume) as volume from bars join symbols using (symbol) where year = 2025
   group by all order by all`,
  `with ahead as (select symbol, date, lead(close, 5) over (partition by symbol order by date) / close - 1 as r from bars where year = 2025)
   select count(*) as signals, avg(r) as after_5_days from screener_daily join ahead using (symbol, date) where rsi_14 < 30`,
];

/** The process of a query may belong to another user. */
function openToReaders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
  }
}

async function openAlone(folder: string): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${SQL_LIMITS.memoryMb}MB`, threads: '2' });
  const connection = await instance.connect();
  await connection.run(`set file_search_path = '${folder}'`);
  for (const view of VIEW_DEFINITIONS) await connection.run(view);
  return connection;
}

const benchSql: Bench = async (market) => {
  const folder = lakeFolder(market);
  if (!existsSync(join(folder, 'screener_daily'))) await benchWrite(market);
  openToReaders(folder);
  const connection = await openAlone(folder);
  const ask = async (query: string) => {
    const context = { signal: new AbortController().signal, isPaused: () => false };
    const { outcome } = await runQuery(folder, { query, limit: ROWS }, context);
    if (outcome.type !== 'done') throw new Error(`${query}: ${JSON.stringify(outcome)}`);
  };
  const each = async (run: (query: string) => Promise<unknown>, before = async () => {}) => {
    let ms = 0;
    for (const query of QUERIES) {
      await before();
      ms += await timed(() => run(query));
    }
    return ms;
  };
  // As between two queries of a person.
  const ready = async () => {
    keepSpare(folder);
    await spareReady();
  };
  const time = await compare(`${QUERIES.length} queries; DuckDB in this process`, 'ms', {
    ours: () => each(ask, ready),
    floor: () => each(async (query) => (await connection.runAndReadAll(query)).getRowsJson()),
  });
  connection.closeSync();
  const first = await alone('without a process that waits', () => {
    endSpare();
    return timed(() => ask('select 1'));
  });
  return new Map([
    ['sql.time_vs_duckdb', time],
    ['sql.first_query_ms', first],
  ]);
};

export const SQL = { sql: benchSql };
