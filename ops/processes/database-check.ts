/** Checks of the database before a process uses it. */
import { createPool, type Pool } from '../../db/pool.ts';
import { sharesSessions } from '../../db/pooler.ts';
import { describeSource, selectOtherMarket } from '../../jobs/market-source.ts';
import type { Config } from '../config.ts';
import { marketSource } from '../settings.ts';
import { placeOfDatabase, StartupError } from '../startup-error.ts';

/** Describes the two markets and the possible actions; null: the database has the configured market or none. */
export async function describeOtherMarket(config: Config, pool: Pool): Promise<string | null> {
  const asked = marketSource(config);
  const recorded = await selectOtherMarket(pool, asked);
  if (!recorded) return null;
  const place = config.DATABASE_URL ? 'The database' : config.DATA_DIR;
  const elsewhere = config.DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR';
  const hasMoved = recorded.provider === 'files' && asked.provider === 'files';
  const moved = hasMoved ? ' If the folder has only moved, run "npm run ops -- market adopt".' : '';
  return (
    `${place} has ${describeSource(recorded)}, but the configured provider is ${describeSource(asked)}. Either run ` +
    `"npm run ops -- market replace" (drops only the market; accounts, keys, backtests and articles stay), or set another ${elsewhere}.${moved}`
  );
}

/** Throws a `StartupError` when the database holds another market. */
async function assertSameMarket(config: Config, pool: Pool): Promise<void> {
  const problem = await describeOtherMarket(config, pool);
  if (problem !== null) throw new StartupError(problem);
}

/** Throws a `StartupError` when connections have no sessions of their own, as behind a pooler in transaction mode. */
async function assertOwnSessions(pool: Pool, url: string): Promise<void> {
  if (!(await sharesSessions(pool))) return;
  throw new StartupError(
    `${placeOfDatabase(url)} gives connections no sessions of their own. Set pool_mode = session in its pooler.`,
  );
}

/** Opens connections for the checks. */
export async function checkDatabase(config: Config, url: string): Promise<void> {
  const pool = createPool({ url, max: 2, applicationName: 'setup' });
  try {
    await assertOwnSessions(pool, url);
    await assertSameMarket(config, pool);
  } finally {
    await pool.end();
  }
}
