/**
 * Processes for queries. After a query a spare process is started, which has opened the lake and warmed up when the next query arrives.
 * No process runs two queries of callers.
 */
import { type ChildProcess, type ChildProcessByStdio, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SQL_LIMITS } from '../contracts/sql.ts';
import { WARM_UP, WITH_COLUMNS } from './sandbox-protocol.ts';

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

/** Starts a process on the files of `folder`. `columns`: the file of `my_columns`, which it inherits. */
export function startSandbox(folder: string, option?: string, columns?: FileHandle): Sandbox {
  const options = columns ? [WITH_COLUMNS] : option === undefined ? [] : [option];
  const script = [SANDBOX, String(SQL_LIMITS.memoryMb), ...options];
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', ...script];
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(columns ? [columns.fd] : [])];
  const child: ChildProcess = spawn('/bin/sh', ['-c', LIMITED, ...command], { cwd: folder, env: {}, stdio });
  if (hasPipes(child)) return child;
  child.on('error', () => {}); // There are too many open files.
  throw new Error('the process of a query could not be started');
}

const hasPipes = (child: ChildProcess): child is Sandbox => Boolean(child.stdin && child.stdout && child.stderr);

/** A process for one query on the files of `folder`. `hasWaited`: it is the spare one, which may have died. */
export function takeSandbox(
  folder: string,
  columns?: FileHandle,
): { readonly child: Sandbox; readonly hasWaited: boolean } {
  const found = spare;
  if (columns || found?.folder !== folder || !isAlive(found.process))
    return { child: startSandbox(folder, undefined, columns), hasWaited: false };
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
