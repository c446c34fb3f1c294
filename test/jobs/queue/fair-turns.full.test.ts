/** Accounts that share the slots of a worker: heavy runs of one do not keep those of another waiting. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const SYMBOLS = 50;
const SLOTS = 2;
/** The concurrent runs that a pro account may have. */
const MANY = 5;
/** Far below the time limit of the heavy queries, far above that of a new process between them on a busy machine. */
const WAIT_MS = 5_000;
/** A query that runs until it is ended. */
const ENDLESS = 'select count(*) from bars a, bars b, bars c where a.close + b.close + c.close < 0';

let folder: string;
let database: TestDatabase;
let api: TestApi;
let worker: ChildProcess;
let heavy: Person;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fair-turns-'));
  const provider = new SampleProvider({ symbols: SYMBOLS, now: () => NOW });
  database = await createWrittenDatabase(provider, join(folder, 'objects'), [NOW]);
  const storage = openStorage({ folder: join(folder, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  worker = await startSampleWorker(
    { database, folder, now: NOW, symbols: SYMBOLS },
    { JWT_SECRET: 'a-secret-of-the-tests-with-enough-characters', WORKER_SLOTS: String(SLOTS), SHUTDOWN_GRACE_S: '1' },
  );
}, deadline(60_000));
afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await api.close();
  await database.drop();
  removeTree(folder);
});
beforeEach(async () => {
  heavy = await addPerson(api, newEmail(), { plan: 'pro' });
});

/** How many runs of the heavy account are under way, or only those that have begun. */
async function countHeavy(...statuses: string[]): Promise<number> {
  const { rowCount } = await database.pool.query('select from runs where user_id = $1 and status = any($2)', [
    heavy.id,
    statuses,
  ]);
  return rowCount ?? 0;
}

const haveBegun = () =>
  eventually(
    () => countHeavy('running'),
    (count) => count === SLOTS,
  );

/** Starts as many runs of the heavy account as it may have; each request differs by its number. */
async function begin(path: string, bodyOf: (i: number) => object): Promise<void> {
  for (let i = 0; i < MANY; i++) {
    const queued = await api.post(path, bodyOf(i), { ...heavy.program, prefer: 'respond-async' });
    expect(queued.status).toBe(202);
  }
  await haveBegun();
}

/** Expects that a call is answered in time, while runs of the heavy account are still under way. */
async function promptly(path: string, body: object, { program }: Person) {
  const since = performance.now();
  const answer = await api.post(path, body, program);
  const waited = performance.now() - since;
  expect(await countHeavy('queued', 'running')).toBeGreaterThan(0);
  expect(waited).toBeLessThan(deadline(WAIT_MS));
  return answer;
}

it(
  'answers backtests of an account while another one runs five portfolios that trade each bar',
  async () => {
    const other = await addPerson(api, newEmail());
    const { rows } = await database.pool.query(
      `select distinct symbol from instruments where delisted_on is null order by symbol`,
    );
    const symbols = rows.map(({ symbol }) => symbol);
    const bodyOf = (i: number) => ({
      symbols,
      strategy: 'rules',
      rules: { entry: 'close > 0', exit: 'close > 0' },
      time_range: 'MAX',
      allocation: { max_positions: symbols.length },
      cost: { slippage_bps: i },
      save: false,
    });
    await begin('/v1/portfolio', bodyOf);
    const { status, body } = await promptly(
      '/v1/backtest',
      { symbol: symbols[0], time_range: '1Y', save: false },
      other,
    );
    expect([status, body.code]).toEqual([200, 0]);
  },
  deadline(40_000),
);

it(
  'answers queries of an account while another one runs five heavy ones',
  async () => {
    const others = [
      await addPerson(api, newEmail(), { plan: 'pro' }),
      await addPerson(api, newEmail(), { plan: 'enterprise' }),
    ];
    // The first query copies the files.
    expect((await api.post('/v1/sql', { query: 'select 0' }, others[0].program)).status).toBe(200);
    await begin('/v1/sql', () => ({ query: ENDLESS }));
    for (const [i, other] of others.entries()) {
      const { status, body } = await promptly('/v1/sql', { query: `select ${i}` }, other);
      expect([status, body.data?.rows]).toEqual([200, [[i]]]);
    }
  },
  deadline(40_000),
);
