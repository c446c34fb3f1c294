/** The clients with used-up limits, broken connections, a killed API, and jobs longer than the timeout: nothing is lost or done twice. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BodyOf,
  ChecksumMismatch,
  type JobProgress,
  openClient,
  TimedOut,
} from '../../../api/clients/typescript/index.ts';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService, reviseKeptOf } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { installPythonClient } from '../../support/python-client.ts';

type Spec = BodyOf<'runBacktest'>;

type Command =
  | { readonly do: 'backtests'; readonly specs: readonly Spec[] }
  | { readonly do: 'impatient'; readonly spec: Spec; readonly seconds: number }
  | { readonly do: 'await'; readonly job: string };

interface Outcome {
  readonly ids?: readonly (number | null)[];
  readonly error?: string | null;
  readonly job?: string;
}

type Drive = (url: string, key: string, command: Command) => Promise<Outcome>;

const DRIVER = fileURLToPath(new URL('drive.py', import.meta.url));

const byTypeScript: Drive = async (url, key, command) => {
  const { backtest } = openClient({ url, key });
  if (command.do === 'backtests') {
    const results = await Promise.all(command.specs.map((spec) => backtest(spec)));
    return { ids: results.map(({ id }) => id) };
  }
  if (command.do === 'await') return { ids: [(await backtest.job(command.job).result()).id] };
  const job = await backtest.submit(command.spec);
  try {
    await job.result({ timeoutMs: command.seconds * 1000 });
    return { error: null };
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    return { error: 'TimedOut', job: job.id };
  }
};

const python = await installPythonClient();

const byPython: Drive = async (url, key, command) =>
  JSON.parse(
    required(await python?.run([DRIVER, JSON.stringify(command)], { MARKET_API_URL: url, MARKET_API_KEY: key })),
  );

let service: ClientService;

beforeAll(async () => {
  service = await openClientService();
});
afterAll(() => service.close());

let fast = 2;
/** Returns requests for backtests that no other test has sent. */
const newSpecs = (n: number): Spec[] =>
  Array.from({ length: n }, () => ({
    symbol: 'ACRX',
    strategy: 'sma_cross',
    params: { fast_period: ++fast, slow_period: 100 },
  }));

/** Counts the queued runs and the kept results of the account of a key. */
async function counted(key: string): Promise<{ readonly queued: number; readonly kept: number }> {
  const hash = createHash('sha256').update(key).digest();
  const { rows } = await service.database.pool.query(
    `select (select count(*)::int from runs r where r.user_id = k.user_id) as queued,
            (select count(*)::int from backtests b where b.user_id = k.user_id) as kept
     from api_keys k where k.key_hash = $1`,
    [hash],
  );
  return rows[0];
}

const clients: readonly (readonly [string, Drive, boolean])[] = [
  ['the TypeScript client', byTypeScript, true],
  ['the Python client', byPython, python !== null],
];

for (const [name, drive, isHere] of clients) {
  (isHere ? describe : describe.skip)(name, () => {
    it('succeeds in spite of many refusals with 429', async () => {
      const key = await service.addKey('free');
      const { ids = [] } = await drive(service.url, key, { do: 'backtests', specs: newSpecs(7) });
      expect(new Set(ids).size).toBe(7);
      expect(await counted(key)).toEqual({ queued: 7, kept: 7 });
    });

    it('queues nothing twice if answers are lost', async () => {
      const key = await service.addKey('enterprise');
      const { relay } = service;
      const before = relay.lost;
      relay.cuts = 4;
      const { ids = [] } = await drive(relay.url, key, { do: 'backtests', specs: newSpecs(3) });
      expect(relay.lost - before).toBe(4);
      expect(new Set(ids).size).toBe(3);
      expect(await counted(key)).toEqual({ queued: 3, kept: 3 });
    });

    it('succeeds after the API was killed and restarted', async () => {
      const key = await service.addKey('enterprise');
      await service.pause('backtest');
      const answered = drive(service.url, key, { do: 'backtests', specs: newSpecs(2) });
      await eventually(
        () => counted(key),
        ({ queued }) => queued === 2,
      );
      await service.killApi();
      // The calls that were in progress keep their idempotency keys claimed for half a minute.
      await service.database.pool.query(
        'update idempotency_answers set held_until = now() where held_until is not null',
      );
      await service.startApi();
      await service.resume('backtest');
      expect(new Set((await answered).ids).size).toBe(2);
      expect(await counted(key)).toEqual({ queued: 2, kept: 2 });
    });

    it('finds a job again that continued after the timeout', async () => {
      const key = await service.addKey('enterprise');
      await service.pause('backtest');
      const [spec] = newSpecs(1);
      const { error, job = '' } = await drive(service.url, key, { do: 'impatient', spec, seconds: 1 });
      expect(error).toBe('TimedOut');
      await service.resume('backtest');
      expect((await drive(service.url, key, { do: 'await', job })).ids).toHaveLength(1);
      expect(await counted(key)).toEqual({ queued: 1, kept: 1 });
    });
  });
}

/** The TypeScript client makes the calls of `offers.py`. */
async function offersOf(url: string, key: string): Promise<object> {
  const market = openClient({ url, key });
  const symbols = ['ACRX', 'BRVA', 'ZZZZ'];
  const two = symbols.slice(0, 2);
  const sma = { strategy: 'sma_cross', time_range: '1Y', save: false } as const;
  const grid = { fast_period: [5, 10], slow_period: [50] };
  const query = `select date, symbol, close from bars where symbol = 'ACRX.US' order by date desc limit 2`;
  const history = await market.history(symbols, { days: 3, adjust: 'qfq' });
  const portfolio = await market.portfolio({ ...sma, symbols: two });
  const job = await market.portfolio.submit({ ...sma, symbols: two });
  const again = await market.portfolio.job(job.id).result();
  const flows = [{ amount: 500, every: 'month' }] as const;
  const targets = [
    { symbol: 'ACRX', weight: 0.6 },
    { symbol: 'BRVA', weight: 0.3 },
  ];
  const held = await market.portfolio({
    allocation: { targets, flows, rebalance: { band_pct: 5 } },
    time_range: '1Y',
    save: false,
  });
  const compare = [
    { name: 'Mine', allocation: { targets, flows, rebalance: 'month' } },
    { name: 'One', allocation: { targets: [{ symbol: 'ACRX', weight: 1 }] } },
  ] as const;
  const compared = await market.comparePortfolios({ compare, time_range: '1Y' });
  const states: JobProgress[] = [];
  const search = await market.optimize(
    { symbol: 'ACRX', strategy: 'sma_cross', grid, time_range: '1Y' },
    { onProgress: (state) => states.push(state) },
  );
  const sweep = await market.sweep({
    universe: { symbols: two },
    runs: [{ strategy: 'sma_cross', grid }],
    time_range: '1Y',
  });
  const study = await market.factors({
    universe: { symbols: two },
    factors: [
      { name: 'roc(63)', value: 'roc(63)' },
      { name: 'reversal', value: '-roc(21)' },
    ],
    horizons: ['step'],
    quantiles: 2,
    time_range: '1Y',
  });
  const every = await market.factors.submit({
    universe: { all: true, where: 'close > 5' },
    factors: [{ name: 'momentum', value: 'roc(63)' }],
    time_range: '1Y',
  });
  const { instruments } = await market.factors.job(every.id).result();
  const claims = await market.claims();
  const claimed = await market.runClaims({
    codes: ['reversal_1m'],
    universe: { all: true, where: 'close > 5' },
    time_range: '1Y',
  });
  const crossing = {
    condition: 'crosses_above(close, sma(20))',
    universe: { symbols: two },
    time_range: '1Y',
  } as const;
  const told = await market.outcomes({ ...crossing, for: ['ACRX'], horizons: [5], by: 'close > sma(50)' });
  const each = await market.outcomes.submit({ ...crossing, first: false });
  const { horizons: many } = await market.outcomes.job(each.id).result();
  const days = Array.from({ length: 28 }, (_, i) => i + 1);
  const lines = [3, 4].flatMap((month) =>
    days.map((day) => {
      const text = String(day).padStart(2, '0');
      return `2026-0${month}-${text},${((7 * day + month) % 9) / 1000}`;
    }),
  );
  const record = ['date,fund', ...lines, ''].join('\n');
  const judged = await market.judge(record, { benchmark: 'ACRX', frequency: 'day', trials: 5 });
  const alone = await market.judge(new Blob([record]));
  const kept = await market.backtest({ symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' });
  const sealed = await market.seal({ run: { kind: 'backtest', id: required(kept.id) }, name: 'Averages' });
  const slug = required((await market.shareForward(sealed.id)).slug);
  const { status } = await market.stopForward(sealed.id);
  const shared = await market.forwardRecord(slug);
  const entries = await Array.fromAsync(market.forwardEntries(slug));
  const [newest] = await Array.fromAsync(market.forwardRecords());
  const [revised] = await Array.fromAsync(market.impact());
  const { runs } = await market.loadImpact(revised.load);
  const table = await market.sql({ query });
  const queued = await market.sql.submit({ query, limit: 1 });
  const past = await market.screen(
    { where: 'close > 5', as_of: '2026-05-04' },
    { headers: { Prefer: 'respond-async' } },
  );
  const listed = await Array.fromAsync(market.items('listSweeps', { query: { size: 1 } }));
  const { bars } = await market.session('2026-05-29');
  const known = await Array.fromAsync(market.items('listMarketEvents', { query: { known_at: '2026-05-29' } }));
  const changes = await Array.fromAsync(market.items('listSymbolChanges', { query: { start: '2020-01-01' } }));
  return {
    quote: (await market.quote('ACRX')).last,
    candles: (await market.kline('ACRX', { days: 3 })).bars.map(({ ts }) => ts),
    history: Object.fromEntries(
      [...history.candles].map(([symbol, { bars }]) => [symbol, bars.map((bar) => bar.close)]),
    ),
    errors: Object.fromEntries(history.errors),
    symbols: (await market.symbols({ q: 'corp', limit: 3 })).items.map(({ symbol }) => symbol),
    events: (await market.events('ACRX')).events.map(({ kind, ex_date, factor, amount }) => [
      kind,
      ex_date,
      factor,
      amount,
    ]),
    calendar: (await market.calendar({ start: '2026-05-22', end: '2026-05-26' })).holidays,
    session: [bars.length, bars[0].symbol, bars[0].close],
    'market events': known
      .filter(({ symbol }) => symbol === 'ACRX.US')
      .map(({ kind, ex_date, factor, amount }) => [kind, ex_date, factor, amount]),
    changes: [changes.length, changes[0].kind],
    static: (await market.staticInfo('ACRX')).name,
    strategies: (await market.strategies()).strategies.map(({ code }) => code),
    screen: [(await market.screen({ where: 'close > 5' })).total, past.total, past.data_freshness.as_of],
    portfolio: [portfolio.total_pnl_pct, portfolio.trades?.length],
    hold: [held.total_pnl_pct, held.contributed, held.money_weighted_pct],
    compare: Object.fromEntries(compared.runs.map(({ name, result }) => [name, result.final_equity])),
    'found again': [again.total_pnl_pct, (await job.state()).status],
    optimize: [search.best.map(({ params }) => params.fast_period), states.at(-1)?.status],
    sweep: [sweep.cells, sweep.combinations.map(({ params }) => params.fast_period)],
    factors: [study.factors.map(({ name, horizons: [{ ic }] }) => [name, ic.mean]), 2],
    claims: [claims.items.length, claims.universe, claimed.items[0].rows[0].months],
    outcomes: [told.sentences, told.best.length, many.map(({ hits }) => hits)],
    judge: [
      judged.sentences,
      judged.selection?.trials,
      judged.streams.map(({ tear_sheet }) => tear_sheet.returns.sharpe),
      alone.notes.map(({ code }) => code),
    ],
    forward: [shared.name, shared.bands?.growth.at(-1)?.p50, status, entries.map(({ kind }) => kind), newest.status],
    impact: [revised.id, revised.after, runs, null],
    'factors of all': [instruments > 10, study.selection.best],
    sql: [table.columns.map(({ name }) => name), table.columns.map(({ type }) => type), table.rows, table.truncated],
    'sql, one row': (await queued.result()).rows,
    sweeps: listed[0].cells.total,
  };
}

describe('both clients', () => {
  it('have the same methods, with the same results', async () => {
    const key = await service.addKey('enterprise');
    const revised = await reviseKeptOf(service, key);
    const wanted = await offersOf(service.url, key);
    expect(wanted).toMatchObject({ errors: { 'ZZZZ.US': expect.any(String) }, sweep: [4, expect.any(Array)] });
    const figure = expect.any(Number);
    expect(wanted).toMatchObject({
      factors: [
        [
          ['roc(63)', figure],
          ['reversal', figure],
        ],
        2,
      ],
      outcomes: [[expect.stringMatching(/^After \d+ hits/)], figure, [figure, figure, figure]],
      judge: [expect.any(Array), 5, [figure], expect.arrayContaining(['no_benchmark'])],
      forward: ['Averages', figure, 'stopped', ['stopped'], 'stopped'],
      impact: [revised, { total_pnl_pct: figure }, { changed: 1 }, null],
      'factors of all': [true, null],
    });
    if (!python) return;
    const script = fileURLToPath(new URL('offers.py', import.meta.url));
    const answers = await python.run([script], { MARKET_API_URL: service.url, MARKET_API_KEY: key });
    expect(JSON.parse(answers)).toEqual([wanted, wanted]);
  });
});

describe('a download by the TypeScript client', () => {
  it('is resumed after a break, and its checksum is verified', async () => {
    const key = await service.addKey('pro');
    const { relay } = service;
    const direct = openClient({ url: service.url, key });
    const progress: JobProgress[] = [];
    const grid = { fast_period: [5, 10, 15, 20], slow_period: [50, 60, 70] };
    const sweep = await direct.sweep(
      { universe: 'all', runs: [{ strategy: 'sma_cross', grid }], time_range: '1Y' },
      { onProgress: (state) => progress.push(state) },
    );
    expect(progress.at(-1)).toEqual({ status: 'done', percent: 100 });
    const path = { sweep_id: sweep.id };
    const whole = Buffer.concat(await Array.fromAsync(direct.download('downloadSweepCells', { path })));
    expect(whole.length).toBeGreaterThan(10_000);
    const file = join(service.directory, 'cells.parquet');
    Object.assign(relay, { cuts: 2, cutAfterBytes: 4_000 });
    await openClient({ url: relay.url, key }).save('downloadSweepCells', { path }, file);
    expect(relay.cuts).toBe(0);
    expect(readFileSync(file).equals(whole)).toBe(true);
    // The last byte is changed, under the ETag of the stored file.
    Object.assign(relay, { cuts: 0, cutAfterBytes: 0 });
    const changed: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      bytes[bytes.length - 1] ^= 1;
      return new Response(bytes, answer);
    };
    const broken = openClient({ url: service.url, key, fetch: changed });
    const again = broken.save('downloadSweepCells', { path }, `${file}.again`);
    await expect(again).rejects.toThrow(ChecksumMismatch);
    expect(existsSync(`${file}.again`)).toBe(false);
  });
});
