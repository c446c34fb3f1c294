/** How an API process leaves: announced beforehand, with no request dropped, and without waiting for kept connections. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningServer, startServer } from '../../api/server.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

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

const startWith = (slowCheck: () => Promise<unknown>): Promise<RunningServer> =>
  startServer({
    ...{ services: api.services, host: '127.0.0.1', port: 0, defaultLocale: 'en', trustProxy: false },
    ...{ isMetricsPublic: false, freeBytes: async () => 1e9, checks: { slow: slowCheck } },
  });

/** One kept connection, used for every call. */
function keptConnection(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (path: string) => {
    const [response] = (await once(get({ host: '127.0.0.1', port, path, agent }), 'response')) as [IncomingMessage];
    return { status: response.statusCode, connection: response.headers.connection, body: await json(response) };
  };
}

describe('leaving', () => {
  it('is said at /readyz while every call is still answered, each answer ending its connection', async () => {
    const server = await startWith(async () => {});
    const call = keptConnection(server.port);
    expect(await call('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' });
    const stopped = server.stop(1000, HOUR_MS);
    expect(await call('/readyz')).toMatchObject({ status: 503, body: { checks: { serving: 'failed', slow: 'ok' } } });
    expect(await call('/healthz')).toMatchObject({ status: 200, connection: 'close' });
    await stopped;
    await expect(call('/healthz')).rejects.toThrow('ECONNREFUSED');
  });

  it('waits for the call in hand, and not for its connection', async () => {
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
