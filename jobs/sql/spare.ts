/**
 * Processes for queries. After a query one more is started, which has opened the lake and warmed up when the next query comes. It has
 * seen no query of a caller before its own.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SQL_LIMITS } from '../contracts/sql.ts';
import { WARM_UP } from './sandbox-protocol.ts';

export type Sandbox = ChildProcessByStdio<Writable, Readable, Readable>;

const SANDBOX = fileURLToPath(new URL('./sandbox.ts', import.meta.url));
/** Processor time of a process: more than its two threads can use in time. It ends queries whose worker was killed. */
const CPU_SECONDS = 3 * SQL_LIMITS.seconds;
/** No file may grow and no core may be written, whatever DuckDB is made to do. */
const LIMITED = `ulimit -c 0; ulimit -f 0; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`;
/** A spare process has some 120 MB, which callers who pause longer are not worth. */
const KEPT_MS = 60_000;

interface Spare {
  readonly folder: string;
  readonly process: Sandbox;
  readonly timer: NodeJS.Timeout;
}

let spare: Spare | null = null;

export function startSandbox(folder: string, ...options: string[]): Sandbox {
  const script = [SANDBOX, String(SQL_LIMITS.memoryMb), ...options];
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', ...script];
  return spawn('/bin/sh', ['-c', LIMITED, ...command], { cwd: folder, env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A process over the files of `folder` that takes one request. `hasWaited`: it was started before, and may have died since. */
export function takeSandbox(folder: string): { readonly child: Sandbox; readonly hasWaited: boolean } {
  const found = spare;
  if (found?.folder !== folder || !isAlive(found.process)) return { child: startSandbox(folder), hasWaited: false };
  clearTimeout(found.timer);
  spare = null;
  hold(found.process, true);
  return { child: found.process, hasWaited: true };
}

/** Starts a process for the next query, unless one waits. It ends with this process, or after a minute. Returns its id. */
export function keepSpare(folder: string): number | undefined {
  if (spare?.folder === folder && isAlive(spare.process)) return spare.process.pid;
  endSpare();
  const process = startSandbox(folder, WARM_UP);
  hold(process, false);
  process.on('error', () => {}); // The next query starts its own process and reports the error.
  spare = { folder, process, timer: setTimeout(endSpare, KEPT_MS).unref() };
  return process.pid;
}

/** Whether the process keeps this one from ending. */
function hold(process: Sandbox, isHeld: boolean): void {
  if (isHeld) process.ref();
  else process.unref();
  for (const stream of [process.stdout, process.stderr]) {
    if (!(stream instanceof Socket)) continue;
    if (isHeld) stream.ref();
    else stream.unref();
  }
}

/** Resolves when the spare process waits for its query. */
export async function spareReady(): Promise<void> {
  if (spare && spare.process.stdout.readableLength === 0) await once(spare.process.stdout, 'readable');
}

export function endSpare(): void {
  clearTimeout(spare?.timer);
  spare?.process.kill('SIGKILL');
  spare = null;
}

const isAlive = ({ exitCode, signalCode }: Sandbox) => exitCode === null && signalCode === null;
