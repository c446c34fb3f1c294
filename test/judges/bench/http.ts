/**
 * Quotes and candles over HTTP, everything included (authentication, limits, access records), for real API keys on the
 * enterprise plan: against bare Express with one query for the same rows, and against bare Express that sends the same bytes
 * without a query.
 */
import { once } from 'node:events';
import express from 'express';
import { portOf } from '../../../api/server/port-of.ts';
import { selectShowcaseSymbols } from '../../../db/market/instruments.ts';
import { createPool } from '../../../db/pool.ts';
import { lehmer } from '../../support/series.ts';
import { answersPerSecond, type Call, pacedLatencies } from './http-load.ts';
import {
  BENCH_SYMBOLS,
  BENCH_VENUE_BASIS_CODE,
  type Bench,
  type BenchMarket,
  ensureLoaded,
  replaceCallers,
} from './market.ts';
import { alone, compare, type Figure, IS_QUICK, inTurns, median, quantile } from './measure.ts';
import { endChild, startProcess, startTask } from './processes.ts';

const RATE_SECONDS = 1;
const TAIL_SECONDS = 1.5;
const TAIL_CONNECTIONS = 32;
/** Until all code on the path is compiled. */
const WARM_UP_SECONDS = IS_QUICK ? 1 : 6;
const WARM_UP_CONNECTIONS = 16;
/** Requested repeatedly. */
const SYMBOLS = 500;
/** Each may call 50 times a second, and together they reach half of that. */
const CALLERS = 1_500;
const BARS_OF = { quote: 2, kline: 250 } as const;

interface Case {
  readonly route?: keyof typeof BARS_OF;
  readonly callers?: number;
  /** Every symbol is requested, in random order. */
  readonly isSparse?: boolean;
  /** And our caches are off. */
  readonly isCold?: boolean;
  /** The floor sends the same bytes without a query. */
  readonly isReady?: boolean;
}

/** Ports of both sides, and the requests to send. */
interface Pair {
  readonly ours: number;
  readonly floor: number;
  readonly requests: readonly Call[];
}

/** The floor: bare Express. `body`: sent as every answer, without a query. Otherwise the newest bars of a symbol, with one. */
export async function runExpress([url, body]: readonly string[]): Promise<number> {
  const pool = createPool({ url, max: 10, applicationName: 'floor' });
  const app = express().set('etag', body === undefined);
  for (const [name, limit] of Object.entries(BARS_OF)) {
    const text = `select day, open, high, low, close, volume from daily_bars
      where instrument_id = (select id from instruments where symbol = $1) and basis = $2 order by day desc limit ${limit}`;
    app.get(`/v1/${name}/:symbol`, async ({ params: { symbol } }, response) => {
      if (body !== undefined) response.type('json').send(body);
      else response.json((await pool.query({ name, text, values: [symbol, BENCH_VENUE_BASIS_CODE] })).rows);
    });
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

function inRandomOrder<T>(items: readonly T[]): T[] {
  const random = lehmer(1);
  const placed = items.map((item) => ({ item, place: random() }));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** Starts both sides, makes the calls that they compile on, and ends them after `work`. */
async function withPair(
  market: BenchMarket,
  { route = 'quote', callers = CALLERS, isCold = false, isSparse = isCold, isReady = false }: Case,
  work: (pair: Pair) => Promise<Figure>,
): Promise<Figure> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const accounts = await replaceCallers(market.pool, callers);
  const listed = await selectShowcaseSymbols(market.pool, isSparse ? BENCH_SYMBOLS : SYMBOLS);
  const symbols = isSparse ? inRandomOrder(listed) : listed;
  const requests = Array.from({ length: Math.max(callers, symbols.length) }, (_, i) => ({
    method: 'GET' as const,
    path: `/v1/${route}/${symbols[i % symbols.length]}`,
    headers: { 'x-api-key': accounts[i % callers].key },
  }));
  const caches = isCold ? { CACHE_MB: '0' } : {};
  const ours = await startProcess('api', market.url, market.data, { ...market.source, ...caches });
  const [{ path, headers }] = requests;
  const answer = await (await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers })).text();
  const floor = await startTask(runExpress, [market.url, ...(isReady ? [answer] : [])]);
  const pair = { ours: ours.port, floor: floor.result, requests };
  try {
    for (const port of [pair.ours, pair.floor]) {
      await answersPerSecond({ port, requests, connections: WARM_UP_CONNECTIONS }, WARM_UP_SECONDS);
    }
    return await work(pair);
  } finally {
    await Promise.all([endChild(ours.child), endChild(floor.child)]);
  }
}

/** Requests per second of both, as many as they answer. */
function rate(connections: number, how: string, measured: Case = {}): Bench {
  return (market) =>
    withPair(market, measured, ({ ours, floor, requests }) => {
      const answers = (port: number) => () => answersPerSecond({ port, requests, connections }, RATE_SECONDS);
      const what = `${connections} connections, ${how}`;
      return compare(what, 'requests/s', { ours: answers(ours), floor: answers(floor) });
    });
}

/** The 99th percentile of both, at half of the rate that the floor can do. */
const tail: Bench = (market) =>
  withPair(market, {}, async ({ ours, floor, requests }) => {
    const load = { requests, connections: TAIL_CONNECTIONS };
    const { most } = await inTurns({ most: () => answersPerSecond({ ...load, port: floor }, RATE_SECONDS) });
    const half = median(most) / 2;
    const p99 = (port: number) => async () =>
      quantile(await pacedLatencies({ ...load, port }, half, TAIL_SECONDS), 0.99);
    const what = `the 99th percentile at ${Math.round(half)} requests/s each`;
    return compare(what, 'ms', { ours: p99(ours), floor: p99(floor) });
  });

const QUERY = 'bare Express with one query';
/** Requests per second of the floor where the goals in seconds were set. */
const REFERENCE_RATE = 10_800;

/** How fast this machine is: its floor against that of the reference machine. */
const machineSpeed: Bench = (market) =>
  withPair(market, {}, ({ floor, requests }) =>
    alone(`${QUERY}, 16 connections; ${REFERENCE_RATE} requests/s where the goals in seconds were set`, async () => {
      return (await answersPerSecond({ port: floor, requests, connections: 16 }, RATE_SECONDS)) / REFERENCE_RATE;
    }),
  );

export const HTTP: Readonly<Record<string, Bench>> = {
  'machine.speed': machineSpeed,
  'http.quote_rate_vs_floor': rate(16, QUERY),
  'http.quote_rate_vs_floor_at1': rate(1, QUERY, { callers: 500 }),
  'http.quote_rate_vs_floor_at64': rate(64, QUERY),
  'http.quote_p99_vs_floor_p99': tail,
  'http.kline250_rate_vs_floor': rate(16, `250 bars, ${QUERY}`, { route: 'kline' }),
  'http.kline250_sparse_vs_floor': rate(16, `250 bars of any of ${BENCH_SYMBOLS} instruments, ${QUERY}`, {
    route: 'kline',
    isSparse: true,
  }),
  'http.quote_rate_vs_express': rate(16, 'bare Express with the same bytes, without a query', { isReady: true }),
  'http.quote_rate_sparse_vs_floor': rate(16, `each caller once a second, ${QUERY}`, { callers: 20_000 }),
  'http.quote_cold_rate_vs_floor': rate(16, `each answer computed again, ${QUERY}`, { isCold: true }),
};
