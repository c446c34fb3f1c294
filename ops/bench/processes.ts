/** Processes that the bench starts and measures; memory from `/proc` of Linux. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { apiOptions, type ChildOptions, workerOptions } from '../processes/supervisor.ts';
import { BENCH_NOW } from './market.ts';

const pathOf = (module: string) => fileURLToPath(new URL(module, import.meta.url));

/** Starts a module and resolves with its first message. Its output goes to stderr. Default of `options`: those of this process. */
export async function startChild(
  module: string,
  args: readonly string[],
  options?: ChildOptions,
): Promise<{ child: ChildProcess; message: unknown }> {
  const child = fork(pathOf(module), args, { ...options, stdio: ['ignore', process.stderr, process.stderr, 'ipc'] });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`${module} ended with ${code} before it was ready`);
  });
  const [message] = await Promise.race([once(child, 'message'), died]);
  died.catch(() => {});
  return { child, message };
}

/** Resolves when the child has ended, so that it does not outlive a database that is stopped next. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Runs a module to its end and returns the JSON that it prints. */
export function runChild<T>(module: string, args: readonly string[], nodeArgs: readonly string[] = []): T {
  return JSON.parse(execFileSync(process.execPath, [...nodeArgs, pathOf(module), ...args], { encoding: 'utf8' }));
}

/** Calls that autocannon breaks off at its end would fill the log; it counts what is answered with an error. */
const SERVICE = { FIXED_NOW: new Date(BENCH_NOW).toISOString(), LOG_LEVEL: 'fatal' };

export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts an API process as the service does. */
export async function startApi(url: string, directory: string, more: NodeJS.ProcessEnv = {}): Promise<Server> {
  const port = await freePort();
  const env = { ...SERVICE, DATABASE_URL: url, DATA_DIR: directory, PORT: String(port), ...more };
  const { child } = await startChild('../processes/api.ts', [], apiOptions(env));
  return { child, port };
}

/** Starts a worker process as the service does. */
export async function startWorker(url: string, directory: string, more: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const env = { ...SERVICE, DATABASE_URL: url, DATA_DIR: directory, ...more };
  return (await startChild('../processes/worker.ts', [], workerOptions(env))).child;
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
