/** How long any one call holds up all others: the longest turn of the event loop over every route, at its largest input. */
import { createPool } from '../../db/pool.ts';
import { type LargeCall, largeCalls } from '../../test/support/largest-calls.ts';
import { ensureLongMarket, longSymbol } from '../../test/support/long-market.ts';
import { addCaller, type LoopServer, startLoopServer } from '../../test/support/loop-server.ts';
import { type Bench, ensureBenchDatabase } from './market.ts';
import { IS_QUICK, summarize } from './measure.ts';
import { type Figure, figure } from './report.ts';

/** The most symbols of one batch. */
const SYMBOLS = 500;
const ROUNDS = IS_QUICK ? 1 : 3;

async function longestOf(server: LoopServer, calls: readonly LargeCall[]): Promise<Figure> {
  const [{ route, kind }] = calls;
  const rounds: number[] = [];
  const statuses = new Set<number>();
  // Once beforehand, so that compiling is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    let longest = 0;
    for (const call of calls) {
      // Another symbol each time: an answer that is kept costs nothing.
      const path = call.path.replace(longSymbol(0), longSymbol(round));
      const { ms, status } = await server.hold({ ...call, path });
      longest = Math.max(longest, ms);
      statuses.add(status);
    }
    if (round > 0) rounds.push(longest);
  }
  const key = `loop.${kind === 'largest' ? '' : 'refused '}${route}`;
  return figure(key, summarize(rounds), `ms of processor time; answered ${[...statuses].sort().join(', ')}`);
}

const benchLoop: Bench = async ({ serverUrl, directory }) => {
  const url = await ensureBenchDatabase(serverUrl, 'bench_loop');
  const pool = createPool({ url, max: 2, applicationName: 'bench' });
  await ensureLongMarket(pool, SYMBOLS);
  const server = await startLoopServer(url, `${directory}/loop-objects`, await addCaller(pool));
  try {
    const figures: Figure[] = [];
    const groups = Map.groupBy(largeCalls(SYMBOLS), ({ kind, route }) => `${kind} ${route}`);
    for (const calls of groups.values()) figures.push(await longestOf(server, calls));
    const worst = figures.reduce((one, other) => (other.value > one.value ? other : one));
    return [...figures, figure('loop.longest', worst.value, worst.key.slice('loop.'.length))];
  } finally {
    server.stop();
    await pool.end();
  }
};

export const LOOP = { loop: benchLoop };
