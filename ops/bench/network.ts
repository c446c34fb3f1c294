/** Quotes and awaited backtests of a service whose database is a network away: a relay holds all data 1 ms each way. */
import { join } from 'node:path';
import pg from 'pg';
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { CALLING_ACCOUNTS, loadSample, medianOfCalls, startWorker } from './backtest.ts';
import { replaceCallers } from './callers.ts';
import { endChild, startChild } from './child.ts';
import { type Figure, figure, inTurns, type Measurement, summarize, timedRounds } from './harness.ts';
import { type Server, startServer } from './http.ts';
import { type BenchMarket, ensureBenchDatabase } from './market.ts';
import { stop } from './sweep-place.ts';

const DELAY_MS = 1;
const ROUNDS = 5;
const WARM_UP = 2;
const SEQUENTIAL = 100;

interface Relay {
  /** Address of the database, through the relay. */
  readonly url: string;
  close(): void;
}

async function startRelay(databaseUrl: string): Promise<Relay> {
  const { host, port, user, password, database } = new pg.Client(databaseUrl);
  // A server that is reached by its socket listens on loopback too.
  const target = host.startsWith('/') ? '127.0.0.1' : host;
  const { child, message } = await startChild('./relay-child.ts', [target, String(port), String(DELAY_MS)]);
  const url = new URL(`postgresql://127.0.0.1:${message}/${database}`);
  return { url: Object.assign(url, { username: user, password }).href, close: () => child.disconnect() };
}

/** Milliseconds of a round trip to the database, the median. */
async function roundTripOf(pool: Pool): Promise<number> {
  return (await timedRounds(SEQUENTIAL, () => pool.query('select'))).median;
}

/** Milliseconds of a quote while there is no other call, the median. */
async function medianOfQuotes({ port }: Server, paths: readonly string[], keys: readonly string[]): Promise<number> {
  let calls = 0;
  const quote = async () => {
    const path = paths[calls % paths.length];
    const headers = { 'x-api-key': keys[calls++ % keys.length] };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  };
  return (await timedRounds(SEQUENTIAL, quote)).median;
}

interface Pair {
  readonly near: Measurement;
  readonly far: Measurement;
}

/** Milliseconds that the network adds, and how many round trips to the database that is. */
function addedFigure(key: string, { near, far }: Pair, trip: number): Figure {
  const added = summarize(far.samples.map((ms, round) => ms - near.samples[round]));
  const note = `${far.median.toFixed(2)} ms against ${near.median.toFixed(2)} ms beside the database`;
  return figure(key, added, '', `${note}: ${(added.median / trip).toFixed(1)} round trips of ${trip.toFixed(2)} ms`);
}

export async function benchNetwork({ directory, serverUrl }: BenchMarket): Promise<Figure[]> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_backtest');
  const relay = await startRelay(url);
  const [near, far] = [url, relay.url].map((to) => createPool({ url: to, max: 1, applicationName: 'bench' }));
  const data = join(directory, 'worker');
  const objects = join(data, 'objects');
  const worker = await startWorker(url, data);
  await loadSample(url, near);
  await near.query('truncate backtest_results');
  const keys = await replaceCallers(near, CALLING_ACCOUNTS);
  const paths = (await selectShowcaseSymbols(near, 20)).map((symbol) => `/v1/quote/${symbol}`);
  const servers = { near: await startServer('ours', url, objects), far: await startServer('ours', relay.url, objects) };
  try {
    const trips = await inTurns(ROUNDS, { near: () => roundTripOf(near), far: () => roundTripOf(far) });
    const trip = trips.far.median - trips.near.median;
    for (const server of Object.values(servers)) await medianOfQuotes(server, paths, keys);
    const quotes = await inTurns(ROUNDS, {
      near: () => medianOfQuotes(servers.near, paths, keys),
      far: () => medianOfQuotes(servers.far, paths, keys),
    });
    for (let i = 0; i < WARM_UP; i++) await medianOfCalls(servers.near.port, keys);
    const beside = await inTurns(ROUNDS, { near: () => medianOfCalls(servers.near.port, keys) });
    await stop(worker);
    const farWorker = await startWorker(relay.url, data);
    for (let i = 0; i < WARM_UP; i++) await medianOfCalls(servers.far.port, keys);
    const away = await inTurns(ROUNDS, { far: () => medianOfCalls(servers.far.port, keys) });
    await stop(farWorker);
    return [
      addedFigure('network.quote_added_ms', quotes, trip),
      addedFigure('network.backtest_added_ms', { ...beside, ...away }, trip),
    ];
  } finally {
    await Promise.all(Object.values(servers).map(({ child }) => endChild(child)));
    await Promise.all([near.end(), far.end()]);
    relay.close();
  }
}
