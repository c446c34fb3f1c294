/** Quotes and candles over HTTP, everything included, against bare Express with one query for the same rows. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { selectShowcaseSymbols } from '../../db/instruments.ts';
import { type Figure, figure, inTurns, quantile, summarize } from './harness.ts';
import { pacedLatencies } from './http-client.ts';
import { type BenchMarket, ensureLoaded } from './market.ts';

const SYMBOLS = 500;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startServer(kind: 'ours' | 'floor', url: string): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./http-child.ts', import.meta.url)), [kind, url]);
  const [port] = await once(child, 'message');
  return { child, port: port as number };
}

/** Requests per second with all connections busy. */
async function throughput(server: Server, paths: readonly string[], seconds: number): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: CONNECTIONS,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

export async function benchHttp(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await market.pool.query('vacuum analyze daily_bars');
  const symbols = await selectShowcaseSymbols(market.pool, SYMBOLS);
  const servers = { ours: await startServer('ours', market.url), floor: await startServer('floor', market.url) };
  const figures: Figure[] = [];
  for (const [name, key] of [
    ['quote', 'quote'],
    ['kline', 'kline250'],
  ] as const) {
    const paths = symbols.map((symbol) => `/v1/${name}/${symbol}`);
    const rateOf = (server: Server) => () => throughput(server, paths, SECONDS);
    await throughput(servers.ours, paths, 2);
    await throughput(servers.floor, paths, 2);
    const { ours, floor } = await inTurns(ROUNDS, { ours: rateOf(servers.ours), floor: rateOf(servers.floor) });
    const note = `${Math.round(ours.median)} against ${Math.round(floor.median)} requests/s at ${CONNECTIONS} connections`;
    figures.push(figure(`http.${key}_rate_vs_floor`, ours.median / floor.median, '>= 0.8', note));
    const rate = ours.median / 2;
    const tails: { p50: number; p99: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pace = { port: servers.ours.port, paths, connections: CONNECTIONS, rate, seconds: SECONDS };
      const latencies = await pacedLatencies(pace);
      tails.push({ p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
    }
    const [p50, p99] = [summarize(tails.map((t) => t.p50)).median, summarize(tails.map((t) => t.p99)).median];
    const paced = `${p50.toFixed(2)} and ${p99.toFixed(2)} ms at ${Math.round(rate)} requests/s`;
    figures.push(figure(`http.${key}_p99_vs_p50`, p99 / p50, '< 5', paced));
  }
  for (const { child } of Object.values(servers)) child.disconnect();
  return figures;
}
