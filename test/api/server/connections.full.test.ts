/** Stalled connections, too many connections, and malformed requests. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { JsonStream } from '../../../api/http/answer/reply.ts';
import { ROUTES } from '../../../api/routes.ts';
import type { ConnectionLimits } from '../../../api/server/connections.ts';
import { type RunningServer, startServer } from '../../../api/server/server.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { eventually } from '../../support/eventually.ts';

let database: TestDatabase;
let api: TestApi;
const lines: { msg: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });

beforeAll(async () => {
  database = await createTestDatabase();
  api = await openTestApi({ database, provider: new SampleProvider({ symbols: 50, now: Date.now }), log });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

async function withServer(
  options: { readonly connections?: Partial<ConnectionLimits>; readonly trustProxy?: boolean | string },
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({
    services: api.services,
    host: '127.0.0.1',
    port: 0,
    defaultLocale: 'zh-CN',
    trustProxy: options.trustProxy ?? false,
    description: JSON.parse(DESCRIPTION),
    checks: {},
    connections: options.connections,
  });
  try {
    await work(server);
  } finally {
    await server.stop(0, 100);
  }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parsed(bytes: Buffer): RawAnswer {
  const [head, ...rest] = bytes.toString().split('\r\n\r\n');
  const [first, ...fields] = head.split('\r\n');
  const headers = fields.map((field) => field.split(/: ?(.*)/s).slice(0, 2));
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  };
}

/** Sends bytes unchanged; resolves with everything that arrives until the server closes the connection. */
async function raw(port: number, text: string): Promise<RawAnswer> {
  const socket = await opened(port);
  socket.write(text, 'latin1');
  return parsed(await buffer(socket));
}

describe('requests that the parser refuses', () => {
  const long = 'x'.repeat(20_000);
  it.each([
    ['a line that is none', 'HELLO\r\n\r\n', 400, 'error.invalid_request'],
    ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'error.invalid_request'],
    ['a NUL in the target', 'GET /v1/quote/A\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'error.invalid_request'],
    ['a blank in the target', 'GET /v1/quote/A B HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'error.invalid_request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbad\r\n\r\n', 400, 'error.invalid_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'error.invalid_request',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'error.invalid_request'],
    [
      'a target that is no URL',
      'GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      'error.invalid_request',
    ],
    ['a long target', `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'error.headers_too_large'],
    ['long headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${long}\r\n\r\n`, 431, 'error.headers_too_large'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'error.method_not_allowed'],
  ])('%s: %#', async (_name, text, status, key) => {
    await withServer({}, async ({ port }) => {
      const answer = await raw(port, text);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toMatchObject({ code: status, data: null, key });
      expect(answer.body).toMatch(/[一-鿿]/);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-language': 'zh-CN',
        'content-length': String(Buffer.byteLength(answer.body)),
        'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
        connection: 'close',
      });
    });
  });

  it.each([
    ['GET /v1/quote/%E0%A4%A HTTP/1.1', 400],
    ['GET /v1/quote/%00 HTTP/1.1', 400],
    ['GET /v1/quote/AAPL?lang=%E0%A4%A HTTP/1.1', 404],
    ['OPTIONS * HTTP/1.1', 404],
    ['TRACE /healthz HTTP/1.1', 404],
    ['GET //[ HTTP/1.1', 404],
    ['GET http://other.example/v1/quote/NOPE HTTP/1.1', 404],
  ])('%s is answered in the envelope as any other call', async (line, status) => {
    await withServer({}, async ({ port }) => {
      const answer = await raw(port, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, status]);
      expect(answer.headers['x-request-id']).toBeDefined();
    });
  });

  it('an unknown Expect header is ignored', async () => {
    await withServer({}, async ({ port }) => {
      const answer = await raw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n');
      expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
    });
  });
});

describe('connections', () => {
  it('of one address are limited, with an error, and no longer count after they are closed', async () => {
    await withServer({ connections: { maxConnectionsPerAddress: 3 } }, async ({ port }) => {
      const first = await Promise.all([opened(port), opened(port), opened(port)]);
      const refused = await raw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
      expect(JSON.parse(refused.body)).toMatchObject({ key: 'error.too_many_connections', retry_after: 10 });
      for (const socket of first) socket.destroy();
      await eventually(
        () => raw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
        ({ status }) => status === 200,
      );
    });
  });

  it('of a trusted proxy are not counted as one caller', async () => {
    for (const trustProxy of [true, 'loopback']) {
      await withServer({ connections: { maxConnectionsPerAddress: 1 }, trustProxy }, async ({ port }) => {
        const sockets = await Promise.all([opened(port), opened(port), opened(port)]);
        const answer = await raw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        expect(answer.status).toBe(200);
        for (const socket of sockets) socket.destroy();
      });
    }
  });

  it('are limited in total', async () => {
    await withServer({ connections: { maxConnections: 2 } }, async ({ port }) => {
      const sockets = [await opened(port), await opened(port)];
      const third = await opened(port);
      expect(await buffer(third)).toHaveLength(0);
      for (const socket of sockets) socket.destroy();
    });
  });
});

describe('a reader', () => {
  const strategies = ROUTES.find(({ path }) => path === '/v1/strategies') as { handle: unknown; caching: unknown };
  const { handle, caching } = strategies;

  beforeEach(() => {
    strategies.caching = undefined;
  });
  afterEach(() => {
    Object.assign(strategies, { handle, caching });
  });

  /** Serves much more than sockets buffer, instead of a route's answer. */
  async function withEndlessAnswer(work: (state: { isOver: boolean }) => Promise<void>): Promise<void> {
    const state = { isOver: false };
    async function* pieces() {
      try {
        yield '[0';
        for (;;) yield `,"${'x'.repeat(1 << 20)}"`;
      } finally {
        state.isOver = true;
      }
    }
    strategies.handle = () => new JsonStream(pieces());
    await work(state);
  }

  it('who reads nothing loses the connection, and its answer is no longer made', async () => {
    await withEndlessAnswer(async (state) => {
      await withServer({ connections: { maxStallMs: 300 } }, async ({ port }) => {
        const socket = await opened(port);
        const closed = once(socket, 'close');
        socket.pause();
        socket.write('GET /v1/strategies HTTP/1.1\r\nHost: a\r\n\r\n');
        await eventually(
          async () => state.isOver,
          (isOver) => isOver,
        );
        socket.resume();
        await closed;
        expect(lines.filter(({ msg }) => msg === 'a client did not read its answer')).toHaveLength(1);
        expect(lines.filter(({ msg }) => msg.startsWith('answered 5'))).toEqual([]);
      });
    });
  });

  it('who reads slowly keeps the connection, and so does a call that takes long', async () => {
    strategies.handle = async () => {
      await sleep(900);
      return { strategies: [] };
    };
    await withServer({ connections: { maxStallMs: 300 } }, async ({ port }) => {
      const answer = await raw(port, 'GET /v1/strategies HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      expect(answer.status).toBe(200);
    });
    await withEndlessAnswer(async (state) => {
      await withServer({ connections: { maxStallMs: 500 } }, async ({ port }) => {
        const socket = await opened(port);
        socket.write('GET /v1/strategies HTTP/1.1\r\nHost: a\r\n\r\n');
        // Four times as long as a reader may stall.
        for (const end = performance.now() + 2_000; performance.now() < end; ) {
          await sleep(10);
          socket.read();
        }
        expect([socket.destroyed, state.isOver]).toEqual([false, false]);
        socket.destroy();
        await eventually(
          async () => state.isOver,
          (isOver) => isOver,
        );
      });
    });
  });
});
