/** The steps of each session: what ran, against the deadlines; why not; and steps that are taken again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { recordMarketSource } from '../../../db/market/market-source.ts';
import { runHandler } from '../../../jobs/worker/handlers.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

/** 06:00 in New York: two hours before the deadline of the session of 2 June. */
const EARLY = Date.parse('2026-06-03T10:00:00Z');
const LATE = Date.parse('2026-06-03T16:00:00Z');
const SYMBOLS = Array.from({ length: 40 }, (_, i) => `S${i}`);
const MARKET_JOBS = ['snapshot.build', 'lake.write'] as const;
const BY_SESSION = '/api/admin/sessions';

let now = EARLY;
let database: TestDatabase;
let folder: MarketFolder;
let objects: string;
let api: TestApi;
let admin: Person;

function session(day: string, count = 40): void {
  const lines = SYMBOLS.slice(0, count).map((symbol) => `${symbol},${day},10,10,10,10,100`);
  folder.write(`daily/consolidated/${day}.csv`, `${BARS_HEADER}${lines.join('\n')}\n`);
}

const load = (start: string, end = start) =>
  runSyncJob(
    database.pool,
    folder.provider(now),
    'daily_bars',
    { start, end, venue_mode: 'consolidated' },
    true,
    () => now,
  );
const run = (queue: (typeof MARKET_JOBS)[number], folderOfObjects = objects) => {
  const storage = openStorage({ folder: folderOfObjects });
  const context = testJobContext({ pool: database.pool, storage, workFolder: join(objects, 'work'), now: () => now });
  return runHandler(queue, context, { requestId: null });
};

interface Step {
  readonly step: string;
  readonly state: string;
  readonly rows: number | null;
  readonly late: boolean;
  readonly reason: string | null;
  readonly job_id: string | null;
}

async function steps(date: string): Promise<Step[]> {
  const { body } = await api.get(BY_SESSION, admin.console);
  return body.data.items.find((item: { date: string }) => item.date === date).steps;
}

const states = async (date: string) =>
  (await steps(date)).map(({ step, state, late }) => `${step} ${state}${late ? ' late' : ''}`);
const oneOf = async (date: string, name: string) => (await steps(date)).find(({ step }) => step === name);
const again = (body: object) => api.post(`${BY_SESSION}/run`, body, admin.console);

beforeAll(() => {
  objects = mkdtempSync(join(tmpdir(), 'session-steps-'));
});
afterAll(() => rmSync(objects, { recursive: true, force: true }));
beforeEach(async () => {
  now = EARLY;
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv': `symbol,listed_on\n${SYMBOLS.map((symbol) => `${symbol},2020-01-01`).join('\n')}\n`,
  });
  session('2026-05-29');
  session('2026-06-01');
  const provider = folder.provider(now);
  await loadEverything(database.pool, provider);
  await recordMarketSource(database.pool, provider.source, new Date('2026-06-02T13:00:00Z'));
  api = await openTestApi({ database, provider, now: () => now, realCallers: true });
  admin = await addAdmin(api);
});
afterEach(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

it('tells of each session what is done, what waits, and what is late, with no alarm for what was due before the market was there', async () => {
  expect(await states('2026-06-01')).toEqual([
    'load_consolidated done',
    'check waiting',
    'snapshot waiting',
    'lake waiting',
    'signals idle',
    'webhooks idle',
    'impact idle',
  ]);
  expect((await states('2026-06-02'))[0]).toBe('load_consolidated unpublished');
  session('2026-06-02');
  await load('2026-06-02');
  for (const queue of MARKET_JOBS) await run(queue);
  expect(await states('2026-06-02')).toEqual([
    'load_consolidated done',
    'check done',
    'snapshot done',
    'lake done',
    'signals idle',
    'webhooks idle',
    'impact idle',
  ]);
  expect((await states('2026-06-01')).slice(1, 4)).toEqual(['check done', 'snapshot with_later', 'lake with_later']);
  const loaded = await oneOf('2026-06-02', 'load_consolidated');
  const { rows } = await database.pool.query('select queue_job_id as job from sync_jobs order by id desc limit 1');
  expect([loaded?.rows, loaded?.job_id]).toEqual([40, rows[0].job]);
  // A step that was done in time stays in time.
  now = LATE;
  admin = await addAdmin(api);
  expect((await states('2026-06-02')).filter((text) => text.endsWith('late'))).toEqual([]);
});

it('is late from 08:00 in New York on, and says so of every step that is not done', async () => {
  now = Date.parse('2026-06-03T12:00:00Z');
  admin = await addAdmin(api);
  expect((await states('2026-06-02')).slice(0, 2)).toEqual(['load_consolidated unpublished', 'check waiting']);
  now += 1;
  expect((await states('2026-06-02')).slice(0, 4)).toEqual([
    'load_consolidated unpublished late',
    'check waiting late',
    'snapshot waiting late',
    'lake waiting late',
  ]);
});

it('is told among the problems once a published session is late, until it is done', async () => {
  const late = async () => {
    const { body } = await api.get('/api/admin/on-call', admin.console);
    return body.data.problems
      .filter(({ kind }: { kind: string }) => kind === 'steps_late')
      .map(({ session, count, detail, runbook }: Record<string, unknown>) => [session, count, detail, runbook]);
  };
  session('2026-06-02');
  await load('2026-06-02');
  expect(await late()).toEqual([]);
  now = LATE;
  admin = await addAdmin(api);
  expect(await late()).toEqual([
    ['2026-06-02', 3, 'check (waiting), snapshot (waiting), lake (waiting)', 'ops/docs/RUNBOOK.md#deadlines'],
  ]);
  for (const queue of MARKET_JOBS) await run(queue);
  expect(await late()).toEqual([]);
});

it('says why a session is not done: nothing published, held prices, a folder that cannot be written', async () => {
  await load('2026-06-02');
  expect(await oneOf('2026-06-02', 'load_consolidated')).toMatchObject({ state: 'failed', rows: null });
  expect((await oneOf('2026-06-02', 'load_consolidated'))?.reason).toContain('none from 2026-06-02');
  session('2026-06-02', 20);
  await load('2026-06-02');
  await expect(run('snapshot.build')).rejects.toThrow('held back');
  expect(await oneOf('2026-06-02', 'check')).toMatchObject({
    state: 'held',
    reason: '20 rows, 20 fewer than the session before',
  });
  expect(await oneOf('2026-06-02', 'snapshot')).toMatchObject({ state: 'failed' });
  await api.post('/api/admin/data/calendar/2026-06-02/release', {}, admin.console);
  expect(await oneOf('2026-06-02', 'check')).toMatchObject({ state: 'done' });
  await expect(run('snapshot.build', '/dev/null/objects')).rejects.toThrow();
  expect(await oneOf('2026-06-02', 'snapshot')).toMatchObject({ state: 'failed', job_id: expect.any(String) });
  await run('snapshot.build');
  expect(await oneOf('2026-06-02', 'snapshot')).toMatchObject({ state: 'done', reason: null });
});

it('tells the consequences of a step before it is taken again, for a session and for a range', async () => {
  const told = await again({ step: 'load_consolidated', start: '2026-05-29', end: '2026-06-01', dry_run: true });
  expect(told.body.data).toMatchObject({
    sessions: 2,
    rows: 80,
    cost_usd: 0,
    requests: 0,
    due: true,
    problem: null,
    followers: ['check', 'snapshot', 'lake', 'impact', 'signals', 'webhooks'],
    sync_job_id: null,
  });
  const unknown = await again({ step: 'load_consolidated', start: '2026-06-02', dry_run: true });
  expect(unknown.body.data.problem).toContain('has bars from 2026-05-29 to 2026-06-01');
  expect((await again({ step: 'signals', start: '2026-06-01', dry_run: true })).body.data.due).toBe(false);
  const { rows } = await database.pool.query('select count(*)::int as jobs from pgboss.job');
  expect(rows).toEqual([{ jobs: 0 }]);
});

it('takes a step again, once at a time, and the audit log names it', async () => {
  const loaded = await again({ step: 'load_consolidated', start: '2026-05-29', end: '2026-06-01' });
  const { rows } = await database.pool.query('select request from sync_jobs where id = $1', [
    loaded.body.data.sync_job_id,
  ]);
  expect(rows[0].request).toEqual({ start: '2026-05-29', end: '2026-06-01', venue_mode: 'consolidated' });
  expect((await again({ step: 'lake', start: '2026-06-01' })).body.data.job_id).toEqual(expect.any(String));
  expect((await again({ step: 'lake', start: '2026-06-01' })).status).toBe(409);
  expect(await oneOf('2026-06-01', 'check')).toMatchObject({ state: 'waiting' });
  expect((await again({ step: 'check', start: '2026-06-01' })).status).toBe(200);
  expect(await oneOf('2026-06-01', 'check')).toMatchObject({ state: 'done', rows: 40 });
  expect((await again({ step: 'check', start: '2026-06-02' })).status).toBe(404);
  const { body } = await api.get('/api/admin/audit?action=session.run', admin.console);
  expect(body.data.items.map(({ result, target_id }: Record<string, string>) => [result, target_id])).toEqual([
    ['failed', '2026-06-02'],
    ['ok', '2026-06-01'],
    ['failed', '2026-06-01'],
    ['ok', '2026-06-01'],
    ['ok', '2026-05-29'],
  ]);
});
