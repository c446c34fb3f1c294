/** The tools for assistants, by the client of the protocol's own SDK. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openClient } from '../../../api/clients/typescript/index.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';

let service: ClientService;
let free: Assistant;
let guest: Assistant;

interface Assistant {
  readonly client: Client;
  /** The answer of a tool, with the end of a run that takes long, and whether it refused. */
  readonly ask: (tool: string, input?: object) => Promise<{ readonly isError: boolean; readonly answer: Answer }>;
}

// biome-ignore lint/suspicious/noExplicitAny: each tool answers differently
type Answer = any;

const symbolOf = ({ symbol }: { readonly symbol: string }) => symbol;

/** Bytes of the answers of each tool. */
const sizes = new Map<string, number[]>();

async function connect(key?: string): Promise<Assistant> {
  const requestInit = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  const ask: Assistant['ask'] = async (name, input = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
    const [one] = content;
    if (one.type !== 'text') throw new Error(`${name} answered ${one.type}`);
    if (!isError) sizes.set(name, [...(sizes.get(name) ?? []), Buffer.byteLength(one.text)]);
    return { isError, answer: isError && !one.text.startsWith('{') ? one.text : JSON.parse(one.text) };
  };
  return {
    client,
    ask: async (name, input) => {
      const given = await ask(name, input);
      const { kind, id, status } = given.answer;
      if (status !== 'running' && status !== 'queued') return given;
      return eventually(
        () => ask('get_run', { kind, id }),
        ({ answer }) => answer.status !== status,
      );
    },
  };
}

beforeAll(async () => {
  service = await openClientService();
  [free, guest] = [await connect(await service.addKey('free')), await connect()];
});
afterAll(async () => {
  for (const { client } of [free, guest]) await client.close();
  await service.close();
});

it('there are few tools, with short descriptions', async () => {
  const { tools } = await free.client.listTools();
  const names = tools.map(({ name }) => name).sort();
  expect(names).toEqual([
    'backtest',
    'columns',
    'factors',
    'get_bars',
    'get_run',
    'list_strategies',
    'optimize',
    'outcomes',
    'portfolio',
    'read_docs',
    'rotation',
    'screen',
    'search_symbols',
    'tear_sheet',
  ]);
  const keeping = ['backtest', 'columns', 'factors', 'optimize', 'outcomes', 'portfolio', 'rotation'];
  expect(tools.flatMap(({ name, annotations }) => (annotations?.readOnlyHint ? [] : [name])).sort()).toEqual(keeping);
  expect(JSON.stringify(tools)).not.toMatch(/ACRX|maxLength|9007199254740991/);
  // 3,000 tokens of four characters.
  expect(JSON.stringify(tools).length).toBeLessThan(12_000);
  const rules = tools.flatMap(({ description = '' }) => [...description.matchAll(/`([^`]* > [^`]*)`/g)]);
  expect(rules.length).toBeGreaterThan(0);
  for (const [, where] of rules) expect(await free.ask('screen', { where })).toMatchObject({ isError: false });
});

describe('an assistant', () => {
  it('finds out which large stocks broke out in the last session, and how a chandelier exit would have performed on them', async () => {
    const where = 'close > highest(20) and dollar_volume > 1e6';
    const { answer: found } = await free.ask('screen', {
      where,
      sort: { field: 'dollar_volume', order: 'desc' },
      limit: 3,
    });
    expect(found).toMatchObject({ as_of: '2026-05-29', items: [{ symbol: expect.stringMatching(/\.US$/) }, {}, {}] });
    expect(new URL(found.page).searchParams.get('where')).toBe(where);
    const { answer: known } = await free.ask('list_strategies', { code: 'chandelier' });
    expect(known.parameters).toHaveProperty('exit_mult');
    const input = { symbols: found.items.map(symbolOf), strategy: 'chandelier', time_range: '2Y' };
    const { answer: together } = await free.ask('portfolio', input);
    expect(together).toMatchObject({ total_pnl_pct: expect.any(Number), id: expect.any(Number) });
    const [symbol] = input.symbols;
    const { answer: run } = await free.ask('backtest', { symbol, strategy: 'chandelier', time_range: '2Y' });
    expect(run).toMatchObject({ symbol, strategy: 'chandelier', id: expect.any(Number), notes: expect.any(Array) });
    for (const link of [found.page, found.chart.replace('{symbol}', symbol), together.page, run.page]) {
      const page = await fetch(link.replace(/^https?:\/\/[^/]+/, service.url), { headers: { accept: 'text/html' } });
      expect([link, page.status]).toEqual([link, 200]);
    }
    const direct = await fetch(`${service.url}/v1/backtest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ symbol, strategy: 'chandelier', time_range: '2Y' }),
    });
    const { data } = JSON.parse(await direct.text());
    expect([run.sharpe, run.total_pnl_pct, run.num_trades]).toEqual([data.sharpe, data.total_pnl_pct, data.num_trades]);
    const page = new URL(run.page);
    expect([page.pathname, page.searchParams.get('symbol')]).toEqual(['/backtest', symbol]);
    const { answer: kept } = await free.ask('get_run', { kind: 'backtest', id: String(run.id) });
    expect(kept).toMatchObject({ id: run.id, sharpe: run.sharpe, last_trades: run.last_trades });
    const { answer: sheet } = await free.ask('tear_sheet', { kind: 'backtest', id: String(run.id) });
    expect(sheet.returns).toMatchObject({ total_pct: run.total_pnl_pct, sharpe: run.sharpe });
    expect(sheet.verdict[0]).toMatch(/^(Gained|Lost) .* benchmark/);
  });

  it('gets ten years as a summary and at most sixty rows, in a suitable period', async () => {
    const { answer } = await free.ask('get_bars', { symbol: 'ACRX', start: '2024-07-01', adjust: 'qfq' });
    expect(answer.summary).toMatchObject({ from: '2024-07-01', to: '2026-05-29', count: expect.any(Number) });
    expect(answer.summary.count).toBeGreaterThan(400);
    expect(answer.period).toBe('month');
    expect(answer.rows.length).toBeLessThanOrEqual(60);
    expect(answer.rows.at(-1)).toMatch(/^2026-05-29,\d+(\.\d+)?,/);
    const { answer: days } = await free.ask('get_bars', { symbol: 'ACRX', rows: 5 });
    expect([days.period, days.rows.length]).toEqual(['day', 5]);
  });

  it('searches parameters and runs a portfolio, if its plan includes that', async () => {
    const pro = await connect(await service.addKey('pro'));
    const { answer: search } = await pro.ask('optimize', {
      symbol: 'ACRX',
      strategy: 'sma_cross',
      grid: { fast_period: [5, 10], slow_period: { from: 30, to: 50, step: 10 } },
    });
    expect(search).toMatchObject({
      combinations: 6,
      best: { length: 5 },
      page: expect.stringMatching(/\/optimize\?job=/),
    });
    const { answer: run } = await pro.ask('portfolio', { symbols: ['ACRX', 'BRVA', 'LUMA'], strategy: 'donchian' });
    expect(run).toMatchObject({ symbols: { length: 3 }, num_trades: expect.any(Number) });
    const { answer: rotated } = await pro.ask('rotation', { symbols: run.symbols, score: 'roc(63)', top: 2 });
    expect(rotated).toMatchObject({ strategy: 'rotation', last_rebalances: { length: 2 } });
    await pro.client.close();
    const { isError, answer } = await free.ask('optimize', {
      symbol: 'ACRX',
      strategy: 'macd',
      grid: { fast_period: [5] },
    });
    expect([isError, answer.key]).toEqual([true, 'error.plan_capability']);
  });

  it('writes a column, and uses it in a rotation with interest on cash', async () => {
    const content = 'symbol,date,known_at,value\nACRX,2024-07-01,,1\nLUMA,2024-07-01,,1\nNOSUCH,2024-07-01,,1\n';
    const { answer: written } = await free.ask('columns', { name: 'chosen', content });
    expect(written).toMatchObject({
      column: { name: 'chosen', version: 1, rows: 2 },
      account: { loaded: 2, by_reason: { unknown_symbol: 1 } },
      unknown_symbols: { symbols: ['NOSUCH'] },
    });
    const { answer: list } = await free.ask('columns');
    expect(list).toMatchObject({ total: 1, items: [{ name: 'chosen', owner: 'account', rows: 2, symbols: 2 }] });
    expect((await free.ask('columns', { name: 'chosen' })).answer).toMatchObject({ coverage: [{ year: 2024 }] });
    const input = { where: "my('chosen') = 1", score: 'roc(63)', top: 2, time_range: '1Y' };
    const { answer: rotated } = await free.ask('rotation', { ...input, cash: { rate: 4 } });
    expect(rotated).toMatchObject({ strategy: 'rotation', symbols: expect.arrayContaining(['ACRX.US', 'LUMA.US']) });
    const { answer: without } = await free.ask('rotation', input);
    expect(rotated.final_equity).toBeGreaterThan(without.final_equity);
    const { isError, answer } = await free.ask('columns', { name: 'close', content });
    expect([isError, answer.key]).toEqual([true, 'error.column_refused']);
    const { answer: refused } = await free.ask('columns', { name: 'chosen', content: 'symbol,when,value\n' });
    expect(refused).toMatchObject({ error: expect.stringContaining('date is missing') });
  });

  it('studies factors, if its plan includes that', async () => {
    const pro = await connect(await service.addKey('pro'));
    const factors = { momentum: 'lag(roc(63), 5)', reversal: '-roc(21)' };
    const { answer: study } = await pro.ask('factors', {
      factors,
      where: 'close > 5',
      horizons: [5, 21],
      time_range: '1Y',
    });
    const figures = { mean: expect.any(Number), t_overlap: expect.any(Number) };
    const horizon = { ic: figures, quantiles: { length: 5 }, spread: figures };
    const horizons = [5, 21].map((sessions) => ({ ...horizon, horizon: sessions }));
    expect(study).toMatchObject({
      last: '2026-05-29',
      factors: Object.keys(factors).map((name) => ({ name, names: expect.any(Number), horizons })),
      selection: { trials: 2, best: null },
    });
    const authorization = `Bearer ${await service.addKey('free')}`;
    expect(
      (await fetch(study.all.replace(/^https?:\/\/[^/]+/, service.url), { headers: { authorization } })).status,
    ).toBe(404);
    const { answer: again } = await pro.ask('get_run', { kind: 'factors', id: study.id });
    expect(again).toEqual(study);
    const { answer: wrong } = await pro.ask('factors', { factors: { momentum: 'roc(63) > 0' } });
    expect(wrong).toMatchObject({ key: 'error.rule_invalid', detail: [{ loc: ['body', 'factors', 0, 'value'] }] });
    await pro.client.close();
    const { answer: published } = await free.ask('factors', {});
    expect(published).toMatchObject({
      columns: expect.arrayContaining(['interval_90_pct']),
      claims: expect.any(Array),
    });
    const { isError, answer } = await free.ask('factors', { factors });
    expect([isError, answer.key]).toEqual([true, 'error.plan_capability']);
  });

  it('learns what followed a condition, from the run, from its job, or from what is kept', async () => {
    const input = { condition: 'crosses_above(sma(20), sma(50))', time_range: '2Y' } as const;
    const { answer: told } = await free.ask('outcomes', {
      ...input,
      horizons: [5, 20],
      by: "of('ACRX', close > sma(200))",
    });
    const horizon = { hits: expect.any(Number), mean: expect.any(Number), excess: { t: expect.any(Number) } };
    const by = { true: { hits: expect.any(Number) }, false: { hits: expect.any(Number) } };
    expect(told).toMatchObject({
      last: '2026-05-29',
      sentences: Array.from({ length: 2 }, () => expect.stringMatching(/^After \d+ hits on \d+ days, /)),
      horizons: [5, 20].map((sessions) => ({ ...horizon, by, horizon: sessions })),
      best: { length: 3 },
      worst: { length: 3 },
    });
    const { answer: few } = await free.ask('outcomes', {
      ...input,
      for: ['LUMA', 'BRVA'],
      symbols: ['LUMA', 'ACRX', 'BRVA'],
    });
    expect(Object.fromEntries(new URL(few.page).searchParams)).toEqual({
      ...input,
      for: 'LUMA BRVA',
      universe: 'symbols',
      symbols: 'LUMA ACRX BRVA',
    });
    expect((await fetch(few.page.replace(/^https?:\/\/[^/]+/, service.url))).status).toBe(200);
    expect(few).toMatchObject({ instruments: 3, hits: expect.any(Number), horizons: { length: 3 } });
    expect(few.best.map(symbolOf)).not.toContain('ACRX.US');
    const { answer: kept } = await free.ask('get_run', { kind: 'outcomes', id: String(few.id) });
    expect({ ...kept, page: few.page }).toEqual(few);
    const key = await service.addKey('free');
    const { id } = await openClient({ url: service.url, key }).outcomes.submit({ ...input, horizons: [5, 20] });
    const other = await connect(key);
    const { answer: later } = await other.ask('get_run', { kind: 'outcomes', id });
    expect(later).toMatchObject({ hits: told.hits, horizons: { length: 2 } });
    await other.client.close();
    const { answer: wrong } = await free.ask('outcomes', { ...input, condition: 'close' });
    expect(wrong).toMatchObject({ key: 'error.rule_invalid', detail: [{ loc: ['body', 'condition'] }] });
    const { isError, answer } = await guest.ask('outcomes', input);
    expect([isError, answer.key]).toEqual([true, 'error.login_required']);
  });

  it('is told how to correct a call', async () => {
    const { answer: misspelled } = await guest.ask('get_bars', { symbol: 'ACRXX' });
    expect(misspelled).toMatchObject({
      key: 'error.symbol_not_found',
      did_you_mean: expect.arrayContaining(['ACRX.US']),
    });
    const { isError, answer: unknown } = await guest.ask('backtest', { symbol: 'ACRX', strategy: 'moving_average' });
    expect(isError).toBe(true);
    expect(unknown).toContain('sma_cross');
    const { answer: rule } = await free.ask('backtest', {
      symbol: 'ACRX',
      strategy: 'rules',
      rules: { entry: 'close > smaa(20)' },
    });
    expect(rule).toMatchObject({ key: 'error.rule_invalid', detail: [{ position: { from: 8, to: 12 } }] });
    expect((await guest.ask('screen', {})).answer.next).toContain('Authorization');
    const { answer: docs } = await guest.ask('read_docs');
    const { answer: section } = await guest.ask('read_docs', { section: docs.sections[0] });
    expect(section.text.length).toBeGreaterThan(100);
    await guest.ask('search_symbols', { query: 'corp' });
    await guest.ask('list_strategies');
    expect((await guest.ask('list_strategies', { code: 'chandelier' })).answer.parameters.atr_period.default).toBe(22);
  });

  it('has the limits of its caller, and its calls are recorded as those of an assistant', async () => {
    let refused: Answer = null;
    for (let i = 0; i < 7 && refused === null; i++) {
      const { isError, answer } = await guest.ask('backtest', {
        symbol: 'ACRX',
        strategy: 'buy_hold',
        time_range: '1M',
      });
      if (isError) refused = answer;
    }
    expect(refused).toMatchObject({ key: 'error.rate_limited', retry_after: expect.any(Number) });
    await eventually(
      async () => {
        const { rows } = await service.database.pool.query<{ n: number }>(
          `select count(*)::int as n from access_calls where client_kind = 'mcp' and path = '/v1/backtest' and status = 200`,
        );
        return rows[0].n;
      },
      (n) => n >= 5,
    );
  });

  it('gets short answers to all calls', async () => {
    const { tools } = await free.client.listTools();
    expect([...sizes.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    const all = [...sizes.values()].flat().sort((a, b) => a - b);
    expect(all[Math.floor(all.length / 2)]).toBeLessThan(2_000);
    const typical = [...sizes].map(([name, [first]]) => [name, first] as const);
    expect(typical.filter(([, bytes]) => bytes >= 4_000)).toEqual([]);
  });
});

describe('the MCP endpoint', () => {
  const send = (headers: Readonly<Record<string, string>>, method = 'POST', body: string | null = '{}') =>
    fetch(`${service.url}/mcp`, { method, body, headers: { 'content-type': 'application/json', ...headers } });

  it('refuses wrong keys, pages of other sites, other methods, and bodies that are too large or not JSON', async () => {
    const answers = await Promise.all([
      send({ authorization: 'Bearer md_wrong' }),
      send({ origin: 'https://elsewhere.example' }),
      send({}, 'GET', null),
      send({}, 'POST', '{'),
      send({}, 'POST', JSON.stringify({ a: 'x'.repeat(70_000) })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 405, 400, 413]);
    const { key } = JSON.parse(await answers[1].text());
    expect(key).toBe('error.origin_refused');
  });

  it('refuses calls that carry several, before any of them is run', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const batch of [Array.from({ length: 100 }, () => list), [list], []]) {
      const answer = await send({}, 'POST', JSON.stringify(batch));
      expect([answer.status, JSON.parse(await answer.text())]).toEqual([
        400,
        expect.objectContaining({ key: 'error.invalid_request', message: expect.stringContaining('one message') }),
      ]);
    }
  });

  it('counts and records every call, also of a tool that runs no operation', async () => {
    const authorization = `Bearer ${await service.addKey('pro')}`;
    const left = async (method: string, params: object = {}) => {
      const accept = 'application/json, text/event-stream';
      const answer = await send(
        { accept, authorization },
        'POST',
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      );
      expect([method, answer.status]).toEqual([method, 200]);
      return Number(answer.headers.get('x-ratelimit-remaining'));
    };
    const docs = { name: 'read_docs', arguments: {} };
    const all = [await left('ping'), await left('tools/list'), await left('tools/call', docs), await left('ping')];
    expect(all.map((one) => all[0] - one)).toEqual([0, 1, 2, 3]);
    const recorded = async () => {
      const { rows } = await service.database.pool.query<{ path: string }>(
        'select path from access_calls where user_id = (select max(id) from users) order by at',
      );
      return rows.map(({ path }) => path);
    };
    const expected = ['/mcp', '/mcp', '/mcp', '/mcp'];
    expect(await eventually(recorded, ({ length }) => length >= expected.length)).toEqual(expected);
  });

  it('lists the tools at the cost of a ping', async () => {
    const ms = { ping: Infinity, 'tools/list': Infinity };
    const headers = { accept: 'application/json, text/event-stream', 'accept-encoding': 'identity' };
    for (let i = 0; i < 60; i++) {
      const method = i % 2 === 0 ? 'ping' : 'tools/list';
      const start = performance.now();
      const answer = await send(headers, 'POST', JSON.stringify({ jsonrpc: '2.0', id: i, method }));
      expect(await answer.text()).toContain(`"id":${i}`);
      ms[method] = Math.min(ms[method], performance.now() - start);
    }
    // Converting the schemas takes three times as long as a ping.
    expect(ms['tools/list'] / ms.ping).toBeLessThan(2.5);
  });

  it('answers only to its own host names, against DNS rebinding', async () => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const call = async (headers: Readonly<Record<string, string>>) => {
      const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const sent = request(`${service.url}/mcp`, { method: 'POST', headers: { ...accepted, ...headers } });
      const answered = once(sent, 'response');
      sent.end(list);
      const [response] = await answered;
      const body = await text(response);
      return [response.statusCode, /error\.\w+/.exec(body)?.[0] ?? body.includes('"tools"')];
    };
    const rebound = 'rebound.example:8080';
    expect(await call({ host: rebound, origin: `http://${rebound}` })).toEqual([403, 'error.host_refused']);
    expect(await call({ host: rebound })).toEqual([403, 'error.host_refused']);
    expect(await call({ host: 'localhost', origin: 'http://rebound.example' })).toEqual([403, 'error.origin_refused']);
    expect(await call({ host: rebound, 'x-forwarded-host': 'localhost' })).toEqual([403, 'error.host_refused']);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
      expect(await call({ host, origin: `http://${host}` })).toEqual([200, true]);
    }
  });
});
