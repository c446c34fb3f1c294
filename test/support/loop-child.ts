/** A server that measures how long its event loop is held. */
import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { z } from '../../api/http/input/fields.ts';
import { startServer } from '../../api/server/server.ts';
import { openServices } from '../../api/server/services.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { LONG_MARKET_NOW } from './long-market.ts';
import { WAIT_HEADER } from './loop-server.ts';
import { watchTurns } from './turns.ts';

const [url, objects, userId, waitMs] = process.argv.slice(2);
const now = () => LONG_MARKET_NOW;

const services = await openServices({
  url,
  now,
  log: createLogger('api', 'fatal'),
  mode: 'eod_only',
  staleSessions: 3,
  databasePool: 10,
  seriesCacheBytes: 128 << 20,
  responseCacheBytes: 64 << 20,
  otherProviders: [],
  provider: new SampleProvider({ symbols: 50, now }),
  storage: openStorage({ folder: objects }),
  backtestWaitMs: Number(waitMs),
  publicApiBase: 'http://127.0.0.1',
  tableFiles: 'bucket',
  rateLimitFactor: 10_000,
  adminSessions: 'any',
  accessTokenKey: 'bench',
  loginCodeKey: 'bench',
  identifierKey: 'bench',
  webhookNetworks: [],
});
let calls = 0;
const account = {
  userId: Number(userId),
  email: 'loop@example.com',
  plan: 'enterprise',
  planExpiresAt: null,
  isAdmin: true,
} as const;
const server = await startServer({
  services: {
    ...services,
    // An administrator whose calls are never too many, so that every handler is reached.
    identify: async () => ({
      kind: 'session',
      counter: `bench:${calls++}`,
      plan: 'enterprise',
      account,
      loginMethod: 'password',
    }),
  },
  host: '127.0.0.1',
  port: 0,
  defaultLocale: 'en',
  trustProxy: true,
  checks: {},
});

let longest = () => 0;
let longestWaitMs = 0;
/** A message of the channels below. */
const CALL = z.object({ request: z.instanceof(IncomingMessage) });
const arrivals = new WeakMap<IncomingMessage, NodeJS.CpuUsage>();

subscribe('http.server.request.start', (message) => {
  const { request } = CALL.parse(message);
  if (request.headers[WAIT_HEADER]) arrivals.set(request, process.threadCpuUsage());
});
subscribe('http.server.response.finish', (message) => {
  const arrival = arrivals.get(CALL.parse(message).request);
  if (!arrival) return;
  const { user, system } = process.threadCpuUsage(arrival);
  longestWaitMs = Math.max(longestWaitMs, (user + system) / 1000);
});
process.on('message', (message) => {
  if (message === 'begin') {
    longestWaitMs = 0;
    longest = watchTurns();
    process.send?.('begun');
  } else {
    process.send?.({ ms: longest(), waitMs: longestWaitMs });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.(server.port);
