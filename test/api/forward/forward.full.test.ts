/** Forward records: sealed over HTTP, brought forward session after session, as if the range had not ended. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { linkDigest } from '../../../jobs/forward/chain.ts';
import { appendToRecords } from '../../../jobs/forward/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const noonAfter = (day: string) => Date.parse(`${day}T16:00:00Z`) + 86_400_000;
const SEALED_ON = '2026-04-15';
const SESSIONS = sessionsBetween(requireDay('2026-04-16'), requireDay('2026-04-24')).map(formatDay);

const CROSS = {
  symbol: 'ACRX',
  strategy: 'sma_cross',
  params: { fast_period: 3, slow_period: 8 },
  execute_on: 'next_open',
};

let directory: string;
let database: TestDatabase;
let api: TestApi;
let ada: Person;
let now = NOON_2026_06_01;

const context = () =>
  testJobContext({ pool: database.pool, now: () => now, storage: openStorage({ folder: join(directory, 'objects') }) });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'forward-'));
  const provider = new SampleProvider({ symbols: 50, now: () => NOON_2026_06_01 });
  database = await createSampleDatabase(provider);
  const storage = openStorage({ folder: join(directory, 'objects') });
  now = Date.parse(`${SEALED_ON}T16:00:00Z`);
  api = await openTestApi({ database, provider, storage, now: () => now, realCallers: true });
  ada = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  removeTree(directory);
});

const run = (path: string, body: object, person = ada) =>
  runNow(api, { storage: context().storage }, { path, body, headers: person.program });

async function kept(path: string, body: object): Promise<number> {
  const { body: answer } = await run(path, body);
  expect([answer.message, answer.data?.status]).toEqual([expect.anything(), 'done']);
  return answer.data.result.id;
}

const seal = async (body: object, person = ada) => {
  const { body: answer } = await run('/v1/my/forward', body, person);
  expect([answer.message, answer.data?.status, answer.data?.error]).toEqual([expect.anything(), 'done', null]);
  return answer.data.result;
};

/** Brings all records up to the close of a session, as after its load. */
async function load(day: string): Promise<void> {
  now = noonAfter(day);
  await buildSnapshot(context());
  await appendToRecords(context());
}

async function entriesOf(id: number) {
  const { body } = await api.get(`/v1/my/forward/${id}/entries?size=100`, ada.program);
  return body.data.items;
}

describe('a record', () => {
  const cost = { commission_rate: 0.001, slippage_bps: 5, min_commission: 1 };
  const RUNS = [
    { kind: 'backtest', path: '/v1/backtest', body: { ...CROSS, cost, time_range: '1Y' } },
    {
      kind: 'backtest',
      path: '/v1/backtest',
      body: { ...CROSS, execute_on: 'close', adjust: 'total', time_range: '1Y' },
    },
    {
      kind: 'portfolio',
      path: '/v1/portfolio',
      body: {
        symbols: ['ACRX', 'BRVA', 'LUMA', 'TMRK'],
        strategy: 'rsi_reversion',
        execute_on: 'next_open',
        cost,
        time_range: '1Y',
        allocation: { max_positions: 2, rebalance: 'week' },
      },
    },
    {
      kind: 'portfolio',
      path: '/v1/portfolio',
      body: {
        time_range: '1Y',
        allocation: {
          targets: [
            { symbol: 'ACRX', weight: 0.6 },
            { symbol: 'BRVA', weight: 0.4 },
          ],
          rebalance: 'week',
        },
      },
    },
    {
      kind: 'portfolio',
      path: '/v1/portfolio',
      body: {
        universe: { all: true },
        rotation: { score: 'roc(60)', every: 'week', hold: { top: 5 } },
        time_range: '1Y',
        cost,
      },
    },
  ];

  it('goes on as if the range had not ended, whether session by session or all at once', async () => {
    const ids: number[] = [];
    for (const { kind, path, body } of RUNS) {
      const sealed = await seal({ run: { kind, id: await kept(path, body) } });
      expect(sealed).toMatchObject({ status: 'live', sessions: 0, live: null, kind });
      expect(sealed.bands.growth).toHaveLength(250);
      expect(linkDigest('', sealed.seal)).toBe(sealed.seal_sha256);
      ids.push(sealed.id);
    }
    const late = await seal({ run: { kind: 'backtest', id: await kept(RUNS[0].path, RUNS[0].body) }, name: 'Late' });
    await database.pool.query(`update forward_records set status = 'stopped' where id = $1`, [late.id]);
    for (const day of SESSIONS) await load(day);
    await database.pool.query(`update forward_records set status = 'live' where id = $1`, [late.id]);
    await load(SESSIONS.at(-1) ?? '');

    const strip = (entries: { entry: object }[]) => entries.map(({ entry }) => ({ ...entry, data_version: '' }));
    expect(strip(await entriesOf(late.id))).toEqual(strip(await entriesOf(ids[0])));
    let traded = 0;
    now = NOON_2026_06_01;
    for (const [i, id] of ids.entries()) {
      const entries = await entriesOf(id);
      expect(entries.map(({ session, kind }: { session: string; kind: string }) => [session, kind])).toEqual(
        SESSIONS.map((session) => [session, 'session']),
      );
      const { body } = await api.get(`/v1/my/forward/${id}`, ada.program);
      let head = body.data.seal_sha256;
      for (const { entry, sha256 } of entries) {
        head = linkDigest(head, entry);
        expect(head).toBe(sha256);
      }
      expect(body.data.head).toBe(head);
      expect(body.data.live).toMatchObject({ sessions: SESSIONS.length });
      traded += entries.filter(({ entry }: { entry: { orders: unknown[] } }) => entry.orders.length > 0).length;
      // The same run over a range that ends later has the same money at each of these sessions.
      const { start_date } = body.data.sealed;
      const { body: longer } = await run(RUNS[i].path, {
        ...RUNS[i].body,
        time_range: undefined,
        start: start_date,
        end: '2026-05-15',
        include_equity: true,
      });
      const equity = new Map(
        longer.data.result.equity.map(({ ts, equity: money }: { ts: string; equity: number }) => [ts, money]),
      );
      for (const { session, entry } of entries)
        expect([i, session, entry.equity]).toEqual([i, session, equity.get(session)]);
    }
    expect(traded).toBeGreaterThan(0);
  });

  it('is listed, shared with the count of all records, and stopped, but never deleted', async () => {
    const bob = await addPerson(api, undefined, { plan: 'free' });
    const sealing = (name: string) =>
      seal({ run: { strategy: saved, symbols: ['LUMA'], params: { n: 20 } }, name }, bob);
    const { body: strategy } = await api.post(
      '/v1/my/strategies',
      {
        name: 'Highs',
        rules: { entry: 'close > highest($n)', exit: 'close < lowest($n)' },
        parameters: { n: { default: 30 } },
      },
      bob.program,
    );
    const saved = strategy.data.id;
    const records = [await sealing('One'), await sealing('Two'), await sealing('Three')];
    expect(records[0].sealed.start_date.slice(0, 4)).toBe('2021');
    expect(records[0].sentences).toEqual([
      'Nothing is told yet: the first entry is of the session after the seal.',
      'It is the only record of its account.',
    ]);
    const { body: refused } = await run('/v1/my/forward', { run: { strategy: saved, symbols: ['ACRX'] } }, bob);
    expect([refused.data.status, refused.data.error.key]).toEqual(['failed', 'error.quota_exceeded']);
    const [{ id }] = records;
    const at = `/v1/my/forward/${id}`;
    expect((await api.post(`${at}/stop`, {}, bob.program)).body.data).toMatchObject({ status: 'stopped' });
    expect((await api.post(`${at}/stop`, {}, bob.program)).status).toBe(409);
    const anew = await seal({ run: { forward: id } }, bob);
    expect(anew).toMatchObject({ name: 'One', status: 'live', sealed: records[0].sealed });
    expect((await api.post(`/v1/my/forward/${anew.id}/stop`, {}, bob.program)).status).toBe(200);
    const { body: link } = await api.post(`${at}/share`, {}, bob.program);
    const { body: shared } = await api.get(new URL(link.data.api_url).pathname);
    expect(shared.data).toMatchObject({ name: 'One', status: 'stopped', of_account: { records: 4, ended: 2 } });
    expect(shared.data.sentences.at(-1)).toBe('One of 4 of its account, 2 ended.');
    const { body: entries } = await api.get(`/v1/forward/${link.data.slug}/entries`);
    expect(entries.data.items).toMatchObject([{ number: 1, kind: 'stopped' }]);
    await api.post(`${at}/share`, { shared: false }, bob.program);
    expect((await api.get(`/v1/forward/${link.data.slug}`)).status).toBe(404);
    expect((await api.get(at, ada.program)).status).toBe(404);
    expect((await api.get('/v1/my/forward', bob.program)).body.data).toMatchObject({ total: 4 });

    const before = now;
    expect((await api.get('/v1/forward/heads?size=100')).body.data.items).not.toContainEqual(
      expect.objectContaining({ sha256: records[1].head }),
    );
    now += 86_400_000;
    const { body: heads } = await api.get('/v1/forward/heads?size=100');
    now = before;
    for (const { head } of records)
      expect(heads.data.items).toContainEqual({ day: new Date(before).toISOString().slice(0, 10), sha256: head });
  });

  it('is refused where its range has ended, and to whose plan has none', async () => {
    const id = await kept('/v1/backtest', { ...CROSS, start: '2024-01-02', end: '2025-01-02' });
    const refused = await api.post('/v1/my/forward', { run: { kind: 'backtest', id } }, ada.program);
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', 'run', 'id'], msg: expect.stringContaining('ends on 2025-01-02') })],
    ]);
    const unknown = await api.post('/v1/my/forward', { run: { kind: 'backtest', id: 999_999 } }, ada.program);
    expect(unknown.status).toBe(404);
  });

  it('is abandoned when its plan ends, the newest first, and goes with its account', async () => {
    const { id: userId, program } = await addPerson(api, undefined, { plan: 'pro' });
    now = noonAfter('2026-05-20');
    const owner = { ...ada, id: userId, program };
    const records: { id: number }[] = [];
    for (const symbol of ['ACRX', 'BRVA', 'LUMA', 'TMRK']) {
      const { body } = await run('/v1/backtest', { ...CROSS, symbol, time_range: '6M' }, owner);
      records.push(await seal({ run: { kind: 'backtest', id: body.data.result.id } }, owner));
    }
    await updateUserAccess(database.pool, userId, { plan: 'free' });
    await load('2026-05-22');
    const { body } = await api.get('/v1/my/forward', program);
    expect(body.data.items.map(({ status }: { status: string }) => status)).toEqual([
      'abandoned',
      'live',
      'live',
      'live',
    ]);
    const { rows } = await database.pool.query('select head from forward_records where user_id = $1', [userId]);
    await database.pool.query('delete from users where id = $1', [userId]);
    const { rows: left } = await database.pool.query('select sha256 from forward_heads where sha256 = any($1)', [
      rows.map(({ head }) => head),
    ]);
    expect(left).toHaveLength(4);
  });
});
