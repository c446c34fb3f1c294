/** Prometheus metrics of the API process. */
import type { Request } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { selectQueueDepths } from '../db/job-signals.ts';
import type { Pool } from '../db/pool.ts';
import { MS_PER_DAY } from '../engine/dates.ts';
import type { MarketView } from './market/market-view.ts';

export interface Metrics {
  /** Counts a finished request. */
  observe(request: Request, status: number, seconds: number): void;
  /** Exposition text of all metrics. */
  render(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(pool: Pool, market: MarketView): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by route, method and status',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer by route',
    labelNames: ['route'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  new Gauge({
    name: 'market_newest_session_timestamp_seconds',
    help: 'Newest session that is served, as the Unix time of its day',
    registers,
    collect() {
      this.set(((market.maxDay ?? 0) * MS_PER_DAY) / 1000);
    },
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      this.reset();
      // Without a database the process's own figures are wanted all the more.
      for (const { queue, state, count } of await selectQueueDepths(pool).catch(() => []))
        this.set({ queue, state }, count);
    },
  });
  return {
    observe(request, status, seconds) {
      const { route } = request.context;
      requests.inc({ route, method: request.method, status });
      durations.observe({ route }, seconds);
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
