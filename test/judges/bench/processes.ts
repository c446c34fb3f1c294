/** Processes that the bench starts and measures; memory from `/proc` of Linux. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { THREAD_LIMITS } from '../../../jobs/queue/thread-pool.ts';
import { apiOptions, forkProcess, workerOptions } from '../../../ops/processes/supervisor.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess } from '../../support/processes.ts';
import { BENCH_NOW } from './market.ts';

/** The limit of a worker's threads as arguments of Node: three spaces of this size. */
export const THREAD_ARGUMENTS = [`--max-semi-space-size=${(THREAD_LIMITS.maxYoungGenerationSizeMb ?? 0) / 3}`];
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** The first message of a process. */
async function firstMessage(child: ChildProcess) {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code} before it was ready`);
  });
  const [message] = await Promise.race([once(child, 'message'), died]);
  died.catch(() => {});
  return message;
}

type Task<T> = (args: readonly string[]) => Promise<T>;

/** Starts a function listed in `child.ts` in its own process; resolves with its result, while the process stays alive. */
export async function startTask<T>({ name }: Task<T>, args: readonly string[], nodeArgs: readonly string[] = []) {
  const execArgv = [...process.execArgv, ...nodeArgs];
  const child = fork(CHILD, [name, ...args], { execArgv, stdio: ['ignore', process.stderr, process.stderr, 'ipc'] });
  const result: T = await firstMessage(child);
  return { child, result };
}

/** Runs such a function, and ends its process. */
export async function inTask<T>(task: Task<T>, args: readonly string[], nodeArgs?: readonly string[]): Promise<T> {
  const { child, result } = await startTask(task, args, nodeArgs);
  await endChild(child);
  return result;
}

/** Resolves when the process has ended, so that it does not outlive a database that is stopped next. */
export const endChild = (child: ChildProcess) => endProcess(child, 'SIGTERM');

/** Calls that autocannon breaks off at its end would fill the log; it counts what is answered with an error. */
const SERVICE = { FIXED_NOW: new Date(BENCH_NOW).toISOString(), LOG_LEVEL: 'fatal' };

/** Starts an API or a worker process as the service does. `port`: that of the API. */
export async function startProcess(
  name: 'api' | 'worker',
  url: string,
  directory: string,
  more: NodeJS.ProcessEnv = {},
) {
  const port = await freePort();
  const env = { ...SERVICE, DATABASE_URL: url, DATA_DIR: directory, PORT: String(port), ...more };
  const child = forkProcess(name, name === 'api' ? apiOptions(env) : workerOptions(env));
  await firstMessage(child);
  return { child, port };
}

/** Returns the peak memory of a process in MB. `resourceUsage` would include the memory of its parent at the fork. */
export function peakResidentMb(pid: number | 'self' = 'self'): number {
  return kilobytesIn(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

/** Returns the resident memory in MB of a process and its descendants; shared memory counts once. */
export function residentMb(pid: number): number {
  const parts = familyOf(pid).map((member) => kilobytesIn(`/proc/${member}/smaps_rollup`, 'Pss'));
  return parts.reduce((sum, value) => sum + value, 0) / 1024;
}

function kilobytesIn(file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
}

function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}
