/** Limits of bodies before they are parsed: size, values, nesting, encoding. */

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertWithin } from '../../../api/http/input/body.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { leastCpu } from '../../support/cpu.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let api: TestApi;
let server: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await openTestApi({ database, provider: new SampleProvider({ symbols: 50, now: Date.now }) });
  server = createServer(api.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await api.close();
  await database.drop();
});

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const PATHS = ['/v1/backtest', '/api/backtest', '/api/backtest/run', '/v1/batch', '/api/visits', '/api/auth/verify'];

describe('a body', () => {
  it.each(['/v1/backtest', '/api/backtest/run', '/api/auth/request-code'])(
    'of 90,000 unknown keys is too large for %s, and nobody reads them',
    async (path) => {
      const body = keys(90_000);
      const { result: response, cpuMs } = await leastCpu(() => api.post(path, body));
      expect([response.status, response.body.key]).toEqual([413, 'error.body_too_large']);
      expect(response.body.message).toBe('The request body is larger than 16 KiB, the limit of this endpoint.');
      expect(cpuMs).toBeLessThan(150);
    },
  );

  it('of a page view may have 4 KiB, with or without a declared length', async () => {
    const visit = (length: number) => api.post('/api/visits', { path: '/', referrer: 'x'.repeat(length) });
    expect((await visit(500)).status).toBe(201);
    const response = await visit(5_000);
    expect([response.status, response.body.key]).toEqual([413, 'error.body_too_large']);
    expect(response.body.message).toContain('4 KiB');
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = request({ port: portOf(server), host: '127.0.0.1', path: '/api/visits', method: 'POST', headers });
    sent.end(`{"path":"/","referrer":"${'x'.repeat(5_000)}"}`);
    const [refused] = await once(sent, 'response');
    expect(await json(refused)).toMatchObject({ code: 413, key: 'error.body_too_large' });
  });

  it('is refused for its number of keys, on all levels', async () => {
    for (const body of [keys(1_100), `{"params":${keys(1_100)}}`, `{"params":[${'[1],'.repeat(600)}1]}`]) {
      const response = await api.post('/v1/backtest', body);
      expect([response.status, response.body.key]).toEqual([413, 'error.body_too_many_values']);
      expect(response.body.message).toContain('1000');
    }
  });

  it('of a route that takes long lists is still limited in its keys', async () => {
    const response = await api.post('/v1/batch', keys(1_100));
    expect([response.status, response.body.key]).toEqual([413, 'error.body_too_many_values']);
    expect(response.body.message).toBe('The request body has more than 1000 keys.');
  });

  it('with too many levels is refused by every route that reads one', async () => {
    for (const path of PATHS) {
      const response = await api.post(path, `{"symbol":${nested(33)}}`, { 'accept-language': 'zh-CN' });
      expect([response.status, response.body.key, path]).toEqual([413, 'error.body_too_deep', path]);
      expect(response.body.message).toContain('32');
    }
  });

  it('counts with its decompressed size', async () => {
    const port = portOf(server);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const sent = request({ port, host: '127.0.0.1', path: '/v1/backtest', method: 'POST', headers, agent: false });
    sent.end(gzipSync(keys(90_000)));
    const [response] = await once(sent, 'response');
    expect(await json(response)).toMatchObject({ code: 413, key: 'error.body_too_large' });
  });

  it('must be UTF-8, because quotes could not be recognized in another encoding', async () => {
    const type = 'application/json; charset=utf-16le';
    const port = portOf(server);
    const sent = request({
      port,
      host: '127.0.0.1',
      path: '/v1/batch',
      method: 'POST',
      headers: { 'content-type': type },
    });
    sent.end(Buffer.from('{"symbols":["ACRX"]}', 'utf16le'));
    const [response] = await once(sent, 'response');
    expect(await json(response)).toMatchObject({ code: 415, key: 'error.unsupported_media_type' });
  });

  it('with long lists is accepted by routes that take them', async () => {
    const symbols = Array.from({ length: 10_000 }, (_, i) => `T${i % 300}`);
    const response = await api.post('/v1/batch', { symbols });
    expect([response.status, response.body.data.requested]).toEqual([200, 300]);
  });
});

describe('the count of values', () => {
  const count = (text: string, max: number) => () => assertWithin(Buffer.from(text), 'utf-8', max);

  it('ignores the contents of strings, escaped quotes included', () => {
    const text = JSON.stringify({ a: '[[[{{{,,,"\\', b: ['\\"', ',,'], '"{[': '\\\\' });
    expect(count(text, 5)).not.toThrow();
    expect(count(text, 4)).toThrow(expect.objectContaining({ code: 'body_too_many_values' }));
  });

  it('ends with the text, even if that is incomplete', () => {
    for (const text of ['"', '"\\', '{"a', '[1,', '\\', '']) expect(count(text, 10)).not.toThrow();
  });
});
