/** A floor of the measurements over HTTP: bare Express on a free port that it tells its parent. */
import { once } from 'node:events';
import express from 'express';
import { portOf } from '../../api/server/port-of.ts';
import { createPool } from '../../db/pool.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { BENCH_VENUE_BASIS } from './market.ts';

/** `body`: what every answer is, without a query. Otherwise the newest bars of a symbol, with one indexed query. */
const [url, body] = process.argv.slice(2);
const LIMIT_OF = { quote: 2, kline: 250 } as const;

const pool = createPool({ url, max: 10, applicationName: 'floor' });
const app = express().set('etag', body === undefined);
for (const [name, limit] of Object.entries(LIMIT_OF)) {
  const query = {
    name,
    text: `select day, open, high, low, close, volume from daily_bars
           where instrument_id = (select id from instruments where symbol = $1) and basis = $2 order by day desc limit ${limit}`,
  };
  app.get(`/v1/${name}/:symbol`, async ({ params: { symbol } }, response) => {
    const read = () => pool.query({ ...query, values: [symbol, VENUE_BASIS_CODE[BENCH_VENUE_BASIS]] });
    if (body === undefined) response.json((await read()).rows);
    else response.type('json').send(body);
  });
}
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(portOf(server));
process.on('disconnect', () => process.exit(0));
