/** Serves `/metrics` on a separate port, so that clients of the API need not reach it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Metrics } from './metrics.ts';

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000 };

export async function startMetricsServer(metrics: Metrics, host: string, port: number | undefined): Promise<Server> {
  const server = createServer(TIMEOUTS, async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    const { contentType, text } = await metrics.render();
    response.setHeader('Content-Type', contentType);
    response.end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
