/** Input of callers: null, unknown names, dates for instants, aliases, spellings, and filters. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERRORS } from '../../../api/http/errors/catalogue.ts';
import type { z } from '../../../api/http/input/fields.ts';
import { unwrapped } from '../../../api/http/input/problems.ts';
import { ROUTES } from '../../../api/routes.ts';
import { transaction } from '../../../db/pool.ts';
import { insertKeptRun } from '../../../db/runs/kept-runs.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { leastCpu } from '../../support/cpu.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  type MarketFolder,
  NOON_2026_06_01,
  runSyncJob,
} from '../../support/market-folder.ts';

let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let person: Person;
let admin: Person;

const SYMBOLS = `symbol,name,asset_type
ABCD,Abcd Corp,stock
BRK.B,Berk Class B,stock
PRE-A,Preferred A,preferred
`;
const BARS = ['ABCD', 'BRK.B', 'PRE-A']
  .flatMap((symbol) => ['2026-05-27', '2026-05-28', '2026-05-29'].map((day) => `${symbol},${day},10,11,9,10.5,1000\n`))
  .join('');

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({ 'symbols.csv': SYMBOLS, 'daily/consolidated/all.csv': BARS_HEADER + BARS });
  const provider = folder.provider();
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars');
  api = await openTestApi({ database, provider, realCallers: true });
  person = await addPerson(api);
  admin = await addAdmin(api);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

const fault = ({
  status,
  body,
}: {
  status: number;
  body: { detail?: { loc: unknown; msg: string; type: string }[] };
}) => ({
  status,
  detail: body.detail?.map(({ loc, msg }) => ({ loc, msg })),
});

describe('null', () => {
  it('for an optional field means absent, also in nested objects and for parameters', async () => {
    const nothing = { symbols: ['ABCD'], type: null, period: null, adjust: null, days: null, start: null, end: null };
    const batch = await api.post('/v1/batch', nothing);
    expect([batch.status, batch.body.data.type]).toEqual([200, 'quote']);
    const wrong = { sma_period: null, params: { atr_period: null, entry_mult: 'x' }, cost: { slippage_bps: null } };
    const run = await api.post('/v1/backtest', { symbol: 'ABCD', start: null, save: null, ...wrong });
    expect(fault(run)).toEqual({
      status: 422,
      detail: [{ loc: ['body', 'params', 'entry_mult'], msg: 'expected a number' }],
    });
    const nested = { symbol: 'ABCD', range: { start: null, time_range: null }, execution: null, params: { nope: 1 } };
    expect(fault(await api.post('/api/backtest/run', nested)).detail).toHaveLength(1);
    // One of two forms of the field.
    const saved = { symbol: 'ABCD', strategy: 'rules', rules: { saved: 99, version: null } };
    expect((await api.post('/v1/backtest', saved, person.console)).status).toBe(404);
  });

  it('as the whole body is refused, also where no body is needed', async () => {
    const json = { ...person.console, 'content-type': 'application/json' };
    expect(fault(await api.patch('/api/auth/me', 'null', json))).toEqual({
      status: 422,
      detail: [{ loc: ['body'], msg: 'expected an object' }],
    });
    expect((await api.patch('/api/auth/me', undefined, json)).status).toBe(200);
  });

  it('for a required field is refused; for a nullable field it clears the value', async () => {
    expect(fault(await api.post('/v1/batch', { symbols: null }))).toEqual({
      status: 422,
      detail: [{ loc: ['body', 'symbols'], msg: 'expected an array' }],
    });
    const change = { nickname: 'Ada', name: null, phone: null, language: null };
    const named = await api.patch('/api/auth/me', change, person.console);
    const cleared = await api.patch('/api/auth/me', { nickname: null }, person.console);
    expect([named.body.data.nickname, cleared.body.data.nickname, cleared.body.data.name]).toEqual([
      'Ada',
      null,
      named.body.data.name,
    ]);
  });
});

describe('an unknown name', () => {
  it('in the body is refused, and the error has the nearest known name', async () => {
    expect(fault(await api.post('/v1/batch', { symbols: ['ABCD'], adjusted: 'qfq', tpye: 'static' }))).toEqual({
      status: 422,
      detail: [
        { loc: ['body', 'adjusted'], msg: 'unknown name; the nearest known one is "adjust"' },
        { loc: ['body', 'tpye'], msg: 'unknown name; the nearest known one is "type"' },
      ],
    });
    const misplaced = { symbol: 'ABCD', slippage_bps: 5 };
    expect(fault(await api.post('/v1/backtest', misplaced)).detail).toEqual([
      { loc: ['body', 'slippage_bps'], msg: 'unknown name; the nearest known one is "cost.slippage_bps"' },
    ]);
    const flat = { symbol: 'ABCD', sma_perod: 20, include_trade: false };
    expect(fault(await api.post('/v1/backtest', flat)).detail).toEqual([
      { loc: ['body', 'sma_perod'], msg: 'unknown name; the nearest known one is "sma_period"' },
      { loc: ['body', 'include_trade'], msg: 'unknown name; the nearest known one is "include_trades"' },
    ]);
    const nested = { symbol: 'ABCD', execution: { cost: { slippage: 1 } } };
    expect(fault(await api.post('/api/backtest/run', nested)).detail).toEqual([
      { loc: ['body', 'execution', 'cost', 'slippage'], msg: 'unknown name; the nearest known one is "slippage_bps"' },
    ]);
  });

  it('in the query is refused on every route, also along with other problems', async () => {
    expect(fault(await api.get('/v1/kline/ABCD?perod=week&days=0'))).toEqual({
      status: 422,
      detail: expect.arrayContaining([
        { loc: ['query', 'perod'], msg: 'unknown name; the nearest known one is "period"' },
        { loc: ['query', 'days'], msg: 'expected at least 1' },
      ]),
    });
    expect(fault(await api.get('/v1/quote/ABCD?langs=en')).detail).toEqual([
      { loc: ['query', 'langs'], msg: 'unknown name; the nearest known one is "lang"' },
    ]);
    // Routes without texts do not take `locale`.
    expect((await api.get('/v1/quote/ABCD?locale=zh-CN')).status).toBe(422);
    expect((await api.get('/v1/strategies?locale=zh-CN')).status).toBe(200);
    expect((await api.get('/v1/quote/ABCD?lang=zh-CN')).status).toBe(200);
  });

  it('is compared at bounded cost, and the number of reported problems is limited', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${'x'.repeat(15)}${i}`, i]));
    const { result: response, cpuMs } = await leastCpu(() => api.post('/v1/batch', { symbols: ['ABCD'], ...many }));
    expect([response.status, response.body.detail.length]).toEqual([422, 20]);
    expect(cpuMs).toBeLessThan(150);
  });

  it('is refused by every body except that with flat parameters, which the strategy checks', () => {
    const isOpen = (schema: z.ZodType) => (unwrapped(schema) as z.ZodObject).def.catchall?._zod.def.type !== 'never';
    const open = ROUTES.filter(
      ({ bodySchema, bodyTypes, isForgiving }) => bodySchema && !bodyTypes && !isForgiving && isOpen(bodySchema),
    );
    expect(open.map(({ path }) => path).sort()).toEqual(['/api/backtest', '/v1/backtest']);
  });
});

describe('a value in a query string', () => {
  it.each([
    ['days=1.5', 'days', 'expected a whole number'],
    ['days=', 'days', 'expected a whole number'],
    ['days=99999999999999999999', 'days', 'expected at most 10000'],
    ['days=5&days=6', 'days', 'must not be repeated'],
  ])('%s is refused in words that fit', async (query, name, msg) => {
    expect(fault(await api.get(`/v1/kline/ABCD?${query}`))).toEqual({
      status: 422,
      detail: [{ loc: ['query', name], msg }],
    });
  });

  it('may spell a boolean as HTTP libraries do', async () => {
    for (const word of ['true', 'True', '1', 'false', 'FALSE', '0']) {
      expect((await api.get(`/api/admin/users?is_admin=${word}`, admin.console)).body.data.total).toBe(1);
    }
    expect(fault(await api.get('/api/admin/users?is_admin=yes', admin.console)).detail).toEqual([
      { loc: ['query', 'is_admin'], msg: 'expected true or false' },
    ]);
  });
});

describe('a text in a body', () => {
  it('that is empty or begins wrongly is refused with the reason', async () => {
    expect(fault(await api.post('/api/account/keys', { name: ' ' }, person.console)).detail).toEqual([
      { loc: ['body', 'name'], msg: 'must not be empty' },
    ]);
    expect(fault(await api.post('/v1/batch', { symbols: [] })).detail).toEqual([
      { loc: ['body', 'symbols'], msg: 'must not be empty' },
    ]);
    expect(fault(await api.post('/api/visits', { path: 'pricing' })).detail).toEqual([
      { loc: ['body', 'path'], msg: 'must begin with /' },
    ]);
  });
});

describe('a date for an instant', () => {
  it('means its last moment as the upper bound of a filter, and its first moment elsewhere', async () => {
    const expiry = await api.patch(`/api/admin/users/${person.id}`, { plan_expires_at: '2027-01-31' }, admin.console);
    expect(expiry.body.data.plan_expires_at).toBe('2027-01-31T00:00:00.000Z');
    const actions = async (range: string) => {
      const { body } = await api.get(`/api/admin/audit?action=user.plan_expiry_change&${range}`, admin.console);
      return body.data.total;
    };
    const today = new Date(NOON_2026_06_01).toISOString().slice(0, 10);
    expect(await actions(`from=${today}&to=${today}`)).toBe(1);
    expect(await actions(`start=${today}&end=${today}`)).toBe(1);
    expect(await actions('to=2026-05-31')).toBe(0);
    const bad = await api.patch(`/api/admin/users/${person.id}`, { plan_expires_at: 'soon' }, admin.console);
    expect(fault(bad)).toEqual({
      status: 422,
      detail: [{ loc: ['body', 'plan_expires_at'], msg: 'expected YYYY-MM-DD / YYYY-MM-DDThh:mm:ssZ' }],
    });
    const filter = await api.get('/api/admin/audit?from=soon', admin.console);
    expect([filter.status, filter.body.key]).toEqual([400, 'error.invalid_date']);
    expect(filter.body.message).toContain('YYYY-MM-DD / YYYY-MM-DDThh:mm:ssZ');
  });
});

describe('a whole number in a query', () => {
  it('may have leading zeros, and must be within its bounds', async () => {
    const page = (text: string) => api.get(`/v1/backtests?page=${text}`, person.program);
    expect((await page(`${'0'.repeat(30)}2`)).body.data.page).toBe(2);
    for (const text of ['0'.repeat(30), `-${'0'.repeat(30)}2`, `${'0'.repeat(30)}${'9'.repeat(30)}`, '9'.repeat(400)]) {
      expect([text, (await page(text)).status]).toEqual([text, 422]);
    }
  });
});

describe('an alias of a parameter', () => {
  it('is accepted, but not together with the parameter', async () => {
    expect((await api.get('/v1/backtests?size=7', person.program)).body.data.page_size).toBe(7);
    expect(fault(await api.get('/v1/backtests?size=7&page_size=7', person.program))).toEqual({
      status: 422,
      detail: [{ loc: ['query', 'size'], msg: 'is another name for page_size; send only one of them' }],
    });
    expect((await api.get('/api/admin/audit?from=2026-01-01&start=2026-01-01', admin.console)).status).toBe(422);
  });
});

describe('a symbol', () => {
  it.each(['BRK.B', 'brk-b', 'BRK/B', 'BRK B', 'BRK-B.US', ' brk b.us '])('is found as "%s"', async (spelling) => {
    const quote = await api.get(`/v1/quote/${encodeURIComponent(spelling)}`);
    expect([quote.status, quote.body.data?.symbol]).toEqual([200, 'BRK.B.US']);
    const search = await api.get(`/v1/symbols?q=${encodeURIComponent(spelling)}`);
    expect(search.body.data.items[0]?.symbol).toBe('BRK.B.US');
  });

  it('keeps its own hyphen, and is one symbol in a batch in all spellings', async () => {
    expect((await api.get('/v1/quote/PRE-A')).body.data.symbol).toBe('PRE-A.US');
    expect((await api.get('/v1/quote/PRE%2FA')).body.data.symbol).toBe('PRE-A.US');
    const { body } = await api.post('/v1/batch', { symbols: ['BRK.B', 'BRK-B', 'BRK/B', 'brk b.us', 'NO-NE'] });
    expect([body.data.requested, Object.keys(body.data.results)]).toEqual([2, ['BRK.B.US']]);
    expect(body.data.errors).toMatchObject([{ symbol: 'NO-NE.US', code: 404 }]);
    expect((await api.get('/v1/quote/ABC%2FX%2F.HK')).status).toBe(400);
  });
});

describe('a batch of candles', () => {
  it('takes start and end', async () => {
    const range = { symbols: ['ABCD'], type: 'kline', start: '2026-05-27', end: '2026-05-28' };
    const { body } = await api.post('/v1/batch', range);
    expect(body.data.results['ABCD.US'].bars.map(({ ts }: { ts: string }) => ts)).toEqual(['2026-05-27', '2026-05-28']);
    const backwards = await api.post('/v1/batch', { ...range, end: '2026-05-26' });
    expect([backwards.status, backwards.body.key]).toEqual([400, 'error.invalid_date_range']);
  });
});

describe('an asset type that no instrument has', () => {
  it('is refused with the list of existing ones', async () => {
    for (const response of [
      await api.post('/v1/screener', { asset_type: ['stock', 'warrant'] }, person.program),
      await api.post(
        '/api/admin/data/export',
        { asset_type: 'warrant', start: '2026-05-27', end: '2026-05-28' },
        admin.console,
      ),
    ]) {
      expect([response.status, response.body.key]).toEqual([400, 'error.invalid_asset_type']);
      expect(response.body.message).toContain('etf, preferred, stock');
    }
    expect(ERRORS.invalid_asset_type.status).toBe(400);
  });
});

describe('kept backtests', () => {
  it('can be filtered by symbol, strategy, kind, and time of creation', async () => {
    const owner = await addPerson(api);
    const keep = (symbol: string, strategy: string, at: string) => {
      const figures = Object.fromEntries(
        ['num_trades', 'total_pnl_pct', 'max_drawdown_pct', 'buy_hold_pnl_pct', 'excess_return_pct'].map((n) => [n, 0]),
      );
      const nulls = Object.fromEntries(['win_rate', 'annualized_pct', 'sharpe', 'profit_factor'].map((n) => [n, null]));
      const days = { start_date: '2026-05-27', end_date: '2026-05-29', time_range: '1Y', engine_version: '1.0.0' };
      const summary = JSON.stringify({ symbol, strategy, ...figures, ...nulls, ...days });
      const backtest = {
        userId: owner.id,
        kind: 'backtest' as const,
        createdAt: new Date(at),
        isCached: false,
        summary,
        spec: {},
        selection: null,
        line: null,
      };
      return transaction(api.services.pool, (connection) => insertKeptRun(connection, backtest));
    };
    await keep('BRK.B.US', 'donchian', '2026-05-01T10:00:00Z');
    await keep('ABCD.US', 'donchian', '2026-05-02T23:59:59.5Z');
    await keep('ABCD.US', 'buy_hold', '2026-05-03T00:00:00Z');
    const found = async (filter: string, path = '/v1/backtests') => {
      const { body } = await api.get(`${path}?${filter}`, owner.console);
      return body.data.items.map((item: { created_at: string }) => Number(item.created_at.slice(8, 10)));
    };
    expect(await found('')).toEqual([3, 2, 1]);
    expect(await found('symbol=abcd')).toEqual([3, 2]);
    expect(await found('symbol=BRK-B', '/api/backtest/history')).toEqual([1]);
    expect(await found('strategy=donchian&symbol=ABCD')).toEqual([2]);
    expect(await found('start=2026-05-02')).toEqual([3, 2]);
    expect(await found('start=2026-05-02&end=2026-05-02')).toEqual([2]);
    expect(await found('end=2026-05-01T09:59:59Z')).toEqual([]);
    expect([await found('kind=all'), await found('kind=portfolio')]).toEqual([[3, 2, 1], []]);
    const total = await api.get('/v1/backtests?symbol=ABCD&page_size=1', owner.console);
    expect([total.body.data.total, total.body.data.items.length]).toEqual([2, 1]);
    const codes = ['symbol=!!', 'strategy=x', 'kind=x', 'start=x', 'start=2026-05-02&end=2026-05-01'].map(
      async (filter) => (await api.get(`/v1/backtests?${filter}`, owner.console)).status,
    );
    expect(await Promise.all(codes)).toEqual([400, 400, 422, 400, 400]);
  });
});

describe('a logout', () => {
  it('succeeds with any input', async () => {
    const json = { 'content-type': 'application/json' };
    const text = { 'content-type': 'text/plain' };
    const sent: [string | object | undefined, Record<string, string>][] = [
      [undefined, json],
      ['{"refresh_to', json],
      ['null', json],
      ['[1]', json],
      ['garbage', text],
      [{ refresh_token: 5, more: true }, json],
      [{ refresh_token: 'x'.repeat(5_000) }, json],
      [{ refresh_token: person.refreshToken }, json],
    ];
    for (const [body, headers] of sent) {
      const { status, body: answer } = await api.post('/api/auth/logout?why=not', body, headers);
      expect([status, answer.data]).toEqual([200, { logged_out: true }]);
    }
    const { status } = await api.post('/api/auth/refresh', { refresh_token: person.refreshToken });
    expect(status).toBe(401);
  });
});
