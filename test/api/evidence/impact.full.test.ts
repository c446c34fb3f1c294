/** The impact of loads as each caller sees it: owners, others, and administrators, while a session is held and after its release. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { saveSessionCheck } from '../../../db/market/session-checks.ts';
import { recordEvaluation, type Signal } from '../../../db/research/signals.ts';
import { selectChunks } from '../../../db/sweeps/sweep-chunks.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import type { Mail } from '../../../jobs/contracts/mail.ts';
import { assembleWork, runChunk } from '../../../jobs/factors/chunked-work.ts';
import { enqueueDueImpacts } from '../../../jobs/impact/enqueue.ts';
import { mailImpacts } from '../../../jobs/impact/mail.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { startWaitingSweeps } from '../../../jobs/sweep/enqueue.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01, runSyncJob } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const [START, END] = ['2025-01-02', '2026-05-29'];
const now = () => NOON_2026_06_01;

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;
let ada: Person;
let bob: Person;
let admin: Person;
/** Kept runs: two of Ada's, the second on another instrument, and one of Bob's, which he shares. */
let runs: { readonly hers: number; readonly untouched: number; readonly his: number; readonly slug: string };

interface Kind {
  readonly kind: string;
}
interface View {
  readonly name: string;
  readonly horizons: readonly { readonly ic: { readonly mean: number } }[];
}

const RUN = { symbol: 'ALFA', strategy: 'buy_hold', start: '2025-04-01', end: END };

async function keep(person: Person, body: object = {}): Promise<number> {
  const headers = person.program;
  const { body: answer } = await runNow(api, { storage }, { path: '/v1/backtest', body: { ...RUN, ...body }, headers });
  return required(answer.data.result?.id, JSON.stringify(answer));
}

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['ALFA', 'BETA'], START, END);
  directory = mkdtempSync(join(tmpdir(), 'market-impacts-'));
  storage = openStorage({ folder: directory });
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now, realCallers: true, webhookNetworks: ['127.0.0.0/8'] });
  [ada, bob, admin] = [await addPerson(api), await addPerson(api), await addAdmin(api)];
  for (const { id } of [ada, bob]) await updateUserAccess(database.pool, id, { plan: 'enterprise' });
  const [hers, untouched, his] = [await keep(ada), await keep(ada, { symbol: 'BETA' }), await keep(bob)];
  const { body } = await api.post(`/v1/backtests/${his}/share`, { shared: true }, bob.program);
  runs = { hers, untouched, his, slug: body.data.slug };
  await api.patch(`/v1/backtests/${hers}`, { name: 'Mine' }, ada.program);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

/** Corrects the close of a bar. Returns the load. */
async function correct(date: string, change: number): Promise<number> {
  const bar = required(market.bars.ALFA.find((one) => one.date === date));
  bar.close += change;
  bar.high += change;
  market.write();
  const { id, status, error } = await runSyncJob(database.pool, market.folder.provider(), 'daily_bars', {
    start: date,
    end: date,
  });
  if (status !== 'ok') throw new Error(String(error));
  return id;
}

const compute = (signal?: AbortSignal) =>
  computeImpacts(testJobContext({ pool: database.pool, storage, now, ...(signal && { signal }) }));
const get = async (path: string, person: Person) => (await api.get(path, person.program)).body.data;
const impactOf = (load: number, person: Person) => get(`/v1/revisions/loads/${load}/impact`, person);
const total = async (id: number, person: Person) => (await get(`/v1/backtests/${id}`, person)).total_pnl_pct;
const deliveries = async () =>
  (await database.pool.query(`select data from webhook_deliveries where event = 'run.revised' order by created_at`))
    .rows;

/** The jobs of impacts that a tick of the scheduler queues. */
async function queuedAfterTick(): Promise<string[]> {
  const { pool } = database;
  await enqueueDueImpacts(pool, api.services.boss);
  const { rows } = await pool.query<{ name: string }>(
    `delete from pgboss.job where name like 'impact%' returning name`,
  );
  return rows.map(({ name }) => name);
}

describe('the impact of a load', () => {
  it('shows owners theirs, everyone what is shared, and administrators all, largest change first', async () => {
    const was = await total(runs.hers, ada);
    const load = await correct(END, 7);
    expect(await impactOf(load, ada)).toMatchObject({ load, status: 'waiting', runs: null, items: [] });
    await compute();
    const counts = { kept: 3, untouched: 1, changed: 2, unchanged: 0, waiting: 0, unknown: 0, unproved: 0 };
    const verified = await runNow(
      api,
      { storage },
      { path: `/v1/backtests/${runs.hers}/verify`, headers: ada.program },
    );
    const { metrics } = verified.body.data.result;
    const figure = (name: string) => metrics.find((one: { name: string }) => one.name === name);
    const before = { total_pnl_pct: was, sharpe: figure('sharpe').was, verdict: 'not_shown' };
    const after = { total_pnl_pct: figure('total_pnl_pct').is, sharpe: figure('sharpe').is, verdict: 'not_shown' };
    expect(after.total_pnl_pct).toBeGreaterThan(was);
    const shared = { load, kind: 'backtest', slug: runs.slug, before, after };
    const seen = { load, status: 'done', runs: counts, page: 1, size: 20 };
    for (const person of [ada, bob])
      expect(await impactOf(load, person)).toEqual({ ...seen, total: 1, items: [{ ...shared, id: null, name: null }] });
    const mine = { ...shared, id: runs.hers, name: 'Mine', slug: null };
    const his = { ...shared, id: runs.his, name: null };
    expect(await impactOf(load, admin)).toEqual({ ...seen, total: 2, items: [mine, his] });
    expect(await get('/v1/my/impact', ada)).toEqual({ total: 1, page: 1, size: 20, items: [mine] });
    expect((await get(`/v1/my/impact?load=${load + 1}`, ada)).total).toBe(0);
    const { items, loads } = await get(`/v1/revisions?load=${load}`, ada);
    expect([items.length, loads]).toEqual([1, [{ load, status: 'done', runs: counts }]]);
    expect((await api.get(`/v1/revisions/loads/${load + 1}/impact`, ada.program)).status).toBe(404);
    // The run and its shared page tell what has changed; a run that was not hit tells nothing.
    const at = new Date(now()).toISOString();
    const revised = { load, at, before, after };
    expect((await get(`/v1/backtests/${runs.hers}`, ada)).revised).toEqual(revised);
    expect((await api.get(`/api/backtest/shared/${runs.slug}`)).body.data.revised).toEqual(revised);
    expect(await get(`/v1/backtests/${runs.untouched}`, ada)).not.toHaveProperty('revised');
    // Corrected back, the run has its kept figures again.
    const back = await correct(END, -7);
    await compute();
    expect((await get(`/v1/my/impact?load=${back}`, ada)).items).toEqual([
      { ...mine, load: back, before: after, after: before },
    ]);
  });

  it('is told by webhook and mail only to those who have asked for it, once, however often the job is broken off', async () => {
    expect(await deliveries()).toEqual([]);
    const url = 'http://127.0.0.1:9/hook';
    await api.post('/v1/my/webhooks', { url, events: ['run.revised'] }, ada.program);
    await api.post('/v1/my/webhooks', { url, events: ['backtest.finished'] }, bob.program);
    expect((await get('/api/auth/me', bob)).revision_mail).toBe(false);
    await api.patch('/api/auth/me', { revision_mail: true }, bob.console);
    const load = await correct('2025-04-01', 3);
    await expect(compute(AbortSignal.abort(new Error('killed')))).rejects.toThrow('killed');
    expect(await impactOf(load, admin)).toMatchObject({ status: 'computing', runs: { waiting: 2, changed: 0 } });
    expect(await queuedAfterTick()).toEqual(['impact']);
    await compute();
    await compute();
    expect(await queuedAfterTick()).toEqual(['impact.mail']);
    const told = await deliveries();
    expect(told).toEqual([
      { data: { load, count: 1, runs: [expect.objectContaining({ kind: 'backtest', id: runs.hers, name: 'Mine' })] } },
    ]);
    const sent: Mail[] = [];
    const mailer = async () => ({ send: async (mail: Mail) => void sent.push(mail), close: () => {} });
    const context = testJobContext({ pool: database.pool, now, mailer });
    await mailImpacts(context);
    await mailImpacts(context);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: bob.email, subject: 'Corrected prices change 1 of your runs' });
    expect(sent[0].text).toMatch(new RegExp(`backtest ${runs.his}: -?[\\d.]+% \\(-?[\\d.]+\\) → -?[\\d.]+% `));
  });

  it('is for administrators alone while a session that the load revised is held', async () => {
    const load = await correct(END, 5);
    const figures = { rows: 2, zeroVolume: 0, rowsBefore: 20, zeroVolumeBefore: 0, jumps: 0 };
    await saveSessionCheck(database.pool, 'consolidated', requireDay(END), figures, ['2 rows']);
    await compute();
    const told = (await deliveries()).length;
    const seen = await impactOf(load, ada);
    expect([seen.status, seen.items]).toEqual(['held', []]);
    expect((await get(`/v1/my/impact?load=${load}`, ada)).total).toBe(0);
    expect(await queuedAfterTick()).toEqual([]);
    expect((await impactOf(load, admin)).total).toBe(2);
    const path = `/api/admin/data/calendar/${END}`;
    const held = (await api.get(`${path}/impact`, admin.console)).body.data;
    expect(held.loads[0]).toMatchObject({ load, status: 'held', runs: { changed: 2 } });
    expect(held.items.slice(0, 2)).toMatchObject([
      { load, id: runs.hers, name: 'Mine' },
      { load, id: runs.his },
    ]);
    expect((await api.get(`${path}/impact`, ada.console)).status).toBe(403);
    await api.post(`${path}/release`, {}, admin.console);
    expect(await queuedAfterTick()).toEqual(['impact']);
    await compute();
    expect((await get(`/v1/my/impact?load=${load}`, ada)).total).toBe(1);
    expect((await deliveries()).length).toBe(told + 1);
  });

  it('lists watches whose newest signals are others after it', async () => {
    const { pool } = database;
    const body = { name: 'Alfa', symbols: ['ALFA'], strategy: 'sma_cross' };
    const watch = (await api.post('/v1/my/watches', body, ada.program)).body.data;
    const signal: Signal = {
      instrumentId: 1,
      symbol: 'ALFA.US',
      kind: 'entry',
      reason: 'signal',
      close: 5,
      figures: {},
    };
    const evaluate = async (signals: readonly Signal[], at: number) =>
      recordEvaluation(pool, {
        watch: { id: watch.id, name: watch.name },
        userId: ada.id,
        session: END,
        dataVersion: await selectDataVersion(pool),
        signals,
        sendsMail: false,
        at: new Date(at),
      });
    await evaluate([signal], Date.now() - 1_000);
    const load = await correct(END, 2);
    await compute();
    expect(await evaluate([], Date.now())).toBe(true);
    const { items } = await get(`/v1/my/impact?load=${load}`, ada);
    const told = { load, kind: 'watch', id: watch.id, name: 'Alfa', slug: null };
    expect(items.at(-1)).toEqual({ ...told, before: { signals: 1 }, after: { signals: 0 } });
  });

  it('lists factor studies with their strongest factor before and after', async () => {
    const { pool } = database;
    const study = async () => {
      const factors = [
        { name: 'momentum', value: 'roc(20)' },
        { name: 'calm', value: '-volatility(20)' },
      ];
      const given = {
        universe: { all: true },
        factors,
        horizons: [5],
        quantiles: 2,
        start: '2025-06-02',
        every: 'day',
      };
      const { body } = await api.post('/v1/factors', given, ada.program);
      const sweepId: string = required(body.data?.job_id, JSON.stringify(body));
      const context = testJobContext({ pool, storage, now, boss: async () => api.services.boss });
      await startWaitingSweeps(pool, api.services.boss, new Date(now()));
      for (const { seq } of await selectChunks(pool, sweepId))
        await runChunk(context, { sweepId, seq, requestId: null });
      await assembleWork(context, { sweepId });
      const { factors: views } = await get(`/v1/factors/${sweepId}/result`, ada);
      const ics = views.map((one: View) => ({ factor: one.name, ic: one.horizons[0].ic.mean }));
      return { sweepId, told: ics.sort((a: { ic: number }, b: { ic: number }) => Math.abs(b.ic) - Math.abs(a.ic))[0] };
    };
    const before = await study();
    const load = await correct('2025-09-02', 9);
    await compute();
    const after = await study();
    expect(after.told).not.toEqual(before.told);
    const { items } = await get(`/v1/my/impact?load=${load}`, ada);
    const told = { load, kind: 'factor_study', id: before.sweepId, name: null, slug: null };
    expect(items.at(-1)).toEqual({ ...told, before: before.told, after: after.told });
    // The second one was made on the corrected data.
    const back = await correct('2025-09-02', -9);
    await compute();
    const found = (await get(`/v1/my/impact?load=${back}`, ada)).items.filter(
      ({ kind }: Kind) => kind === 'factor_study',
    );
    const corrected = { ...told, load: back, before: after.told, after: before.told };
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([corrected, { ...corrected, id: after.sweepId }]));
  });

  it('ends with what it is of', async () => {
    await api.delete(`/api/backtest/${runs.hers}`, undefined, ada.console);
    const { items } = await get('/v1/my/impact', ada);
    expect(new Set(items.map(({ kind }: Kind) => kind))).toEqual(new Set(['watch', 'factor_study']));
    await database.pool.query('delete from users where id = $1', [ada.id]);
    const { rows } = await database.pool.query(
      'select from impacts where watch_id is not null or backtest_id = any($1::bigint[])',
      [[runs.hers, runs.untouched]],
    );
    expect(rows).toEqual([]);
  });
});
