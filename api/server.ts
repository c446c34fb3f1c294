/** An API process: stateless, any number of them on one database. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppOptions, createApp } from './app.ts';
import type { Services } from './services.ts';

export interface RunningServer {
  readonly port: number;
  /**
   * Says at `/readyz` that it leaves and goes on answering for `delayMs`, so that proxies go elsewhere before the door is
   * closed; then takes no more requests and finishes those in hand within `graceMs`.
   */
  stop(delayMs: number, graceMs: number): Promise<void>;
}

export interface ServerOptions extends AppOptions {
  readonly services: Services;
  readonly host: string;
  readonly port: number;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

const IDLE_LOOK_MS = 50;

export async function startServer({ host, port, services, ...options }: ServerOptions): Promise<RunningServer> {
  let isLeaving = false;
  const serving = async () => {
    if (isLeaving) throw new Error('shutting down');
  };
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 65_000 },
    createApp(services, { ...options, checks: { serving, ...options.checks } }),
  );
  server.prependListener('request', (_request, response) => {
    // A client that keeps its connection would keep the process until the grace time is over.
    if (isLeaving) response.setHeader('connection', 'close');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (delayMs, graceMs) => {
      isLeaving = true;
      await sleep(delayMs);
      const closed = once(server, 'close');
      server.close();
      // Connections whose last request came before all this become idle only now.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      const timeout = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(timeout);
    },
  };
}
