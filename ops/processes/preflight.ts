/** Checks before anything is set up, so that a start that cannot succeed fails at once with the reason. */
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { hasEmbeddedDatabase } from '../../db/embedded-postgres.ts';
import { codeOf, stringProperty, toError } from '../../engine/util/errors.ts';
import type { Config } from '../config.ts';
import { freeBytes } from '../free-space.ts';
import { StartupError } from '../startup-error.ts';

const MB = 1_000_000;
/** Less free space is not enough for a database and its log. */
const MIN_FREE_MB = 500;

type Problem = NodeJS.ErrnoException;

const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'the folder cannot be created there',
};

/** Without `recursive`, which never ends if the system refuses folders, for example under /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Creates DATA_DIR if necessary. Throws a `StartupError` when it is not writable. */
export function checkDataFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  const probe = join(DATA_DIR, `.probe-${process.pid}`);
  try {
    makeFolder(DATA_DIR);
    writeFileSync(probe, 'probe', { mode: 0o600 });
  } catch (error) {
    const code = codeOf(error) ?? '';
    const { message } = toError(error);
    // On a full disk, operators still need their commands, and processes continue to read.
    if (existsSync(DATA_DIR) && (code === 'ENOSPC' || code === 'EDQUOT')) return;
    const why = FOLDER_PROBLEMS[code] ?? message;
    throw new StartupError(
      `DATA_DIR ${DATA_DIR} cannot be used: ${why}. Set DATA_DIR to a folder that can be written to.`,
    );
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
}

/** For a process that stores a database or objects in DATA_DIR. */
export async function checkFreeSpace({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<void> {
  const freeMb = (await freeBytes(DATA_DIR)) / MB;
  if (freeMb >= MIN_FREE_MB) return;
  throw new StartupError(
    `The disk of ${DATA_DIR} has ${Math.floor(freeMb)} MB free, and ${MIN_FREE_MB} MB are needed. Free some space or set DATA_DIR to another disk.`,
  );
}

function describeListenProblem({ code, message }: Problem, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use. Stop the program that listens there, or set ${variable} to another port.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} needs privileges that this user does not have. Set ${variable} to a port from 1024 on.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `HOST ${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`;
  }
  return `Port ${port} on ${host} cannot be listened on: ${message}. Set HOST and ${variable} to others.`;
}

/** A `StartupError` for a server that cannot listen; other errors are returned unchanged. */
export function toListenError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  if (stringProperty(error, 'syscall') === undefined) return error;
  return new StartupError(describeListenProblem(toError(error), host, port, variable), { cause: error });
}

export async function checkPort(host: string, port: number, variable = 'PORT'): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw toListenError(error, host, port, variable);
  }
  server.close();
  await once(server, 'close');
}

/** Checks the folder of a market that is not loaded yet. A loaded market is served without its files. */
async function checkProviderFolder({
  PROVIDER,
  PROVIDER_DIR,
  DATA_DIR,
  DATABASE_URL,
  FIXED_NOW,
}: Config): Promise<void> {
  if (PROVIDER !== 'files' || PROVIDER_DIR === undefined) return;
  if (DATABASE_URL || hasEmbeddedDatabase(DATA_DIR)) return;
  // Loaded only where it is needed: a start says something within a second.
  const { checkFolder } = await import('../../jobs/providers/files/check-folder.ts');
  const { describeUnusable } = await import('../../jobs/providers/files/check-view.ts');
  const now = FIXED_NOW === undefined ? performance.timeOrigin + performance.now() : Date.parse(FIXED_NOW);
  const found = await checkFolder({
    folder: PROVIDER_DIR,
    dataFolder: DATA_DIR,
    now,
    all: false,
    untilUsable: true,
  }).catch((error) => {
    throw new StartupError(`PROVIDER_DIR: ${toError(error).message}`, { cause: error });
  });
  if (found.ok) return;
  const reasons = found.files.length === 0 ? '  it has no files' : describeUnusable(found);
  throw new StartupError(
    `PROVIDER_DIR: nothing in ${PROVIDER_DIR} can be loaded:\n${reasons}\nSet PROVIDER_DIR to the folder of your market data. "npm run ops -- files check" says more.`,
  );
}

/** All checks, for the process that runs the whole service. */
export async function checkMachine(config: Config): Promise<void> {
  checkDataFolder(config);
  if (!config.DATABASE_URL || !config.S3_BUCKET) await checkFreeSpace(config);
  await checkProviderFolder(config);
  await checkPort(config.HOST, config.PORT);
}
