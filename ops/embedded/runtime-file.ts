/** Records which process runs the embedded database of a data folder, and the URL of the database. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../engine/util/errors.ts';
import type { Config } from '../config.ts';
import { StartupError } from '../startup-error.ts';

interface Runtime {
  readonly pid: number;
  readonly databaseUrl: string;
}

const runtimeFile = (config: Config) => join(config.DATA_DIR, 'runtime.json');

/** Whether the pid belongs to a process of the service: after a crash another program may have it. */
function isServiceProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const commandLine = `/proc/${pid}/cmdline`;
    return !existsSync(commandLine) || /ops\/([\w-]+\/)?[\w-]+\.(ts|mjs)/.test(readFileSync(commandLine, 'utf8'));
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The process that runs the embedded database of this data folder, if one does. */
export function runningInstance(config: Config): Runtime | null {
  const file = runtimeFile(config);
  if (!existsSync(file)) return null;
  const runtime: Runtime = JSON.parse(readFileSync(file, 'utf8'));
  return runtime.pid !== process.pid && isServiceProcess(runtime.pid) ? runtime : null;
}

/** Throws a `StartupError` when another process runs the embedded database of this data folder. */
export function refuseSecondInstance(config: Config): void {
  const other = config.DATABASE_URL ? null : runningInstance(config);
  if (!other) return;
  throw new StartupError(
    `Already running on ${config.DATA_DIR} (pid ${other.pid}). Stop it, or set DATA_DIR and PORT to others.`,
  );
}

/** Publishes the URL of the database to other commands of this machine. The file contains a password. */
export function announceInstance(config: Config, databaseUrl: string): void {
  const file = runtimeFile(config);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const runtime: Runtime = { pid: process.pid, databaseUrl };
  writeFileSync(file, JSON.stringify(runtime), { mode: 0o600 });
}

export function withdrawInstance(config: Config): void {
  rmSync(runtimeFile(config), { force: true });
}
