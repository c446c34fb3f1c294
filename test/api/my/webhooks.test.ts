/** Webhooks: the receivers of each event, signatures, retries, and refused addresses. */
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sendUnlessWaiting } from '../../../jobs/queue/send.ts';
import { evaluateSignals } from '../../../jobs/signals/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { deliverWebhooks } from '../../../jobs/webhooks/run.ts';
import { enqueueDueDeliveries } from '../../../jobs/worker/scheduler.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { runJobOf } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const MINUTE_MS = 60_000;
const LOOPBACK = ['127.0.0.0/8'];

/** As https://www.standardwebhooks.com describes it. */
function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let market: MadeUpMarket;
let api: TestApi;
let ada: Person;

interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Calls that the receiver got; `answer` sets its answers to the next calls. */
const received: Received[] = [];
let answer: (call: Received) => number | 'closed' | 'endless';
let receiver: Server;
let hooks: string;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-webhooks-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  market = madeUpMarket(['AAA', 'BBB', 'CCC', 'DDD'], '2024-01-02', '2024-09-03');
  const provider = market.folder.provider(NOW);
  await loadEverything(database.pool, provider);
  api = await openTestApi({
    database,
    provider,
    storage,
    now: () => NOW,
    realCallers: true,
    webhookNetworks: LOOPBACK,
  });
  ada = await addPerson(api, undefined, { plan: 'pro' });
  receiver = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const call = {
      path: request.url ?? '',
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body,
    };
    received.push(call);
    const how = answer(call);
    if (how === 'closed') request.socket.destroy();
    else if (how === 'endless') {
      response.writeHead(200);
      const write = () => {
        while (response.write('x'.repeat(8_192)) && !response.destroyed);
      };
      response.on('drain', write).on('error', () => {});
      write();
    } else response.writeHead(how, { location: `${hooks}/elsewhere` }).end(`answer\u0000 ${how}`);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  hooks = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
  market.folder.remove();
});
beforeEach(async () => {
  await database.pool.query('delete from webhooks');
  received.length = 0;
  answer = () => 204;
});

const context = (now = NOW, webhookNetworks: readonly string[] = LOOPBACK) =>
  testJobContext({ pool: database.pool, storage, now: () => now, webhookNetworks });
const deliver = (now = NOW, networks = LOOPBACK) => deliverWebhooks(context(now, networks));

async function register(events: string[], path = '/hook', person = ada): Promise<{ id: number; secret: string }> {
  const { status, text, body } = await api.post('/v1/my/webhooks', { url: `${hooks}${path}`, events }, person.program);
  if (status !== 201) throw new Error(text);
  return body.data;
}
const deliveriesOf = async (id: number, person = ada) =>
  (await api.get(`/v1/my/webhooks/${id}/deliveries`, person.program)).body.data.items;
const test = async (id: number): Promise<string> =>
  (await api.post(`/v1/my/webhooks/${id}/deliveries`, undefined, ada.program)).body.data.id;

/** Watches every instrument with rules that give a signal at each session. Returns the id. */
async function watch(name: string): Promise<number> {
  const rules = { entry: 'close > 0', exit: 'bars_held >= 1' };
  const own = await api.post('/v1/my/strategies', { name, rules }, ada.program);
  const body = { name, strategy: 'rules', rules: { saved: own.body.data.id }, symbols: ['AAA', 'BBB', 'CCC', 'DDD'] };
  const { status, text, body: created } = await api.post('/v1/my/watches', body, ada.program);
  if (status !== 201) throw new Error(text);
  return created.data.id;
}

describe('events', () => {
  it('are delivered once to webhooks that subscribe to them, signed according to the standard', async () => {
    const bob = await addPerson(api, undefined, { plan: 'pro' });
    const { id, secret } = await register(['backtest.finished', 'signals.ready', 'data.loaded']);
    await register(['portfolio.finished'], '/other');
    await register(['backtest.finished', 'data.loaded'], '/bob', bob);
    const run = await api.post(
      '/v1/backtest',
      { symbol: 'AAA', strategy: 'sma_cross', params: { fast_period: 2, slow_period: 5 } },
      { ...ada.program, prefer: 'respond-async' },
    );
    const runId = run.body.data.job_id;
    await runJobOf(context(), runId);
    await watch('Daily');
    await buildSnapshot(context());
    await evaluateSignals(context());
    // A snapshot of the same data is no event.
    await buildSnapshot(context());
    await deliver();
    await deliver();
    const reported = received.map(({ path, body }) => ({ path, ...JSON.parse(body) }));
    const of = (type: string, path = '/hook') => reported.filter((one) => one.type === type && one.path === path);
    expect(of('backtest.finished')).toMatchObject([
      { data: { job_id: runId, kind: 'backtest', status: 'done', error: null } },
    ]);
    const kept = await api.get(`/v1/backtests/${of('backtest.finished')[0].data.id}`, ada.program);
    expect(kept.status).toBe(200);
    const signals = await api.get('/v1/my/signals', ada.program);
    expect(signals.body.data.total).toBeGreaterThan(0);
    expect(of('signals.ready')).toMatchObject([
      { data: { watch: { name: 'Daily' }, session: '2024-09-03', signals: signals.body.data.total, corrected: false } },
    ]);
    expect(of('data.loaded')).toMatchObject([{ data: { session: '2024-09-03', instruments: 4 } }]);
    expect(reported.filter(({ path }) => path === '/bob').map(({ type }) => type)).toEqual(['data.loaded']);
    expect(reported.filter(({ path }) => path === '/other')).toEqual([]);
    for (const { path, headers, body } of received.filter((call) => call.path === '/hook')) {
      const { type } = JSON.parse(body);
      // The library refuses old timestamps by the clock of the machine, so it signs again.
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(at.getTime()).toBe(NOW);
      expect([path, headers['webhook-signature']]).toEqual([
        path,
        signatureOf(secret, `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`),
      ]);
      expect((await deliveriesOf(id)).map((one: { id: string; event: string }) => `${one.id} ${one.event}`)).toContain(
        `${headers['webhook-id']} ${type}`,
      );
    }
  });

  it('of administrators are refused to others, and those of a deleted account are deleted', async () => {
    const refused = await api.post('/v1/my/webhooks', { url: `${hooks}/a`, events: ['export.done'] }, ada.program);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'events']]);
    const admin = await addPerson(api, undefined, { isAdmin: true });
    expect((await register(['export.done'], '/admin', admin)).id).toBeGreaterThan(0);
    const eve = await addPerson(api);
    const { id } = await register(['data.loaded'], '/eve', eve);
    await database.pool.query(`select tell_webhooks($1, 'data.loaded', now(), '{}')`, [eve.id]);
    expect(await deliveriesOf(id, eve)).toHaveLength(1);
    expect(await deliveriesOf(id)).toEqual([]);
    await database.pool.query(`update users set status = 'disabled' where id = $1`, [eve.id]);
    await deliver();
    expect(received).toEqual([]);
    await database.pool.query('delete from users where id = $1', [eve.id]);
    expect((await database.pool.query('select from webhook_deliveries')).rowCount).toBe(0);
  });
});

describe('deliveries', () => {
  it('that fail seven times arrive at the eighth, over a day, under one id', async () => {
    const { id } = await register(['data.loaded']);
    const delivery = await test(id);
    const failures = [500, 'closed', 302, 404, 429, 503, 500] as const;
    answer = () => failures[received.length - 1] ?? 200;
    let now = NOW;
    for (let attempt = 1; attempt <= 7; attempt++) {
      await deliver(now);
      expect(received).toHaveLength(attempt);
      const [{ status, attempts, next_attempt_at }] = await deliveriesOf(id);
      expect([status, attempts]).toEqual(['pending', attempt]);
      const due = Date.parse(next_attempt_at);
      await deliver(due - 1);
      expect(received).toHaveLength(attempt);
      now = due;
    }
    expect(now - NOW).toBeGreaterThan(23 * 60 * MINUTE_MS);
    expect(now - NOW).toBeLessThan(25 * 60 * MINUTE_MS);
    await deliver(now);
    await deliver(now + 48 * 60 * MINUTE_MS);
    const [{ status, answers, next_attempt_at }] = await deliveriesOf(id);
    expect([status, next_attempt_at]).toEqual(['delivered', null]);
    expect(answers.map((one: { status: number | null }) => one.status)).toEqual([
      500,
      null,
      302,
      404,
      429,
      503,
      500,
      200,
    ]);
    // The words of a receiver are not stored.
    expect(answers[0].body).toBe('');
    const { rows } = await database.pool.query('select answers::text as text from webhook_deliveries');
    expect(rows.map(({ text }) => text).join()).not.toMatch(/answer|body/);
    expect(answers[1].error).toBe('ECONNRESET');
    expect(received.map(({ path }) => path)).toEqual(Array(8).fill('/hook'));
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery]));
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(8);
  });

  it('end as failed after the eighth attempt, and can be sent again on request', async () => {
    const { id } = await register(['data.loaded']);
    const delivery = await test(id);
    answer = () => 500;
    for (let day = 0; day < 9; day++) await deliver(NOW + day * 24 * 60 * MINUTE_MS);
    expect(received).toHaveLength(8);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    answer = () => 200;
    const path = `/v1/my/webhooks/${id}/deliveries/${delivery}/retry`;
    const bob = await addPerson(api);
    expect((await api.post(path, undefined, bob.program)).status).toBe(404);
    expect((await api.post(path, undefined, ada.program)).body.data).toEqual({ id: delivery });
    await deliver();
    expect(await deliveriesOf(id)).toMatchObject([{ id: delivery, status: 'delivered', attempts: 1 }]);
    expect(received.at(-1)?.headers['webhook-id']).toBe(delivery);
  });

  it('are listed with the bytes that were sent, and those of a range of time are sent again', async () => {
    const { id } = await register(['data.loaded']);
    const first = await test(id);
    answer = () => 410;
    await deliver();
    const [{ status, request_headers: sent, request_body: text }] = await deliveriesOf(id);
    const { headers, body } = received[0];
    expect([status, text]).toEqual(['failed', body]);
    for (const [name, value] of Object.entries(sent)) expect([name, headers[name]]).toEqual([name, value]);
    expect(Object.keys(sent)).toEqual(expect.arrayContaining(['webhook-id', 'webhook-signature', 'webhook-timestamp']));
    await api.patch(`/v1/my/webhooks/${id}`, { enabled: true }, ada.program);
    answer = () => 200;
    const second = await test(id);
    await deliver();
    const path = `/v1/my/webhooks/${id}/replay`;
    const replay = async (body: object, who = ada) => (await api.post(path, body, who.program)).body;
    const day = new Date(NOW).toISOString().slice(0, 10);
    expect((await replay({ from: day, to: day })).data).toEqual({ count: 1 });
    expect((await replay({ from: day, to: day, failed_only: false })).data).toEqual({ count: 1 });
    const before = received.length;
    await deliver();
    expect(
      received
        .slice(before)
        .map((one) => one.headers['webhook-id'])
        .sort(),
    ).toEqual([first, second].sort());
    expect((await replay({ from: '2024-01-01', to: '2024-01-02', failed_only: false })).data).toEqual({ count: 0 });
    expect(await replay({ from: day, to: day }, await addPerson(api))).toMatchObject({ code: 404 });
    expect(await replay({ from: '2024-01-02', to: '2024-01-01' })).toMatchObject({ key: 'error.invalid_date_range' });
  });

  it('do not wait for a receiver that never ends its answer, and stop when it answers 410', async () => {
    const slow = await register(['data.loaded'], '/slow');
    const gone = await register(['data.loaded'], '/gone');
    answer = ({ path }) => (path === '/slow' ? 'endless' : 410);
    for (let i = 0; i < 6; i++) await test(slow.id);
    await test(gone.id);
    await deliver();
    const statuses = (await deliveriesOf(slow.id)).map((one: { status: string }) => one.status);
    expect(statuses).toEqual(Array(6).fill('delivered'));
    expect(await deliveriesOf(gone.id)).toMatchObject([{ status: 'failed', attempts: 1 }]);
    const { body } = await api.get('/v1/my/webhooks', ada.program);
    expect(body.data.items.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, false]);
    await test(gone.id);
    await deliver();
    expect(received.filter(({ path }) => path === '/gone')).toHaveLength(1);
    await api.patch(`/v1/my/webhooks/${gone.id}`, { enabled: true }, ada.program);
    await deliver();
    expect(received.filter(({ path }) => path === '/gone')).toHaveLength(2);
  });

  it('never reach a private address, even if a name resolves to one after the registration', async () => {
    const { id } = await register(['data.loaded']);
    const { port } = new URL(hooks);
    for (const url of [
      `http://localhost:${port}/`,
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
    ]) {
      await database.pool.query('update webhooks set url = $1', [url]);
      await test(id);
      await deliver(NOW, []);
      const [{ status, answers }] = await deliveriesOf(id);
      expect([url, status, answers[0].status, answers[0].error]).toEqual([url, 'pending', null, 'EPRIVATE']);
    }
    expect(received).toEqual([]);
  });
});

describe('an address', () => {
  const refusal = async (url: string) => {
    const { status, body } = await api.post('/v1/my/webhooks', { url, events: ['data.loaded'] }, ada.program);
    return status === 201 ? 'taken' : [status, body.detail?.[0]?.msg ?? body.key].join(' ');
  };
  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[::7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2001:0:a00:1::1]/',
    'https://[2001:db8::1]/',
    'https://[2a00:1450::5efe:10.0.0.1]/',
    'https://[2a00:1450::200:5efe:10.0.0.1]/',
    'https://[fec0::1]/',
    'https://[4000::1]/',
    'https://0x0a000001/',
    'https://167772161/',
    'https://012.0.0.1/',
    'https://0.0.0.0/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://db.internal/',
    'https://printer.local/',
    'https://intranet/',
  ])('of a private network is refused: %s', async (url) => {
    expect(await refusal(url)).toMatch(/^422 .*private network.*WEBHOOK_NETWORKS/);
  });

  it('of version 6 on the public internet is accepted', async () => {
    expect(await refusal('https://[2a00:1450:4001:82a::2004]/')).toBe('taken');
  });

  it.each([
    ['http://example.com/', /https/],
    ['http://10.0.0.1/', /https.*WEBHOOK_NETWORKS/],
    ['http://[::1]/', /https.*WEBHOOK_NETWORKS/],
    ['ftp://example.com/', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user:password@example.com/', /without user name/],
    ['https://example.com/#part', /without user name/],
    ['example.com', /expected an address/],
    ['https://', /expected an address/],
    ['https://exa mple.com/', /expected an address/],
  ])('is refused where it is wrong: %s', async (url, says) => {
    expect(await refusal(url)).toMatch(says);
  });

  it('is accepted once, and at most five are accepted per account, also concurrently', async () => {
    await register(['data.loaded'], '/1');
    expect(await refusal(`${hooks}/1`)).toMatch(/^409/);
    const more = await Promise.all(['/2', '/3', '/4', '/5', '/6', '/7'].map((path) => refusal(`${hooks}${path}`)));
    expect(more.filter((one) => one === 'taken')).toHaveLength(4);
    expect(more.filter((one) => /^400 error.quota_exceeded/.test(one))).toHaveLength(2);
    const { body } = await api.get('/v1/my/webhooks', ada.program);
    expect(JSON.stringify(body)).not.toContain('whsec_');
    const { id } = body.data.items[0];
    expect((await api.delete(`/v1/my/webhooks/${id}`, undefined, ada.program)).status).toBe(200);
    expect((await api.delete(`/v1/my/webhooks/${id}`, undefined, ada.program)).status).toBe(404);
  });
});

describe('a worker that is killed', () => {
  const workers: ChildProcess[] = [];
  const startWorker = async () => {
    const worker = await startProcess('worker', {
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      PROVIDER: 'files',
      PROVIDER_DIR: market.folder.path,
      WEBHOOK_NETWORKS: LOOPBACK.join(','),
      FIXED_NOW: new Date(NOW).toISOString(),
    });
    workers.push(worker);
    return worker;
  };
  afterAll(async () => {
    await Promise.all(workers.map((worker) => endProcess(worker, 'SIGTERM')));
  });

  it('leaves every watch evaluated once, with its signals written and delivered once', async () => {
    const { pool } = database;
    await pool.query('delete from watches');
    const created: number[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      created.push(await watch(name));
    }
    const { id } = await register(['signals.ready']);
    await buildSnapshot(context());
    // The job waits at the third watch, where it is killed.
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from watches where id = $1 for update', [created[2]]);
    const boss = api.services.boss;
    await sendUnlessWaiting(boss, 'signals.evaluate', { requestId: null });
    const evaluations = () => pool.query('select watch_id from signal_evaluations order by watch_id');
    const first = await startWorker();
    await eventually(evaluations, ({ rowCount }) => rowCount === 2);
    await endProcess(first, 'SIGKILL');
    expect((await evaluations()).rowCount).toBe(2);
    await startWorker();
    await holder.query('rollback');
    holder.release();
    await eventually(evaluations, ({ rowCount }) => rowCount === 5);
    const { rows } = await pool.query(
      `select watch_id, count(*)::int as signals, count(distinct instrument_id)::int as instruments
       from signals group by 1 order by 1`,
    );
    const [{ signals }] = rows;
    expect(signals).toBeGreaterThan(0);
    expect(rows).toEqual(created.map((watch_id) => ({ watch_id, signals, instruments: signals })));
    await enqueueDueDeliveries(pool, boss, NOW);
    await eventually(
      async () => received.length,
      (count) => count === 5,
    );
    await eventually(
      () => deliveriesOf(id),
      (items) => items.every((one: { status: string }) => one.status === 'delivered'),
    );
    expect(received.map(({ body }) => JSON.parse(body).data.watch.name).sort()).toEqual(['A', 'B', 'C', 'D', 'E']);
  });
});
