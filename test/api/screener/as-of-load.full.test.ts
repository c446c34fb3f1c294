/** Screens on the market as an earlier load left it, read from the snapshots of the tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bumpDataVersion, selectDataVersion } from '../../../db/market/data-versions.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runNow } from '../../support/run-jobs.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const DAY = '2024-09-03';
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let person: Person;
let first: string;
let unrevised: ReturnType<typeof JSON.parse>;
let unrevisedByRule: ReturnType<typeof JSON.parse>;

const write = () => writeLake(testJobContext({ pool: database.pool, storage, now: () => NOW }));

const SCREEN = {
  conditions: [{ field: 'close', op: 'gte', value: 1 }],
  columns: { ema: 'ema(50)', trend: 'close / sma(200)' },
  limit: 50,
};

/** Looks back further than a snapshot. */
const RULE = { where: 'close > sma(400)', conditions: [] };

async function screen(more: object) {
  const call = { path: '/v1/screener', body: { ...SCREEN, ...more }, headers: person.program };
  const { data } = (await runNow(api, { storage }, call)).body;
  if (data.error !== null) throw new Error(JSON.stringify(data.error));
  return data.result;
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-screens-'));
  database = await createWrittenDatabase(provider, directory, [NOW]);
  storage = openStorage({ folder: directory });
  const { pool } = database;
  first = await selectDataVersion(pool);
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'enterprise' });
  unrevised = await screen({ as_of: DAY });
  unrevisedByRule = await screen({ ...RULE, as_of: DAY });
  await pool.query('update daily_bars set close = close * 2, high = high * 2 where day >= $1', ['2024-07-01']);
  await pool.query('update bar_blocks set data = null where year = 2024');
  await pool.query('update bar_years set version = version + 1 where year = 2024');
  await bumpDataVersion(pool, 'bars');
  await write();
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

it('have the figures that the load had, and name it', async () => {
  expect(unrevised.items.length).toBeGreaterThan(20);
  const past = await screen({ as_of_load: first });
  expect(past.items).toEqual(unrevised.items);
  expect([past.funnel, past.changes]).toEqual([unrevised.funnel, unrevised.changes]);
  expect(past.load).toEqual({
    data_version: first,
    snapshots: expect.objectContaining({ 'market.events': expect.any(Number) }),
  });
  const now = await screen({ as_of_load: await selectDataVersion(database.pool) });
  const closes = (result: typeof past) =>
    new Map(result.items.map(({ symbol, close }: { symbol: string; close: number }) => [symbol, close]));
  const [was, is] = [closes(past), closes(now)];
  for (const [symbol, close] of was) expect([symbol, is.get(symbol)]).toEqual([symbol, 2 * Number(close)]);
  const byId = await screen({ as_of_load: past.load.snapshots['market.daily_bars'] });
  expect(byId.items).toEqual(unrevised.items);
});

it('may have rules over whole histories, and an earlier session', async () => {
  expect(unrevisedByRule.items.length).toBeGreaterThan(5);
  expect((await screen({ ...RULE, as_of_load: first })).items).toEqual(unrevisedByRule.items);
  const earlier = await screen({ as_of: '2024-08-01', as_of_load: first });
  expect(earlier.data_freshness.as_of).toBe('2024-08-01');
  expect(earlier.load.data_version).toBe(first);
});

it('are refused for a load that is not kept, or for a later session', async () => {
  const unknown = { ...SCREEN, as_of_load: 'adjustments=0,bars=0,provider=0,symbols=0' };
  const { status, body } = await api.post('/v1/screener', unknown, person.program);
  expect([status, body.key]).toEqual([404, 'error.load_not_kept']);
  const later = await api.post('/v1/screener', { ...SCREEN, as_of: '2024-09-04', as_of_load: first }, person.program);
  expect([later.status, later.body.key]).toEqual([400, 'error.no_data_on_day']);
});
