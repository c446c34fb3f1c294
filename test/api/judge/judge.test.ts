/** Records judged over HTTP: as the run that made them, of many forms, and refused with the place. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import canonicalize from 'canonicalize';
import { portOf } from '../../../api/server/port-of.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const now = () => NOON_2026_06_01;
const directory = mkdtempSync(join(tmpdir(), 'judge-'));
const objects = join(directory, 'objects');
let database: TestDatabase;
let api: TestApi;
let pro: Person;
let free: Person;
beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, storage: openStorage({ folder: objects }), now, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
  free = await addPerson(api);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const uploads = () => readdirSync(objects, { recursive: true }).filter((name) => String(name).includes('uploads/'));

/** Sends a record, runs its job, and returns its state. */
async function judge(body: string | Buffer, query = '', person = pro) {
  const headers = { ...person.program, prefer: 'respond-async', 'content-type': 'text/csv' };
  const sent = await api.post(`/v1/judge${query}`, body, headers);
  if (sent.status !== 202) return { status: sent.status, error: sent.body, result: null };
  const { job_id: runId, location } = sent.body.data;
  await runJobOf({ pool: api.services.pool, now, storage: api.services.storage, workFolder: directory }, runId);
  return (await api.get(location, person.program)).body.data;
}

interface SeriesRow {
  readonly ts: string;
  readonly run: number;
  readonly benchmark: number;
}

const days = Array.from({ length: 400 }, (_, i) => new Date(Date.UTC(2020, 0, 1 + i)))
  .filter((date) => date.getUTCDay() % 6 !== 0)
  .map((date) => date.toISOString().slice(0, 10));

describe('a record', () => {
  it('has the figures of the run that made it, beside the same benchmark', async () => {
    const body = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '5Y', adjust: 'total', tear_sheet: true };
    const ran = await runNow(
      api,
      { storage: api.services.storage },
      { path: '/v1/backtest', body, headers: pro.program },
    );
    const { tear_sheet: sheet, statistics } = ran.body.data.result;
    const rows: SeriesRow[] = sheet.series;
    const csv = ['date,run,held', ...rows.map(({ ts, run, benchmark }) => `${ts},${run},${benchmark}`)].join('\n');
    const { status, result } = await judge(csv, '?benchmark=held');
    expect([status, result.streams.length]).toEqual(['done', 1]);
    const [own] = result.streams;
    expect([own.periods, own.frequency, own.missing]).toEqual([rows.length, 'day', 0]);
    const { returns, benchmark, time } = own.tear_sheet;
    expect(returns).toEqual(sheet.returns);
    expect(benchmark).toEqual(sheet.benchmark);
    for (const name of ['months', 'years', 'rolling', 'drawdowns', 'underwater'])
      expect([name, time[name]]).toEqual([name, sheet.time[name]]);
    const { psr, min_track_record_bars, block_length, skill } = own.statistics;
    const { appraisal_interval: _a, alpha_interval_pct: _b, benchmark: _c, ...ofSkill } = statistics.skill;
    expect({ psr, min_track_record_bars, block_length }).toEqual({
      psr: statistics.psr,
      min_track_record_bars: statistics.min_track_record_bars,
      block_length: statistics.block_length,
    });
    expect(skill).toMatchObject({ ...ofSkill, benchmark: 'held' });
    // Drawn with another seed.
    expect(own.statistics.sharpe_interval[0]).toBeCloseTo(statistics.sharpe_interval[0], 0);
    expect(uploads()).toEqual([]);
  });

  it('is compared with a symbol from the base of its curve on', async () => {
    const { body } = await api.get('/v1/kline/LUMA.US?period=day&days=300&adjust=qfq', pro.program);
    const bars: readonly { readonly ts: string; readonly close: number }[] = body.data.bars;
    const csv = ['date,fund', ...bars.map(({ ts, close }) => `${ts.slice(0, 10)},${close}`)].join('\n');
    const { result } = await judge(csv, '?form=equity&benchmark=LUMA');
    const [{ statistics, tear_sheet, periods }] = result.streams;
    expect(periods).toBe(bars.length - 1);
    // It is its own benchmark, but for rounded prices and dividends.
    expect(tear_sheet.benchmark.correlation).toBeGreaterThan(0.99);
    expect(statistics.skill.beta).toBeCloseTo(1, 1);
    expect(result.benchmark).toBe('LUMA');
  });

  const value = (i: number, k: number) => Math.sin(7 * i + k) / 100 + 0.0004 * k;
  const csvOf = (names: readonly string[]) =>
    [`date,${names.join(',')}`, ...days.map((day, i) => [day, ...names.map((_, k) => value(i, k))].join(','))].join(
      '\n',
    );

  it('is the same as CSV, compressed, as NDJSON, and as Arrow', async () => {
    const csv = csvOf(['a', 'b']);
    const ndjson = days.map((date, i) => JSON.stringify({ date, a: value(i, 0), b: value(i, 1) })).join('\n');
    const arrow = tableToIPC(
      new Table({
        date: vectorFromArray(days),
        a: vectorFromArray(days.map((_, i) => value(i, 0))),
        b: vectorFromArray(days.map((_, i) => value(i, 1))),
      }),
      'stream',
    );
    const [first, ...others] = await Promise.all(
      [csv, gzipSync(csv), ndjson, Buffer.from(arrow)].map(async (body) => (await judge(body)).result),
    );
    for (const other of others) expect(withoutAccount(other)).toEqual(withoutAccount(first));
    expect(others.map(({ account }) => account.layout)).toEqual(['csv', 'ndjson', 'arrow']);
  });

  it('is drawn by the digest of its columns', async () => {
    const { result } = await judge(csvOf(['a', 'b']));
    const columns = ['a', 'b'].map((name, k) => ({ name, values: days.map((_, i) => value(i, k)) }));
    const form = canonicalize([{ name: 'date', values: days }, ...columns]);
    const seed = hash('sha256', form ?? '').slice(0, 16);
    expect(result.streams.map(({ statistics }: { statistics: { seed: string } }) => statistics.seed)).toEqual([
      seed,
      seed,
    ]);
  });

  it('of several streams has a selection, and no stream that is called shown', async () => {
    const names = Array.from({ length: 12 }, (_, k) => `s${k}`);
    const { result } = await judge(csvOf(names), '?benchmark=s0&trials=40&prior=0.1');
    expect(result.streams).toHaveLength(11);
    expect(result.selection).toMatchObject({ trials: 40, periods: days.length });
    expect(result.streams.map(({ name }: { name: string }) => name)).toContain(result.selection.best);
    expect(result.pbo).toBeNull();
    expect([result.spa.consistent, result.step_m.count, result.haircuts.tests]).toEqual([
      expect.any(Number),
      expect.any(Number),
      11,
    ]);
    expect(result.fdr).toMatchObject({ prior: 0.1, sharpe: 0.5 });
    expect(result.fdr.streams).toHaveLength(11);
    expect(
      result.streams.every(
        ({ statistics }: { statistics: { skill: { shown: null } } }) => statistics.skill.shown === null,
      ),
    ).toBe(true);
    expect(result.sentences.length).toBeGreaterThan(0);
    expect((await judge(csvOf(names), '', free)).error.key).toBe('error.plan_capability');
    expect((await judge(csvOf(['a']), '', free)).status).toBe('done');
    // The benchmark is no second stream.
    expect((await judge(csvOf(['a', 'b']), '?benchmark=b', free)).status).toBe('done');
  });

  it('without a benchmark says so in each language, and speaks of no luck', async () => {
    const { result } = await judge(csvOf(['a']));
    expect(result.streams[0]).toMatchObject({
      statistics: { skill: null },
      tear_sheet: { benchmark: null, trades: null },
    });
    expect(result.notes.map(({ code }: { code: string }) => code)).toEqual(
      ['frequency_guessed', 'no_session', 'no_benchmark', 'assumed', 'gaps'].filter((code) =>
        result.notes.some((note: { code: string }) => note.code === code),
      ),
    );
    expect(result.sentences.join(' ')).not.toMatch(/chance|lucki|skill/);
    expect(result.spa).toBeNull();
    const sent = await api.post('/v1/judge', csvOf(['a']), {
      ...pro.program,
      prefer: 'respond-async',
      'content-type': 'text/csv',
    });
    const { job_id: runId, location } = sent.body.data;
    await runJobOf({ pool: api.services.pool, now, storage: api.services.storage, workFolder: directory }, runId);
    const inChinese = await api.get(location, { ...pro.program, 'accept-language': 'zh-CN' });
    const [note] = inChinese.body.data.result.notes;
    expect(note.message).toContain('视为日数据');
  });

  it('of trades is told to be of what was realized', async () => {
    const lines = days.slice(0, 60).map((day, i) => `${i + 1},${day},${day},${i % 3 === 0 ? -50 : 80}`);
    const { result } = await judge(['seq,entry_date,exit_date,pnl', ...lines].join('\n'), '?form=trades');
    expect(result.notes[0].code).toBe('realized_only');
    expect(result.streams[0].name).toBe('trades');
    expect(result.streams[0].tear_sheet.trades).toBeNull();
  });

  it('of trades with their returns has the figures of them that the sheet of the same run has', async () => {
    const body = {
      symbol: 'LUMA',
      strategy: 'sma_cross',
      params: { fast_period: 5, slow_period: 20 },
      tear_sheet: true,
    };
    const files = { storage: api.services.storage };
    const call = { path: '/v1/backtest', body: { ...body, time_range: '5Y' }, headers: pro.program };
    const run = (await runNow(api, files, call)).body.data.result;
    const names = Object.keys(run.trades[0]);
    const lines = run.trades.map((trade: Record<string, unknown>) => names.map((name) => trade[name]).join(','));
    const { result } = await judge([names.join(','), ...lines].join('\n'), '?form=trades');
    const { by_symbol, expectancy, profit_factor, payoff, sqn, kelly, ...told } = result.streams[0].tear_sheet.trades;
    const own = run.tear_sheet.trades;
    expect(own.count).toBeGreaterThan(20);
    // Trades in a file are rounded to cents, and to ten thousandths of a percent.
    expect(own).toMatchObject({ ...told, by_exit_reason: expect.any(Array), by_entry_month: expect.any(Array) });
    expect([expectancy, profit_factor, payoff, sqn, kelly]).toEqual(
      [own.expectancy, own.profit_factor, own.payoff, own.sqn, own.kelly].map((figure) => expect.closeTo(figure, 2)),
    );
    expect(by_symbol).toEqual([]);
    expect(told.by_exit_reason.map((group: { exit_reason: string }) => group.exit_reason)).toEqual(
      own.by_exit_reason.map((group: { exit_reason: string }) => group.exit_reason),
    );
  });
});

function withoutAccount({ account: _account, ...result }: { account: object }) {
  return result;
}

describe('a refusal', () => {
  const refusal = async (body: string, query = '', person = pro) => {
    const { status, error } = await judge(body, query, person);
    return [status, error?.key ?? null, error?.message ?? ''];
  };

  it('tells the place, and leaves no file', async () => {
    const record = 'date,a\n2024-01-02,0.1\n';
    expect(await refusal('day_of,a\n2024-01-02,0.1\n')).toEqual([
      'failed',
      'error.record_refused',
      expect.stringMatching(/date is missing/),
    ]);
    expect(await refusal(record, '?benchmark=NOSUCH')).toEqual([
      'failed',
      'error.record_refused',
      expect.stringMatching(/NOSUCH/),
    ]);
    expect(await refusal(record, '?detail=b')).toEqual([
      'failed',
      'error.record_refused',
      expect.stringMatching(/detail names b/),
    ]);
    expect(await refusal('date,a\n2020-01-31,0.1\n2020-06-30,0.1\n2020-12-31,0\n')).toEqual([
      'failed',
      'error.record_refused',
      expect.stringMatching(/further apart than months/),
    ]);
    const curve = days.map((day, i) => `${day},${100 + (i % 7)}`);
    expect(await refusal(['date,a', ...curve].join('\n'))).toEqual([
      'failed',
      'error.record_refused',
      expect.stringMatching(/a overflows, and looks like an equity curve/),
    ]);
    const percents = days.map((day, i) => `${day},${3 * Math.sin(i)}`);
    expect(
      await refusal(
        [
          'date,a',
          ...percents,
          ...Array.from({ length: 900 }, (_, i) => `${1990 + (i % 20)}-0${1 + (i % 9)}-${10 + (i % 19)},40`),
        ].join('\n'),
      ),
    ).toEqual(['failed', 'error.record_refused', expect.stringMatching(/percentages, not fractions/)]);
    for (const [query, field] of [
      ['?frequency=year', 'frequency'],
      ['?form=money', 'form'],
      ['?trials=0', 'trials'],
      ['?prior=1', 'prior'],
      ['?sharpe=0', 'sharpe'],
      ['?risk_free=no_such', 'risk_free'],
      [`?detail=${'a,'.repeat(20)}a`, 'detail'],
    ]) {
      const { status, error } = await judge(record, query);
      expect([query, status, error.detail?.[0].loc]).toEqual([query, 422, ['query', field]]);
    }
    expect(uploads()).toEqual([]);
  });

  it('is judged once by an idempotency key, of which another file or question is told', async () => {
    const record = 'date,a\n2024-01-02,0.01\n2024-01-03,0.02\n';
    const headers = { ...pro.program, prefer: 'respond-async', 'content-type': 'text/csv', 'idempotency-key': 'once' };
    const count = async () => (await database.pool.query(`select from runs where kind = 'judge'`)).rowCount;
    const before = await count();
    const [first, again] = [await api.post('/v1/judge', record, headers), await api.post('/v1/judge', record, headers)];
    expect([first.status, again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      202,
      202,
      first.text,
      'true',
    ]);
    const others = [
      await api.post('/v1/judge', record.replace('0.02', '0.03'), headers),
      await api.post('/v1/judge?trials=5', record, headers),
    ];
    expect(others.map(({ status, body }) => [status, body.key])).toEqual(
      others.map(() => [409, 'error.idempotency_mismatch']),
    );
    expect(await count()).toBe((before ?? 0) + 1);
    const { pool, storage } = api.services;
    await runJobOf({ pool, now, storage, workFolder: directory }, first.body.data.job_id);
    // A refused call frees the key.
    const refused = { ...headers, 'idempotency-key': 'refused' };
    expect((await api.post('/v1/judge?risk_free=no_such', record, refused)).status).toBe(422);
    expect((await api.post('/v1/judge?risk_free=no_such', record, refused)).status).toBe(422);
  });

  it('is refused to a plan without it before the file is read', async () => {
    const server = createServer(api.app).listen(0);
    await once(server, 'listening');
    try {
      const port = portOf(server);
      const sent = request({ port, path: '/v1/judge', method: 'POST', headers: { 'content-type': 'text/csv' } });
      // The file never ends.
      sent.write('date,a\n');
      const [answer] = await once(sent, 'response');
      expect(answer.statusCode).toBe(403);
      sent.destroy();
    } finally {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  });

  it('is of the plan: a guest has none, and values are bounded before they are stored', async () => {
    const guest = await api.post('/v1/judge', 'date,a\n2024-01-02,0.1\n', { 'content-type': 'text/csv' });
    expect(guest.status).toBe(403);
    const lines = 'x\n'.repeat(112_000);
    const over = await judge(`date,a\n${lines}`, '', free);
    expect([over.status, over.error.key]).toEqual([400, 'error.quota_exceeded']);
    expect(uploads()).toEqual([]);
  });
});
