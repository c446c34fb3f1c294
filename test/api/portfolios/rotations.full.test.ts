/** Rotations over HTTP: requested, refused, kept, listed, exported, verified, proven, and searched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { selectKeptById } from '../../../db/runs/verdicts.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { onEndOfPart } from '../../../engine/util/parts.ts';
import { required } from '../../../engine/util/values.ts';
import { rotationSpecSchema } from '../../../jobs/contracts/rotation.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { computeSurvivors, proveRotation, readKeptRotation } from '../../../jobs/rotation/kind.ts';
import { computeRotation, readRotation, readRotationAt } from '../../../jobs/rotation/run.ts';
import type { Failed } from '../../../jobs/runs/kind.ts';
import { evaluateSignals } from '../../../jobs/signals/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let ada: Person;
let symbols: string[];

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-rotations-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  ada = await addPerson(api, undefined, { plan: 'pro' });
  symbols = api.market.directory.items
    .filter(({ instrument }) => instrument.assetType === 'stock' && instrument.delistedOn === null)
    .map(({ qualified }) => qualified)
    .slice(0, 8)
    .sort();
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const ROTATION = { every: 'month', score: 'rank(roc(60)) + rank(-volatility(20))', hold: { top: 3 } };
const body = (more: object = {}, rotation: object = {}, universe: object = {}) => ({
  universe: { symbols, ...universe },
  rotation: { ...ROTATION, ...rotation },
  time_range: '2Y',
  ...more,
});

const run = async (given: object, headers = ada.program) => {
  const { data } = (await runNow(api, { storage }, { path: '/v1/portfolio', body: given, headers })).body;
  if (data.error !== null) throw new Error(JSON.stringify(data.error));
  return data.result;
};

function succeeded<T extends object>(outcome: T | Failed): T {
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return outcome;
}

/** Makes an indicator tell the figure of the next bar. */
function lookAheadOf(indicator: 'roc' | 'rsi') {
  const honest = IndicatorSet.prototype[indicator];
  return jest.spyOn(IndicatorSet.prototype, indicator).mockImplementation(function (this: IndicatorSet, n) {
    const column = honest.call(this, n);
    return column.map((figure, t) => column[t + 1] ?? figure);
  });
}

describe('a rotation', () => {
  it('holds the best of its universe, by months, and says what came and went', async () => {
    const result = await run(body({ save: false }));
    expect(result).toMatchObject({
      kind: 'portfolio',
      strategy: 'rotation',
      members: 8,
      symbols,
      universe: { symbols },
      rotation: { ...ROTATION, order: 'desc', offset: 0, weights: { method: 'equal', lookback: 252, max_weight: 1 } },
      cost: { execute_on: 'next_open' },
    });
    expect(result.rebalances.length).toBeGreaterThan(20);
    expect(result.rebalance_count).toBe(result.rebalances.length);
    for (const { ts, scored, weights, filter } of result.rebalances) {
      expect(filter).toBe(true);
      expect(Object.keys(weights)).toHaveLength(Math.min(3, scored));
      const next = result.equity.find((point: { ts: string }) => point.ts > ts);
      expect(next.ts.slice(0, 7)).not.toBe(ts.slice(0, 7));
    }
    expect(result.trades.some(({ exit_reason }: { exit_reason: string }) => exit_reason === 'rebalance')).toBe(true);
    expect(result).not.toHaveProperty('allocation');
  });

  it('ranks the whole market as it was, and compares it with those that are left', async () => {
    const given = body({ survivors: true, save: false }, {}, { symbols: undefined, all: true, where: 'close > 1' });
    const result = await run(given);
    expect(result.members).toBeGreaterThan(20);
    expect(result.symbols.length).toBeGreaterThan(2);
    expect(Object.keys(result.survivorship_gap)).toContain('total_pnl_pct');
    expect(result.notes.map(({ code }: { code: string }) => code)).not.toContain('survivorship');
  });

  it('holds nothing while its market filter is false', async () => {
    const result = await run(body({ save: false }, { market_filter: "of('ACRX', close < 0)" }));
    expect(
      result.rebalances.every(
        ({ filter, weights }: { filter: boolean; weights: object }) =>
          filter === false && Object.keys(weights).length === 0,
      ),
    ).toBe(true);
    expect(result.num_trades).toBe(0);
  });

  it('is kept, listed by pages, exported, reproduced, and proven', async () => {
    const { id, rebalances } = await run(body({}, { every: { sessions: 20 }, exits: { stop_loss_pct: 10 } }));
    const page = (await api.get(`/v1/portfolios/${id}/rebalances?page=2&size=5`, ada.program)).body.data;
    expect(page).toMatchObject({ total: rebalances.length, page: 2, size: 5 });
    expect(page.items).toEqual(rebalances.slice(5, 10));
    const kept = (await api.get(`/v1/portfolios/${id}`, ada.program)).body.data;
    expect(kept.rebalances).toEqual(rebalances);
    const csv = await api.get(`/api/portfolio/${id}/export?kind=rebalances`, ada.console);
    const [, first] = csv.text.split('\r\n');
    expect(first).toContain(rebalances[0].ts);
    expect(first).toContain(rebalances[0].entered.join(' '));
    const parquet = await api.get(`/api/portfolio/${id}/export?kind=rebalances&format=parquet`, ada.console);
    const file = Uint8Array.from(parquet.body).buffer;
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows).toHaveLength(rebalances.length);
    expect(rows[0]).toMatchObject({ ts: rebalances[0].ts, eligible: rebalances[0].eligible });
    const verified = await runNow(api, { storage }, { path: `/v1/portfolios/${id}/verify`, headers: ada.program });
    expect(verified.body.data.result).toMatchObject({ verdict: 'reproduced', reasons: [] });
    const proven = await runNow(api, { storage }, { path: `/v1/portfolios/${id}/look-ahead`, headers: ada.program });
    expect(proven.body.data.result).toMatchObject({ verdict: 'none', differences: 0 });
  });

  it('by months and the index of the market is reproduced, and does not look ahead', async () => {
    const score = "idio_volatility('@market', 40) + monthly(lag(roc(2), 1) + dollar_volume / 1e9) + age";
    const { id, rebalances, notes } = await run(body({}, { score, market_filter: "of('@market', close) > 0" }));
    expect(rebalances.every(({ filter }: { filter: boolean }) => filter)).toBe(true);
    expect(notes).toContainEqual(expect.objectContaining({ code: 'volume_basis_changes' }));
    for (const [part, expected] of [
      ['verify', { verdict: 'reproduced', reasons: [] }],
      ['look-ahead', { verdict: 'none', differences: 0 }],
    ] as const) {
      const { data } = (await runNow(api, { storage }, { path: `/v1/portfolios/${id}/${part}`, headers: ada.program }))
        .body;
      expect(data.result).toMatchObject(expected);
    }
  });

  const everywhere = { start: '2022-03-01', time_range: undefined };
  it.each([
    ['ranks', everywhere, {}, {}],
    ['a condition across the market', everywhere, {}, { where: 'rank(volume) > 0.2' }],
    ['scores of single members and one benchmark', { ...everywhere, benchmark: 'ACRX' }, { score: 'roc(60)' }, {}],
    [
      'months, and the index of the market',
      everywhere,
      {
        score: "beta('@market', 60) + monthly(roc(2)) + dividend - age / 100",
        market_filter: "of('@market', close > 0.9 * sma(20))",
      },
      {},
    ],
    ['ranks over time, every week', everywhere, { every: 'week', score: 'sma_of(rank(roc(20)), 5)' }, {}],
  ])('is the same where the bars of its universe do not fit in memory: %s', async (_, more, rotation, universe) => {
    const { id } = await run(body(more, rotation, { symbols: undefined, all: true, ...universe }));
    const saved = await selectKeptById(database.pool, id);
    const spec = rotationSpecSchema.parse(required(saved).spec);
    const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
    const limits = [undefined, { whole: 0, closes: 0 }, { whole: 10_000, closes: 10_000_000 }];
    const [kept, ...others] = await Promise.all(
      limits.map(async (limits) => {
        const data = succeeded(await readRotation(context, spec, limits));
        const outcome = await computeRotation(spec, data);
        if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
        const survivors = await computeSurvivors(spec, data);
        if ('failure' in survivors) throw new Error(JSON.stringify(survivors.failure));
        return { outcome, survivors };
      }),
    );
    for (const { outcome, survivors } of others) {
      expect(outcome.run).toEqual(kept.outcome.run);
      expect(outcome.values).toEqual(kept.outcome.values);
      expect(outcome.benchmark).toEqual(kept.outcome.benchmark);
      expect(outcome.market).toEqual(kept.outcome.market);
      expect(outcome.universe.members).toEqual(kept.outcome.universe.members);
      expect(outcome.universe.sessions).toEqual(kept.outcome.universe.sessions);
      expect(survivors.run).toEqual(kept.survivors.run);
    }
  });

  it('lets other jobs go first before it reads the bars of its universe again', async () => {
    const { id } = await run(body());
    const spec = rotationSpecSchema.parse(required(await selectKeptById(database.pool, id)).spec);
    const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
    const data = succeeded(await readRotation(context, spec, { whole: 0, closes: 0 }));
    const done: string[] = [];
    const connect = jest.spyOn(database.pool, 'connect').mockImplementationOnce((...given: []) => {
      done.push('read');
      return Object.getPrototypeOf(database.pool).connect.apply(database.pool, given);
    });
    onEndOfPart(() => done.push('part'));
    try {
      expect(await computeRotation(spec, data)).not.toHaveProperty('failure');
      expect(done.slice(0, 2)).toEqual(['part', 'read']);
    } finally {
      connect.mockRestore();
      onEndOfPart(() => {});
    }
  });

  it('reads the bars of its universe again only when the data is another', async () => {
    const { id } = await run(body());
    const spec = rotationSpecSchema.parse(required(await selectKeptById(database.pool, id)).spec);
    const connect = jest.spyOn(database.pool, 'connect');
    const read = async (version: string, changed: Partial<typeof spec> = {}) => {
      connect.mockClear();
      const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
      const data = succeeded(await readRotationAt(context, { ...spec, ...changed }, version));
      const isFromMemory = connect.mock.calls.length === 0;
      const outcome = await computeRotation(spec, data);
      if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
      const { run: computed, benchmark } = outcome;
      return { isFromMemory, outcome: { equity: computed.equity, trades: computed.trades, benchmark } };
    };
    try {
      const first = await read('1');
      expect(first.isFromMemory).toBe(false);
      expect(await read('1')).toEqual({ isFromMemory: true, outcome: first.outcome });
      expect(await read('2')).toEqual(first);
      expect(await read('2', { adjust: 'none' })).toMatchObject({ isFromMemory: false });
      expect(await read('2', { end: spec.asOf - 100 })).toMatchObject({ isFromMemory: false });
    } finally {
      connect.mockRestore();
    }
  });

  it.each([
    ['fit in memory', undefined],
    ['fit as closes', { whole: 0, closes: 10_000_000 }],
    ['are read again for each pass', { whole: 0, closes: 0 }],
  ])('is proven, and its leak found, where the bars of its universe %s', async (_, limits) => {
    const range = { start: '2024-01-02', time_range: undefined };
    const { id } = await run(body(range, {}, { symbols: undefined, all: true }));
    const saved = required(await selectKeptById(database.pool, id));
    const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
    const proofOf = async () => {
      const { spec } = await readKeptRotation(context, saved);
      const data = succeeded(await readRotation(context, spec, limits));
      return required(await proveRotation(context, spec, data)).proof;
    };
    expect(await proofOf()).toMatchObject({ verdict: 'none', differences: 0 });
    const leak = lookAheadOf('roc');
    try {
      expect(await proofOf()).toMatchObject({ verdict: 'found' });
    } finally {
      leak.mockRestore();
    }
  });

  it('fails where more names were eligible than the plan allows, and names the plan', async () => {
    const { id } = await run(body());
    const kept = required(await selectKeptById(database.pool, id));
    const context = testJobContext({ pool: database.pool, storage, now: () => NOW });
    const failureOf = async (membersMax: unknown) => {
      const spec = rotationSpecSchema.parse({ ...(kept.spec as object), membersMax });
      return computeRotation(spec, succeeded(await readRotation(context, spec)));
    };
    const details = { quota: 'rotation_members_max', max: 2, count: symbols.length };
    expect(await failureOf({ plan: 'pro', max: 2 })).toEqual({
      failure: { code: 'quota_exceeded', details: { ...details, plan: 'pro' } },
    });
    expect(await failureOf(2)).toMatchObject({ failure: { details: { ...details, plan: 'free' } } });
    expect(await failureOf({ plan: 'pro', max: symbols.length })).not.toHaveProperty('failure');
  });

  it.each([
    ['score', 'roc', {}, {}],
    ['market filter', 'rsi', { market_filter: "of('ACRX', rsi(2) > 50)" }, {}],
    ['universe', 'rsi', {}, { where: 'rsi(2) > 40' }],
  ] as const)('that looks ahead in its %s is found', async (_, indicator, rotation, universe) => {
    const leak = lookAheadOf(indicator);
    try {
      const { id } = await run(body({ start: '2023-09-01', time_range: undefined }, rotation, universe));
      const proven = await runNow(api, { storage }, { path: `/v1/portfolios/${id}/look-ahead`, headers: ada.program });
      expect(proven.body.data.result).toMatchObject({ verdict: 'found' });
    } finally {
      leak.mockRestore();
    }
  });

  it('is watched: at a rebalance its orders are signals with weights, and on other days there are none', async () => {
    const { id } = await run(body({ start: '2023-01-03', time_range: undefined }));
    const created = await api.post('/v1/my/watches', { name: 'Rotation', portfolio: id }, ada.program);
    expect([created.status, created.body.data]).toMatchObject([
      201,
      { strategy: 'rotation', rotation: { every: 'month' } },
    ]);
    const evaluated = async (day: string) => {
      const context = testJobContext({ pool: database.pool, storage, now: () => Date.parse(`${day}T16:00:00Z`) });
      await buildSnapshot(context);
      await evaluateSignals(context);
    };
    const signals = async () => (await api.get('/v1/my/signals?size=200', ada.program)).body.data.items;
    await evaluated('2024-08-29');
    expect(await signals()).toEqual([]);
    await evaluated('2024-08-31');
    const found: { symbol: string; kind: string; date: string; values: Record<string, number> }[] = await signals();
    const later = await run(body({ start: '2023-01-03', time_range: undefined, save: false }));
    const last = later.rebalances.at(-1);
    expect(last.ts).toBe('2024-08-30');
    for (const { symbol, kind, date, values } of found) {
      expect([date, values.weight]).toEqual([last.ts, expect.closeTo(last.weights[symbol] ?? 0, 3)]);
      expect(kind).toBe(values.change > 0 ? 'entry' : 'exit');
    }
    const bought = found.filter(({ kind }) => kind === 'entry').map(({ symbol }) => symbol);
    expect(bought).toEqual(expect.arrayContaining(last.entered));
    const sold = found.filter(({ kind }) => kind === 'exit').map(({ symbol }) => symbol);
    expect(sold).toEqual(expect.arrayContaining(last.left));
    const half = await api.post('/v1/my/watches', { name: 'Both', portfolio: id, symbols: ['ACRX'] }, ada.program);
    expect([half.status, half.body.detail[0].loc]).toEqual([422, ['body', 'symbols']]);
  });

  it('has a tear sheet, with its result or made of the kept run', async () => {
    const result = await run(body({ tear_sheet: true, factors: ['ACRX'] }));
    const { tear_sheet: sheet } = result;
    expect(sheet.returns.total_pct).toBe(result.total_pnl_pct);
    expect(sheet.regression).not.toBeNull();
    const path = `/v1/portfolios/${result.id}/tear-sheet`;
    const kept = (await api.get(path, ada.program)).body.data;
    expect(kept.returns).toEqual(sheet.returns);
    const asked = await api.get(`${path}?benchmark=ACRX`, { ...ada.program, prefer: 'respond-async' });
    await runJobOf({ pool: database.pool, storage, now: () => NOW }, asked.body.data.job_id);
    const compared = (await api.get(asked.body.data.location, ada.program)).body.data.result;
    expect(compared.returns).toEqual(sheet.returns);
    expect(compared.benchmark).not.toEqual(sheet.benchmark);
  });

  it('is searched over the parameters of its score and its counts', async () => {
    const { time_range, universe, rotation } = body({}, { score: 'roc($n)', hold: { top: '$k' } });
    const grid = { n: [20, 60], k: [2, 3] };
    const queued = await api.post('/v1/optimize', { time_range, universe, rotation, grid }, ada.program);
    expect([queued.status, queued.body.detail]).toEqual([202, undefined]);
    await runJobOf({ pool: database.pool, storage, now: () => NOW }, queued.body.data.job_id);
    const { result } = (await api.get(queued.body.data.location, ada.program)).body.data;
    expect(result).toMatchObject({ strategy: 'rotation', combinations: 4 });
    const single = await run(
      body({ params: result.best[0].params, save: false }, { score: 'roc($n)', hold: { top: '$k' } }),
    );
    expect(result.best[0].metrics.sharpe).toBe(single.sharpe);
  });
});

describe('a rotation is refused', () => {
  const refusal = async (given: object, headers = ada.program) => {
    const { status, body: answer } = await api.post('/v1/portfolio', given, headers);
    const [problem] = answer.detail ?? [];
    return [
      status,
      answer.key,
      problem?.loc?.join('.'),
      problem?.type === 'rotation' ? 'rotation' : problem?.position?.from,
    ];
  };

  it.each([
    ['a condition as score', body({}, { score: 'close > 5' }), 'error.rule_invalid', 'body.rotation.score', 0],
    ['a value as where', body({}, {}, { where: 'close' }), 'error.rule_invalid', 'body.universe.where', 0],
    ['an unknown symbol', body({}, { score: "of('NONE9', close)" }), 'error.rule_invalid', 'body.rotation.score', 3],
    ['an unknown group', body({}, { score: 'rank(close, sector)' }), 'error.rule_invalid', 'body.rotation.score', 12],
    [
      'own bars in a filter',
      body({}, { market_filter: 'close > 5' }),
      'error.rule_invalid',
      'body.rotation.market_filter',
      0,
    ],
    [
      'more names than symbols',
      body({}, { hold: { top: 9 } }),
      'error.rotation_invalid',
      'body.rotation.hold.top',
      'rotation',
    ],
    [
      'no session',
      body({}, { every: { sessions: 252 }, offset: 20 }, {}),
      'error.rotation_invalid',
      'body.rotation.every',
      'rotation',
    ],
    [
      'a minimum',
      body({}, { weights: { min_weight: 0.1 } }),
      'error.rotation_invalid',
      'body.rotation.weights.min_weight',
      'rotation',
    ],
    [
      'ascending scores',
      body({}, { order: 'asc', weights: { method: 'score' } }),
      'error.rotation_invalid',
      'body.rotation.order',
      'rotation',
    ],
  ] as const)('with %s', async (name, given, key, loc, place) => {
    const shorter = name === 'no session' ? { ...given, time_range: '1Y' } : given;
    const universe = { symbols, ...('universe' in shorter ? shorter.universe : {}) };
    const fixed = { ...shorter, universe: { ...universe, symbols } };
    expect(await refusal(fixed)).toEqual([400, key, loc, place]);
  });

  it('to guests, and where it mixes two forms', async () => {
    const guest = { 'x-forwarded-for': newAddress() };
    expect((await refusal(body(), guest)).slice(0, 2)).toEqual([403, 'error.plan_capability']);
    expect((await refusal(body({ strategy: 'donchian' }))).slice(0, 3)).toEqual([
      422,
      'error.validation_failed',
      'body.strategy',
    ]);
    expect((await refusal({ universe: { symbols } })).slice(0, 3)).toEqual([
      422,
      'error.validation_failed',
      'body.universe',
    ]);
  });
});
