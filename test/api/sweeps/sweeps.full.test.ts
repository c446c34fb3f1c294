/** Sweeps over HTTP, through the queue, in real worker processes. */

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import type { Response } from 'supertest';
import { PLANS } from '../../../api/access/plans.ts';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { transaction } from '../../../db/pool.ts';
import { deletePause, insertPause } from '../../../db/queue/queues.ts';
import { finishChunk, startChunk } from '../../../db/sweeps/sweep-chunks.ts';
import { failSweep } from '../../../db/sweeps/sweeps.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { expectedMaximum } from '../../../engine/statistics/selection.ts';
import { assembleWork, runChunk } from '../../../jobs/factors/chunked-work.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { enqueueSweep } from '../../../jobs/sweep/enqueue.ts';
import { sweepChunkKey, sweepPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const outcome = ({ status, body }: Response) => [status, body.key];

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let pro: Person;
let other: Person;
let symbols: string[];
const workers: ChildProcess[] = [];

async function startWorker(): Promise<ChildProcess> {
  const worker = await startSampleWorker({ database, folder: directory, now: NOW }, { WORKER_SLOTS: '1' });
  workers.push(worker);
  return worker;
}

const endWorkers = async () => {
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM')));
};

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-sweeps-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
  other = await addPerson(api, undefined, { plan: 'enterprise' });
  symbols = api.services.market.directory.items.map(({ qualified }) => qualified).sort();
});
afterEach(endWorkers);
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const body = (more: object = {}) => ({
  universe: 'all',
  runs: [
    { strategy: 'sma_cross', grid: { fast_period: [5, 10], slow_period: [20, 40] } },
    { strategy: 'donchian', params: { entry_period: 30 } },
  ],
  time_range: '2Y',
  execute_on: 'next_open',
  cost: { commission_rate: 0.001, slippage_bps: 5 },
  ...more,
});

async function finished(id: string, person = pro): Promise<Response> {
  return eventually(
    () => api.get(`/v1/sweeps/${id}?wait=5`, person.program),
    ({ body: { data } }) => data.status === 'done' || data.status === 'failed',
    90_000,
  );
}

async function cellsOf(id: string, person = pro): Promise<Record<string, unknown>[]> {
  const file = await api.get(`/v1/sweeps/${id}/cells.parquet`, person.program);
  const content = new Uint8Array(file.body).buffer;
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  return parquetReadObjects({ file: content, compressors });
}

/** Chunks of one instrument each. */
async function enqueueInPieces(person: Person, more: object = {}): Promise<string> {
  const { pool, boss, market } = api.services;
  const requested = sweepOf(sweepBody.parse({ ...body(), ...more }), market, [NOTHING_OWN, NOTHING_OWN]);
  const id = randomUUID();
  const wanted = { ...requested, id, userId: person.id, bars: 1e9, requestId: 'test', at: new Date(NOW) };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  return id;
}

describe('a sweep', () => {
  it('has the figures of the single backtest in every cell, and a summary of them', async () => {
    await startWorker();
    const accepted = await api.post('/v1/sweeps', body(), pro.program);
    expect(accepted.status).toBe(202);
    const { job_id: id, location } = accepted.body.data;
    expect(accepted.headers.location).toBe(location);
    expect(outcome(await api.get(`${location}/result`, pro.program))).toEqual([409, 'error.sweep_not_finished']);
    expect(outcome(await api.get(`${location}/cells.parquet`, pro.program))).toEqual([409, 'error.sweep_not_finished']);
    const { data } = (await finished(id)).body;
    expect(data).toMatchObject({
      status: 'done',
      progress_pct: 100,
      cells: { done: symbols.length * 5, total: symbols.length * 5 },
      strategies: ['sma_cross', 'donchian'],
    });
    for (const path of ['', '/result', '/cells.parquet']) {
      expect(outcome(await api.get(`${location}${path}`, other.program))).toEqual([404, 'error.not_found']);
    }

    const cells = await cellsOf(id);
    const stored = api.services.market.directory.items.toSorted((a, b) => a.id - b.id);
    expect(cells.map(({ symbol }) => symbol)).toEqual(stored.flatMap(({ qualified }) => Array(5).fill(qualified)));
    const { execute_on, cost, time_range } = body();
    for (const cell of [cells[7], cells[64], cells[113], cells[199]]) {
      const single = await api.post(
        '/v1/backtest',
        {
          execute_on,
          cost,
          time_range,
          symbol: cell.symbol,
          strategy: cell.strategy,
          params: JSON.parse(String(cell.params)),
          save: false,
        },
        other.program,
      );
      if (cell.bars === 0) {
        expect(outcome(single)).toEqual([400, 'error.no_bars_in_range']);
        continue;
      }
      const { symbol: _symbol, strategy: _strategy, params: _params, bars, start_date, end_date, ...figures } = cell;
      const wanted = Object.fromEntries(Object.keys(figures).map((name) => [name, single.body.data[name]]));
      expect(figures).toEqual(wanted);
      expect(bars).toBe(single.body.data.data_range.bars);
      expect([start_date, end_date].map((date) => new Date(String(date)).toISOString().slice(0, 10))).toEqual([
        single.body.data.start_date,
        single.body.data.end_date,
      ]);
    }

    const { data: result } = (await api.get(`${location}/result`, pro.program)).body;
    expect(result.combinations).toHaveLength(5);
    const withBars = cells.filter(({ bars }) => Number(bars) > 0);
    expect(result.cells_with_bars).toBe(withBars.length);
    const donchian = withBars.filter(({ strategy }) => strategy === 'donchian');
    const reported = result.combinations[4];
    expect(reported).toMatchObject({ strategy: 'donchian', instruments: donchian.length });
    const sharpes = donchian.flatMap(({ sharpe }) => (typeof sharpe === 'number' ? [sharpe] : []));
    const mean = sharpes.reduce((sum, sharpe) => sum + sharpe, 0) / sharpes.length;
    expect(reported.metrics.sharpe.mean).toBeCloseTo(mean, 3);
    const sorted = sharpes.toSorted((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    expect(reported.metrics.sharpe.median).toBeCloseTo((sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2, 3);
    expect(reported.trades.count).toBe(donchian.reduce((sum, { num_trades }) => sum + Number(num_trades), 0));
    // None of the cells has 30 trades.
    expect(result.best).toEqual([]);
    expect(result.best_few_trades[0].sharpe).toBe(
      Math.max(...withBars.map(({ sharpe }) => Number(sharpe ?? -Infinity))),
    );
    // The best of as many trials as there are cells with bars.
    expect(result.selection).toMatchObject({ trials: withBars.length, dsr: expect.any(Number) });
    expect(result.selection.emax).toBeCloseTo(expectedMaximum(withBars.length), 4);
    const noted = result.notes.map(({ code }: { code: string }) => code);
    expect(noted).toEqual(expect.arrayContaining(['mixed_session_source', 'price_return']));
    expect(data.notes).toEqual(result.notes);
    const perBar = withBars.map(({ sharpe }) => Number(sharpe ?? 0) / Math.sqrt(252));
    const center = perBar.reduce((sum, sharpe) => sum + sharpe, 0) / perBar.length;
    const spread = Math.sqrt(perBar.reduce((sum, sharpe) => sum + (sharpe - center) ** 2, 0) / (perBar.length - 1));
    expect(result.selection.hurdle).toBeCloseTo(spread * expectedMaximum(withBars.length), 4);
    expect(result.sharpe_histogram.counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(
      withBars.filter(({ sharpe }) => sharpe !== null).length,
    );

    expect((await api.delete(location, undefined, pro.program)).body.data).toEqual({ deleted: true });
    expect((await api.get(location, pro.program)).status).toBe(404);
    await eventually(
      () => keysUnder(sweepPrefix(pro.id, id)),
      (keys) => keys.length === 0,
    );
  });

  it('counts every chunk once, even if workers die, next to the sweep of another account', async () => {
    const [first] = [await startWorker(), await startWorker()];
    const id = await enqueueInPieces(pro);
    const foreign = await enqueueInPieces(other);
    await eventually(
      () => progressOf(id),
      ({ done }) => done >= 4,
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    const replacement = await startWorker();
    await eventually(
      () => progressOf(id),
      ({ done }) => done >= 16,
    );
    replacement.kill('SIGKILL');
    await once(replacement, 'exit');
    const { data } = (await finished(id)).body;
    expect(data).toMatchObject({ status: 'done', cells: { done: symbols.length * 5, total: symbols.length * 5 } });
    const cells = await cellsOf(id);
    expect(new Set(cells.map(({ symbol, strategy, params }) => `${symbol} ${strategy} ${params}`)).size).toBe(
      symbols.length * 5,
    );
    const beside = await finished(foreign, other);
    expect(beside.body.data).toMatchObject({ status: 'done', cells: { done: symbols.length * 5 } });
    // The same specification has the same cells for both accounts, whatever process died.
    expect(await cellsOf(foreign, other)).toEqual(cells);
    // Nothing of the dead attempts is left behind after the assembly has removed the chunks.
    const kept = ['cells.parquet', 'result.json'].map((name) => `${sweepPrefix(pro.id, id)}${name}`);
    await eventually(
      () => keysUnder(sweepPrefix(pro.id, id)),
      (keys) => keys.join() === kept.join(),
    );
  });

  it('counts only the newest attempt of a chunk, and only once', async () => {
    const id = await enqueueInPieces(pro, { universe: { symbols: symbols.slice(0, 2) } });
    const { pool } = api.services;
    const slow = await startChunk(pool, id, 0);
    const quick = await startChunk(pool, id, 0);
    expect([slow?.attempt, quick?.attempt]).toEqual([1, 2]);
    const end = (attempt: number) =>
      transaction(pool, (connection) => finishChunk(connection, { sweepId: id, seq: 0, attempt }, 0.5));
    expect(await end(1)).toBeNull();
    expect(await end(2)).toEqual({ isLast: false, isTooLong: false });
    expect(await end(2)).toBeNull();
    expect(await startChunk(pool, id, 0)).toBeNull();
    expect((await progressOf(id)).cells).toBe(5);
    await api.delete(`/v1/sweeps/${id}`, undefined, pro.program);
  });

  it('waits for the previous one of its account, and takes turns with those of others', async () => {
    const small = { universe: { symbols: symbols.slice(0, 12) } };
    const [running, waiting] = [await enqueueInPieces(pro, small), await enqueueInPieces(pro, small)];
    const foreign = await enqueueInPieces(other, small);
    const statusOf = async (id: string, person: Person) =>
      (await api.get(`/v1/sweeps/${id}`, person.program)).body.data.status;
    expect([await statusOf(running, pro), await statusOf(waiting, pro), await statusOf(foreign, other)]).toEqual([
      'running',
      'queued',
      'running',
    ]);
    const { body: list } = await api.get('/v1/sweeps?size=200', pro.program);
    const listed = list.data.items.map((item: { id: string }) => item.id);
    expect(listed).toEqual(expect.arrayContaining([running, waiting]));
    expect(listed).not.toContain(foreign);
    await startWorker();
    await finished(foreign, other);
    await finished(waiting);
    const { rows } = await database.pool.query<{ sweep_id: string }>(
      'select sweep_id from sweep_chunks where sweep_id = any($1) order by done_at',
      [[running, foreign]],
    );
    // About half of the first ten chunks belong to each.
    const early = rows.slice(0, 10).filter(({ sweep_id }) => sweep_id === foreign).length;
    expect([4, 5, 6]).toContain(early);
  });

  it('takes the instruments that a screen finds before the range', async () => {
    await startWorker();
    const screen = { conditions: [{ field: 'close', op: 'gt', value: 5 }], limit: 3 };
    const accepted = await api.post('/v1/sweeps', body({ universe: { screen } }), other.program);
    expect(accepted.status).toBe(202);
    const { data } = (await finished(accepted.body.data.job_id, other)).body;
    expect(data).toMatchObject({ status: 'done', cells: { total: 15 } });
    const seen = await api.post('/v1/screener', { ...screen, as_of: data.screened_on }, other.program);
    const cells = await cellsOf(accepted.body.data.job_id, other);
    const found = seen.body.data.items.map((item: { current_symbol: string }) => item.current_symbol);
    expect(new Set(cells.map(({ symbol }) => symbol))).toEqual(new Set(found));
  });

  it('resumes where it failed, when it is retried', async () => {
    const id = await enqueueInPieces(other, { universe: { symbols: symbols.slice(0, 4) } });
    const { pool } = api.services;
    const chunk = await startChunk(pool, id, 2);
    if (!chunk) throw new Error('the chunk does not begin');
    expect(outcome(await api.post(`/v1/sweeps/${id}/retry`, {}, other.program))).toEqual([409, 'error.wrong_state']);
    await failSweep(pool, id, 'internal', new Date(NOW));
    // The attempt in progress comes too late.
    const late = { sweepId: id, seq: 2, attempt: chunk.attempt };
    expect(await transaction(pool, (connection) => finishChunk(connection, late, 0.5))).toBeNull();
    expect(outcome(await api.get(`/v1/sweeps/${id}/result`, other.program))).toEqual([409, 'error.sweep_failed']);
    const stranger = await addPerson(api, undefined, { plan: 'enterprise' });
    expect(outcome(await api.post(`/v1/sweeps/${id}/retry`, {}, stranger.program))).toEqual([404, 'error.not_found']);
    const retried = await api.post(`/v1/sweeps/${id}/retry`, {}, other.program);
    expect([retried.status, retried.body.data.status]).toEqual([202, 'running']);
    await startWorker();
    const { data } = (await finished(id, other)).body;
    expect(data).toMatchObject({ status: 'done', cells: { done: 20, total: 20 }, error: null });
    expect(await cellsOf(id, other)).toHaveLength(20);
  });

  it('computes chunks without objects again, when it is retried', async () => {
    await endWorkers();
    const id = await enqueueInPieces(other, { universe: { symbols: symbols.slice(0, 4) } });
    const { pool, boss } = api.services;
    const context = testJobContext({ pool, storage, boss: async () => boss, now: () => NOW });
    for (const seq of [0, 1, 2, 3]) await runChunk(context, { sweepId: id, seq, requestId: null });
    for (const seq of [1, 2]) await storage.remove(sweepChunkKey({ userId: other.id, sweepId: id, seq, attempt: 1 }));
    await expect(assembleWork({ ...context, isLastAttempt: false }, { sweepId: id })).rejects.toThrow(/is gone/);
    const failed = await api.get(`/v1/sweeps/${id}`, other.program);
    expect(failed.body.data).toMatchObject({ status: 'failed', cells: { done: 10 }, chunks: { done: 2, total: 4 } });
    await api.post(`/v1/sweeps/${id}/retry`, {}, other.program);
    await startWorker();
    expect((await finished(id, other)).body.data).toMatchObject({ status: 'done', cells: { done: 20, total: 20 } });
    expect(await cellsOf(id, other)).toHaveLength(20);
  });

  it('of any account can be seen, resumed, and canceled by an administrator', async () => {
    const admin = await addAdmin(api);
    const { pool } = api.services;
    const small = { universe: { symbols: symbols.slice(0, 2) } };
    const [running, waiting] = [await enqueueInPieces(pro, small), await enqueueInPieces(pro, small)];
    const failed = await enqueueInPieces(other, small);
    for (let attempt = 0; attempt < 2; attempt++) await startChunk(pool, failed, 0);
    // As pg-boss does after the last attempt.
    await pool.query(`update pgboss.job set state = 'failed' where name = 'sweep.chunk' and data ->> 'sweepId' = $1`, [
      failed,
    ]);
    const open = async () => {
      const { body: list } = await api.get('/api/admin/sweeps', admin.console);
      return list.data.items.filter(({ id }: { id: string }) => [running, waiting, failed].includes(id));
    };
    const shown = await open();
    expect(shown.map(({ id, status, email }: Record<string, string>) => [id, status, email])).toEqual([
      [running, 'running', pro.email],
      [waiting, 'queued', pro.email],
      [failed, 'failed', other.email],
    ]);
    expect(shown[2]).toMatchObject({
      failed_attempts: 2,
      cells: { done: 0, total: 10 },
      error: { key: 'error.internal' },
    });

    const retry = (id: string) => api.post(`/api/admin/sweeps/${id}/retry`, {}, admin.console);
    const cancel = (id: string) => api.delete(`/api/admin/sweeps/${id}`, undefined, admin.console);
    expect(outcome(await retry(running))).toEqual([409, 'error.wrong_state']);
    expect((await retry(failed)).body.data).toMatchObject({ id: failed, status: 'running', error: null });
    expect((await cancel(running)).body.data).toEqual({ deleted: true });
    expect(outcome(await cancel(running))).toEqual([404, 'error.not_found']);
    expect(outcome(await retry(running))).toEqual([404, 'error.not_found']);
    // Both were recorded at one moment of the fixed clock, so they have no order.
    const left = (await open()).map(({ id, status }: Record<string, string>) => [id, status]);
    expect(new Map(left)).toEqual(
      new Map([
        [waiting, 'running'],
        [failed, 'running'],
      ]),
    );
    expect(outcome(await api.get('/api/admin/sweeps', pro.console))).toEqual([403, 'error.admin_required']);
    await Promise.all([waiting, failed].map(cancel));
    const { rows } = await pool.query(
      `select action, result, target_id from audit_log where action in ('sweep.retry', 'sweep.cancel')
         and target_id = any($1) order by id`,
      [[running, failed]],
    );
    expect(rows.map(({ action, result, target_id }) => [action, result, target_id === running])).toEqual([
      ['sweep.retry', 'failed', true],
      ['sweep.retry', 'ok', false],
      ['sweep.cancel', 'ok', true],
      ['sweep.cancel', 'failed', true],
      ['sweep.retry', 'failed', true],
      ['sweep.cancel', 'ok', false],
    ]);
  });

  it('is deleted at once when it is canceled, and the next one starts', async () => {
    const [running, waiting] = [await enqueueInPieces(pro), await enqueueInPieces(pro)];
    expect((await api.delete(`/v1/sweeps/${running}`, undefined, pro.program)).status).toBe(200);
    expect((await api.get(`/v1/sweeps/${waiting}`, pro.program)).body.data.status).toBe('running');
    const { rows } = await database.pool.query(
      `select state, count(*)::int from pgboss.job where name = 'sweep.chunk' and data ->> 'sweepId' = $1 group by 1`,
      [running],
    );
    expect(rows).toEqual([{ state: 'cancelled', count: symbols.length }]);
    await api.delete(`/v1/sweeps/${waiting}`, undefined, pro.program);
  });

  it('counts only the cells of instruments that have a bar in the range, in its quota and as trials', async () => {
    const person = await addPerson(api, undefined, { plan: 'enterprise' });
    const delisted = api.services.market.directory.items.flatMap(({ instrument }) => instrument.delistedOn ?? []);
    const start = formatDay(Math.min(...delisted) + 1);
    const { rows } = await database.pool.query(
      'select count(distinct instrument_id)::int as n from daily_bars where day >= $1',
      [start],
    );
    const combinations = Math.floor(100_000 / rows[0].n / 50) * 50;
    expect(symbols.length * combinations).toBeGreaterThan(100_000);
    const grid = {
      fast_period: { from: 2, to: 1 + combinations / 50, step: 1 },
      slow_period: { from: 61, to: 110, step: 1 },
    };
    const large = await api.post(
      '/v1/sweeps',
      body({ start, runs: [{ strategy: 'sma_cross', grid }] }),
      person.program,
    );
    expect(large.status).toBe(202);
    await api.delete(large.body.data.location, undefined, person.program);

    await startWorker();
    const { body: accepted } = await api.post(
      '/v1/sweeps',
      body({ start, runs: [{ strategy: 'donchian' }] }),
      person.program,
    );
    await finished(accepted.data.job_id, person);
    const { data: result } = (await api.get(`${accepted.data.location}/result`, person.program)).body;
    expect(result).toMatchObject({ cells: rows[0].n, cells_with_bars: rows[0].n });
    expect(result.selection.trials).toBe(rows[0].n);
  });

  it('fails when its chunks have used more than the plan includes', async () => {
    const { job_id: id } = (await api.post('/v1/sweeps', body(), pro.program)).body.data;
    const { rows } = await database.pool.query('select seconds_max from sweeps where id = $1', [id]);
    expect(rows).toEqual([{ seconds_max: PLANS.pro.quotas.job_seconds_max }]);
    await database.pool.query('update sweeps set worker_seconds = seconds_max where id = $1', [id]);
    await startWorker();
    const { data } = (await finished(id)).body;
    expect(data).toMatchObject({ status: 'failed', error: { key: 'error.job_too_long' } });
    expect(data.error.message).toContain(`more than the ${PLANS.pro.quotas.job_seconds_max} seconds`);
    await api.delete(`/v1/sweeps/${id}`, undefined, pro.program);
  });

  it('says in the language of its owner that its queue is paused', async () => {
    await insertPause(database.pool, 'sweep.chunk', 'test', new Date());
    const { job_id: id } = (await api.post('/v1/sweeps', body(), other.program)).body.data;
    const notice = async (language: string) =>
      (await api.get(`/v1/sweeps/${id}`, { ...other.program, 'accept-language': language })).body.data.notice;
    expect(await notice('en')).toContain('paused');
    expect(await notice('zh-CN')).toContain('暂停');
    expect(await notice('zh-TW')).toContain('暫停');
    await deletePause(database.pool, 'sweep.chunk');
    expect(await notice('en')).toBeNull();
    await api.delete(`/v1/sweeps/${id}`, undefined, other.program);
  });

  it('needs no separate statement for this in a list', async () => {
    const queued = await Promise.all(
      [1, 2, 3].map(async () => (await api.post('/v1/sweeps', body(), other.program)).body.data.job_id),
    );
    const query = jest.spyOn(api.services.pool, 'query');
    const { items } = (await api.get('/v1/sweeps?size=50', other.program)).body.data;
    const asked = query.mock.calls.filter((call) => JSON.stringify(call).includes('paused_queues'));
    query.mockRestore();
    expect(items.length).toBeGreaterThanOrEqual(queued.length);
    expect(asked.length).toBe(1);
    for (const id of queued) await api.delete(`/v1/sweeps/${id}`, undefined, other.program);
  });

  it('is found by the words of kept backtests', async () => {
    const person = await addPerson(api, undefined, { plan: 'enterprise' });
    const universe = { symbols: symbols.slice(0, 2) };
    const rules = { entry: 'close > highest(55)', exit: 'close < lowest(20)' };
    const asked = [body(), body({ universe }), body({ universe, runs: [{ strategy: 'rules', rules }] })];
    const ids: string[] = [];
    for (const one of asked) ids.push((await api.post('/v1/sweeps', one, person.program)).body.data.job_id);
    const found = async (q: string) => {
      const { items } = (await api.get(`/v1/sweeps?${new URLSearchParams({ q })}`, person.program)).body.data;
      return items.map(({ id }: { id: string }) => ids.indexOf(id)).sort();
    };
    const bare = symbols[0].replace('.US', '').toLowerCase();
    expect(await found('')).toEqual([0, 1, 2]);
    expect(await found(bare)).toEqual([1, 2]);
    expect(await found(`strategy:donchian ${bare}`)).toEqual([1]);
    expect(await found('highest(55)')).toEqual([2]);
    expect(await found('kind:sweep 2y donchian best')).toEqual([0, 1]);
    for (const none of ['kind:backtest', 'tag:donchian', '>-100', '1999-01', 'strategy:50%', `${bare}'--`])
      expect([none, await found(none)]).toEqual([none, []]);
    expect((await api.get('/v1/backtests?kind=all&q=kind:sweep', person.program)).body.data.total).toBe(0);
    expect((await api.get(`/v1/sweeps?q=${'x'.repeat(121)}`, person.program)).status).toBe(422);
    for (const id of ids) await api.delete(`/v1/sweeps/${id}`, undefined, person.program);
  });

  it('lists the symbols that it has skipped', async () => {
    const universe = { symbols: [symbols[0], 'NOPE', 'NADA'] };
    const { data } = (await api.post('/v1/sweeps', body({ universe, skip_unknown: true }), other.program)).body;
    const reported = (await api.get(data.location, other.program)).body.data;
    expect(reported.skipped_symbols).toEqual({ count: 2, symbols: ['NOPE.US', 'NADA.US'] });
    await api.delete(data.location, undefined, other.program);
  });

  it('reports invalid input, and queues nothing', async () => {
    const before = await database.pool.query('select from sweeps');
    const stocks = api.services.market.directory.items.filter(({ instrument }) => instrument.assetType === 'stock');
    const stock = stocks[0].qualified;
    const refusal = async (more: object, person = pro) =>
      outcome(await api.post('/v1/sweeps', body(more), person.program));
    const free = await addPerson(api);
    expect(await refusal({}, free)).toEqual([403, 'error.plan_capability']);
    expect(await refusal({ universe: { symbols: [] } })).toEqual([422, 'error.validation_failed']);
    const unknown = await api.post('/v1/sweeps', body({ universe: { symbols: [symbols[0], 'NOPE'] } }), pro.program);
    expect(outcome(unknown)).toEqual([404, 'error.symbol_not_found']);
    expect(unknown.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([['body', 'universe', 'symbols', 1]]);
    const noEtf = body({ universe: { symbols: [stock], asset_type: 'etf' } });
    const nothing = await api.post('/v1/sweeps', noEtf, pro.program);
    expect(outcome(nothing)).toEqual([422, 'error.validation_failed']);
    expect(nothing.body.detail[0].loc).toEqual(['body', 'universe', 'asset_type']);
    expect(await refusal({ universe: { all: true, asset_type: 'spaceship' } })).toEqual([
      400,
      'error.invalid_asset_type',
    ]);
    expect(await refusal({ runs: [{ strategy: 'martingale' }] })).toEqual([400, 'error.invalid_strategy']);
    const none = { strategy: 'sma_cross', grid: { fast_period: [50], slow_period: [20] } };
    expect(await refusal({ runs: [none] })).toEqual([422, 'error.validation_failed']);
    expect(await refusal({ start: '1980-01-01', end: '1985-01-01' })).toEqual([400, 'error.no_bars_in_range']);
    const many = {
      strategy: 'sma_cross',
      grid: { fast_period: { from: 2, to: 60, step: 1 }, slow_period: { from: 61, to: 120, step: 1 } },
    };
    const tooMany = await api.post('/v1/sweeps', body({ runs: [many] }), pro.program);
    expect(outcome(tooMany)).toEqual([400, 'error.quota_exceeded']);
    expect(tooMany.body.message).toContain('sweep_cells_max');
    expect((await database.pool.query('select from sweeps')).rowCount).toBe(before.rowCount);
  });
});

async function progressOf(id: string): Promise<{ done: number; cells: number }> {
  const { rows } = await database.pool.query(
    'select chunks_done as done, cells_done as cells from sweeps where id = $1',
    [id],
  );
  return { done: rows[0].done, cells: Number(rows[0].cells) };
}

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
}
