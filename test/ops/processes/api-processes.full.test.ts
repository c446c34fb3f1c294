/** Several API processes on one port: as exact as one, and none is missed when it dies. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { PLANS } from '../../../api/access/plans.ts';
import { newApiKey } from '../../../api/access/tokens.ts';
import { insertApiKey, updateApiKey } from '../../../db/accounts/api-keys.ts';
import { insertUser, updateUserAccess } from '../../../db/accounts/users.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { createApiGroup } from '../../../ops/processes/api-group.ts';
import { createSupervisor } from '../../../ops/processes/supervisor.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const FIXED_NOW = '2024-09-04T16:00:00Z';
const provider = new SampleProvider({ symbols: 50, now: () => Date.parse(FIXED_NOW) });
let directory: string;
let database: TestDatabase;
let environment: Record<string, string>;
let api: ChildProcess;
let worker: ChildProcess | null = null;
let key: string;
const logged: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'api-processes-'));
  database = await createSampleDatabase(provider);
  environment = {
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    API_PROCESSES: '2',
    SAMPLE_SYMBOLS: '50',
    SHUTDOWN_GRACE_S: '2',
    FIXED_NOW,
  };
  key = (await addKey('enterprise')).plaintext;
  api = await startProcess('api', environment);
  createInterface({ input: required(api.stdout) }).on('line', (line) => logged.push(line));
});
afterAll(async () => {
  await endProcess(api, 'SIGKILL');
  if (worker) await endProcess(worker, 'SIGKILL');
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

interface Key {
  readonly plaintext: string;
  readonly disable: () => Promise<unknown>;
}

/** A key of a new account. */
async function addKey(plan: 'free' | 'enterprise'): Promise<Key> {
  const at = new Date();
  const profile = { name: 'Ada', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const user = required(await insertUser(database.pool, { email: `${plan}@example.com`, at, ...profile }));
  await updateUserAccess(database.pool, user.id, { plan });
  const { plaintext, hash, prefix } = newApiKey();
  const { id } = await insertApiKey(database.pool, { userId: user.id, name: plan, keyHash: hash, prefix, at });
  return { plaintext, disable: () => updateApiKey(database.pool, user.id, id, { enabled: false }) };
}

interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly body: string;
}

/** Sends one call on a new connection, because connections go to the processes in turn. */
async function call(path: string, credential?: string, body?: object): Promise<Answer> {
  const sent = request({
    path,
    port: environment.PORT,
    host: '127.0.0.1',
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(credential && { 'x-api-key': credential }) },
  });
  sent.end(body && JSON.stringify(body));
  try {
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, body: await text(response) };
  } catch {
    return { status: 0, body: '' };
  }
}

async function metrics(): Promise<Map<string, number>> {
  const { body } = await call('/metrics');
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** Pids of the API processes. */
const processes = () => readFileSync(`/proc/${api.pid}/task/${api.pid}/children`, 'utf8').trim().split(' ').map(Number);
const serving = async (): Promise<number> => JSON.parse((await call('/readyz')).body).processes.serving;

/** Backtests that wait: no worker runs. */
async function queueBacktests(symbols: readonly string[]): Promise<readonly Promise<Answer>[]> {
  const queued = async () => {
    const { rows } = await database.pool.query(`select from runs where status = 'queued'`);
    return rows.length;
  };
  const before = await queued();
  const order = { strategy: 'sma_cross', time_range: '1Y' };
  const calls = symbols.map((symbol) => call('/v1/backtest', key, { symbol, ...order }));
  await eventually(queued, (count) => count === before + symbols.length);
  return calls;
}

describe('two API processes on one port', () => {
  it('count calls as one process, and report their metrics together', async () => {
    const free = await addKey('free');
    const limit = PLANS.free.limits.quote;
    const statuses: number[] = [];
    const answered = () => statuses.filter((status) => status === 200).length;
    const ask = async () => void statuses.push((await call('/v1/quote/ACRX', free.plaintext)).status);
    const caller = async () => {
      while (statuses.length < limit + 20) await ask();
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    const refused = statuses.length - limit;
    await Promise.all(Array.from({ length: 8 }, ask));
    expect([answered(), statuses.length - answered()]).toEqual([limit, refused + 8]);
    const reported = await metrics();
    const counted = (status: number) =>
      reported.get(`http_requests_total{route="/v1/quote/{symbol}",method="GET",status="${status}"}`);
    expect([counted(200), required(counted(200)) + required(counted(429))]).toEqual([limit, statuses.length]);
    // Each process has its calls and its memory; shared figures are reported once.
    const shares = ['1', '2'].map((process) =>
      required(reported.get(`api_process_requests_total{process="${process}"}`)),
    );
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(shares[0] + shares[1]).toBe(statuses.length);
    // Each call takes a new connection; connections go to the processes in turn.
    for (let i = 0; i < 8; i++) expect((await call('/v1/kline/ACRX', key)).status).toBe(200);
    const held = await metrics();
    for (const process of ['1', '2']) {
      expect(held.get(`api_process_memory_bytes{process="${process}",part="series"}`)).toBeGreaterThan(0);
    }
    expect([reported.get('service_processes{kind="api"}'), reported.get('rate_limits_local')]).toEqual([2, 0]);

    await free.disable();
    const known = () => call('/v1/static/ACRX', free.plaintext);
    const both = () => Promise.all([known(), known()]);
    await eventually(both, (answers) => answers.every(({ status }) => status === 401));
  });

  it('continue when one is killed, lose no queued job, and are two again', async () => {
    const counted = (await metrics()).get('api_process_requests_total{process="1"}');
    const [killed, kept] = await queueBacktests(['ACRX', 'BRVA']);
    process.kill(processes()[0], 'SIGKILL');
    // The calls came to the processes in turns, so one of them was in the process that died.
    const first = await Promise.race([killed, kept]);
    expect(first.status).toBe(0);
    await eventually(
      async () => logged.join('\n'),
      (lines) => lines.includes('a process died'),
    );
    expect(JSON.parse(logged[0])).toMatchObject({ level: 50, member: 'api 1', signal: 'SIGKILL', restartInMs: 100 });
    const meanwhile: number[] = [];
    while ((await serving()) < 2) meanwhile.push((await call('/v1/quote/ACRX', key)).status);
    expect(new Set(meanwhile)).toEqual(new Set([200]));
    expect(meanwhile.length).toBeGreaterThan(0);
    // Counts of the dead process stay in the sums, so that no counter falls.
    expect((await metrics()).get('api_process_requests_total{process="1"}')).toBeGreaterThanOrEqual(required(counted));

    worker = await startProcess('worker', environment);
    const answers = await Promise.all([killed, kept]);
    expect(answers.map(({ status }) => status).sort()).toEqual([0, 200]);
    const ended = () => database.pool.query<{ id: string }>(`select id from runs where status = 'done'`);
    const { rows } = await eventually(ended, ({ rowCount }) => rowCount === 2);
    for (const { id } of rows) {
      expect(JSON.parse((await call(`/v1/backtests/jobs/${id}`, key)).body).data.status).toBe('done');
    }
    await endProcess(worker, 'SIGTERM');
  });

  it('shut down in order: each answers its waiting calls and closes all connections', async () => {
    const waiting = await queueBacktests(['QILL', 'ACRX']);
    const ended = endProcess(api, 'SIGTERM');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([202, 202]);
    expect(await ended).toBe(0);
    const { rows } = await database.pool.query(
      `select application_name from pg_stat_activity where datname = current_database() and application_name <> 'test'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a process that is supervised', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    new Writable({
      write: (line, _encoding, done) => {
        lines.push(JSON.parse(line));
        done();
      },
    }),
  );
  const script = (content: string) => {
    const file = join(directory, `${content.length}.mjs`);
    writeFileSync(file, content);
    return file;
  };

  it('is restarted after increasing pauses when it keeps dying', async () => {
    const supervisor = createSupervisor(log);
    const crashing = script(`process.send({ type: 'ready' }, () => process.exit(3));`);
    await supervisor.start('crashing', () => fork(crashing, { execArgv: [] }));
    const deaths = () => lines.filter(({ member }) => member === 'crashing');
    await eventually(
      async () => deaths(),
      ({ length }) => length === 4,
    );
    await supervisor.stop();
    expect(deaths().map(({ restartInMs, code }) => [restartInMs, code])).toEqual(
      [100, 200, 400, 800].map((ms) => [ms, 3]),
    );
  });

  it('is killed and restarted when it hangs', async () => {
    const supervisor = createSupervisor(log);
    const hanging = script(`
      setInterval(() => process.send({ type: 'beat' }), 20);
      process.send({ type: 'ready' }, () => setTimeout(() => { for (;;); }, 100));
    `);
    const group = createApiGroup({ count: 1, env: {}, supervisor, log, entry: hanging, silentMs: 500 });
    await group.start();
    const reported = () => lines.filter(({ member }) => member === 'api 1').map(({ msg, signal }) => [msg, signal]);
    await eventually(
      async () => reported(),
      ({ length }) => length >= 2,
    );
    group.close();
    await supervisor.stop();
    expect(reported().slice(0, 2)).toEqual([
      ['a process hangs and is ended', undefined],
      ['a process died', 'SIGKILL'],
    ]);
  });
});
