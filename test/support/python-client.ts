/** The Python client as its users have it: a wheel that pip installs beside the libraries that it works with. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from '@jest/globals';
import { required } from '../../engine/util/values.ts';
import { deadline } from './deadlines.ts';
import { openPythonEnvironment, PythonUnavailable } from './python-environment.ts';

const SOURCE = fileURLToPath(new URL('../../api/clients/python', import.meta.url));
const LIBRARIES = fileURLToPath(new URL('python-client.txt', import.meta.url));
/** Those libraries, and programs that judge the client and the interface. */
export const TOOLS = fileURLToPath(new URL('python-tools.txt', import.meta.url));
const run = promisify(execFile);
const progress = (line: string) => void process.stderr.write(`${line}\n`);

/** Versions that the client is tested with, besides that of `python3`. */
const VERSIONS = ['3.9', '3.11', '3.13'];

export interface PythonClient {
  /** An interpreter that has the client. */
  readonly python: string;
  /** The wheel that was installed. */
  readonly wheel: string;
  /** Runs a program; resolves with its output. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** Interpreters by name: a command, or the path of one that pyenv has. Null where there is none. */
export async function findPythons(): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const version of VERSIONS) found.set(`python${version}`, await findPython(version));
  const ofPython3 = await versionOf('python3');
  if (ofPython3 === null || !VERSIONS.includes(ofPython3)) found.set('python3', ofPython3 && 'python3');
  return found;
}

async function findPython(version: string): Promise<string | null> {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(pyenv) ? readdirSync(pyenv).filter((name) => name.startsWith(`${version}.`)) : [];
  const paths = installed.map((name) => join(pyenv, name, 'bin/python3'));
  for (const python of [`python${version}`, ...paths]) if ((await versionOf(python)) === version) return python;
  return null;
}

/** The version of an interpreter, such as 3.11; null where it cannot be started. */
async function versionOf(python: string): Promise<string | null> {
  const asked = run(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  return asked.then(({ stdout }) => stdout.trim()).catch(() => null);
}

/**
 * Builds the wheel and installs it into a new environment, which is removed after the tests of the file. Null where the machine
 * lacks Python or the registry, which it prints.
 *
 * @param libraries file of pinned requirements with `setuptools` and what the client needs
 */
export async function installPythonClient(
  name = process.env.PYTHON ?? 'python3',
  { python = name, libraries = LIBRARIES }: { readonly python?: string | null; readonly libraries?: string } = {},
): Promise<PythonClient | null> {
  return orSkipped(`the Python client with ${name}`, async () => {
    if (python === null) throw new PythonUnavailable(`${name} is not here`);
    return install(python, libraries);
  });
}

async function install(interpreter: string, libraries: string): Promise<PythonClient> {
  const { python: base } = await openPythonEnvironment(libraries, { python: interpreter, progress });
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [source, wheels, environment] = ['source', 'wheels', 'environment'].map((name) => join(folder, name));
  // Building leaves files in the folder.
  cpSync(SOURCE, source, { recursive: true });
  const pip = (...args: string[]) => run(base, ['-m', 'pip', '--disable-pip-version-check', ...args]);
  await pip('wheel', '--no-index', '--no-deps', '--no-build-isolation', '--wheel-dir', wheels, source);
  const wheel = join(wheels, required(readdirSync(wheels)[0]));
  await run(base, ['-m', 'venv', '--without-pip', environment]);
  const python = join(environment, 'bin/python');
  await shareLibraries(base, python);
  await pip('--python', python, 'install', '--no-index', wheel);
  return {
    python,
    wheel,
    run: async (args, env = {}) => {
      const { stdout } = await run(python, [...args], {
        env: { ...process.env, PYTHONPATH: '', ...env },
        timeout: deadline(60_000),
        maxBuffer: 1 << 26,
      });
      return stdout;
    },
  };
}

/** Lets an environment use the libraries of another one of the same version. */
async function shareLibraries(from: string, to: string): Promise<void> {
  const folderOf = async (python: string) => {
    const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
    return stdout.trim();
  };
  const target = await folderOf(to);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'libraries.pth'), `${await folderOf(from)}\n`);
}

/** The interpreter that has programs which judge the client and the interface; null where the machine lacks it, which it prints. */
export async function openPythonTools(purpose: string): Promise<string | null> {
  return orSkipped(purpose, async () => (await openPythonEnvironment(TOOLS, { progress })).python);
}

async function orSkipped<T>(what: string, open: () => Promise<T>): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: ${what} (${error.message})\n`);
    return null;
  }
}
