/** Which provider the market in the database came from. Accounts and their results do not depend on it. */

import { type Day, formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { isMissingTable } from '../errors.ts';
import type { Connection, Queryable } from '../pool.ts';
import { bumpDataVersion, type DataScope } from './data-versions.ts';

export interface MarketSource {
  readonly provider: string;
  /** Absolute path, of the provider `files`; null in a record: not known yet. */
  readonly folder: string | null;
  /** Size of the sample market; null in a record: not known yet. */
  readonly sampleSymbols: number | null;
}

const COLUMNS = 'provider, folder, sample_symbols as "sampleSymbols"';

/** Null while nothing has been loaded, or the database has not been migrated yet. */
export async function selectMarketSource(db: Queryable): Promise<MarketSource | null> {
  try {
    const { rows } = await db.query<MarketSource>(`select ${COLUMNS} from market_source`);
    return rows[0] ?? null;
  } catch (error) {
    if (isMissingTable(error)) return null;
    throw error;
  }
}

/** Records the source of the first load; changes nothing that is known. */
export async function recordMarketSource(db: Queryable, source: MarketSource, at: Date): Promise<void> {
  await db.query(
    `insert into market_source (provider, folder, sample_symbols, recorded_at) values ($1, $2, $3, $4)
     on conflict (only_row) do nothing`,
    [source.provider, source.folder, source.sampleSymbols, at],
  );
}

/** Fills in what is not known of a source that was recorded before folders and sizes were. */
export async function completeMarketSource(db: Queryable, source: MarketSource): Promise<void> {
  await db.query(
    `update market_source set folder = $2, sample_symbols = $3
     where provider = $1 and folder is null and sample_symbols is null`,
    [source.provider, source.folder, source.sampleSymbols],
  );
}

export async function replaceMarketSource(connection: Connection, source: MarketSource, at: Date): Promise<void> {
  await connection.query('delete from market_source');
  await recordMarketSource(connection, source, at);
}

/** Tables that `market replace` empties: whatever can be loaded or computed again. References come before what they refer to. */
export const MARKET_TABLES = [
  'rejected_rows',
  'sync_units',
  'sync_jobs',
  'sync_watermarks',
  'session_checks',
  'snapshots',
  'backtest_results',
  'loaded_sessions',
  'provider_ranges',
  'bar_seals',
  'bar_blocks',
  'daily_bars',
  'adjustments',
  'previous_tickers',
  'instruments',
  'market_source',
] as const;

/** Tables that outlive the market. A new table goes into one of the two lists. */
export const KEPT_TABLES = [
  'access_records',
  'api_keys',
  'article_texts',
  'articles',
  'audit_log',
  'audit_refusals',
  'backtest_runs',
  'backtests',
  'daily_access',
  'daily_page_visitors',
  'daily_usage',
  'data_versions',
  'exports',
  'idempotency_answers',
  'job_claims',
  'limiter_clock',
  'login_codes',
  'login_events',
  'page_visitors',
  'paused_queues',
  'rate_limits',
  'refresh_tokens',
  'sessions',
  'users',
  'visiting_users',
  'visitors',
] as const;

const SCOPES: readonly DataScope[] = ['symbols', 'adjustments', 'bars', 'provider'];

/**
 * Drops the market and the queue's jobs that work on it. Ids go on counting, so that what was kept of an instrument never
 * points to another one.
 */
export async function deleteMarket(connection: Connection): Promise<void> {
  await connection.query(`truncate ${MARKET_TABLES.join(', ')}`);
  await connection.query(`delete from pgboss.job where name like 'sync.%' or name like 'snapshot.%'`);
  for (const scope of SCOPES) await bumpDataVersion(connection, scope);
}

export interface MarketSize {
  readonly instruments: number;
  readonly sessions: number;
}

export async function selectMarketSize(db: Queryable): Promise<MarketSize> {
  const { rows } = await db.query<MarketSize>(
    `select (select count(*)::int from instruments) as instruments,
       (select count(distinct day)::int from loaded_sessions where rows > 0) as sessions`,
  );
  return rows[0];
}

/** Keys under which the provider knows the instruments. */
export async function selectProviderKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>('select provider_key as key from instruments');
  return rows.map(({ key }) => key);
}

/** Figures of every bar of a session, as texts that are equal when the figures are. */
export async function selectSessionFigures(db: Queryable, venueBasis: VenueBasis, day: Day): Promise<string[]> {
  const { rows } = await db.query<BarFigures>(
    'select open, high, low, close, volume from daily_bars where basis = $1 and day = $2',
    [VENUE_BASIS_CODE[venueBasis], formatDay(day)],
  );
  return rows.map(barFigures);
}

export interface BarFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export function barFigures({ open, high, low, close, volume }: BarFigures): string {
  return `${open} ${high} ${low} ${close} ${volume}`;
}
