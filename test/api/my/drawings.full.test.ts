/** Drawings of accounts on charts: kept as they were sent, bounded, and gone with the account. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
const LINE = {
  kind: 'line',
  points: [
    { date: '2026-01-05', price: 40 },
    { date: '2026-05-29', price: 44.5 },
  ],
  note: 'An <b>uptrend</b>',
};
const LEVEL = { kind: 'level', points: [{ date: '2026-05-29', price: 41 }], note: '' };

let database: TestDatabase;
let api: TestApi;
let ada: Person;
let eve: Person;

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 20, now: () => NOW });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
  [ada, eve] = [await addPerson(api), await addPerson(api)];
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const list = async ({ program }: Person, symbol = 'ACRX') =>
  (await api.get(`/v1/my/drawings/${symbol}`, program)).body.data.items;
const draw = ({ program }: Person, shape: object, symbol = 'ACRX') =>
  api.post(`/v1/my/drawings/${symbol}`, { shape }, program);
const erase = ({ program }: Person, id: number, symbol = 'ACRX') =>
  api.delete(`/v1/my/drawings/${symbol}/${id}`, undefined, program);

describe('drawings', () => {
  it('are kept as they were sent, in their order, until they are deleted', async () => {
    expect(await list(ada)).toEqual([]);
    const shapes = [LINE, LEVEL, { ...LINE, kind: 'range' }];
    const ids: number[] = [];
    for (const shape of shapes) {
      const { status, body } = await draw(ada, shape);
      expect([status, body.data.shape]).toEqual([201, shape]);
      ids.push(body.data.id);
    }
    expect(await list(ada, 'ACRX.US')).toEqual(shapes.map((shape, i) => ({ id: ids[i], shape })));
    expect(await list(eve)).toEqual([]);
    expect(await list(ada, 'LUMA')).toEqual([]);
    expect((await erase(eve, ids[1])).status).toBe(404);
    expect((await erase(ada, ids[1], 'LUMA')).status).toBe(404);
    expect((await erase(ada, ids[1])).status).toBe(200);
    expect((await list(ada)).map(({ id }: { id: number }) => id)).toEqual([ids[0], ids[2]]);
  });

  it.each([
    ['of another kind', { ...LINE, kind: 'circle' }],
    ['with a point too few', { ...LINE, points: LEVEL.points }],
    ['with a point too many', { ...LEVEL, points: LINE.points }],
    ['without a price', { ...LEVEL, points: [{ date: '2026-05-29', price: 0 }] }],
    ['of a day that is none', { ...LEVEL, points: [{ date: '2026-02-30', price: 1 }] }],
    ['with a note that is too long', { ...LEVEL, note: 'x'.repeat(501) }],
    ['with a further field', { ...LEVEL, color: 'red' }],
  ])('%s are refused', async (_, shape) => {
    expect((await draw(eve, shape)).status).toBe(422);
    expect(await list(eve)).toEqual([]);
  });

  it.each([
    [200, 'on a symbol', 'select id from instruments where symbol = $2'],
    [10_000, 'of an account', "select -1 where $2 <> ''"],
  ])('are at most %s %s', async (most, _, instrument) => {
    const bob = await addPerson(api);
    await database.pool.query(
      `insert into drawings (user_id, instrument_id, shape, created_at)
       select $1, (${instrument}), '{}', now() from generate_series(1, $3) n`,
      [bob.id, 'LUMA', most - 1],
    );
    await database.pool.query(`update drawings set shape = $2 where user_id = $1`, [bob.id, JSON.stringify(LEVEL)]);
    expect((await draw(bob, LEVEL, 'LUMA')).status).toBe(201);
    const { status, body } = await draw(bob, LEVEL, 'LUMA');
    expect([status, body.key]).toEqual([400, 'error.quota_exceeded']);
  });

  it('need an account and a symbol', async () => {
    expect((await api.get('/v1/my/drawings/ACRX')).body.key).toBe('error.login_required');
    expect((await draw(ada, LEVEL, 'NOPE')).status).toBe(404);
  });

  it('go with the account', async () => {
    await draw(eve, LINE);
    const { status } = await api.delete('/api/auth/me', { email: eve.email }, eve.console);
    expect(status).toBe(200);
    const { rowCount } = await database.pool.query('select from drawings where user_id = $1', [eve.id]);
    expect(rowCount).toBe(0);
  });
});
