/**
 * Processes for queries. After a query a spare process is started, which has opened the lake and warmed up when the next query arrives.
 * No process runs two queries of callers.
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
/** Limit of processor time, more than two threads can use in the time of a query. It ends queries whose worker was killed. */
const CPU_SECONDS = 3 * SQL_LIMITS.seconds;
/** No file may be written and no core dumped, even if a query exploits DuckDB. */
const LIMITED = `ulimit -c 0; ulimit -f 0; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`;
/** A spare process takes some 120 MB, so it is ended after a while. */
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

/** A process for one query on the files of `folder`. `hasWaited`: it is the spare one, which may have died. */
export function takeSandbox(folder: string): { readonly child: Sandbox; readonly hasWaited: boolean } {
  const found = spare;
  if (found?.folder !== folder || !isAlive(found.process)) return { child: startSandbox(folder), hasWaited: false };
  clearTimeout(found.timer);
  spare = null;
  setReferenced(found.process, true);
  return { child: found.process, hasWaited: true };
}

/** Starts a spare process, unless there is one. It ends with this process, or after a minute. Returns its id. */
export function keepSpare(folder: string): number | undefined {
  if (spare?.folder === folder && isAlive(spare.process)) return spare.process.pid;
  endSpare();
  const process = startSandbox(folder, WARM_UP);
  setReferenced(process, false);
  process.on('error', () => {}); // The next query starts its own process and reports the error.
  spare = { folder, process, timer: setTimeout(endSpare, KEPT_MS).unref() };
  return process.pid;
}

/** Sets whether a process keeps this one from ending. */
function setReferenced(process: Sandbox, isReferenced: boolean): void {
  if (isReferenced) process.ref();
  else process.unref();
  for (const stream of [process.stdout, process.stderr]) {
    if (!(stream instanceof Socket)) continue;
    if (isReferenced) stream.ref();
    else stream.unref();
  }
}

/** Resolves when the spare process is ready for its query. */
export async function spareReady(): Promise<void> {
  if (spare && spare.process.stdout.readableLength === 0) await once(spare.process.stdout, 'readable');
}

export function endSpare(): void {
  clearTimeout(spare?.timer);
  spare?.process.kill('SIGKILL');
  spare = null;
}

const isAlive = ({ exitCode, signalCode }: Sandbox) => exitCode === null && signalCode === null;
