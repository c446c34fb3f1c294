/** The provider that the market in the database came from. Accounts and their results do not depend on it. */

import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { isMissingTable } from '../errors.ts';
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, type TableName } from '../schema/tables.ts';
import { bumpDataVersion, DATA_SCOPES } from './data-versions.ts';

const SOURCE = selection('market_source', {
  provider: 'provider',
  folder: 'folder',
  sampleSymbols: 'sample_symbols',
});

/** A folder or size of null in a record is not known yet. */
export type MarketSource = Selected<typeof SOURCE>;

/** Null while nothing has been loaded or the database has not been migrated. */
export async function selectMarketSource(db: Queryable): Promise<MarketSource | null> {
  try {
    const { rows } = await db.query<MarketSource>(`select ${SOURCE.sql} from market_source`);
    return rows[0] ?? null;
  } catch (error) {
    if (isMissingTable(error)) return null;
    throw error;
  }
}

/** When the market was set up; null: nothing has been loaded. */
export async function selectRecordedAt(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>('select recorded_at as at from market_source');
  return rows[0]?.at ?? null;
}

/** The first session with consolidated bars of the market; null: the default. */
export async function selectConsolidatedFrom(db: Queryable): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>({
    name: 'select_consolidated_from',
    text: 'select consolidated_from as day from market_source',
  });
  const day = rows[0]?.day ?? null;
  return day === null ? null : requireDay(day);
}

/** Records the first session with consolidated bars. */
export async function saveConsolidatedFrom(pool: Pool, day: Day | null): Promise<void> {
  await transaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      'update market_source set consolidated_from = $1 where consolidated_from is distinct from $1::date',
      [day === null ? null : formatDay(day)],
    );
    if (rowCount === 1) await bumpDataVersion(connection, 'provider');
  });
}

/** Records the source of the first load. Does nothing when a source is recorded. */
export async function recordMarketSource(db: Queryable, source: MarketSource, at: Date): Promise<void> {
  await db.query(
    `insert into market_source (provider, folder, sample_symbols, recorded_at) values ($1, $2, $3, $4)
     on conflict (only_row) do nothing`,
    [source.provider, source.folder, source.sampleSymbols, at],
  );
}

export async function replaceMarketSource(connection: Connection, source: MarketSource, at: Date): Promise<void> {
  await connection.query('delete from market_source');
  await recordMarketSource(connection, source, at);
}

/** Tables that `market replace` empties, because they can be loaded or computed again. Referring tables come before referred ones. */
export const MARKET_TABLES = [
  'file_readings',
  'rejected_rows',
  'revisions',
  'impact_mails',
  'impacts',
  'load_impacts',
  'kept_reads',
  'sync_units',
  'sync_jobs',
  'sync_watermarks',
  'session_checks',
  'session_steps',
  'snapshots',
  'past_snapshots',
  'market_overviews',
  'newest_claims',
  'comparison_differences',
  'comparisons',
  'lake_files',
  'lake_snapshots',
  'lake_tables',
  'lake_orphans',
  'lake',
  'bar_years',
  'data_findings',
  'backtest_results',
  'loaded_sessions',
  'provider_ranges',
  'bar_seals',
  'bar_blocks',
  'daily_bars',
  'adjustments',
  'previous_names',
  'previous_tickers',
  'instruments',
  'market_source',
] as const satisfies readonly TableName[];

/** Tables that `market replace` keeps. A new table goes into one of the two lists. */
export const KEPT_TABLES = [
  'account_events',
  'account_runs',
  'access_records',
  'api_keys',
  'article_covers',
  'article_texts',
  'articles',
  'backup_drills',
  'backups',
  'audit_log',
  'audit_refusals',
  'runs',
  'backtests',
  'column_blocks',
  'column_versions',
  'daily_access',
  'daily_page_visitors',
  'daily_usage',
  'data_versions',
  'drawings',
  'forward_entries',
  'forward_heads',
  'forward_records',
  'exports',
  'idempotency_answers',
  'idempotency_pieces',
  'job_attempts',
  'job_claims',
  'key_trials',
  'limiter_clock',
  'login_events',
  'login_requests',
  'oauth_records',
  'own_columns',
  'own_strategies',
  'own_strategy_versions',
  'page_visitors',
  'paused_queues',
  'rate_limits',
  'refresh_tokens',
  'sessions',
  'signal_digests',
  'signal_evaluations',
  'signals',
  'sweep_chunks',
  'sweeps',
  'strategy_proofs',
  'trials',
  'users',
  'visiting_users',
  'visitors',
  'watches',
  'webhook_deliveries',
  'webhooks',
  'workers',
] as const satisfies readonly TableName[];

/**
 * Deletes the market and the jobs that work on it. New ids continue after the old ones, so that no kept reference to an
 * instrument points to another one.
 */
export async function deleteMarket(connection: Connection): Promise<void> {
  await connection.query(`truncate ${MARKET_TABLES.join(', ')}`);
  for (const scope of DATA_SCOPES) await bumpDataVersion(connection, scope);
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

/** The provider's keys of the instruments. */
export async function selectProviderKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>('select provider_key as key from instruments');
  return rows.map(({ key }) => key);
}

/** The values of every bar of a session, as texts that are equal if the values are. */
export async function selectBarFigures(db: Queryable, venueBasis: VenueBasis, day: Day): Promise<string[]> {
  const { rows } = await db.query<BarFigures>(
    'select open, high, low, close, volume from daily_bars where basis = $1 and day = $2',
    [VENUE_BASIS_CODE[venueBasis], formatDay(day)],
  );
  return rows.map(barFigures);
}

export type BarFigures = Pick<Rows['daily_bars'], 'open' | 'high' | 'low' | 'close' | 'volume'>;

export function barFigures({ open, high, low, close, volume }: BarFigures): string {
  return `${open} ${high} ${low} ${close} ${volume}`;
}
