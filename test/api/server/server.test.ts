/** Shutdown of an API process: announced, without dropped requests, and without waiting for idle connections. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningServer, startServer } from '../../../api/server/server.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await openTestApi({ database, provider: new SampleProvider({ symbols: 50, now: Date.now }) });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const startWith = (
  slowCheck: () => Promise<unknown>,
  others: Readonly<Record<string, () => Promise<unknown>>> = {},
): Promise<RunningServer> =>
  startServer({
    services: api.services,
    host: '127.0.0.1',
    port: 0,
    defaultLocale: 'en',
    trustProxy: false,
    description: JSON.parse(DESCRIPTION),
    checks: { slow: slowCheck, ...others },
  });

/** One keep-alive connection, used for every call. */
function keptConnection(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (path: string) => {
    const [response] = (await once(get({ host: '127.0.0.1', port, path, agent }), 'response')) as [IncomingMessage];
    return { status: response.statusCode, connection: response.headers.connection, body: await json(response) };
  };
}

/** Connects a number of times, reports each connection and call, and finally the first line of each answer. */
const CALLERS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, callers, connected } } = require('node:worker_threads');
  const call = () => new Promise((done) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /v1/strategies HTTP/1.1\\r\\nHost: test\\r\\nConnection: close\\r\\n\\r\\n', () => {
        Atomics.add(connected, 0, 1);
        Atomics.notify(connected, 0);
      });
    });
    socket.on('data', (chunk) => { answer += chunk; });
    socket.on('error', (error) => done(error.code));
    socket.on('close', () => done(answer.split('\\r\\n')[0]));
  });
  Promise.all(Array.from({ length: callers }, call)).then((answers) => parentPort.postMessage(answers));
`;

describe('a shutdown', () => {
  it('is reported at /readyz while every call is still answered, with each answer closing its connection', async () => {
    const server = await startWith(async () => {});
    const call = keptConnection(server.port);
    expect(await call('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' });
    const stopped = server.stop(1000, HOUR_MS);
    expect(await call('/readyz')).toMatchObject({ status: 503, body: { checks: { serving: 'failed', slow: 'ok' } } });
    expect(await call('/healthz')).toMatchObject({ status: 200, connection: 'close' });
    await stopped;
    await expect(call('/healthz')).rejects.toThrow('ECONNREFUSED');
  });

  it('answers connections that the operating system has accepted before the server closes', async () => {
    const server = await startWith(async () => {});
    // Another thread connects and calls while this one is busy, and cannot take the connections.
    const callers = 8;
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(CALLERS, {
      eval: true,
      workerData: { port: server.port, callers, connected },
    });
    const answers = once(thread, 'message');
    await once(thread, 'online');
    for (let n = 0; n < callers; n = Atomics.load(connected, 0)) Atomics.wait(connected, 0, n, 1_000);
    const stopped = server.stop(0, HOUR_MS);
    // Without untilQuiet, connections in the operating system's queue are reset.
    expect((await answers)[0]).toEqual(Array(callers).fill('HTTP/1.1 200 OK'));
    await stopped;
  });

  it('answers calls that wait for a backtest before the grace time is over', async () => {
    const { ended, unsubscribe } = api.services.runs.subscribe(randomUUID());
    const entered = Promise.withResolvers<void>();
    const server = await startWith(async () => {
      entered.resolve();
      await ended;
    });
    const inHand = keptConnection(server.port)('/readyz');
    await entered.promise;
    const stopped = server.stop(0, 1_000);
    // Without endAll, a call that waits longer than the grace time is cut off.
    expect(await inHand).toMatchObject({ body: { checks: { slow: 'ok' } } });
    await stopped;
    unsubscribe();
  });

  it('waits for the call in progress, but not for its connection', async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const server = await startWith(async () => {
      entered.resolve();
      await released.promise;
    });
    const inHand = keptConnection(server.port)('/readyz');
    await entered.promise;
    const stopped = server.stop(0, HOUR_MS);
    released.resolve();
    expect(await inHand).toMatchObject({ body: { checks: { slow: 'ok' } } });
    await stopped;
  });
});

describe('/readyz', () => {
  it('stays 200 while only the bucket is away, and says that it is degraded', async () => {
    const server = await startWith(async () => {}, { storage: async () => Promise.reject(new Error('no bucket')) });
    const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'degraded', checks: { serving: 'ok', slow: 'ok', storage: 'failed' } },
    ]);
    await server.stop(0, 1_000);
  });

  it('runs its checks once for concurrent callers, and again after a second', async () => {
    let looks = 0;
    const released = Promise.withResolvers<void>();
    const server = await startWith(async () => {
      looks++;
      if (looks === 1) await released.promise;
    });
    const ask = async () => (await fetch(`http://127.0.0.1:${server.port}/readyz`)).status;
    try {
      const storm = Array.from({ length: 200 }, ask);
      await eventually(
        async () => looks,
        (count) => count === 1,
      );
      // The storm itself can take longer than a second.
      const begun = performance.now();
      released.resolve();
      expect(new Set(await Promise.all(storm))).toEqual(new Set([200]));
      for (let i = 0; i < 20; i++) await ask();
      expect(looks).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - begun) / 1000));
      await eventually(
        async () => {
          await ask();
          return looks;
        },
        (count) => count >= 2,
      );
    } finally {
      released.resolve();
      await server.stop(0, HOUR_MS);
    }
  });
});

describe('/metrics', () => {
  const start = (more: { metricsPort?: number }) =>
    startServer({
      services: api.services,
      host: '127.0.0.1',
      port: 0,
      defaultLocale: 'en',
      trustProxy: false,
      description: JSON.parse(DESCRIPTION),
      checks: {},
      ...more,
    });
  const ask = async (port: number, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status;
  const FORWARDED = ['X-Forwarded-For', 'x-forwarded-proto', 'X-Forwarded-Anything', 'Forwarded', 'X-Real-IP', 'Via'];

  it('is for callers on this machine only, and not for calls that a proxy on it forwards', async () => {
    const server = await start({});
    const answers = [await ask(server.port)];
    for (const name of FORWARDED) answers.push(await ask(server.port, { [name]: '127.0.0.1' }));
    await server.stop(0, HOUR_MS);
    expect(answers).toEqual([200, ...FORWARDED.map(() => 404)]);
  });

  it('has its own port if one is configured, and is then not served elsewhere', async () => {
    const metricsPort = await freePort();
    const server = await start({ metricsPort });
    expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(await answer.text()).toMatch(
      /http_requests_total\{route="unknown",method="GET",status="200"\}|http_requests_total/,
    );
    expect(await ask(server.port)).toBe(404);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/v1/symbols`)).status).toBe(404);
    await server.stop(0, HOUR_MS);
    await expect(ask(metricsPort)).rejects.toThrow();
  });
});
