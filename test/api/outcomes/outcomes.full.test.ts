/** Outcomes of conditions over HTTP, through the queue, in a real worker process. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { addPerson, type Person } from '../../support/accounts.ts';
import type { TestApi } from '../../support/api.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

let service: SampleService;
let api: TestApi;
let pro: Person;

beforeAll(async () => {
  service = await openSampleService();
  ({ api } = service);
  pro = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(() => service.close());

const ask = (body: object, person = pro) => api.post('/v1/outcomes', body, person.program);
const answered = async (body: object) => {
  const response = await ask(body);
  expect([response.status, response.body.message]).toEqual([200, expect.anything()]);
  return response.body.data;
};
const refusal = ({ status, body }: Response) => [status, body.detail?.[0]?.loc];

describe('what happened next', () => {
  const crossing = { condition: 'crosses_above(sma(20), sma(50))', time_range: '5Y' };

  it('is told for stocks beside the others, by year, with the path and the best and worst', async () => {
    const told = await answered({ ...crossing, by: "of('ACRX', close > sma(200))" });
    expect(told.horizons.map(({ horizon }: { horizon: number }) => horizon)).toEqual([1, 5, 20]);
    expect(told.hits).toBeGreaterThan(100);
    const [first] = told.horizons;
    const { others, mean } = first.excess;
    expect(first.mean - others).toBeCloseTo(mean, 9);
    expect(first.hits + first.open + first.no_entry).toBe(told.hits);
    const inYears = first.by_year.reduce((sum: number, { hits }: { hits: number }) => sum + hits, 0);
    expect(inYears).toBe(first.hits);
    expect(first.by.true.hits + first.by.false.hits).toBe(first.hits);
    expect(told.path.points).toHaveLength(81);
    expect(told.path.points[20]).toMatchObject({ offset: 0, mean: 0 });
    expect(told.best).toHaveLength(20);
    expect(told.sentences).toHaveLength(3);
    expect(told.sentences[0]).toMatch(
      /^After [\d,]+ hits on [\d,]+ days, 1 session later [+−]?\d\.\d%, the others the same days/,
    );
    // The same again: the same draws.
    expect(await answered({ ...crossing, by: "of('ACRX', close > sma(200))" })).toEqual(told);
  });

  it('has a receipt, the same for every writing of the question, and another for another question', async () => {
    const [{ receipt }, written, other] = await Promise.all([
      answered(crossing),
      answered({
        ...crossing,
        condition: 'crosses_above( SMA(20),sma( 50 ))',
        horizons: [1, 5, 20],
        compare: 'same_day',
      }),
      answered({ ...crossing, horizons: [1, 5] }),
    ]);
    expect(written.receipt).toEqual(receipt);
    expect(other.receipt).toMatchObject({ data_sha256: receipt.data_sha256, data_version: receipt.data_version });
    expect([other.receipt.spec_sha256, other.receipt.result_sha256]).not.toContain(receipt.spec_sha256);
    expect(other.receipt.result_sha256).not.toBe(receipt.result_sha256);
    expect(receipt.first_bar < '2021-06-01').toBe(true);
    expect(receipt.last_bar).toBe((await answered(crossing)).last);
  });

  it('counts the hits of one name against its kind, and of a name against itself', async () => {
    const kind = await answered({ ...crossing, for: ['LUMA'] });
    expect(kind.hits).toBeLessThan(60);
    expect(kind.best.every(({ symbol }: { symbol: string }) => symbol === 'LUMA.US')).toBe(true);
    expect(kind.sentences[0]).toMatch(/too little to tell from chance/);
    const own = await answered({ ...crossing, universe: { symbols: ['LUMA'] }, compare: 'own' });
    expect(own.hits).toBe(kind.hits);
    expect(own.instruments).toBe(1);
    const alone = await answered({ ...crossing, universe: { symbols: ['LUMA'] }, compare: 'none', horizons: [5] });
    expect(alone).toMatchObject({ path: null, horizons: [{ excess: null, mean: own.horizons[1].mean }] });
  });

  it('counts as one run of the account for a condition, whatever is asked of it', async () => {
    const counted = async () => {
      const { rows } = await service.database.pool.query(
        'select sum(runs)::int as count from account_runs where user_id = $1',
        [pro.id],
      );
      return rows[0].count;
    };
    await answered({ ...crossing, horizons: [2] });
    const before = await counted();
    await answered({ ...crossing, horizons: [3, 4], entry: 'next_open' });
    expect(await counted()).toBe(before);
    await answered({ ...crossing, condition: 'crosses_above(sma(20), sma(60))' });
    expect(await counted()).toBe(before + 1);
  });

  it('is refused with the place, and nothing is queued', async () => {
    const refused = [
      [{ ...crossing, condition: 'close' }, ['body', 'condition']],
      [{ ...crossing, by: 'clos > 5' }, ['body', 'by']],
      [{ ...crossing, horizons: [5, 5] }, ['body', 'horizons', 1]],
      [{ ...crossing, horizons: [300] }, ['body', 'horizons', 0]],
      [{ ...crossing, first: { sessions: 0 } }, ['body', 'first']],
      [{ ...crossing, universe: { symbols: ['ACRX'] }, for: ['LUMA'] }, ['body', 'for']],
      [{ ...crossing, condition: 'held > 5' }, ['body', 'condition']],
    ] as const;
    for (const [body, loc] of refused) {
      const [status, at] = refusal(await ask(body));
      expect([Math.floor(Number(status) / 100), at?.slice(0, loc.length)]).toEqual([4, loc]);
    }
    const { rows } = await service.database.pool.query(
      `select from pgboss.job where name = 'outcomes' and state = 'created'`,
    );
    expect(rows).toEqual([]);
    expect((await api.post('/v1/outcomes', crossing)).status).toBe(403);
    const early = await ask({ ...crossing, start: '1990-01-02', end: '1990-06-01' });
    expect([early.status, early.body.key]).toEqual([400, 'error.no_bars_in_range']);
  });
});
