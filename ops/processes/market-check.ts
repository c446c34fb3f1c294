import { createPool, type Pool } from '../../db/pool.ts';
import { describeSource, selectOtherMarket } from '../../jobs/market-source.ts';
import type { Config } from '../config.ts';
import { marketSource } from '../settings.ts';
import { StartupError } from '../startup-error.ts';

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

/** Opens a connection for the check. */
export async function checkMarket(config: Config, url: string): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'setup' });
  try {
    await assertSameMarket(config, pool);
  } finally {
    await pool.end();
  }
}
