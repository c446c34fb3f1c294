/** Streams of events that idle, and rows of candles as Arrow beside the same as JSON. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ARROW_STREAM } from '../../../api/http/answer/arrow.ts';
import { selectShowcaseSymbols } from '../../../db/market/instruments.ts';
import { answersPerSecond } from './http-load.ts';
import { type Bench, type BenchMarket, ensureLoaded, replaceCallers } from './market.ts';
import { compare, type Figure, figure, IS_QUICK } from './measure.ts';
import { endChild, residentMb, startProcess } from './processes.ts';

const STREAMS = IS_QUICK ? 500 : 10_000;
const OF_ACCOUNT = 25;
const AT_ONCE = 100;
/** Every stream gets a comment in this time. */
const IDLE_MS = 16_000;
const SECONDS = 1.5;
const SYMBOLS = 100;
const CALLERS = 200;

type Api = Awaited<ReturnType<typeof startProcess>>;

async function withApi(
  market: BenchMarket,
  callers: number,
  settings: NodeJS.ProcessEnv,
  work: (api: Api, keys: readonly string[]) => Promise<Figure>,
): Promise<Figure> {
  await ensureLoaded(market);
  const keys = (await replaceCallers(market.pool, callers)).map(({ key }) => key);
  const api = await startProcess('api', market.url, market.data, { ...market.source, ...settings });
  try {
    return await work(api, keys);
  } finally {
    await endChild(api.child);
  }
}

async function openStream(port: number, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /v1/stream HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(String(head));
  socket.on('data', () => {});
  return socket;
}

/** The memory of one process with many idle streams, above that without, per stream. */
const idleStreams: Bench = (market) => {
  const most = String(STREAMS + 100);
  const settings = { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_ADDRESS: most };
  return withApi(market, STREAMS / OF_ACCOUNT, settings, async ({ child, port }, keys) => {
    const pid = child.pid ?? 0;
    const first = await openStream(port, keys[0]);
    await sleep(1_000);
    const before = residentMb(pid);
    const sockets: Socket[] = [first];
    for (let i = 1; i < STREAMS; i += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, STREAMS - i) }, (_, k) => keys[(i + k) % keys.length]);
      sockets.push(...(await Promise.all(some.map((key) => openStream(port, key)))));
    }
    await sleep(IDLE_MS);
    const closed = sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
    if (closed > 0) throw new Error(`${closed} of ${STREAMS} streams were closed`);
    const after = residentMb(pid);
    for (const socket of sockets) socket.destroy();
    return figure(
      ((after - before) * 1024) / STREAMS,
      `kB each: ${STREAMS} idle streams in one process of ${Math.round(after)} MB`,
    );
  });
};

/** Rows of candles per second, each answer computed again. */
const arrowRows: Bench = (market) =>
  withApi(market, CALLERS, { CACHE_MB: '0' }, async ({ port }, keys) => {
    const symbols = await selectShowcaseSymbols(market.pool, SYMBOLS);
    const requestsAs = (accept: string) =>
      keys.map((key, i) => ({
        method: 'GET' as const,
        path: `/v1/kline/${symbols[i % symbols.length]}?days=10000`,
        headers: { 'x-api-key': key, accept },
      }));
    const [{ path, headers }] = requestsAs('application/json');
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const bars: number = JSON.parse(await answer.text()).data.count;
    const rows = (accept: string) => async () =>
      bars * (await answersPerSecond({ port, requests: requestsAs(accept), connections: 4 }, SECONDS));
    const what = `candles of ${bars} bars as Arrow, beside JSON`;
    return compare(what, 'rows/s', { ours: rows(ARROW_STREAM), floor: rows('application/json') });
  });

export const STREAMS_AND_ARROW: Readonly<Record<string, Bench>> = {
  'http.arrow_rows_s': arrowRows,
  'http.idle_stream_kb': idleStreams,
};
