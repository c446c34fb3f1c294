/** Child processes that the benchmarks measure. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChildOptions } from '../processes/supervisor.ts';

/** Starts a module of this folder and resolves with its first message. Its output goes to stderr. Default of `options`: those of this process. */
export async function startChild(
  module: string,
  args: readonly string[],
  options?: ChildOptions,
): Promise<{ child: ChildProcess; message: unknown }> {
  const path = fileURLToPath(new URL(module, import.meta.url));
  const child = fork(path, args, { ...options, stdio: ['ignore', process.stderr, process.stderr, 'ipc'] });
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
  if (child.connected) child.disconnect();
  await ended;
}
