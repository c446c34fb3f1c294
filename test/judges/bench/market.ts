/** Seeded markets for measurements: up to 12,000 instruments over six years, written once as CSV files and reused. */

import { createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { newApiKey } from '../../../api/access/tokens.ts';
import { readMarketData } from '../../../api/market/market-data.ts';
import type { MarketFacts } from '../../../api/market/market-view.ts';
import { indexNewDays } from '../../../db/market/bar-blocks.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { selectLoadedSessions } from '../../../db/market/loaded-sessions.ts';
import { EARLIER_SCHEMA, migrate } from '../../../db/migrate.ts';
import { createPool, ensureDatabase, type Pool, transaction } from '../../../db/pool.ts';
import { newestDistributableDay, sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, dayOf, formatDayCached, newYorkDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { codeOf } from '../../../engine/util/errors.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { FilesProvider } from '../../../jobs/providers/files/files-provider.ts';
import type { LoadUnit } from '../../../jobs/providers/provider.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { loadTickerBook } from '../../../jobs/sync/adjustments.ts';
import { packHistory } from '../../../jobs/sync/daily-bars.ts';
import { upsertProvidedInstruments } from '../../../jobs/sync/symbols.ts';
import { UnitLoader } from '../../../jobs/sync/unit-loader.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { testJobContext } from '../../support/job-context.ts';
import { lehmer } from '../../support/series.ts';
import { type Figure, IS_QUICK } from './measure.ts';

export const BENCH_SYMBOLS = IS_QUICK ? 1_600 : 12_000;
export const BENCH_YEARS = [2020, 2021, 2022, 2023, 2024, 2025] as const;
export const BENCH_VENUE_BASIS = 'consolidated';
export const BENCH_VENUE_BASIS_CODE = VENUE_BASIS_CODE[BENCH_VENUE_BASIS];
export const BENCH_LOG = createLogger('bench', 'warn');
export const BENCH_NOW = Date.UTC(2026, 5, 1);
const never = new AbortController().signal;

/** Measures a row, or several by their names. */
export type Bench = (market: BenchMarket) => Promise<Figure | Map<string, Figure>>;

export interface BenchMarket {
  /** Folder of everything that is kept between runs. */
  readonly directory: string;
  /** Folder in the layout of the files provider, with one CSV file per year. */
  readonly folder: string;
  /** `DATA_DIR` of the services on this market, and their object storage in it. */
  readonly data: string;
  readonly objects: string;
  /** Variables of services on this market. */
  readonly source: Readonly<Record<string, string>>;
  readonly url: string;
  /** URL of the server, to create further databases. */
  readonly serverUrl: string;
  readonly pool: Pool;
  readonly provider: FilesProvider;
}

async function writeFolder(folder: string, symbols: number): Promise<void> {
  if (existsSync(folder)) return;
  const fresh = `${folder}.new`;
  mkdirSync(join(fresh, 'daily', BENCH_VENUE_BASIS), { recursive: true });
  const sample = new SampleProvider({ symbols, now: () => BENCH_NOW });
  const lines = new Map([['symbol', 'symbol,name,asset_type,primary_venue']]);
  for await (const { ticker, name, assetType, primaryVenue } of sample.instruments()) {
    lines.set(ticker, `${ticker},"${name}",${assetType},${primaryVenue}`);
  }
  writeFileSync(join(fresh, 'symbols.csv'), `${[...lines.values()].join('\n')}\n`);
  for (const year of BENCH_YEARS) {
    const [file] = yearUnit(year).parts;
    await pipeline(Readable.from(csvOf(sample, year)), createWriteStream(join(fresh, file)));
  }
  renameSync(fresh, folder);
}

async function* csvOf(sample: SampleProvider, year: number): AsyncGenerator<string> {
  yield 'symbol,date,open,high,low,close,volume\n';
  const unit = { ...yearUnit(year), parts: [String(year)] };
  for await (const b of sample.dailyBars('single_venue', unit, never)) {
    let text = '';
    for (let i = 0; i < b.count; i++) {
      text += `${b.ticker[i]},${formatDayCached(b.day[i])},${b.open[i]},${b.high[i]},${b.low[i]},${b.close[i]},${b.volume[i]}\n`;
    }
    yield text;
  }
}

/** Ensures a migrated database on the server and returns its URL. `isFresh`: without what earlier runs left in it. */
export async function benchDatabase(serverUrl: string, name: string, isFresh = false): Promise<string> {
  if (isFresh) {
    const pool = createPool({ url: serverUrl, max: 1, applicationName: 'bench' });
    await pool.query(`drop database if exists ${name} with (force)`);
    await pool.end();
  }
  await ensureDatabase(serverUrl, name);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  try {
    await migrate(url);
  } catch (error) {
    if (codeOf(error) !== EARLIER_SCHEMA) throw error;
    return benchDatabase(serverUrl, name, true);
  }
  await declareQueues(url);
  return url;
}

/** Opens a market in a separate database with its instruments. It has bars only if an earlier run left them. */
export async function openBenchMarket(
  directory: string,
  serverUrl: string,
  symbols = BENCH_SYMBOLS,
): Promise<BenchMarket> {
  const folder = join(directory, `market-${symbols}-${BENCH_YEARS[0]}-${BENCH_YEARS.at(-1)}`);
  await writeFolder(folder, symbols);
  const url = await benchDatabase(serverUrl, `bench_${symbols}`);
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  const provider = new FilesProvider({ folder, cacheFile: `${folder}-index.json`, now: () => BENCH_NOW });
  const instruments = await Array.fromAsync(provider.instruments(() => {}));
  await transaction(pool, (connection) => upsertProvidedInstruments(connection, instruments, newYorkDay(BENCH_NOW)));
  const [data, source] = [join(directory, 'service'), { PROVIDER: 'files', PROVIDER_DIR: folder }];
  return { directory, folder, data, objects: join(data, 'objects'), source, url, serverUrl, pool, provider };
}

/** Loads a unit as the sync job does and returns the number of rows. Throws if it has none. */
export async function loadUnit(
  { pool, provider }: Pick<BenchMarket, 'pool' | 'provider'>,
  unit: LoadUnit,
): Promise<number> {
  const tickers = await loadTickerBook(pool);
  return transaction(pool, async (connection) => {
    const loader = await UnitLoader.begin(connection, {
      venueBasis: BENCH_VENUE_BASIS,
      unit,
      tickers,
      instrumentIds: null,
      knownInstruments: new Set(),
      keepsAccounts: true,
      forgets: false,
      refusedFiles: 0,
      takesFirstFile: false,
      origin: { syncJobId: null, at: new Date() },
    });
    await loader.load(provider, never, async () => {});
    const { accepted, change } = await loader.finish();
    if (accepted === 0) throw new Error(`${unit.key} has no bar`);
    if (change.rows > 0) await bumpDataVersion(connection, 'bars');
    return accepted;
  });
}

/** The context of the jobs that build snapshots. */
export const snapshotContext = ({ pool, objects }: BenchMarket) =>
  testJobContext({ pool, storage: openStorage({ folder: objects }), now: () => BENCH_NOW });

/** The bars of some days in a file of the folder. */
export function unitOf(start: Day, end: Day, name: string): LoadUnit {
  const file = `daily/${BENCH_VENUE_BASIS}/${name}.csv`;
  return { key: file, start, end, isClipped: false, weight: 1, parts: [file] };
}

export function yearUnit(year: number): LoadUnit {
  return unitOf(dayOf(year, 1, 1), dayOf(year, 12, 31), String(year));
}

/** Removes all bars. */
export async function clearBars(pool: Pool): Promise<void> {
  await pool.query('truncate daily_bars, bar_blocks, bar_seals, loaded_sessions');
}

/**
 * Loads the market and runs `work` while it also has packed bars of the primary session up to a year, so that histories reach back
 * before the first consolidated session, as they do in a market that is in use.
 */
export async function withWholeHistories<T>(market: BenchMarket, toYear: number, work: () => Promise<T>): Promise<T> {
  await ensureLoaded(market);
  const { pool } = market;
  const to = VENUE_BASIS_CODE.primary_session;
  await pool.query(
    `insert into bar_blocks (instrument_id, basis, year, data)
     select instrument_id, $2::int, year, data from bar_blocks where basis = $1::int and year <= $3 on conflict do nothing`,
    [BENCH_VENUE_BASIS_CODE, to, toYear],
  );
  await pool.query('insert into bar_seals values ($1, $2) on conflict do nothing', [to, `${toYear}-12-31`]);
  // Otherwise autovacuum would run during the first rounds.
  await pool.query('vacuum analyze bar_blocks');
  try {
    return await work();
  } finally {
    await pool.query('delete from bar_blocks where basis = $1', [to]);
    await pool.query('delete from bar_seals where basis = $1', [to]);
  }
}

/** Creates accounts on the enterprise plan in place of those of earlier runs, with an API key each. */
export async function replaceCallers(pool: Pool, count: number) {
  const keys = Array.from({ length: count }, newApiKey);
  await pool.query(`delete from users where email like 'bench-%@example.com'`);
  await pool.query('delete from rate_limits');
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (email, name, language, plan, created_at)
     select 'bench-' || i || '@example.com', 'Bench', 'en', 'enterprise', now() from generate_series(1, $1::int) i
     returning id`,
    [count],
  );
  await pool.query(
    `insert into api_keys (user_id, name, key_hash, prefix, created_at, slot)
     select user_id, 'bench', key_hash, prefix, now(), 1
     from unnest($1::int[], $2::bytea[], $3::text[]) t (user_id, key_hash, prefix)`,
    [rows.map(({ id }) => id), keys.map(({ hash }) => hash), keys.map(({ prefix }) => prefix)],
  );
  return keys.map(({ plaintext }, i) => ({ userId: rows[i].id, key: plaintext }));
}

/** Loads and packs all years that are missing; returns the number of rows. */
export async function ensureLoaded(market: BenchMarket): Promise<number> {
  const loaded = new Set(await selectLoadedSessions(market.pool, BENCH_VENUE_BASIS));
  for (const year of BENCH_YEARS) {
    const unit = yearUnit(year);
    if (!sessionsBetween(unit.start, unit.end).every((day) => loaded.has(day))) await loadUnit(market, unit);
  }
  await indexNewDays(market.pool);
  await packHistory(market.pool, BENCH_VENUE_BASIS);
  const { rows } = await market.pool.query<{ total: number }>('select sum(rows)::float8 as total from loaded_sessions');
  return rows[0].total;
}

/** Facts of the market that a request needs. */
export async function marketFacts(pool: Pool): Promise<MarketFacts> {
  const { directory, sessions } = await readMarketData(pool);
  const distributableDay = newestDistributableDay(BENCH_NOW);
  const newestSession = sessions.findLast((day) => day <= distributableDay) ?? null;
  return { directory, distributableDay, newestSession, mode: 'eod_only' };
}

/** Copies the result of a query as CSV into a stream: the floor of what writes many rows. */
export async function copyRows({ pool }: BenchMarket, query: string, to: Writable): Promise<void> {
  const connection = await pool.connect();
  try {
    await pipeline(connection.query(copyTo(`copy (${query}) to stdout with (format csv)`)), to);
  } finally {
    connection.release();
  }
}

/** Bars of a random walk, the same in every run. `middle`: below 0.5 prices tend to rise. */
export function walk(length: number, seed = 1, middle = 0.495): BarSeries {
  const series = allocateSeries(length);
  const random = lehmer(seed);
  let price = 100;
  for (let i = 0; i < length; i++) {
    const open = price * (1 + 0.01 * (random() - 0.5));
    price = open * (1 + 0.03 * (random() - middle));
    series.day[i] = dayOf(2000, 1, 1) + i;
    series.open[i] = open;
    series.close[i] = price;
    series.high[i] = Math.max(open, price) * (1 + 0.005 * random());
    series.low[i] = Math.min(open, price) * (1 - 0.005 * random());
    series.volume[i] = Math.round(1e6 * random() ** 4);
  }
  return series;
}
