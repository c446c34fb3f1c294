/** Prometheus metrics of the API processes on one port, and of the state in the database that all processes share. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countConnectedProcesses, PROCESS_KINDS } from '../../db/connection-counts.ts';
import { selectOrphanState } from '../../db/lake/lake-tables.ts';
import { countRevisions } from '../../db/market/revisions.ts';
import { selectHeldSessions } from '../../db/market/session-checks.ts';
import { selectJobDurations, selectQueueDepths, selectQueueStates } from '../../db/queue/queues.ts';
import { countUnexplained } from '../../db/runs/verdicts.ts';
import { selectSweepTotals } from '../../db/sweeps/sweeps.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { QUEUE_NAMES } from '../../jobs/contracts/queues.ts';
import { selectReadableSnapshots } from '../../jobs/contracts/snapshot.ts';
import { selectFailingLoads } from '../../jobs/health/check.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import { lakeSessionsBehind, loadFreshness, snapshotFreshness } from '../../jobs/quality/freshness.ts';
import { storageFault } from '../../storage/storage.ts';
import type { ObservedRequest } from '../access/request-context.ts';
import { gauge, gaugeBy, shared } from './gauges.ts';
import type { GroupSize, ProcessGroup } from './process-group.ts';
import type { Services } from './services.ts';

export interface Metrics {
  /** Records a finished request. */
  observe(request: ObservedRequest, status: number, seconds: number): void;
  /** The exposition text of all metrics. */
  render(): Promise<{ contentType: string; text: string }>;
}

type Measured = Pick<
  Services,
  | 'accessLog'
  | 'pool'
  | 'market'
  | 'limiter'
  | 'now'
  | 'responseCache'
  | 'candleTexts'
  | 'snapshots'
  | 'storage'
  | 'freeBytes'
>;

interface MetricsOptions {
  /** Spans that the collector of traces did not take. Default: none is traced. */
  readonly droppedSpans?: () => number;
  /** The processes whose values are reported together. Default: this one. */
  readonly group?: ProcessGroup | null;
}

const ONE_PROCESS: GroupSize = { configured: 1, serving: 1 };
/** The window for the durations of completed jobs. */
const DURATION_MINUTES = 10;
/** Reported as sessions behind when nothing is loaded. */
const ALL = 1_000;

export function createMetrics(services: Measured, options: MetricsOptions): Metrics {
  const { group } = options;
  // `own`: values of this process. `common`: values that any process of a group can report.
  const own = new Registry();
  const common = new Registry();
  const registers = [own];
  collectDefaultMetrics({ register: own });
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
  const limited = new Counter({
    name: 'rate_limited_total',
    help: 'Calls over a limit by route and plan of the caller',
    labelNames: ['route', 'plan'] as const,
    registers,
  });
  let answered = 0;
  addProcess(registers, services, { name: String(group?.number ?? 1), answered: () => answered });
  new Counter({
    name: 'trace_spans_dropped_total',
    help: 'Spans that were dropped, because the collector of traces did not take them',
    registers,
    collect() {
      this.reset();
      this.inc(options.droppedSpans?.() ?? 0);
    },
  });
  addShared([common], services, options);
  addMarket([common], services);
  addTables([common], services);
  addQueues([common], services);
  addSweeps([common], services);
  const ofProcesses = group ? group.shareMetrics(() => own.getMetricsAsJSON()) : () => own.metrics();
  return {
    observe(request, status, seconds) {
      const { route, caller } = request.context;
      answered++;
      requests.inc({ route, method: request.method, status });
      durations.observe({ route }, seconds);
      if (status === 429) limited.inc({ route, plan: caller?.plan ?? 'guest' });
    },
    render: async () => ({
      contentType: own.contentType,
      text: `${await ofProcesses()}\n${await common.metrics()}`,
    }),
  };
}

function addProcess(
  registers: Registry[],
  { accessLog, pool, limiter, market, responseCache, candleTexts, snapshots }: Measured,
  { name, answered }: { readonly name: string; readonly answered: () => number },
): void {
  new Gauge({
    name: 'rate_limits_local',
    help: '1 while a process counts calls on its own, because the database is unavailable',
    aggregator: 'max',
    registers,
    collect() {
      this.set(limiter.isLocal ? 1 : 0);
    },
  });
  new Counter({
    name: 'access_records_lost_total',
    help: 'Access records that were lost, because the database was unavailable for longer than memory could hold them',
    registers,
    collect() {
      this.reset();
      this.inc(accessLog.lost);
    },
  });
  new Counter({
    name: 'api_process_requests_total',
    help: 'Requests by the API process that answered them',
    labelNames: ['process'] as const,
    registers,
    collect() {
      this.reset();
      this.inc({ process: name }, answered());
    },
  });
  const memory =
    'Memory of an API process: resident, and the parts of it for series, newest bars, cached answers, and the snapshot';
  gaugeBy(registers, 'api_process_memory_bytes', memory, ['process', 'part'], () => [
    [{ process: name, part: 'resident' }, process.memoryUsage.rss()],
    [{ process: name, part: 'series' }, market.seriesBytes],
    [{ process: name, part: 'newest_bars' }, market.newestBytes],
    [{ process: name, part: 'answers' }, responseCache.calculatedSize + candleTexts.calculatedSize],
    [{ process: name, part: 'snapshot' }, snapshots.bytes],
  ]);
  gaugeBy(registers, 'database_pool_connections', 'Connections of the pools by state', ['state'], () => [
    [{ state: 'total' }, pool.totalCount],
    [{ state: 'idle' }, pool.idleCount],
    [{ state: 'waiting' }, pool.waitingCount],
  ]);
}

function addShared(registers: Registry[], { pool, storage, freeBytes }: Measured, { group }: MetricsOptions): void {
  gauge(registers, 'disk_free_bytes', 'Bytes that may still be written to the data folder of this process', freeBytes);
  gauge(registers, 'object_storage_available', 'Whether the object storage can be used', async () => {
    return Number((await storageFault(storage)) === null);
  });
  const processes = 'API processes on this port: how many there should be, and how many take calls';
  gaugeBy(registers, 'api_processes', processes, ['state'], () => {
    const { configured, serving } = group?.size() ?? ONE_PROCESS;
    return [
      [{ state: 'configured' }, configured],
      [{ state: 'serving' }, serving],
    ];
  });
  const connected = 'Processes of the service that are connected to the database, on all machines';
  gaugeBy(registers, 'service_processes', connected, ['kind'], async () => {
    const counts = await countConnectedProcesses(pool);
    return PROCESS_KINDS.map((kind) => [{ kind }, counts[kind]]);
  });
}

function addMarket(registers: Registry[], { pool, market, now }: Measured): void {
  new Gauge({
    name: 'market_newest_session_timestamp_seconds',
    help: 'Newest session that is served, as the Unix time of its day',
    registers,
    collect() {
      this.set(((market.newestSession ?? 0) * MS_PER_DAY) / 1000);
    },
  });
  gauge(registers, 'market_sessions_behind', 'Published sessions that are not loaded', async () => {
    const { behind, isPublished } = await loadFreshness(pool, now());
    return isPublished ? (behind ?? ALL) : null;
  });
  gauge(registers, 'market_session_age', 'Sessions of the calendar after the newest loaded one', async () => {
    return (await loadFreshness(pool, now())).age;
  });
  gauge(registers, 'market_sessions_held', 'Loaded sessions that look wrong and hold the screener back', async () => {
    return (await selectHeldSessions(pool, CHECKED_VENUE_BASIS)).length;
  });
  gauge(
    registers,
    'backtests_unexplained',
    'Kept backtests whose verification found differences that nothing explains',
    () => countUnexplained(pool),
  );
  gauge(registers, 'market_revisions', 'Bars and events that loads changed within a day after they were served', () =>
    countRevisions(pool, new Date(now() - MS_PER_DAY)),
  );
  gauge(registers, 'sync_jobs_failing', 'Failed loads whose own days no load has replaced since', async () => {
    return (await selectFailingLoads(pool)).length;
  });
  gauge(registers, 'snapshot_sessions_behind', "Loaded sessions that the screener's snapshot lacks", async () => {
    const { behind, isLoaded } = await snapshotFreshness(pool, now());
    return isLoaded ? (behind ?? ALL) : null;
  });
  gauge(registers, 'snapshot_age_seconds', "Age of the screener's snapshot", async () => {
    const [newest] = await selectReadableSnapshots(pool);
    return newest ? (now() - newest.exportedAt.getTime()) / 1000 : null;
  });
}

function addSweeps(registers: Registry[], { pool }: Measured): void {
  const readTotals = shared(() => selectSweepTotals(pool));
  gaugeBy(registers, 'sweeps', 'Sweeps that are not over, by status', ['status'], async () => {
    const totals = await readTotals();
    return (['queued', 'running'] as const).map((status) => [{ status }, totals[status]]);
  });
  gauge(registers, 'sweep_cells_left', 'Cells of running sweeps that are not computed yet', async () => {
    return (await readTotals()).cellsLeft;
  });
  gauge(registers, 'sweep_cells_per_second', 'Cells of all sweeps, over the last minute', async () => {
    return (await readTotals()).cellsPerSecond;
  });
}

function addQueues(registers: Registry[], { pool }: Measured): void {
  gaugeBy(registers, 'queue_jobs', 'Jobs by queue and state', ['queue', 'state'], async () =>
    (await selectQueueDepths(pool)).map(({ queue, state, count }) => [{ queue, state }, count]),
  );
  const readStates = shared(() => selectQueueStates(pool, QUEUE_NAMES));
  gaugeBy(registers, 'queue_paused', 'Whether an operator has paused the queue', ['queue'], async () =>
    (await readStates()).map(({ queue, pausedAt }) => [{ queue }, pausedAt === null ? 0 : 1]),
  );
  const oldest = 'How long the oldest job that could run has been waiting';
  gaugeBy(registers, 'queue_oldest_waiting_seconds', oldest, ['queue'], async () =>
    (await readStates()).map(({ queue, oldestWaitingS }) => [{ queue }, Math.max(0, oldestWaitingS ?? 0)]),
  );
  const lasted = `Duration of the jobs that were completed within the last ${DURATION_MINUTES} minutes`;
  gaugeBy(registers, 'queue_job_seconds', lasted, ['queue', 'quantile'], async () =>
    (await selectJobDurations(pool, DURATION_MINUTES)).flatMap(({ queue, median, p95 }) => [
      [{ queue, quantile: '0.5' }, median] as const,
      [{ queue, quantile: '0.95' }, p95] as const,
    ]),
  );
}

/** Errors of the catalog and of reads of files are in `http_requests_total`, by their routes. */
function addTables(registers: Registry[], { pool, now }: Pick<Services, 'pool' | 'now'>): void {
  gauge(registers, 'lake_sessions_behind', 'Loaded sessions that the files and tables of the market lack', () =>
    lakeSessionsBehind(pool, now()),
  );
  const readOrphans = shared(() => selectOrphanState(pool));
  gauge(registers, 'lake_orphan_objects', 'Stored objects that no kept snapshot of a table names', async () => {
    return (await readOrphans()).count;
  });
  gauge(registers, 'lake_oldest_orphan_seconds', 'How long the oldest of them has waited for its removal', async () => {
    const { oldest } = await readOrphans();
    return oldest ? (now() - oldest.getTime()) / 1000 : 0;
  });
}
