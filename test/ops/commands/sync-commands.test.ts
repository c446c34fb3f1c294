/** Output of the command line about loads and missing sessions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder, runSyncJob } from '../../support/market-folder.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));

let database: TestDatabase;
let folder: MarketFolder;

beforeAll(async () => {
  database = await createTestDatabase();
  const row = (symbol: string, day: string, low = 1) => `${symbol},${day},1,2,${low},1,5\n`;
  folder = createMarketFolder({
    'symbols.csv': 'symbol\nS\n',
    'daily/consolidated/2026-05-27.csv': BARS_HEADER + row('S', '2026-05-27') + row('NOBODY', '2026-05-27'),
    'daily/consolidated/2026-05-28.csv': BARS_HEADER + row('S', '2026-05-28', 1.5) + 'S,2026-05-28\n'.repeat(9),
    'daily/consolidated/2026-05-29.csv': BARS_HEADER + row('S', '2026-05-29') + row('NOBODY', '2026-05-29'),
  });
  for (const jobType of ['symbols', 'adjustments', 'daily_bars'] as const) {
    await runSyncJob(database.pool, folder.provider(), jobType);
  }
});
afterAll(async () => {
  await database.drop();
  folder.remove();
});

async function ops(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    PROVIDER: 'files',
    PROVIDER_DIR: folder.path,
    FIXED_NOW: '2026-06-01T16:00:00Z',
  };
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

it('names the units that could not be loaded, and counts rejected rows by reason', async () => {
  const list = await ops('sync', 'list');
  expect(list).toContain(
    'failed  1 of 3 units could not be loaded whole, the others are: consolidated 2026-05-28..2026-05-28: not loaded: daily/consolidated/2026-05-28.csv: 10 of 10 lines are malformed',
  );
  expect(list).toContain('[2 rows, 12 rejected (unreadable 9, unknown_instrument 2, low_too_high 1)]');
  expect(list).toContain('4 files: 3 loaded, 1 not (npm run ops -- files check)');
  expect(await ops('sync', 'files', '3')).toMatch(/^daily\/consolidated\/2026-05-27\.csv +own +3 +1 +0 +1 +0/m);
  const rejected = await ops('sync', 'rejected', '3');
  expect(rejected).toMatch(/^12 rejected \(unreadable 9, unknown_instrument 2, low_too_high 1\)$/m);
  expect(rejected).toMatch(/^1 +low_too_high +.*2026-05-28\.csv:2 +S,2026-05-28,1,2,1.5,1,5/m);
});

it('tells the window of the sessions with a problem, or without', async () => {
  const show = (...more: string[]) => ops('calendar', 'show', '--problems', ...more);
  expect(await show()).toMatch(/all problems from 2026-05-02 to 2026-06-01; --start looks further back/);
  expect(await show('--start', '2026-05-01', '--end', '2026-05-05')).toBe(
    'no problems from 2026-05-01 to 2026-05-05\n',
  );
});

it('lists all commands, those over HTTP too, also after one that does not exist', async () => {
  expect(await ops('--help')).toMatch(/^ {2}api +Call a service over HTTP/m);
  const child = spawn(process.execPath, [CLI, 'nonsense'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(errors).toMatch(/unknown command 'nonsense'[\s\S]*^ {2}doctor/m);
  expect(code).toBe(2);
});

it('names missing sessions in the doctor', async () => {
  expect(await ops('doctor')).toMatch(
    /no session is missing: published sessions that are not loaded: 1 \(2026-05-28\.\.2026-05-28\)/,
  );
});
