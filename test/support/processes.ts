/** Real processes of the service. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHECKOUT = new URL('../../', import.meta.url);

/** Starts `ops/processes/<name>.ts` of a checkout and resolves when it is ready; its log is at `stdout`. */
export async function startProcess(
  name: 'api' | 'worker' | 'scheduler',
  env: NodeJS.ProcessEnv,
  checkout = CHECKOUT,
): Promise<ChildProcess> {
  const entry = fileURLToPath(new URL(`ops/processes/${name}.ts`, checkout));
  const child = fork(entry, {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    execArgv: [],
    execPath: process.execPath,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const ready = Promise.withResolvers<void>();
  child.once('message', () => ready.resolve());
  child.once('exit', (code) => ready.reject(new Error(`the ${name} process ended with code ${code}`)));
  await ready.promise;
  return child;
}

/** Sends a signal to a process; resolves with its exit code. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

const STEPPED_CLOCK = new URL('stepped-clock.ts', import.meta.url).href;

/** The environment of a process whose clock is so many milliseconds ahead; `setClock` sets it while it runs. */
export const clockAhead = (ms: number): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${STEPPED_CLOCK}`,
  CLOCK_AHEAD_MS: String(ms),
});

export function setClock(child: ChildProcess, aheadMs: number): void {
  child.send({ aheadMs });
}
