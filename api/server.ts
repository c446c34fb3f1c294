/** An API process: stateless, any number of them on one database. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from './app.ts';
import type { Services } from './services.ts';

export interface RunningServer {
  readonly port: number;
  /** Takes no more requests, finishes those in hand within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ServerOptions extends AppOptions {
  readonly services: Services;
  readonly host: string;
  readonly port: number;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

export async function startServer({ host, port, services, ...options }: ServerOptions): Promise<RunningServer> {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 65_000 },
    createApp(services, options),
  );
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceMs) => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timeout = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timeout);
    },
  };
}
