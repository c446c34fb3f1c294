/** Outcomes of conditions over HTTP, through the queue, in a real worker process. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { Schema } from '../../../api/clients/typescript/types.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import type { TestApi } from '../../support/api.ts';
import { correct, loadBar } from '../../support/corrections.ts';
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
    const { id: _id, created_at: _at, cached, ...again } = await answered({ ...crossing, by: told.question.by });
    expect(cached).toBe(true);
    expect(told).toMatchObject(again);
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

  describe('kept', () => {
    const path = '/v1/outcomes';
    let told: Schema<'Outcomes'>;
    beforeAll(async () => {
      told = await answered({ ...crossing, for: ['LUMA', 'ACRX'], by: "of('ACRX', close > sma(200))" });
    });

    it('is read as it was answered, with the question', async () => {
      const { status, body } = await api.get(`${path}/${told.id}`, pro.program);
      expect([status, body.data]).toEqual([200, told]);
      expect(told.question).toEqual({
        condition: crossing.condition,
        for: ['ACRX.US', 'LUMA.US'],
        universe: { all: true, asset_type: ['stock'] },
        first: true,
        horizons: [1, 5, 20],
        entry: 'close',
        compare: 'same_day',
        by: "of('ACRX', close > sma(200))",
        adjust: 'total',
        time_range: '5Y',
        start: null,
        end: null,
      });
      const local = (await api.get(`${path}/${told.id}?locale=zh-CN`, pro.program)).body.data;
      expect(local.sentences[0]).toMatch(/之后/);
      const stranger = await addPerson(api, undefined, { plan: 'pro' });
      expect((await api.get(`${path}/${told.id}`, stranger.program)).status).toBe(404);
      expect((await api.get(`/v1/backtests/${told.id}`, pro.program)).status).toBe(404);
    });

    it('is not kept unless wanted', async () => {
      const other = await addPerson(api, undefined, { plan: 'pro' });
      const { data } = (await ask({ ...crossing, save: false }, other)).body;
      expect(data.id).toBeNull();
      expect((await api.get('/v1/backtests?kind=all', other.program)).body.data.total).toBe(0);
    });

    it('is listed, found by its condition, named, and without figures that it lacks', async () => {
      const { status, body } = await api.patch(
        `${path}/${told.id}`,
        { name: 'Crossing', tags: ['trend'] },
        pro.program,
      );
      expect([status, body.data.name]).toEqual([200, 'Crossing']);
      const listed = await api.get('/v1/backtests?kind=outcomes&q=crossing+sma(50)', pro.program);
      const { horizons, hits, days, instruments, first, last, receipt } = told;
      const [, , longest] = horizons;
      expect(listed.body.data.items).toEqual([
        {
          id: told.id,
          kind: 'outcomes',
          name: 'Crossing',
          tags: ['trend'],
          created_at: told.created_at,
          idea: crossing.condition,
          time_range: '5Y',
          start_date: first,
          end_date: last,
          engine_version: receipt.engine_version,
          hits,
          days,
          instruments,
          horizon: 20,
          mean: longest.mean,
          excess: longest.excess?.mean,
          shared: false,
          slug: null,
          verification: null,
        },
      ]);
      const { items } = (await api.get('/v1/backtests?kind=all&q=best', pro.program)).body.data;
      expect(items.map(({ id }: { id: number }) => id)).toContain(told.id);
      expect((await api.get('/v1/backtests?kind=all&q=>0', pro.program)).body.data.total).toBe(0);
    });

    it('is exported as the rows of its tables', async () => {
      const rowsOf = async (kind: string) => {
        const { status, text, headers } = await api.get(`/api/outcomes/${told.id}/export?kind=${kind}`, pro.console);
        expect([kind, status, headers.link]).toEqual([
          kind,
          200,
          `</v1/outcomes/${told.id}/receipt.json>; rel="describedby"`,
        ]);
        return text.replace('\uFEFF', '').split('\r\n');
      };
      const [head, first] = await rowsOf('horizons');
      expect(head).toMatch(/^Sessions later,Hits,Hits still open,.+,Others,Excess,Alpha,t,p$/);
      const [one] = told.horizons;
      const { hits, open, no_entry, ended, days, instruments, mean, excess, by_year: years } = one;
      const { others, mean: above, alpha, t, p } = required(excess);
      const cells = first.split(',').map((cell) => (cell === '' ? null : Number(cell)));
      expect(cells.slice(0, 8)).toEqual([1, hits, open, no_entry, ended, days, instruments, mean]);
      expect(cells.slice(-5)).toEqual([others, above, alpha, t, p]);
      const byYear = await rowsOf('by_year');
      expect(byYear).toHaveLength(1 + 3 * years.length);
      const [, regime] = await rowsOf('by');
      const { true: held, difference, t: apart } = required(one.by);
      expect(regime).toBe([1, true, held.hits, held.days, held.mean, held.excess, difference, apart].join(','));
      expect(await rowsOf('by')).toHaveLength(1 + 2 * told.horizons.length);
      expect(await rowsOf('path')).toHaveLength(82);
      const [, best] = await rowsOf('best');
      const [{ symbol, ts, value, excess: over }] = told.best;
      expect(best).toBe([symbol, ts, value, over].join(','));
      expect(await rowsOf('worst')).toHaveLength(1 + told.worst.length);
      expect((await api.get(`/api/outcomes/${told.id}/export?kind=trades`, pro.console)).status).toBe(422);
    });

    it('is verified, has a receipt, and is shared until it is deleted', async () => {
      const verified = await api.post(`${path}/${told.id}/verify`, undefined, { ...pro.program, prefer: 'wait=30' });
      expect([verified.status, verified.body.data]).toEqual([
        200,
        expect.objectContaining({ verdict: 'reproduced', reasons: [] }),
      ]);
      const receipt = (await api.get(`${path}/${told.id}/receipt.json`, pro.program)).body.data;
      expect(receipt).toMatchObject(told.receipt);
      const { data } = (await api.post(`${path}/${told.id}/share`, { shared: true }, pro.program)).body;
      expect(new URL(data.url).pathname).toBe(`/o/${data.slug}`);
      const shared = await api.get(new URL(data.api_url).pathname);
      expect([shared.status, shared.body.data]).toEqual([
        200,
        { ...told, id: null, verification: expect.objectContaining({ verdict: 'reproduced' }) },
      ]);
      expect((await api.delete(`/api/outcomes/${told.id}`, undefined, pro.console)).status).toBe(200);
      expect((await api.get(new URL(data.api_url).pathname)).status).toBe(404);
      expect((await api.get(`${path}/${told.id}`, pro.program)).status).toBe(404);
    });
  });

  it('reads own columns at the sessions that know them', async () => {
    const { body: put } = await api.put(
      '/v1/my/columns/grade?lag=0',
      'symbol,date,value\nTMRK,2025-03-03,7\nTMRK,2025-06-02,2\nTMRK,2025-09-02,9\nBRVA,2025-03-03,1\n',
      { ...pro.program, 'content-type': 'text/csv', prefer: 'wait=30' },
    );
    expect(put.data.column).toMatchObject({ name: 'grade', rows: 4 });
    const told = await answered({
      condition: "my('grade') > 5",
      universe: { symbols: ['TMRK', 'BRVA'] },
      horizons: [5],
      start: '2025-02-03',
      end: '2025-12-31',
    });
    // With no lag, a day counts from its close on.
    const closes = async (symbol: string) => {
      const path = `/v1/kline/${symbol}?start=2025-02-03&end=2025-12-31&adjust=total`;
      const { bars } = (await api.get(path, pro.program)).body.data;
      return bars.map(({ ts, close }: { ts: string; close: number }) => ({ ts, close }));
    };
    const [own, other] = [await closes('TMRK'), await closes('BRVA')];
    const returnAfter = (bars: { ts: string; close: number }[], day: string) => {
      const at = bars.findIndex(({ ts }) => ts === day);
      return bars[at + 5].close / bars[at].close - 1;
    };
    const days = ['2025-03-03', '2025-09-02'];
    const mean = (figures: number[]) => (figures[0] + figures[1]) / 2;
    const value = mean(days.map((day) => returnAfter(own, day)));
    expect([told.hits, told.days]).toEqual([2, 2]);
    expect(told.horizons[0].mean).toBeCloseTo(value, 9);
    expect(told.horizons[0].excess.mean).toBeCloseTo(value - mean(days.map((day) => returnAfter(other, day))), 9);
  });

  it('says when it is verified which bars of its members have changed since', async () => {
    const { pool } = service.database;
    const asked = await Promise.all([
      answered({
        condition: 'crosses_above(sma(5), sma(20))',
        universe: { symbols: ['LUMA', 'BRVA'] },
        time_range: '1Y',
      }),
      api
        .post(
          '/v1/portfolio',
          { universe: { symbols: ['LUMA', 'BRVA'] }, rotation: { score: 'roc(20)', hold: { top: 1 }, every: 'month' } },
          pro.program,
        )
        .then(({ body }) => body.data),
    ]);
    const { rows } = await pool.query(
      `select i.id, b.close from instruments i join daily_bars b on b.instrument_id = i.id
       where i.symbol = 'LUMA' and b.day = '2026-05-28' and b.basis = 1`,
    );
    const bar = {
      id: rows[0].id,
      day: requireDay('2026-05-28'),
      close: 2 * rows[0].close,
      basis: 'consolidated',
    } as const;
    await correct(pool, (connection, syncJobId) => loadBar(connection, { syncJobId, at: new Date() }, bar));
    for (const [i, { id }] of asked.entries()) {
      const verify = `${['/v1/outcomes', '/v1/portfolios'][i]}/${id}/verify`;
      const { body } = await api.post(verify, undefined, { ...pro.program, prefer: 'wait=30' });
      expect(body.data).toMatchObject({
        verdict: 'data_revised',
        bars: {
          total: 1,
          items: [{ symbol: 'LUMA.US', date: '2026-05-28', was: { close: rows[0].close }, is: { close: bar.close } }],
        },
      });
    }
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
