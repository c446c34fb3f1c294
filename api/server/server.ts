/** The HTTP server of an API process. Any number of processes share a database. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../engine/util/errors.ts';
import { limitBodyTime } from '../http/input/body.ts';
import { siteAssets } from '../site/assets.ts';
import { type AppOptions, createApp } from './app.ts';
import { type ConnectionLimits, guardConnections } from './connections.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { portOf } from './port-of.ts';
import { answerUnrouted } from './raw-answers.ts';
import type { Services } from './services.ts';

export interface RunningServer {
  readonly port: number;
  /**
   * Reports at `/readyz` that it is shutting down, and keeps answering for `drainMs`, so that load balancers choose other processes;
   * calls that wait for a run are answered at once with its state. Then accepts no more requests and finishes those in progress
   * within `graceMs`.
   */
  stop(drainMs: number, graceMs: number): Promise<void>;
}

export interface ServerOptions extends Omit<AppOptions, 'metrics' | 'isServing'> {
  readonly services: Services;
  readonly host: string;
  readonly port: number;
  readonly connections?: Partial<ConnectionLimits>;
  /** A separate port for `/metrics`, without access control. */
  readonly metricsPort?: number;
}

const CONNECTIONS: ConnectionLimits = { maxConnections: 2_000, maxConnectionsPerAddress: 256, maxStallMs: 30_000 };
const HEADERS_TIMEOUT_MS = 10_000;
/** The time for a body, except for files. */
const BODY_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
/** How often the server checks for requests that are too slow. */
const TIMEOUT_CHECK_MS = 2_000;

const IDLE_CHECK_MS = 50;
/** How long late calls are still accepted after `drainMs`. */
const MAX_LINGER_MS = 1_000;

export async function startServer(settings: ServerOptions): Promise<RunningServer> {
  const { host, port, metricsPort, services, connections, ...options } = settings;
  let isStopping = false;
  const metrics = metricsPort === undefined ? undefined : createMetrics(services, options);
  const app = createApp(services, { ...options, metrics, isServing: () => !isStopping });
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: 65_000,
      // Checked by the application, so that the error has the form of all others.
      requireHostHeader: false,
      // Requests without a body then cost no stream events.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      if (isTarget(request.url)) app(request, response);
      else answerUnrouted(request, response, new ServiceError('invalid_request'), options.defaultLocale);
    },
  );
  // Otherwise a full process of a cluster passes its connections on to others that may be full too.
  Object.assign(server, { dropMaxConnection: true });
  guardConnections(server, {
    limits: { ...CONNECTIONS, ...connections },
    isProxy: (address) => app.get('trust proxy fn')(address, 0),
    locale: options.defaultLocale,
    log: services.log,
  });
  server.prependListener('request', (request, response) => {
    limitBodyTime(request, BODY_TIMEOUT_MS);
    // Open connections would keep the process alive until `graceMs` has passed.
    if (isStopping) response.setHeader('connection', 'close');
  });
  server.listen(port, host);
  await once(server, 'listening');
  // Started here, so that the first page does not wait for the build.
  siteAssets().catch((error) => services.log.error({ err: error }, 'the assets of the site could not be built'));
  const metricsServer = metrics && (await startMetricsServer(metrics, host, metricsPort));
  return {
    port: portOf(server),
    stop: async (drainMs, graceMs) => {
      isStopping = true;
      services.runs.endAll();
      services.streams.endAll();
      await sleep(drainMs);
      await untilQuiet(server, Math.min(MAX_LINGER_MS, graceMs / 10));
      const closed = once(server, 'close');
      server.close();
      // Connections with a request in progress become idle later.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const timeout = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(timeout);
      metricsServer?.close();
      metricsServer?.closeAllConnections();
    },
  };
}

/** Whether Express can parse the path of a target. It calls no handler for other targets. */
function isTarget(target = ''): boolean {
  return target.startsWith('/') || target === '*' || URL.canParse(target);
}

const METRICS_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000 };

/** Serves `/metrics` on a separate port, so that clients of the API need not reach it. */
async function startMetricsServer(metrics: Metrics, host: string, port: number | undefined): Promise<Server> {
  const server = createServer(METRICS_TIMEOUTS, async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    const { contentType, text } = await metrics.render();
    response.setHeader('Content-Type', contentType);
    response.end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** After this long without a call, clients have moved to other processes. */
const QUIET_MS = 100;
/** Proxies probe until the end, so probes do not count as calls. */
const PROBES = new Set(['/readyz', '/healthz']);

/**
 * Resolves when no call has come for a while, or after `maxMs`. Closing the server resets connections that the operating system has
 * accepted and this process has not, so it accepts all of those first. The caller must close the server in the same turn.
 */
async function untilQuiet(server: Server, maxMs: number): Promise<void> {
  let calls = 0;
  let connections = 0;
  const onRequest = ({ url = '' }: IncomingMessage) => {
    if (!PROBES.has(url)) calls++;
  };
  const onConnection = () => {
    connections++;
  };
  server.on('request', onRequest);
  server.on('connection', onConnection);
  const deadline = performance.now() + maxMs;
  do {
    calls = 0;
    await sleep(Math.min(QUIET_MS, maxMs));
    do {
      connections = 0;
      // One turn may accept only one connection.
      await turn();
      await turn();
    } while (connections > 0);
  } while (calls > 0 && performance.now() < deadline);
  server.off('request', onRequest);
  server.off('connection', onConnection);
}
