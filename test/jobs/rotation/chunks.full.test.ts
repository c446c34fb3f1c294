/** Large rotations: chunks of their universe on several workers, real processes that share a database. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Pool, transaction } from '../../../db/pool.ts';
import { claimChunk, insertPass } from '../../../db/runs/rotation-chunks.ts';
import { required } from '../../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../../engine/version.ts';
import type { JobContext } from '../../../jobs/contracts/job-context.ts';
import { type RotationSpec, rotationSpecSchema } from '../../../jobs/contracts/rotation.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { COMPUTE } from '../../../jobs/rotation/chunks.ts';
import { Fleet } from '../../../jobs/rotation/fleet.ts';
import { computeSurvivors } from '../../../jobs/rotation/job.ts';
import { keptLimits } from '../../../jobs/rotation/kept-histories.ts';
import { computeRotation, readRotation, readRotationAt } from '../../../jobs/rotation/run.ts';
import { runRotationChunk } from '../../../jobs/rotation/run-chunk.ts';
import { cancelRunsOf } from '../../../jobs/run-queue.ts';
import { deleteExpired } from '../../../jobs/worker/cleanup.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { endProcess } from '../../support/processes.ts';
import { runJobOf } from '../../support/run-jobs.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const SYMBOLS = 50;
const provider = new SampleProvider({ symbols: SYMBOLS, now: () => NOW });

let database: TestDatabase;
let directory: string;
let api: TestApi;
let ada: Person;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-chunks-'));
  const storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  ada = await addPerson(api, undefined, { plan: 'enterprise' });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM')));
  await database.pool.query('delete from pgboss.job; delete from runs; delete from backtest_results');
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const ONLY_RUNS = { WORKER_SLOTS: 'interactive=1,background=2' };
const ONLY_CHUNKS = { WORKER_SLOTS: 'background=2,compute=1' };
/** So few bars that every universe is large. */
const IN_CHUNKS = { ROTATION_BARS: '1' };

async function startWorker(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const worker = await startSampleWorker({ database, folder: directory, now: NOW, symbols: SYMBOLS }, env);
  workers.push(worker);
  return worker;
}

const ROTATION = { every: 'month', score: 'rank(roc(60)) + rank(-atr(20) / close)', hold: { top: 5 } };
const PLAIN = { universe: { all: true }, rotation: ROTATION, start: '2022-03-01', save: false };

/** Requests a rotation; returns the id of its run. */
async function request(body: object, person = ada): Promise<string> {
  const { body: answer } = await api.post('/v1/portfolio', body, { ...person.program, prefer: 'respond-async' });
  return required(answer.data?.job_id, JSON.stringify(answer));
}

const statusOf = async (id: string) =>
  (await database.pool.query('select status, error_code, worker_seconds from runs where id = $1', [id])).rows[0];
const untilEnded = (id: string) =>
  eventually(
    () => statusOf(id),
    ({ status }) => status !== 'queued' && status !== 'running',
    60_000,
  );

/** The texts of the only stored result, with its receipt. */
async function resultOf(id: string): Promise<object> {
  expect(await untilEnded(id)).toMatchObject({ status: 'done', error_code: null });
  const { rows } = await database.pool.query(
    'select fingerprint, summary, trades, equity, positions, contributions, rebalances from backtest_results',
  );
  expect(rows).toHaveLength(1);
  await database.pool.query('delete from backtest_results');
  return rows[0];
}

const countChunks = async (): Promise<number> =>
  (await database.pool.query('select count(*)::int as n from rotation_chunks')).rows[0].n;
const chunkJobs = async () =>
  (await database.pool.query(`select state, id from pgboss.job where name = 'rotation.chunk' order by id`)).rows;

/** Keeps every chunk waiting as soon as it reads its histories, until `work` has ended. */
async function whileChunksWait(work: () => Promise<void>): Promise<void> {
  const barrier = await database.pool.connect();
  try {
    await barrier.query('begin; lock table adjustments in access exclusive mode');
    await work();
  } finally {
    await barrier.query('rollback');
    barrier.release();
  }
}

const untilClaimed = () =>
  eventually(
    () => database.pool.query('select from rotation_chunks where claimed_at is not null'),
    ({ rowCount }) => rowCount !== 0,
  );

describe('a large rotation', () => {
  it.each([
    ['ranks and survivors', { ...PLAIN, survivors: true }],
    ['a condition across the market', { ...PLAIN, universe: { all: true, where: 'rank(volume) > 0.2' } }],
    [
      'scores of single members and one benchmark',
      { ...PLAIN, rotation: { ...ROTATION, score: 'roc(60)' }, benchmark: 'ACRX' },
    ],
    [
      'ranks over time, every week',
      { ...PLAIN, rotation: { ...ROTATION, every: 'week', score: 'sma_of(rank(roc(20)), 5)' } },
    ],
  ])(
    'is the same as one job, with one worker and with two: %s',
    async (_, body) => {
      await startWorker(ONLY_RUNS);
      const one = await resultOf(await request(body));
      expect(await chunkJobs()).toEqual([]);
      await endProcess(required(workers.pop()), 'SIGTERM');
      await startWorker({ ...ONLY_RUNS, ...IN_CHUNKS });
      expect(await resultOf(await request(body))).toEqual(one);
      expect((await chunkJobs()).every(({ state }) => state === 'cancelled')).toBe(true);
      await startWorker({ ...ONLY_CHUNKS, ...IN_CHUNKS });
      let id = '';
      await whileChunksWait(async () => {
        id = await request(body);
        await untilClaimed();
      });
      expect(await resultOf(id)).toEqual(one);
      expect(await countChunks()).toBe(0);
    },
    deadline(120_000),
  );

  it(
    'ends on a fleet of one worker whose slots are all taken by runs',
    async () => {
      await startWorker({ WORKER_SLOTS: 'interactive=1,background=2,compute=1', ...IN_CHUNKS });
      const ids = [await request(PLAIN), await request({ ...PLAIN, start: '2022-04-01' })];
      for (const id of ids) expect(await untilEnded(id)).toMatchObject({ status: 'done' });
      expect(await countChunks()).toBe(0);
    },
    deadline(120_000),
  );

  it(
    'is the same after a worker was killed that computed a chunk',
    async () => {
      await startWorker({ ...ONLY_RUNS, ...IN_CHUNKS });
      const one = await resultOf(await request(PLAIN));
      const doomed = await startWorker(ONLY_CHUNKS);
      let id = '';
      await whileChunksWait(async () => {
        id = await request(PLAIN);
        await untilClaimed();
        await endProcess(doomed, 'SIGKILL');
      });
      expect(await resultOf(id)).toEqual(one);
      const { rows: attempts } = await database.pool.query('select attempt from job_attempts where job_id = $1', [id]);
      expect(attempts).toEqual([]);
      expect((await chunkJobs()).filter(({ state }) => state === 'failed')).toEqual([]);
      expect(await countChunks()).toBe(0);
    },
    deadline(120_000),
  );

  it(
    'that is canceled leaves no chunk and no job',
    async () => {
      await startWorker({ ...ONLY_RUNS, ...IN_CHUNKS });
      await startWorker(ONLY_CHUNKS);
      let id = '';
      await whileChunksWait(async () => {
        id = await request(PLAIN);
        await untilClaimed();
        await api.services.boss.cancel('portfolio', id);
        // Until the heartbeat of the worker has noticed.
        await sleep(4_000);
      });
      expect(await untilEnded(id)).toMatchObject({ status: 'cancelled' });
      await eventually(countChunks, (count) => count === 0);
      await eventually(chunkJobs, (jobs) => jobs.every(({ state }) => ['cancelled', 'completed'].includes(state)));
    },
    deadline(120_000),
  );
});

describe('the job of a large rotation', () => {
  /** A pool whose user does something before the first chunk of each pass is taken. */
  function poolWith(help: () => Promise<void>): Pool {
    return new Proxy(database.pool, {
      get: (pool, name) => {
        if (name !== 'query') return Reflect.get(pool, name);
        return async (...given: Parameters<Pool['query']>) => {
          if (String(given[0]).startsWith('delete from rotation_chunks where pass_id = $1 and seq')) await help();
          return pool.query(...given);
        };
      },
    });
  }

  async function openPass() {
    const { rows } = await database.pool.query<{ passId: string; seq: number }>(
      'select pass_id as "passId", seq from rotation_chunks order by seq',
    );
    return rows;
  }
  const runChunk = (chunk: { passId: string; seq: number }, given: Partial<JobContext> = {}, engine = ENGINE_VERSION) =>
    runRotationChunk(testJobContext({ pool: database.pool, ...given }), { ...chunk, engineVersion: engine });

  async function startedRun(body: object): Promise<{ readonly id: string; readonly spec: RotationSpec }> {
    const id = await request(body);
    const { rows } = await database.pool.query(`update runs set status = 'running' where id = $1 returning spec`, [id]);
    return { id, spec: rotationSpecSchema.parse(rows[0].spec) };
  }

  const contextOf = (pool: Pool, more: Partial<JobContext> = {}) =>
    testJobContext({ pool, boss: async () => api.services.boss, ...more });

  it(
    'takes what others have computed and computes the rest, to the last bit',
    async () => {
      const { id, spec } = await startedRun({ ...PLAIN, survivors: true });
      const kept = required(await readRotation(contextOf(database.pool), spec));
      const expected = [await computeRotation(spec, kept), await computeSurvivors(spec, kept)];
      const passes = new Map<string, number>();
      const pool = poolWith(async () => {
        const open = await openPass();
        if (open.length === 0 || passes.has(open[0].passId)) return;
        passes.set(open[0].passId, open.length);
        const [done, refused, claimed] = open;
        await runChunk(done);
        await runChunk(refused, {}, 'another version');
        expect((await database.pool.query('select from rotation_chunks where claimed_at is not null')).rowCount).toBe(
          1,
        );
        expect(await claimChunk(database.pool, claimed.passId, claimed.seq)).toMatchObject({ work: expect.anything() });
        // Its worker is dead: nobody else gets it.
        expect(await claimChunk(database.pool, claimed.passId, claimed.seq)).toBeNull();
      });
      const computed = jest.spyOn(COMPUTE, 'values');
      const context = contextOf(pool);
      const limits = keptLimits(1);
      const data = required(
        await readRotationAt(context, spec, '1', {
          limits,
          fleet: new Fleet(context, { runId: id, requestId: null }, spec, 1),
        }),
      );
      const found = [await computeRotation(spec, data), await computeSurvivors(spec, data)];
      const [, ...ofValues] = passes.values();
      expect(ofValues).toHaveLength(2);
      // Each chunk once, by whoever.
      expect(computed).toHaveBeenCalledTimes(ofValues.reduce((sum, count) => sum + count));
      computed.mockRestore();
      for (const [i, one] of expected.entries()) {
        const other = found[i];
        if ('failure' in one || 'failure' in other) throw new Error('a rotation failed');
        expect(other.benchmark).toEqual(one.benchmark);
        expect(other.values).toEqual(one.values);
        expect(other.run).toEqual(one.run);
        expect(other.universe.members).toEqual(one.universe.members);
        expect(other.universe.sessions).toEqual(one.universe.sessions);
      }
      expect(await openPass()).toEqual([]);
    },
    deadline(60_000),
  );

  it('computes alone what a later attempt has deleted', async () => {
    const { id, spec } = await startedRun(PLAIN);
    const context = contextOf(poolWith(async () => void (await database.pool.query('delete from rotation_chunks'))));
    const fleet = new Fleet(context, { runId: id, requestId: null }, spec, 1);
    const ids = api.market.directory.items.map(({ instrument }) => instrument.id).sort((a, b) => a - b);
    const [facts] = await fleet.compute('facts', [{ ids }], (result) => result);
    expect(facts).toEqual(await COMPUTE.facts(context, spec, { ids }));
  });

  it('fails when the run costs more than it may with the seconds of other workers', async () => {
    const id = await request(PLAIN);
    await database.pool.query('update runs set seconds_max = 100 where id = $1', [id]);
    let added = 0;
    const cost = {
      seconds: () => 1 + added,
      add: (seconds: number) => {
        added += seconds;
      },
    };
    const pool = poolWith(async () => {
      const [first] = await openPass();
      if (first) await runChunk(first, { cost: { seconds: () => 99.5, add: () => {} } });
    });
    await runJobOf({ pool, cost, boss: async () => api.services.boss, rotationBars: 1, now: () => NOW }, id);
    expect(await statusOf(id)).toMatchObject({ status: 'failed', error_code: 'job_too_long', worker_seconds: 100.5 });
    expect(await openPass()).toEqual([]);
    expect((await chunkJobs()).every(({ state }) => state === 'cancelled')).toBe(true);
  });

  it('leaves chunks for the cleanup where its worker died, and for the deletion of its account', async () => {
    const person = await addPerson(api, newEmail(), { plan: 'enterprise' });
    const { boss } = api.services;
    const chunkOf = async (runId: string, passId: string) => {
      const [jobId] = (await boss.insert('rotation.chunk', [{ data: {} }], { returnId: true })) ?? [];
      const chunks = [{ jobId, work: Buffer.of(1) }];
      await transaction(database.pool, (db) => insertPass(db, { passId, runId, kind: 'facts', chunks }));
      return { passId, seq: 0 };
    };
    const ended = await chunkOf((await startedRun(PLAIN)).id, crypto.randomUUID());
    await database.pool.query(`update runs set status = 'cancelled', finished_at = now()`);
    await chunkOf((await startedRun({ ...PLAIN, start: '2023-01-03' })).id, crypto.randomUUID());
    expect(await claimChunk(database.pool, ended.passId, 0)).toBeNull();
    await deleteExpired(database.pool, NOW);
    expect(await countChunks()).toBe(1);
    const other = await request({ ...PLAIN, start: '2023-02-01' }, person);
    await chunkOf(other, crypto.randomUUID());
    await transaction(database.pool, (db) => cancelRunsOf(db, boss, person.id));
    expect((await chunkJobs()).filter(({ state }) => state === 'cancelled')).toHaveLength(1);
    await database.pool.query('delete from runs');
    expect(await countChunks()).toBe(0);
  });
});
