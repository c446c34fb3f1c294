/** A port of its own for `/metrics`, so that what reaches the API need not reach its metrics. */
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
