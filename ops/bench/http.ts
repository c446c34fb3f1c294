/**
 * Quotes and candles over HTTP, everything included (authentication, limits, access records), for real API keys on the
 * enterprise plan: against bare Express with one query for the same rows, and against bare Express that sends the same bytes
 * without a query.
 */
import type { Request } from 'autocannon';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { answersPerSecond, pacedLatencies } from './http-load.ts';
import { BENCH_SYMBOLS, type Bench, type BenchMarket, ensureLoaded, replaceCallers } from './market.ts';
import { IS_QUICK, inTurns, quantile, ratioOf } from './measure.ts';
import { endChild, type Server, startApi, startChild } from './processes.ts';
import { figure } from './report.ts';

const ROUNDS = 5;
const RATE_SECONDS = 1;
const TAIL_SECONDS = 1.5;
const TAIL_CONNECTIONS = 32;
/** Until everything on the way is compiled. */
const WARM_UP_SECONDS = IS_QUICK ? 1 : 6;
const WARM_UP_CONNECTIONS = 16;
/** Asked for again and again. */
const SYMBOLS = 500;
/** Each may call 50 times a second, and together they reach half of that. */
const CALLERS = 1_500;

interface Case {
  readonly route: 'quote' | 'kline';
  readonly connections: number;
  readonly callers?: number;
  /** Ours keeps nothing that it has read, and every symbol is asked for. */
  readonly isCold?: boolean;
  /** The floor sends the same bytes without a query. */
  readonly isReady?: boolean;
}

interface Pair {
  readonly ours: Server;
  readonly floor: Server;
  readonly requests: readonly Request[];
}

/** Starts both sides, makes the calls that they compile on, and ends them after `work`. */
async function withPair<T>(
  market: BenchMarket,
  { route, callers = CALLERS, isCold = false, isReady = false }: Case,
  work: (pair: Pair) => Promise<T>,
): Promise<T> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const keys = await replaceCallers(market.pool, callers);
  const symbols = await selectShowcaseSymbols(market.pool, isCold ? BENCH_SYMBOLS : SYMBOLS);
  const requests = Array.from({ length: Math.max(callers, symbols.length) }, (_, i) => ({
    path: `/v1/${route}/${symbols[i % symbols.length]}`,
    headers: { 'x-api-key': keys[i % callers] },
  }));
  const caches = isCold ? { SERIES_CACHE_MB: '0', RESPONSE_CACHE_MB: '0' } : {};
  const ours = await startApi(market.url, market.data, { ...market.source, ...caches });
  const [{ path, headers }] = requests;
  const answer = await (await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers })).text();
  const { child, message } = await startChild('./http-floor-child.ts', [market.url, ...(isReady ? [answer] : [])]);
  const pair = { ours, floor: { child, port: Number(message) }, requests };
  try {
    for (const { port } of [pair.ours, pair.floor]) {
      await answersPerSecond({ port, requests, connections: WARM_UP_CONNECTIONS }, WARM_UP_SECONDS);
    }
    return await work(pair);
  } finally {
    await Promise.all([endChild(ours.child), endChild(child)]);
  }
}

function ratesOf({ ours, floor, requests }: Pair, connections: number) {
  const rate = ({ port }: Server) => answersPerSecond({ port, requests, connections }, RATE_SECONDS);
  return inTurns(ROUNDS, { ours: () => rate(ours), floor: () => rate(floor) });
}

function benchRate(key: string, measured: Case, how: string): Record<string, Bench> {
  const bench: Bench = (market) =>
    withPair(market, measured, async (pair) => {
      const { ours, floor } = await ratesOf(pair, measured.connections);
      const rates = `${Math.round(ours.median)} against ${Math.round(floor.median)} requests/s`;
      return [figure(key, ratioOf(ours, floor), `${rates}, ${how}`)];
    });
  return { [key]: bench };
}

/** The 99th percentile of both, at half of the rate that the floor can do. */
const benchTail: Bench = (market) =>
  withPair(market, { route: 'quote', connections: TAIL_CONNECTIONS }, async (pair) => {
    const rate = (await ratesOf(pair, TAIL_CONNECTIONS)).floor.median / 2;
    const load = { requests: pair.requests, connections: TAIL_CONNECTIONS };
    const p99 = async ({ port }: Server) => quantile(await pacedLatencies({ ...load, port }, rate, TAIL_SECONDS), 0.99);
    const { ours, floor } = await inTurns(ROUNDS, { ours: () => p99(pair.ours), floor: () => p99(pair.floor) });
    const note = `${ours.median.toFixed(2)} ms against ${floor.median.toFixed(2)} ms at ${Math.round(rate)} requests/s each`;
    return [figure('http.quote_p99_vs_floor_p99', ratioOf(ours, floor), note)];
  });

const QUOTE = { route: 'quote', connections: 16 } as const;

export const HTTP = {
  ...benchRate('http.quote_rate_vs_floor', QUOTE, '16 connections'),
  ...benchRate('http.quote_rate_vs_floor_at1', { ...QUOTE, connections: 1, callers: 500 }, '1 connection'),
  ...benchRate('http.quote_rate_vs_floor_at64', { ...QUOTE, connections: 64 }, '64 connections'),
  'http.quote_p99_vs_floor_p99': benchTail,
  ...benchRate('http.kline250_rate_vs_floor', { ...QUOTE, route: 'kline' }, '250 bars, 16 connections'),
  ...benchRate('http.quote_rate_vs_express', { ...QUOTE, isReady: true }, 'the same bytes without a query'),
  ...benchRate('http.quote_rate_sparse_vs_floor', { ...QUOTE, callers: 20_000 }, 'each caller once a second'),
  ...benchRate('http.quote_cold_rate_vs_floor', { ...QUOTE, isCold: true }, 'each answer made anew'),
};
