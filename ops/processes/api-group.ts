/**
 * The API processes of this machine, which share one port by `node:cluster`: this process accepts connections and passes them to
 * its children in turn. A connection stays with its child.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { type MetricValues, mergedCounts, mergedText } from '../../api/server/process-group.ts';
import { openDatabase } from '../embedded/database.ts';
import type { FromApiProcess, ToApiProcess } from './api-member.ts';
import { checkDataFolder, checkPort } from './preflight.ts';
import type { ProcessContext, Stop } from './process.ts';
import { apiOptions, CHILD_STDIO, createSupervisor, entryOf, type Supervisor } from './supervisor.ts';

/** A process that sends nothing for so long hangs. Probes of the shared port do not find it, because only processes that answer get them. */
const SILENT_MS = 30_000;
/** Checks for silent processes within that time. */
const SILENCE_CHECKS = 10;
/** If a process takes longer, its previous values are used. */
const METRICS_TIMEOUT_MS = 2_000;

interface ApiGroupOptions {
  /** Number of processes. */
  readonly count: number;
  readonly env: NodeJS.ProcessEnv;
  readonly supervisor: Supervisor;
  readonly log: Logger;
  /** File that the processes run. Default: that of an API process. */
  readonly entry?: string;
  /** A process that sends nothing for so many milliseconds is ended. */
  readonly silentMs?: number;
}

interface ApiGroup {
  /** Resolves when all processes are ready. */
  start(): Promise<void>;
  close(): void;
}

interface Member {
  readonly worker: Worker;
  isServing: boolean;
  /** When its last message came, in monotonic milliseconds. */
  lastMessageAt: number;
}

export function createApiGroup(options: ApiGroupOptions): ApiGroup {
  const { count, supervisor, log, entry = entryOf('api'), silentMs = SILENT_MS } = options;
  const members = new Map<number, Member>();
  const metrics = createGroupMetrics();
  const sendSize = () => {
    const serving = [...members.values()].filter(({ isServing }) => isServing).length;
    for (const { worker } of members.values()) notify(worker, { type: 'size', size: { configured: count, serving } });
  };

  function launch(number: number) {
    const { env, execArgv } = apiOptions(options.env);
    cluster.setupPrimary({
      exec: entry,
      args: [String(number)],
      execArgv,
      stdio: CHILD_STDIO,
    });
    const worker = cluster.fork(env);
    const member: Member = { worker, isServing: false, lastMessageAt: performance.now() };
    members.set(number, member);
    worker.on('message', (message: FromApiProcess) => {
      member.lastMessageAt = performance.now();
      if (message.type === 'ready') {
        member.isServing = true;
        sendSize();
      } else if (message.type === 'metrics') metrics.take(number, message.values);
      else if (message.type === 'all_metrics_wanted') void answerMetrics(worker, message.id);
    });
    worker.once('exit', () => {
      members.delete(number);
      metrics.end(number);
      sendSize();
    });
    return worker.process;
  }

  async function answerMetrics(worker: Worker, id: number): Promise<void> {
    const serving = [...members].filter(([, { isServing }]) => isServing);
    notify(worker, { type: 'all_metrics', id, text: await metrics.collect(serving) });
  }

  const watch = setInterval(() => {
    const silentSince = performance.now() - silentMs;
    for (const [number, member] of members) {
      if (!member.isServing || member.lastMessageAt > silentSince) continue;
      member.isServing = false;
      log.error({ member: `api ${number}`, silentMs }, 'a process hangs and is ended');
      member.worker.process.kill('SIGKILL');
    }
  }, silentMs / SILENCE_CHECKS).unref();

  return {
    async start() {
      const numbers = Array.from({ length: count }, (_, i) => i + 1);
      await Promise.all(numbers.map((number) => supervisor.start(`api ${number}`, () => launch(number))));
    },
    close: () => clearInterval(watch),
  };
}

function notify(worker: Worker, message: ToApiProcess): void {
  // A process that is about to end no longer listens.
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Metrics of the group: the latest values of each process, and the counts of ended ones. */
function createGroupMetrics() {
  const latest = new Map<number, MetricValues>();
  const awaited = new Map<number, () => void>();
  let ended: MetricValues = [];
  let mergedEnds = Promise.resolve();
  let collecting: Promise<string> | null = null;

  async function collectFresh(serving: readonly [number, Pick<Member, 'worker'>][]): Promise<string> {
    const answers = serving.map(([number, { worker }]) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited.set(number, resolve);
      notify(worker, { type: 'metrics_wanted' });
      return promise;
    });
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, METRICS_TIMEOUT_MS);
    await Promise.race([Promise.all(answers), tooLate]);
    clearTimeout(timer);
    await mergedEnds;
    return mergedText([ended, ...latest.values()]);
  }

  return {
    take(number: number, values: MetricValues): void {
      latest.set(number, values);
      awaited.get(number)?.();
    },
    end(number: number): void {
      const values = latest.get(number) ?? [];
      latest.delete(number);
      awaited.get(number)?.();
      mergedEnds = mergedEnds.then(async () => {
        ended = await mergedCounts([ended, values]);
      });
    },
    /** The metrics of all processes as text; concurrent calls share one collection. */
    collect(serving: readonly [number, Pick<Member, 'worker'>][]): Promise<string> {
      collecting ??= collectFresh(serving).finally(() => {
        collecting = null;
      });
      return collecting;
    },
  };
}

/** Starts a group without the rest of the service; resolves when all processes are ready, with a function that ends them. */
export async function startApiProcesses({ config, log }: ProcessContext): Promise<Stop> {
  checkDataFolder(config);
  await checkPort(config.HOST, config.PORT);
  const database = await openDatabase(config, log);
  const supervisor = createSupervisor(log);
  const group = createApiGroup({
    count: config.API_PROCESSES,
    env: { DATABASE_URL: database.url },
    supervisor,
    log,
  });
  const stop = async () => {
    group.close();
    await supervisor.stop();
    await database.release();
  };
  try {
    await group.start();
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
