/**
 * Quotes and candles over HTTP, everything included (authentication, limits, access records), for real API keys on the
 * enterprise plan: against bare Express with one query for the same rows, and against bare Express that sends the same
 * bytes without a query.
 */
import type { ChildProcess } from 'node:child_process';
import autocannon from 'autocannon';
import { PLANS } from '../../api/limits/plans.ts';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { replaceCallers } from './callers.ts';
import { startChild } from './child.ts';
import { type Figure, figure, type Goal, inTurns, type Measurement, quantile, ratioOf } from './harness.ts';
import { type HttpCall, pacedLatencies } from './http-client.ts';
import { BENCH_SYMBOLS, type BenchMarket, ensureLoaded } from './market.ts';

const SYMBOLS = 500;
const ROUNDS = 5;
const RATE_SECONDS = 1;
const TAIL_SECONDS = 1.5;
/** Until everything on the way is compiled. */
const WARM_UP_SECONDS = 6;
/** The first is the one of the tails. */
const CONNECTIONS = [16, 1, 64] as const;
const TAIL_CONNECTIONS = 32;
const MAX_CALLERS = 16_000;
/** Calls per second of a caller who uses half of what the plan allows. */
const HALF_OF_LIMIT = PLANS.enterprise.limits.quote / 60 / 2;

const QUOTE_GOALS: Readonly<Record<number, Goal>> = { 16: '>= 2', 1: '>= 1.2', 64: '>= 2' };
const KLINE_GOALS: Readonly<Record<number, Goal>> = { 16: '>= 0.8' };

export type ServerKind = 'ours' | 'cold' | 'floor' | 'express';

export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** `body`: what the server of kind `express` answers. */
export async function startServer(kind: ServerKind, url: string, objects: string, body = ''): Promise<Server> {
  const { child, message } = await startChild('./http-child.ts', [kind, url, objects, body]);
  return { child, port: Number(message) };
}

interface Load {
  readonly calls: readonly HttpCall[];
  readonly connections: number;
  readonly seconds: number;
}

/** Requests per second with all connections busy. */
async function throughput({ port }: Server, { calls, connections, seconds }: Load): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: calls.map(({ path, key }) => ({ path, headers: { 'x-api-key': key } })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result['2xx'] / result.duration;
}

/** Calls of so many callers, on all paths in turn. */
function callsOf(paths: readonly string[], keys: readonly string[]): HttpCall[] {
  return Array.from({ length: Math.max(paths.length, keys.length) }, (_, i) => ({
    path: paths[i % paths.length],
    key: keys[i % keys.length],
  }));
}

/** The 99th percentile of latencies in ms, at a steady rate. */
async function p99At({ port }: Server, calls: readonly HttpCall[], rate: number): Promise<number> {
  const load = { port, calls, rate, connections: TAIL_CONNECTIONS, seconds: TAIL_SECONDS };
  return quantile(await pacedLatencies(load), 0.99);
}

/** Callers of whom each calls so many times a second when all together call `rate` times. */
const share = (keys: readonly string[], rate: number, callsPerSecond: number) =>
  keys.slice(0, Math.max(1, Math.ceil(rate / callsPerSecond)));

type Pair = Readonly<Record<'ours' | 'floor', Server>>;
type Rates = Readonly<Record<'ours' | 'floor', Measurement>>;

function rateFigure(key: string, { ours, floor }: Rates, goal: Goal, how: string): Figure {
  const rates = `${Math.round(ours.median)} against ${Math.round(floor.median)} requests/s`;
  return figure(key, ratioOf(ours, floor), goal, `${rates}${how}`);
}

/** Requests per second of both, with so many callers that each is at half of its limit. */
async function measureRates(pair: Pair, paths: readonly string[], keys: readonly string[], connections: number) {
  const seconds = RATE_SECONDS;
  const guess = await throughput(pair.ours, { calls: callsOf(paths, keys), connections, seconds });
  const calls = callsOf(paths, share(keys, guess, HALF_OF_LIMIT));
  const rateOf = (server: Server) => () => throughput(server, { calls, connections, seconds });
  return { calls, rates: await inTurns(ROUNDS, { ours: rateOf(pair.ours), floor: rateOf(pair.floor) }) };
}

/** Rates at each number of connections, and the tail of both at half of the rate that the floor can do. */
async function benchRead(
  name: 'quote' | 'kline250',
  pair: Pair,
  paths: readonly string[],
  keys: readonly string[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const goals = name === 'quote' ? QUOTE_GOALS : KLINE_GOALS;
  for (const connections of CONNECTIONS) {
    const { rates, calls } = await measureRates(pair, paths, keys, connections);
    const suffix = connections === CONNECTIONS[0] ? '' : `_at${connections}`;
    const how = ` at ${connections} connections`;
    figures.push(rateFigure(`http.${name}_rate_vs_floor${suffix}`, rates, goals[connections] ?? '', how));
    if (connections !== CONNECTIONS[0]) continue;
    const rate = rates.floor.median / 2;
    const { ours, floor } = await inTurns(ROUNDS, {
      ours: () => p99At(pair.ours, calls, rate),
      floor: () => p99At(pair.floor, calls, rate),
    });
    const note = `${ours.median.toFixed(2)} ms against ${floor.median.toFixed(2)} ms at ${Math.round(rate)} requests/s each`;
    figures.push(figure(`http.${name}_p99_vs_floor_p99`, ratioOf(ours, floor), '<= 1', note));
  }
  return figures;
}

type Servers = Readonly<Record<ServerKind, Server>>;

async function startServers({ url, objects }: BenchMarket, path: string, key: string): Promise<Servers> {
  const ours = await startServer('ours', url, objects);
  const quote = await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers: { 'x-api-key': key } });
  return {
    ours,
    cold: await startServer('cold', url, objects),
    floor: await startServer('floor', url, objects),
    express: await startServer('express', url, objects, await quote.text()),
  };
}

/** Quotes against other floors, for callers who call less often, and of symbols that nothing has kept. */
async function benchQuotes(
  { ours, cold, floor, express }: Servers,
  paths: readonly string[],
  everyPath: readonly string[],
  keys: readonly string[],
): Promise<Figure[]> {
  const connections = CONNECTIONS[0];
  const rate = await throughput(ours, { calls: callsOf(paths, keys), connections, seconds: RATE_SECONDS });
  const busy = share(keys, rate, HALF_OF_LIMIT);
  const compare = async (key: string, goal: Goal, how: string, pair: Pair, calls: readonly HttpCall[]) => {
    const rateOf = (server: Server) => () => throughput(server, { calls, connections, seconds: RATE_SECONDS });
    return rateFigure(key, await inTurns(ROUNDS, { ours: rateOf(pair.ours), floor: rateOf(pair.floor) }), goal, how);
  };
  const once = callsOf(paths, share(keys, rate, 1));
  return [
    await compare(
      'http.quote_rate_vs_express',
      '>= 0.75',
      ', the same bytes without a query',
      { ours, floor: express },
      callsOf(paths, busy),
    ),
    await compare('http.quote_rate_sparse_vs_floor', '>= 1', ', each caller once a second', { ours, floor }, once),
    await compare(
      'http.quote_cold_rate_vs_floor',
      '>= 1',
      ', nothing kept',
      { ours: cold, floor },
      callsOf(everyPath, busy),
    ),
  ];
}

export async function benchHttp(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const keys = await replaceCallers(market.pool, MAX_CALLERS);
  const everySymbol = await selectShowcaseSymbols(market.pool, BENCH_SYMBOLS);
  const pathsOf = (route: string, symbols: readonly string[]) => symbols.map((symbol) => `/v1/${route}/${symbol}`);
  const quotes = pathsOf('quote', everySymbol.slice(0, SYMBOLS));
  const klines = pathsOf('kline', everySymbol.slice(0, SYMBOLS));
  const servers = await startServers(market, quotes[0], keys[0]);
  const connections = CONNECTIONS[0];
  for (const [kind, server] of Object.entries(servers)) {
    const paths = kind === 'express' ? quotes : [...quotes, ...klines];
    await throughput(server, { calls: callsOf(paths, keys), connections, seconds: WARM_UP_SECONDS });
  }
  const figures = [
    ...(await benchRead('quote', servers, quotes, keys)),
    ...(await benchRead('kline250', servers, klines, keys)),
    ...(await benchQuotes(servers, quotes, pathsOf('quote', everySymbol), keys)),
  ];
  for (const { child } of Object.values(servers)) child.disconnect();
  return figures;
}
