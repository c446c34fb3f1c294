/** `/healthz`, `/readyz` and `/metrics`: outside the envelope, for machines. */
import type { Express, Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { ServiceError } from '../engine/errors.ts';
import type { Metrics } from './metrics.ts';
import { setCommonHeaders } from './respond.ts';

/** Name → resolves when that part can be used. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

export interface HealthOptions {
  readonly checks: ReadinessChecks;
  readonly metrics: Metrics;
  readonly isMetricsPublic: boolean;
  readonly log: Logger;
}

const CHECK_TIMEOUT_MS = 2_000;

export function mountHealth(app: Express, { checks, metrics, isMetricsPublic, log }: HealthOptions): void {
  app.get('/healthz', (request, response) => {
    setCommonHeaders(request, response).json({ status: 'ok' });
  });
  app.get('/readyz', async (request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, log)]),
    );
    const isReady = results.every(([, result]) => result === 'ok');
    setCommonHeaders(request, response)
      .status(isReady ? 200 : 503)
      .json({ status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(results) });
  });
  app.get('/metrics', async (request, response) => {
    if (!isMetricsPublic && !isLoopback(request)) throw new ServiceError('not_found');
    const { contentType, text } = await metrics.render();
    setCommonHeaders(request, response).type(contentType).send(text);
  });
}

async function runCheck(name: string, check: () => Promise<unknown>, log: Logger): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('timed out')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch (error) {
    // The reason goes to the log; the address and user of a database do not go to whoever asks.
    log.warn({ err: error, check: name }, 'readiness check failed');
    return (error as Error).message === 'timed out' ? 'timed out' : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** By the socket's address: a forwarded one can be made up. */
function isLoopback(request: Request): boolean {
  const address = request.socket.remoteAddress;
  return address !== undefined && ipaddr.process(address).range() === 'loopback';
}
