/**
 * Virtual environments of Python for the packages that judge this project: one per list of pinned packages, kept in the
 * user's cache folder, so that a checkout that is removed does not take it along.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../../engine/util/errors.ts';

const LOCK_POLL_MS = 500;
const UV_VERSION = '0.13.9';
/** Certificates and registry are those of the machine and of pip; a registry that does not answer is not waited for long. */
const UV: Variables = {
  UV_NATIVE_TLS: 'true',
  UV_HTTP_TIMEOUT: '20',
  UV_PYTHON_DOWNLOADS: 'never',
  ...(process.env.PIP_INDEX_URL === undefined ? {} : { UV_DEFAULT_INDEX: process.env.PIP_INDEX_URL }),
};

/** The machine lacks Python, a package, or the registry. The message is one line for people. */
export class PythonUnavailable extends Error {
  override readonly name = 'PythonUnavailable';
}

/** Variables of the environment of a process. */
export type Variables = Readonly<Record<string, string>>;

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function output(
  command: string,
  args: readonly string[],
  {
    input = '',
    variables = {},
    cwd,
  }: { readonly input?: string; readonly variables?: Variables; readonly cwd?: string } = {},
): Promise<Output> {
  const env = { ...process.env, ...variables };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env, cwd });
  // A program that ends early does not read its input to the end.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

const lastLine = (of: string) => of.trim().split('\n').at(-1) ?? '';

export class PythonEnvironment {
  /** The folder of the programs of its packages. */
  readonly programs: string;
  /** The interpreter. */
  readonly python: string;

  constructor(folder: string) {
    this.programs = join(folder, 'bin');
    this.python = join(this.programs, 'python');
  }

  /** Runs a script that reads one JSON value from its standard input and writes one to its standard output. */
  run<T>(script: string, input: unknown = null, variables: Variables = {}): Promise<T> {
    return runScript(this.python, script, input, variables);
  }
}

/** Runs a script that reads one JSON value from its standard input and writes one to its standard output. */
export async function runScript<T>(
  interpreter: string,
  script: string,
  input: unknown = null,
  variables: Variables = {},
): Promise<T> {
  const { code, stdout, stderr } = await output(interpreter, [script], { input: JSON.stringify(input), variables });
  if (code !== 0) throw new Error(`${basename(script)} ended with code ${code}:\n${stderr}`);
  return JSON.parse(stdout);
}

/** Runs a command of a shell that finds `programs` first. */
export async function runCommand(
  command: string,
  {
    cwd,
    programs = [],
    variables = {},
  }: { readonly cwd?: string; readonly programs?: readonly string[]; readonly variables?: Variables } = {},
): Promise<void> {
  const PATH = [...programs, process.env.PATH].join(delimiter);
  const { code, stderr } = await output('sh', ['-c', command], { cwd, variables: { ...variables, PATH } });
  if (code !== 0) throw new Error(`${command} ended with code ${code}:\n${stderr}`);
}

interface EnvironmentOptions {
  /** The interpreter of the environment; default: `PYTHON` of this process, or `python3`. */
  readonly python?: string;
  /** Takes a line that says what is done. */
  readonly progress: (line: string) => void;
}

async function versionOf(python: string): Promise<string> {
  const found = await output(python, ['--version']).catch(() => null);
  if (found?.code !== 0) throw new PythonUnavailable(`${python} cannot be started`);
  return found.stdout.trim();
}

/**
 * Returns the environment with the packages of a file of pinned requirements, made at the first use.
 *
 * @throws {PythonUnavailable} where it cannot be made
 */
export async function openPythonEnvironment(
  requirements: string,
  { python = process.env.PYTHON ?? 'python3', progress }: EnvironmentOptions,
): Promise<PythonEnvironment> {
  const version = await versionOf(python);
  const digest = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const parent = join(cache, 'market-data-service');
  const folder = join(parent, `${basename(requirements, '.txt')}-${digest}`);
  await madeOnce(folder, async () => {
    progress(`installing the packages of ${basename(requirements)} into ${folder} …`);
    await make(await openInstaller(join(parent, `uv-${UV_VERSION}`), python), folder, python, requirements);
  });
  return new PythonEnvironment(folder);
}

/** Installs with uv, which links the packages that environments share and downloads side by side. */
async function make(uv: PythonEnvironment, folder: string, python: string, requirements: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const run = (...args: string[]) => output(join(uv.programs, 'uv'), [...args, '--quiet'], { variables: UV });
  const made = await run('venv', '--seed', '--python', python, folder);
  if (made.code !== 0)
    throw new PythonUnavailable(`${python} cannot make a virtual environment: ${lastLine(made.stderr)}`);
  const target = ['--python', new PythonEnvironment(folder).python];
  const installed = await run('pip', 'install', ...target, '--only-binary', ':all:', '-r', requirements);
  if (installed.code !== 0)
    throw new PythonUnavailable(`${basename(requirements)} cannot be installed: ${lastLine(installed.stderr)}`);
}

/** The environment that has uv only. */
async function openInstaller(folder: string, python: string): Promise<PythonEnvironment> {
  const environment = new PythonEnvironment(folder);
  await madeOnce(folder, async () => {
    rmSync(folder, { recursive: true, force: true });
    const made = await output(python, ['-m', 'venv', folder]);
    if (made.code !== 0)
      throw new PythonUnavailable(`${python} cannot make a virtual environment: ${lastLine(made.stdout)}`);
    // A registry that does not answer is not waited for long.
    const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--timeout', '20', '--retries', '1'];
    const installed = await output(environment.python, ['-m', 'pip', 'install', ...options, `uv==${UV_VERSION}`]);
    if (installed.code !== 0) throw new PythonUnavailable(`uv cannot be installed: ${lastLine(installed.stderr)}`);
  });
  return environment;
}

/** Makes a folder unless it was made whole before. */
async function madeOnce(folder: string, make: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  await lockedBy(`${folder}.lock`, async () => {
    if (existsSync(join(folder, 'complete'))) return;
    await make();
    writeFileSync(join(folder, 'complete'), '');
  });
}

/** Runs a task that no other process runs under the same lock file. One that a process left when it died is no lock. */
async function lockedBy(lock: string, task: () => Promise<void>): Promise<void> {
  while (!tryLock(lock)) await setTimeout(LOCK_POLL_MS);
  try {
    await task();
  } finally {
    rmSync(lock);
  }
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!isRunning(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isRunning(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
