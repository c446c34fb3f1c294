/** Runs, screens, and watches that read own columns: the version that they read, and what becomes of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { evaluateSignals } from '../../../jobs/signals/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
const directory = mkdtempSync(join(tmpdir(), 'column-runs-'));
let database: TestDatabase;
let storage: ObjectStorage;
let api: TestApi;
let ada: Person;
let eve: Person;
beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 40, now: () => NOW });
  database = await createSampleDatabase(provider);
  storage = openStorage({ folder: directory });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  [ada, eve] = [await addPerson(api, undefined, { plan: 'pro' }), await addPerson(api, undefined, { plan: 'pro' })];
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const given = () => ({ storage, workFolder: directory });
const put = async (person: Person, name: string, file: string) =>
  (await runNow(api, given(), { path: `/v1/my/columns/${name}`, file, headers: person.program })).body.data.result;
const run = async (path: string, body: object = {}, person = ada) =>
  (await runNow(api, given(), { path, body, headers: person.program })).body.data;

const SCORES = 'symbol,date,value\nACRX,2021-01-04,0.9\nACRX,2022-06-01,0.1\nACRX,2023-06-01,0.8\n';
const BODY = {
  symbol: 'ACRX.US',
  strategy: 'rules',
  rules: { entry: "my('score') > 0.5 and close > sma(20)", exit: "my('score') < 0.5 or close < sma(20)" },
  start: '2021-06-01',
  end: '2025-12-31',
};

it('reads the version that was the newest, and goes on with it', async () => {
  const { column } = await put(ada, 'score', SCORES);
  const { result } = await run('/v1/backtest', BODY);
  expect(result.columns).toEqual([
    {
      name: 'score',
      owner: 'account',
      version: 1,
      sha256: column.sha256,
      rows_used: 3,
      known_late: 0,
      loaded_late: 3,
      last_known: '2023-06-02',
    },
  ]);
  expect(result.trades.length).toBeGreaterThan(0);
  // While the score is low nothing is held.
  for (const { entry_date } of result.trades) expect(entry_date < '2022-06-02' || entry_date > '2023-06-01').toBe(true);

  await put(ada, 'score', `${SCORES}ACRX,2024-06-03,0.2\n`);
  expect((await run(`/v1/backtests/${result.id}/verify`)).result).toMatchObject({ verdict: 'reproduced', reasons: [] });
  const again = (await run('/v1/backtest', BODY)).result;
  expect(again.columns).toMatchObject([{ version: 2, rows_used: 4 }]);
  expect(again.receipt.spec_sha256).not.toBe(result.receipt.spec_sha256);
  expect(again.trades.length).toBeLessThan(result.trades.length);
  expect((await run(`/v1/backtests/${again.id}/look-ahead`)).result).toMatchObject({ verdict: 'none' });

  const { body: shared } = await api.post(`/v1/backtests/${again.id}/share`, {}, ada.program);
  const { body: seen } = await api.get(`/api/backtest/shared/${shared.data.slug}`, {});
  expect(JSON.stringify(seen)).not.toContain('0.9,');

  expect((await api.delete('/v1/my/columns/score', undefined, ada.program)).status).toBe(200);
  expect((await run(`/v1/backtests/${result.id}/verify`)).result).toMatchObject({
    verdict: 'data_revised',
    reasons: expect.arrayContaining(['column_deleted']),
  });
  expect((await run(`/v1/backtests/${result.id}/look-ahead`)).error).toMatchObject({
    key: 'error.column_deleted',
    message: expect.stringContaining('score'),
  });
});

it('names what is wrong with a column, where it stands', async () => {
  await put(ada, 'sector', 'symbol,date,value\nACRX,2021-01-04,Tech\n');
  const refused = async (entry: string, person: Person | null = ada) => {
    const headers = person?.program ?? {};
    const { status, body } = await api.post('/v1/backtest', { ...BODY, rules: { entry } }, headers);
    return [status, body.detail[0].loc.join('.'), body.detail[0].msg, body.detail[0].found];
  };
  expect(await refused("close > 5 and my('sectr') = 'Tech'")).toEqual([
    400,
    'body.rules.entry',
    expect.stringContaining('sectr'),
    "my('sectr')",
  ]);
  expect((await refused("my('sector') > 1")).slice(0, 2)).toEqual([400, 'body.rules.entry']);
  expect((await refused("my('sector') = 'Tech'", eve)).slice(0, 2)).toEqual([400, 'body.rules.entry']);
  expect((await refused("my('sector') = 'Tech'", null)).slice(0, 2)).toEqual([400, 'body.rules.entry']);
});

it('watches and screens by the rows of the account that asks', async () => {
  // Seen first at the newest session.
  await put(ada, 'pick', 'symbol,date,value\nACRX,2026-05-28,1\n');
  await put(eve, 'pick', 'symbol,date,value\nLUMA,2026-05-28,1\n');
  const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
  await buildSnapshot(context);
  await eventually(
    async () => api.services.snapshots.current,
    (current) => current !== null,
  );
  const where = "my('pick') = 1 and close > 0";
  const found = async (person: Person) => {
    const { items } = (await run('/v1/screener', { where, columns: { pick: "my('pick')" } }, person)).result;
    return items.map(({ symbol, columns }: { symbol: string; columns: { pick: number } }) => [symbol, columns.pick]);
  };
  expect(await found(ada)).toEqual([['ACRX.US', 1]]);
  expect(await found(eve)).toEqual([['LUMA.US', 1]]);

  for (const person of [ada, eve]) {
    const watch = { name: 'Mine', strategy: 'rules', rules: { saved: 0 }, screen: { where } };
    const rules = { entry: "my('pick') = 1 and close > 0", exit: 'close < 0' };
    const { body } = await api.post('/v1/my/strategies', { name: 'Pick', rules }, person.program);
    const made = await api.post('/v1/my/watches', { ...watch, rules: { saved: body.data.id } }, person.program);
    expect(made.status).toBe(201);
  }
  await evaluateSignals(context);
  for (const [person, symbol] of [
    [ada, 'ACRX.US'],
    [eve, 'LUMA.US'],
  ] as const) {
    const { body } = await api.get('/v1/my/signals', person.program);
    expect(new Set(body.data.items.map((one: { symbol: string }) => one.symbol))).toEqual(new Set([symbol]));
  }

  const watches = async () => (await api.get('/v1/my/watches', ada.program)).body.data.items;
  expect((await watches())[0]).not.toHaveProperty('missing_columns');
  await api.delete('/v1/my/columns/pick', undefined, ada.program);
  const [watch] = await watches();
  expect(watch.missing_columns).toEqual(['pick']);
  expect((await api.get(`/v1/my/watches/${watch.id}`, ada.program)).body.data).toEqual(watch);
  const changed = await api.patch(`/v1/my/watches/${watch.id}`, { mail: false }, ada.program);
  expect(changed.body.data).toEqual({ ...watch, mail: false });
  expect((await api.get('/v1/my/watches', eve.program)).body.data.items[0]).not.toHaveProperty('missing_columns');
});
