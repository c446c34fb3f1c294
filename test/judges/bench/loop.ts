/** How long any one call holds up all others: the longest turn of the event loop over every route, at its largest input. */
import { createPool } from '../../../db/pool.ts';
import { type LargeCall, largeCalls } from '../../support/largest-calls.ts';
import { ensureLongMarket, longSymbol } from '../../support/long-market.ts';
import { addCaller, type LoopServer, startLoopServer } from '../../support/loop-server.ts';
import { type Bench, benchDatabase } from './market.ts';
import { alone, type Figure, figure } from './measure.ts';

/** The most symbols of one batch. */
const SYMBOLS = 500;

/** The longest turn of all calls to a route. */
async function longestOf(server: LoopServer, calls: readonly LargeCall[]): Promise<Figure> {
  const statuses = new Set<number>();
  let round = 0;
  const longest = async () => {
    const held: number[] = [];
    for (const call of calls) {
      // Another symbol each time: a cached answer costs nothing.
      const { ms, status } = await server.hold({ ...call, path: call.path.replace(longSymbol(0), longSymbol(round)) });
      held.push(ms);
      statuses.add(status);
    }
    round++;
    return Math.max(...held);
  };
  // Once beforehand, so that compiling is not counted.
  await longest();
  const { value, noise } = await alone('', longest, 3);
  return { value, noise, note: `ms of processor time; answered ${[...statuses].sort().join(', ')}` };
}

const benchLoop: Bench = async ({ serverUrl, directory }) => {
  const url = await benchDatabase(serverUrl, 'bench_loop');
  const pool = createPool({ url, max: 2, applicationName: 'bench' });
  await ensureLongMarket(pool, SYMBOLS);
  const server = await startLoopServer(url, `${directory}/loop-objects`, await addCaller(pool));
  try {
    const figures = new Map<string, Figure>();
    const groups = Map.groupBy(largeCalls(SYMBOLS), ({ kind, route }) =>
      kind === 'largest' ? `loop.${route}` : `loop.refused ${route}`,
    );
    for (const [key, calls] of groups) figures.set(key, await longestOf(server, calls));
    const [[key, worst]] = [...figures].sort(([, one], [, other]) => other.value - one.value);
    return figures.set('loop.longest', figure(worst.value, key.slice('loop.'.length)));
  } finally {
    server.stop();
    await pool.end();
  }
};

export const LOOP = { loop: benchLoop };
