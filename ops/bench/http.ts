/**
 * Quotes and candles over HTTP, everything included (authentication, limits, access records), for real API keys on the
 * enterprise plan: against bare Express and bare Fastify with one query for the same rows, and against bare Express that
 * sends the same bytes without a query.
 */
import type { ChildProcess } from 'node:child_process';
import { PLANS } from '../../api/limits/plans.ts';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { apiOptions } from '../processes/supervisor.ts';
import { replaceCallers } from './callers.ts';
import { endChild, startChild } from './child.ts';
import { type Figure, figure, type Goal, inTurns, type Measurement, quantile, ratioOf } from './harness.ts';
import { type HttpCall, type Load, pacedLatencies, saturate } from './http-client.ts';
import { BENCH_SYMBOLS, type BenchMarket, ensureLoaded } from './market.ts';

const SYMBOLS = 500;
const ROUNDS = 5;
const RATE_SECONDS = 1;
const TAIL_SECONDS = 1.5;
/** Until everything on the way is compiled. */
const WARM_UP_SECONDS = 6;
/** Trials of which the fastest tells how many callers it takes: a slow one would take too few, who are then refused. */
const TRIALS = 3;
/** The first is the one of the tails. */
const CONNECTIONS = [16, 1, 64] as const;
const TAIL_CONNECTIONS = 32;
const MAX_CALLERS = 40_000;
const TRIAL_CALLERS = 4_000;
/** Calls per second of a caller who uses half of what the plan allows. */
const HALF_OF_LIMIT = PLANS.enterprise.limits.quote / 60 / 2;

const QUOTE_GOALS: Readonly<Record<number, Goal>> = { 16: '>= 2', 1: '>= 1.2', 64: '>= 2' };
const KLINE_GOALS: Readonly<Record<number, Goal>> = { 16: '>= 0.8' };

export type ServerKind = 'ours' | 'cold' | 'floor' | 'express' | 'fastify';

export interface Server {
  readonly kind: ServerKind;
  readonly child: ChildProcess;
  readonly port: number;
}

/** Ours starts as in the service. `body`: what the server of kind `express` answers. */
export async function startServer(kind: ServerKind, url: string, objects: string, body = ''): Promise<Server> {
  const options = kind === 'ours' || kind === 'cold' ? apiOptions({}) : undefined;
  const { child, message } = await startChild('./http-child.ts', [kind, url, objects, body], options);
  return { kind, child, port: Number(message) };
}

/** There were too few callers for the rate of the calls. */
class CallsRefused extends Error {
  override readonly name = 'CallsRefused';
}

/** Requests per second with all connections busy. */
async function throughput({ kind, port }: Server, load: Omit<Load, 'port'>): Promise<number> {
  const { byStatus, seconds } = await saturate({ port, ...load });
  const { 200: answered = 0, ...others } = Object.fromEntries(byStatus);
  if (others[429]) throw new CallsRefused();
  const statuses = Object.entries(others).map(([status, count]) => `${count} × ${status}`);
  if (statuses.length > 0) throw new Error(`${kind}: ${statuses.join(', ')}`);
  return answered / seconds;
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

/** Requests per second of the fastest trial, with more callers than it takes. */
async function highestRate(
  server: Server,
  paths: readonly string[],
  keys: readonly string[],
  connections: number,
): Promise<number> {
  const load = { calls: callsOf(paths, keys), connections, seconds: RATE_SECONDS };
  const { trial } = await inTurns(TRIALS, { trial: () => throughput(server, load) });
  return Math.max(...trial.samples);
}

type Pair = Readonly<Record<'ours' | 'floor', Server>>;
type Rates = Readonly<Record<'ours' | 'floor', Measurement>>;

function rateFigure(key: string, { ours, floor }: Rates, goal: Goal, how: string): Figure {
  const rates = `${Math.round(ours.median)} against ${Math.round(floor.median)} requests/s`;
  return figure(key, ratioOf(ours, floor), goal, `${rates}${how}`);
}

/** Keys of callers who have not called lately. */
class FreshKeys {
  private readonly keys: readonly string[];
  private taken = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  take(count: number): string[] {
    return Array.from({ length: count }, () => this.keys[this.taken++ % this.keys.length]);
  }
}

/**
 * Measures with so many callers that each calls `callsPerSecond` times when all of them reach `rate`. When calls are
 * refused, the rate is higher than that, and others in twice the number take their place.
 */
async function withCallers<T>(
  keys: FreshKeys,
  { rate, callsPerSecond }: { readonly rate: number; readonly callsPerSecond: number },
  measure: (keys: readonly string[]) => Promise<T>,
): Promise<T> {
  for (let count = Math.max(1, Math.ceil(rate / callsPerSecond)); ; count *= 2) {
    try {
      return await measure(keys.take(count));
    } catch (error) {
      if (!(error instanceof CallsRefused) || count > MAX_CALLERS) throw error;
    }
  }
}

interface RatesOptions {
  readonly pair: Pair;
  readonly paths: readonly string[];
  readonly keys: FreshKeys;
  readonly connections: number;
  /** Rate of each caller; half of its limit unless given. */
  readonly callsPerSecond?: number;
  readonly trialCallers?: number;
}

/** Requests per second of both. */
async function measureRates(options: RatesOptions) {
  const { pair, paths, keys, connections, callsPerSecond = HALF_OF_LIMIT, trialCallers = TRIAL_CALLERS } = options;
  const seconds = RATE_SECONDS;
  const rate = await highestRate(pair.ours, paths, keys.take(trialCallers), connections);
  return withCallers(keys, { rate, callsPerSecond }, async (callers) => {
    const calls = callsOf(paths, callers);
    const rateOf = (server: Server) => () => throughput(server, { calls, connections, seconds });
    return { calls, rates: await inTurns(ROUNDS, { ours: rateOf(pair.ours), floor: rateOf(pair.floor) }) };
  });
}

/** Rates at each number of connections, and the tail of both at half of the rate that the floor can do. */
async function benchRead(
  name: 'quote' | 'kline250',
  pair: Pair,
  paths: readonly string[],
  keys: FreshKeys,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const goals = name === 'quote' ? QUOTE_GOALS : KLINE_GOALS;
  for (const connections of CONNECTIONS) {
    const { rates, calls } = await measureRates({ pair, paths, keys, connections });
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
    fastify: await startServer('fastify', url, objects),
    express: await startServer('express', url, objects, await quote.text()),
  };
}

interface Paths {
  /** Targets of the symbols that are asked for again and again. */
  readonly quotes: readonly string[];
  readonly klines: readonly string[];
  /** Targets of all symbols. */
  readonly everyQuote: readonly string[];
  readonly everyKline: readonly string[];
}

/** Quotes against other floors, for callers who call less often, and answers that nothing has kept. */
async function benchOthers(
  { ours, cold, floor, express, fastify }: Servers,
  { quotes, everyQuote, everyKline }: Paths,
  keys: FreshKeys,
): Promise<Figure[]> {
  const connections = CONNECTIONS[0];
  const compare = async (key: string, goal: Goal, how: string, measured: RatesOptions) =>
    rateFigure(key, (await measureRates(measured)).rates, goal, how);
  const load = { paths: quotes, keys, connections };
  return [
    await compare('http.quote_rate_vs_express', '>= 0.75', ', the same bytes without a query', {
      ...load,
      pair: { ours, floor: express },
    }),
    await compare('http.quote_rate_vs_fastify', '', ', Fastify with one query', {
      ...load,
      pair: { ours, floor: fastify },
    }),
    await compare('http.quote_rate_sparse_vs_floor', '>= 1', ', each caller once a second', {
      ...load,
      pair: { ours, floor },
      callsPerSecond: 1,
      trialCallers: MAX_CALLERS,
    }),
    await compare('http.quote_cold_rate_vs_floor', '>= 1', ', each made anew', {
      ...load,
      paths: everyQuote,
      pair: { ours: cold, floor },
    }),
    await compare('http.kline250_cold_rate_vs_floor', '', ', whole series read', {
      ...load,
      paths: everyKline,
      pair: { ours: cold, floor },
    }),
  ];
}

export async function benchHttp(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const keys = await replaceCallers(market.pool, MAX_CALLERS);
  const everySymbol = await selectShowcaseSymbols(market.pool, BENCH_SYMBOLS);
  const pathsOf = (route: string, symbols: readonly string[]) => symbols.map((symbol) => `/v1/${route}/${symbol}`);
  const paths: Paths = {
    quotes: pathsOf('quote', everySymbol.slice(0, SYMBOLS)),
    klines: pathsOf('kline', everySymbol.slice(0, SYMBOLS)),
    everyQuote: pathsOf('quote', everySymbol),
    everyKline: pathsOf('kline', everySymbol),
  };
  const servers = await startServers(market, paths.quotes[0], keys[0]);
  const connections = CONNECTIONS[0];
  for (const [kind, server] of Object.entries(servers)) {
    const served = kind === 'express' ? paths.quotes : [...paths.quotes, ...paths.klines];
    await throughput(server, { calls: callsOf(served, keys), connections, seconds: WARM_UP_SECONDS });
  }
  const fresh = new FreshKeys(keys);
  const figures = [
    ...(await benchRead('quote', servers, paths.quotes, fresh)),
    ...(await benchRead('kline250', servers, paths.klines, fresh)),
    ...(await benchOthers(servers, paths, fresh)),
  ];
  await Promise.all(Object.values(servers).map(({ child }) => endChild(child)));
  return figures;
}
