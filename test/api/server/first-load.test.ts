/** Before the first load is done: calls are told so, and the log is not filled with them. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pino from 'pino';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addPerson } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
const logged: string[] = [];
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  api = await openTestApi({ database, provider, log, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

it('screens, the overview, and files are refused in one word, without a line for each call', async () => {
  const { program } = await addPerson(api);
  const { rows } = await database.pool.query<{ id: number }>("update users set plan = 'pro' returning id");
  expect(rows).toHaveLength(1);
  logged.length = 0;
  const screen = await api.post('/v1/screener', { where: 'close > 1' }, program);
  const overview = await api.get('/v1/market/overview', program);
  const answers = [screen, overview].map(({ status, body }) => [status, body.key, body.message]);
  const loading = 'The market data is being loaded. Screens follow once that is done.';
  expect(answers).toEqual(Array.from({ length: 2 }, () => [503, 'error.snapshot_unavailable', loading]));
  for (const path of ['/v1/tables', '/v1/files']) {
    const { status, body } = await api.get(path, program);
    expect([status, body.message]).toEqual([
      503,
      'The market data is being loaded. The files follow once that is done.',
    ]);
  }
  expect(logged).toEqual([]);
});
