/**
 * An API process that gets SIGTERM answers every call that has reached its machine, and refuses later ones.
 *
 * @waits
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../../api/access/tokens.ts';
import { insertApiKey } from '../../../db/accounts/api-keys.ts';
import { insertUser, updateUserAccess } from '../../../db/accounts/users.ts';
import { codeOf } from '../../../engine/util/errors.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { everyNth } from '../../support/extent.ts';
import { removeTree } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const FIXED_NOW = '2024-09-04T16:00:00Z';
const MANY = 8;
const DRAIN_MS = 2_000;
const provider = new SampleProvider({ symbols: 50, now: () => Date.parse(FIXED_NOW) });

let folder: string;
let database: TestDatabase;
let key: string;
let port: number;
let api: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'draining-'));
  database = await createSampleDatabase(provider);
  key = await addKey();
});
afterAll(async () => {
  await database.drop();
  removeTree(folder);
});

async function addKey(): Promise<string> {
  const at = new Date();
  const profile = { name: 'Ada', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const { id: userId } = required(await insertUser(database.pool, { email: 'ada@example.com', at, ...profile }));
  await updateUserAccess(database.pool, userId, { plan: 'enterprise' });
  const { plaintext, hash, prefix } = newApiKey();
  await insertApiKey(database.pool, { userId, name: 'Ada', keyHash: hash, prefix, at });
  return plaintext;
}

/** Sends a call on a new connection. */
function send(path: string, body?: object): ClientRequest {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const sent = request({ host: '127.0.0.1', port, path, agent: false, method: body ? 'POST' : 'GET', headers });
  sent.end(body && JSON.stringify(body));
  return sent;
}

interface Answer {
  /** The status of the answer, or the error of a connection that gave none. */
  readonly status: number | string;
  readonly connection?: IncomingHttpHeaders['connection'];
  readonly body?: string;
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  try {
    const [response] = await once(sent, 'response');
    const { statusCode: status, headers } = response;
    return { status, connection: headers.connection, body: await text(response) };
  } catch (error) {
    return { status: codeOf(error) ?? String(error) };
  }
}

const call = (path: string, body?: object) => answerTo(send(path, body));
const isConnected = (sent: ClientRequest) => once(sent, 'socket').then(([socket]) => once(socket, 'connect'));
const sendBacktests = () =>
  Array.from({ length: MANY }, () => send('/v1/backtest', { symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' }));
const drained = (status: number) => ({ status, connection: 'close' });

async function countRuns(): Promise<number> {
  return (await database.pool.query(`select from runs`)).rowCount ?? 0;
}

async function start(processes: number): Promise<void> {
  await database.pool.query('delete from runs');
  port = await freePort();
  api = await startProcess('api', {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(port),
    API_PROCESSES: String(processes),
    SAMPLE_SYMBOLS: '50',
    FIXED_NOW,
  });
}

/** The process and those under it that answer. */
function signalAll(signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${api.pid}/task/${api.pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const pid of [required(api.pid), ...children.map(Number)]) process.kill(pid, signal);
}

afterEach(async () => {
  if (api.exitCode !== null || api.signalCode !== null) return;
  signalAll('SIGKILL');
  await endProcess(api, 'SIGKILL');
});

describe.each(everyNth(2, [2, 1]))('%i processes on a port that get SIGTERM', (processes) => {
  beforeEach(() => start(processes));

  it('answer backtests that wait, and waits for progress, at once', async () => {
    const awaited = sendBacktests().map(answerTo);
    await eventually(countRuns, (count) => count === MANY);
    const { rows } = await database.pool.query(`select id from runs limit 1`);
    const waiting = send(`/v1/backtests/jobs/${rows[0].id}?wait=30`);
    await isConnected(waiting);
    const progress = answerTo(waiting);
    const since = performance.now();
    const ended = endProcess(api, 'SIGTERM');
    for (const answer of await Promise.all(awaited)) expect(answer).toMatchObject(drained(202));
    const { body, ...answer } = await progress;
    expect(answer).toEqual(drained(200));
    expect(JSON.parse(required(body)).data.status).toBe('queued');
    expect(performance.now() - since).toBeLessThan(deadline(DRAIN_MS));
    expect(await ended).toBe(0);
  });

  it('answer calls from just before and during the drain', async () => {
    const sent = sendBacktests();
    const answers = sent.map(answerTo);
    await Promise.all(sent.map(isConnected));
    const since = performance.now();
    const ended = endProcess(api, 'SIGTERM');
    await eventually(
      () => call('/readyz'),
      ({ status }) => status === 503,
    );
    const late = [];
    while (performance.now() - since < DRAIN_MS / 2) late.push(await call('/v1/quote/ACRX'));
    for (const answer of late) expect(answer).toMatchObject(drained(200));
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 202 });
    expect(await ended).toBe(0);
    expect((await call('/v1/quote/ACRX')).status).toBe('ECONNREFUSED');
  });

  it('answer connections that wait to be accepted when the drain ends', async () => {
    const ended = endProcess(api, 'SIGTERM');
    await eventually(
      () => call('/readyz'),
      ({ status }) => status === 503,
    );
    signalAll('SIGSTOP');
    const sent = [...sendBacktests(), ...Array.from({ length: MANY }, () => send('/v1/quote/ACRX'))];
    const answers = sent.map(answerTo);
    await Promise.all(sent.map(isConnected));
    // Time passes while the processes are stopped.
    await sleep(DRAIN_MS);
    signalAll('SIGCONT');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(MANY).fill(202), ...Array(MANY).fill(200)]);
    expect(await ended).toBe(0);
  });
});

it('answers callers that keep calling during the drain', async () => {
  await start(1);
  const since = performance.now();
  const answers: { readonly begun: number; readonly status: Answer['status'] }[] = [];
  const callOn = async () => {
    while (answers.at(-1)?.status !== 'ECONNREFUSED') {
      const begun = performance.now() - since;
      answers.push({ begun, status: (await call('/v1/quote/ACRX')).status });
    }
  };
  const callers = Array.from({ length: MANY }, callOn);
  expect(await endProcess(api, 'SIGTERM')).toBe(0);
  await Promise.all(callers);
  const inTime = answers.filter(({ begun }) => begun < DRAIN_MS);
  expect(inTime.length).toBeGreaterThan(MANY);
  // Some may have used up their calls of the minute, which is an answer.
  expect(inTime.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
});
