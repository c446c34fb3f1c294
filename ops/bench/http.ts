/** Quotes and candles over HTTP, everything included, against bare Express with one query for the same rows. */
import type { ChildProcess } from 'node:child_process';
import autocannon from 'autocannon';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { startChild } from './child.ts';
import { type Figure, figure, inTurns, type Measurement, quantile, ratioOf, summarize } from './harness.ts';
import { pacedLatencies } from './http-client.ts';
import { type BenchMarket, ensureLoaded } from './market.ts';

const SYMBOLS = 500;
const ROUNDS = 5;
const RATE_SECONDS = 1;
const TAIL_SECONDS = 1.5;
/** Until everything on the way is compiled. */
const WARM_UP_SECONDS = 6;
/** The first is the one with a goal. */
const CONNECTIONS = [16, 1, 64] as const;
const TAIL_CONNECTIONS = 32;

export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

export async function startServer(kind: 'ours' | 'floor', url: string, objects: string): Promise<Server> {
  const { child, message } = await startChild('./http-child.ts', [kind, url, objects]);
  return { child, port: Number(message) };
}

interface Load {
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Requests per second with all connections busy. */
async function throughput(server: Server, { paths, connections, seconds }: Load): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result['2xx'] / result.duration;
}

/** Quantiles of the latencies, in ms, at a steady rate. */
async function tailAt(
  server: Server,
  paths: readonly string[],
  rate: number,
): Promise<Record<'p50' | 'p99', Measurement>> {
  const rounds: Float64Array[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(
      await pacedLatencies({ port: server.port, paths, rate, connections: TAIL_CONNECTIONS, seconds: TAIL_SECONDS }),
    );
  }
  const at = (q: number) => summarize(rounds.map((latencies) => quantile(latencies, q)));
  return { p50: at(0.5), p99: at(0.99) };
}

type Servers = Readonly<Record<'ours' | 'floor', Server>>;
type Rates = Readonly<Record<'ours' | 'floor', Measurement>>;

/** Requests per second of both for each number of connections. */
async function ratesOf(servers: Servers, paths: readonly string[]): Promise<Rates[]> {
  const rates: Rates[] = [];
  for (const connections of CONNECTIONS) {
    const load = { paths, connections, seconds: RATE_SECONDS };
    const rateOf = (server: Server) => () => throughput(server, load);
    rates.push(await inTurns(ROUNDS, { ours: rateOf(servers.ours), floor: rateOf(servers.floor) }));
  }
  return rates;
}

function rateFigure(key: string, { ours, floor }: Rates, i: number): Figure {
  const rates = `${Math.round(ours.median)} against ${Math.round(floor.median)} requests/s`;
  const note = `${rates} at ${CONNECTIONS[i]} connections`;
  const suffix = i === 0 ? '' : `_at${CONNECTIONS[i]}`;
  return figure(`${key}${suffix}`, ratioOf(ours, floor), i === 0 ? '>= 0.8' : '', note);
}

export async function benchHttp(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const symbols = await selectShowcaseSymbols(market.pool, SYMBOLS);
  const servers: Servers = {
    ours: await startServer('ours', market.url, market.objects),
    floor: await startServer('floor', market.url, market.objects),
  };
  const figures: Figure[] = [];
  const pathsOf = {
    quote: symbols.map((symbol) => `/v1/quote/${symbol}`),
    kline250: symbols.map((symbol) => `/v1/kline/${symbol}`),
  };
  for (const server of Object.values(servers)) {
    const paths = Object.values(pathsOf).flat();
    await throughput(server, { paths, connections: CONNECTIONS[0], seconds: WARM_UP_SECONDS });
  }
  for (const [key, paths] of Object.entries(pathsOf)) {
    const rates = await ratesOf(servers, paths);
    figures.push(...rates.map((rate, i) => rateFigure(`http.${key}_rate_vs_floor`, rate, i)));
    const [{ ours, floor }] = rates;
    const tail = await tailAt(servers.ours, paths, ours.median / 2);
    const floorTail = await tailAt(servers.floor, paths, floor.median / 2);
    const half = `${tail.p50.median.toFixed(2)} and ${tail.p99.median.toFixed(2)} ms at half load`;
    const beside = `the floor at its own: ${ratioOf(floorTail.p99, floorTail.p50).median.toFixed(1)}`;
    figures.push(figure(`http.${key}_p99_vs_p50`, ratioOf(tail.p99, tail.p50), '< 5', `${half}; ${beside}`));
  }
  for (const { child } of Object.values(servers)) child.disconnect();
  return figures;
}
