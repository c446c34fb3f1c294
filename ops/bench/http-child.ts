/** The server under measurement, ours or the floor, on a free port that it tells its parent. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { MarketView } from '../../api/market/market-view.ts';
import { startServer } from '../../api/server.ts';
import { createPool } from '../../db/pool.ts';
import { BASIS_CODE } from '../../engine/basis.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { BENCH_BASIS } from './market.ts';

const [kind, url] = process.argv.slice(2);
const POOL = 10;

/** Bare Express with one indexed query for the same rows: nothing that a service needs beside that. */
async function startFloor(): Promise<number> {
  const pool = createPool({ url, max: POOL, applicationName: 'floor' });
  const app = express();
  const bars = (name: string, limit: number) =>
    app.get(`/v1/${name}/:symbol`, async (request, response) => {
      const { rows } = await pool.query({
        name,
        text: `select day, open, high, low, close, volume from daily_bars
               where instrument_id = (select id from instruments where symbol = $1) and basis = $2
               order by day desc limit ${limit}`,
        values: [request.params.symbol, BASIS_CODE[BENCH_BASIS]],
      });
      response.json(rows);
    });
  bars('quote', 2);
  bars('kline', 250);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function startOurs(): Promise<number> {
  const pool = createPool({ url, max: POOL, applicationName: 'api' });
  const log = createLogger('api', 'info');
  const now = () => Date.UTC(2026, 5, 1);
  const mode = 'eod_only';
  const market = await MarketView.open({ url, pool, now, log, mode, staleSessions: 3, seriesCacheBytes: 128 << 20 });
  let caller = 0;
  const { port } = await startServer({
    ...{ pool, market, now, log, host: '127.0.0.1', port: 0 },
    provider: new SampleProvider({ symbols: 50, now }),
    // Many callers, so that none reaches its limit; each call is counted all the same.
    identify: async () => ({ key: `bench:${caller++ % 5000}`, plan: 'enterprise' }),
    publicApiBase: 'http://127.0.0.1',
    publicReadsPerMinute: 1_000_000,
    defaultLocale: 'en',
    responseCacheBytes: 64 << 20,
    trustProxy: false,
    isMetricsPublic: false,
    checks: {},
  });
  return port;
}

process.send?.(await (kind === 'ours' ? startOurs() : startFloor()));
process.on('disconnect', () => process.exit(0));
