/** A server under measurement, ours or one of the floors, on a free port that it tells its parent. */

import { once } from 'node:events';
import express from 'express';
import { fastify } from 'fastify';

import { portOf } from '../../api/http/server/port-of.ts';

import { startServer } from '../../api/http/server/server.ts';
import { openServices } from '../../api/services.ts';
import { createPool } from '../../db/pool.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { BENCH_NOW, BENCH_VENUE_BASIS } from './market.ts';

const [kind, url, objects, body] = process.argv.slice(2);
const POOL = 10;

/** The newest bars of a symbol with one indexed query: the least that an answer from the database takes. */
function openBars(): (name: string, symbol: string, limit: number) => Promise<unknown[]> {
  const pool = createPool({ url, max: POOL, applicationName: 'floor' });
  return async (name, symbol, limit) => {
    const { rows } = await pool.query({
      name,
      text: `select day, open, high, low, close, volume from daily_bars
             where instrument_id = (select id from instruments where symbol = $1) and basis = $2
             order by day desc limit ${limit}`,
      values: [symbol, VENUE_BASIS_CODE[BENCH_VENUE_BASIS]],
    });
    return rows;
  };
}

const LIMIT_OF = { quote: 2, kline: 250 } as const;

/** Bare Express with one query for the same rows: nothing that a service needs beside that. */
async function startFloor(): Promise<number> {
  const readBars = openBars();
  const app = express();
  for (const [name, limit] of Object.entries(LIMIT_OF)) {
    app.get(`/v1/${name}/:symbol`, async (request, response) => {
      response.json(await readBars(name, request.params.symbol, limit));
    });
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/** Bare Fastify with the same query. */
async function startFastify(): Promise<number> {
  const readBars = openBars();
  const app = fastify();
  for (const [name, limit] of Object.entries(LIMIT_OF)) {
    app.get<{ Params: { symbol: string } }>(`/v1/${name}/:symbol`, ({ params }) =>
      readBars(name, params.symbol, limit),
    );
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  return portOf(app.server);
}

/** Bare Express that sends an answer of the same bytes each time, without a query: what HTTP itself costs. */
async function startExpress(): Promise<number> {
  const app = express().disable('etag');
  const bytes = Buffer.from(body);
  app.get('/v1/quote/:symbol', (_request, response) => {
    response.type('json').send(bytes);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/** The service; `isCold`: it keeps nothing that it has read. */
async function startOurs(isCold: boolean): Promise<number> {
  const now = () => BENCH_NOW;
  const services = await openServices({
    url,
    now,
    log: createLogger('api', 'info'),
    mode: 'eod_only',
    staleSessions: 3,
    databasePool: POOL,
    seriesCacheBytes: isCold ? 0 : 128 << 20,
    responseCacheBytes: isCold ? 0 : 64 << 20,
    otherProviders: [],
    provider: new SampleProvider({ symbols: 50, now }),
    storage: openStorage({ folder: objects }),
    backtestWaitMs: 30_000,
    publicApiBase: 'http://127.0.0.1',
    publicReadsPerMinute: 1_000_000,
    adminSessions: 'any',
    accessTokenKey: 'bench',
    loginCodeKey: 'bench',
    identifierKey: 'bench',
    webhookNetworks: [],
  });
  const { port } = await startServer({
    services,
    host: '127.0.0.1',
    port: 0,
    defaultLocale: 'en',
    trustProxy: false,
    isMetricsPublic: false,
    freeBytes: async () => 1e9,
    checks: {},
  });
  return port;
}

const START: Readonly<Record<string, () => Promise<number>>> = {
  ours: () => startOurs(false),
  cold: () => startOurs(true),
  floor: startFloor,
  express: startExpress,
  fastify: startFastify,
};
process.send?.(await START[kind]());
process.on('disconnect', () => process.exit(0));
