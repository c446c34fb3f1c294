/** The TypeScript client with wrong options, as programs in JavaScript pass them, and with an address where nothing answers. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, ConnectionLost, InvalidOption, openClient } from '../../../api/clients/typescript/index.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { freePort } from '../../support/free-port.ts';

/** A service that refuses every call, as one that is overloaded. */
let calls = 0;
const server = createServer((_, response) => {
  calls++;
  response.writeHead(503, { connection: 'close' }).end();
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${portOf(server)}`;
});
afterAll(() => {
  server.close();
});

/** Opens a client without the types, as a program in JavaScript does. */
const open = (options: object): Client => Reflect.apply(openClient, null, [{ url, ...options }]);
const asked = (market: Client, options: object): Promise<unknown> =>
  Reflect.apply(market.call, null, ['listPlans', {}, options]);

describe('options', () => {
  it.each([[0], [{ maxRetries: 0 }]])('retries %j: one try', async (retries) => {
    const before = calls;
    await expect(asked(open({ retries }), {})).rejects.toMatchObject({ status: 503 });
    expect(calls - before).toBe(1);
  });

  it.each([
    [{ retries: -1 }, /retries: -1 is not a whole number/],
    [{ retries: 'none' }, /retries: "none" is not/],
    [{ retries: Number.NaN }, /retries: NaN is not/],
    [{ retries: { maxRetries: '1' } }, /retries\.maxRetries: "1" is not/],
    [{ retries: { max: 1 } }, /retries\.max: there is no such option; there are maxRetries, firstWaitMs, maxWaitMs/],
    [{ key: 5 }, /key: 5 is not a text/],
    [{ timeout: 5 }, /timeout: there is no such option; there are url, key, language, fetch, retries/],
    [
      { url: '127.0.0.1:3000' },
      /url: "127\.0\.0\.1:3000" is not an address; did you mean "http:\/\/127\.0\.0\.1:3000"\?/,
    ],
    [{ url: 'localhost:3000' }, /did you mean "http:\/\/localhost:3000"/],
    [{ url: 'ftp://market' }, /url: "ftp:\/\/market" is not an address/],
    [{ url: 'http://' }, /url: "http:\/\/" is not an address/],
  ])('%j are refused', (options, message) => {
    expect(() => open(options)).toThrow(InvalidOption);
    expect(() => open(options)).toThrow(message);
  });

  it.each([
    [{ timeoutMs: '5000' }, /timeoutMs: "5000" is not/],
    [{ timeoutMs: Number.NaN }, /timeoutMs: NaN is not/],
    [{ signal: 5 }, /signal: 5 is not an AbortSignal/],
    [{ headers: 'a: b' }, /headers: "a: b" is not/],
    [{ timeout: 5 }, /timeout: there is no such option/],
  ])('of a call: %j are refused before anything is sent', async (options, message) => {
    const before = calls;
    await expect(asked(open({}), options)).rejects.toThrow(message);
    const job = open({}).backtest.job('1');
    const state: Promise<unknown> = Reflect.apply(job.state, null, [options]);
    await expect(state).rejects.toThrow(message);
    expect(calls).toBe(before);
  });

  it('of a job: a progress that cannot be called is refused', async () => {
    const result: Promise<unknown> = Reflect.apply(open({}).backtest, null, [{ symbol: 'ACRX' }, { onProgress: true }]);
    await expect(result).rejects.toThrow(/onProgress: true is not a function/);
  });

  it('names the operation that does not exist', async () => {
    const called: Promise<unknown> = Reflect.apply(open({}).call, null, ['listPlanz', {}]);
    await expect(called).rejects.toThrow(/there is no operation "listPlanz"/);
  });
});

describe('an address where nothing answers', () => {
  it('fails at once, and is named', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const began = performance.now();
    const failed = asked(open({ url: away }), {});
    await expect(failed).rejects.toThrow(ConnectionLost);
    await expect(failed).rejects.toThrow(`get /api/plans: nothing answers at ${away} (ECONNREFUSED)`);
    await expect(asked(open({ url: 'http://127.0.0.1:1' }), {})).rejects.toThrow(
      /at http:\/\/127\.0\.0\.1:1 \(bad port\)/,
    );
    // The first wait before a retry is at least an eighth of a second, the last ones are seconds.
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('is tried again where it has answered before, as while a service restarts', async () => {
    const restarting = createServer((_, response) => response.end('{"data":{"plans":[]}}'));
    await new Promise<void>((listening) => restarting.listen(0, '127.0.0.1', listening));
    const port = portOf(restarting);
    const market = open({ url: `http://127.0.0.1:${port}` });
    await asked(market, {});
    await new Promise<void>((closed) => {
      restarting.close(() => closed());
      restarting.closeAllConnections();
    });
    const answered = asked(market, {});
    restarting.listen(port, '127.0.0.1');
    expect(await answered).toEqual({ plans: [] });
    await new Promise<void>((closed) => {
      restarting.close(() => closed());
      restarting.closeAllConnections();
    });
  });

  it('is tried again where a connection was made and broke before any answer', async () => {
    const lost = (code: string) => Promise.reject(new TypeError('fetch failed', { cause: { code } }));
    const answers = [
      () => lost('ECONNRESET'),
      () => lost('ECONNREFUSED'),
      async () => Response.json({ data: { plans: [] } }),
    ];
    const fetch = () => answers.shift()?.();
    expect(await asked(open({ fetch }), {})).toEqual({ plans: [] });
  });
});
