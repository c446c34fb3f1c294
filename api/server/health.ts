/** `/healthz`, `/readyz`, and `/metrics`: for machines, without the envelope. */
import type { Express, Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { ServiceError } from '../../engine/util/errors.ts';
import { beginResponse } from '../http/answer/respond.ts';
import { timedCache } from '../http/timed-cache.ts';
import type { Metrics } from './metrics.ts';
import type { ProcessGroup } from './process-group.ts';

/** Name → a check that resolves if the component can be used. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

export interface HealthOptions {
  readonly checks: ReadinessChecks;
  /** False once the process is shutting down. */
  readonly isServing: () => boolean;
  readonly group: ProcessGroup | null;
  readonly metrics: Metrics;
  /** Whether `/metrics` is served here, to callers on this machine, because it has no port of its own. */
  readonly hasMetrics: boolean;
  readonly log: Logger;
}

const CHECK_TIMEOUT_MS = 2_000;
const MAX_AGE_MS = 1_000;

export function mountHealth(app: Express, options: HealthOptions): void {
  const { checks, isServing, group, metrics, hasMetrics, log } = options;
  const check = createReadiness(checks, log);
  app.get('/healthz', (request, response) => {
    beginResponse(request, response, 200).json({ status: 'ok' });
  });
  app.get('/readyz', async (request, response) => {
    const results = await check();
    const serving = isServing() ? 'ok' : 'failed';
    const status = statusOf({ serving, ...results });
    const state = { status, checks: { serving, ...results } };
    beginResponse(request, response, status === 'unavailable' ? 503 : 200).json(
      group ? { ...state, processes: group.size() } : state,
    );
  });
  app.get('/metrics', async (request, response) => {
    if (!hasMetrics || !isFromThisMachine(request)) throw new ServiceError('not_found');
    const { contentType, text } = await metrics.render();
    beginResponse(request, response, 200).type(contentType).send(text);
  });
}

type Readiness = Readonly<Record<string, string>>;

/** Without the database or the bucket reads are still served, so the load balancer must not remove the process. */
function statusOf({ serving, database, storage, ...others }: Readiness): 'ok' | 'degraded' | 'unavailable' {
  if (serving !== 'ok') return 'unavailable';
  if (database !== undefined && database !== 'ok') return 'degraded';
  if (Object.values(others).some((result) => result !== 'ok')) return 'unavailable';
  return storage === undefined || storage === 'ok' ? 'ok' : 'degraded';
}

/** Runs the checks at most once a second, and once for concurrent callers. */
function createReadiness(checks: ReadinessChecks, log: Logger): () => Promise<Readiness> {
  const check = timedCache(MAX_AGE_MS, async () => {
    const results = Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, log)]);
    return Object.fromEntries(await Promise.all(results));
  });
  return async () => (await check()).value;
}

class CheckTimeout extends Error {
  override readonly name = 'CheckTimeout';
}

async function runCheck(name: string, check: () => Promise<unknown>, log: Logger): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new CheckTimeout()), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch (error) {
    // The reason is only logged, because it can name the address and user of the database.
    log.warn({ err: error, check: name }, 'readiness check failed');
    return error instanceof CheckTimeout ? 'timed out' : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** Headers of proxies. A caller behind a proxy is not on this machine, even if the proxy is. */
const FORWARDING = /^(x-forwarded-.*|forwarded|x-real-ip|via)$/;

/** Checks the address of the socket, because a forwarded address can be forged. */
function isFromThisMachine({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress;
  const isLoopback = address !== undefined && ipaddr.process(address).range() === 'loopback';
  return isLoopback && !Object.keys(headers).some((name) => FORWARDING.test(name));
}
