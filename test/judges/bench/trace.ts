/** The cost of traces, by default: quotes and backtests of a service that sends them to a collector, and of one without. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../../api/server/port-of.ts';
import { withService } from './backtest.ts';
import type { Bench } from './market.ts';
import { figure, inTurns, median, ratioOf } from './measure.ts';
import { endChild, startTask } from './processes.ts';

/** Takes everything, and answers with its port. */
export async function runCollector(): Promise<number> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/** How much fewer answers there are, in percent. */
const overhead = (traced: readonly number[], plain: readonly number[]) => 100 * (1 - median(ratioOf(traced, plain)));

const benchOverhead: Bench = async (market) => {
  const collector = await startTask(runCollector, []);
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.result}` };
  const measured = await withService(market, {}, (plain) => {
    const name = 'bench_traced';
    return withService(market, { settings, name }, (traced) =>
      inTurns({
        tracedQuotes: traced.quotes,
        plainQuotes: plain.quotes,
        tracedRuns: () => traced.rate(),
        plainRuns: () => plain.rate(),
      }),
    );
  });
  await endChild(collector.child);
  const quotes = overhead(measured.tracedQuotes, measured.plainQuotes);
  const runs = overhead(measured.tracedRuns, measured.plainRuns);
  const what = `${quotes.toFixed(1)} % of quotes, ${runs.toFixed(1)} % of backtests`;
  return figure(Math.max(quotes, runs), `${what}, at the default share of traced calls`);
};

export const TRACE = { 'trace.overhead_pct': benchOverhead };
