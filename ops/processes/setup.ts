/**
 * Prepares the database in a separate process. It imports its libraries while PostgreSQL starts, and its end frees their memory, so that
 * the process that supervises the others stays small.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { CHILD_STDIO, entryOf, inheritedArguments } from './supervisor.ts';

export type SetupTask = 'migrate' | 'declareQueues';

export interface SetupRequest {
  readonly task: SetupTask;
  readonly url: string;
}

export interface SetupReply {
  readonly error: Error | null;
  /** The error's code, which is lost when an error is sent between processes. */
  readonly code: string | undefined;
}

export interface Setup {
  run(task: SetupTask, url: string): Promise<void>;
  close(): void;
}

/** Starts the process with `env`. */
export function startSetup(env: NodeJS.ProcessEnv): Setup {
  const child = fork(entryOf('setup-process'), {
    env,
    execArgv: inheritedArguments(),
    stdio: CHILD_STDIO,
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process that prepares the database ended with ${signal ?? `code ${code}`}.`);
  });
  // The running task rejects with this error.
  ended.catch(() => {});
  return {
    async run(task, url) {
      const replied = once(child, 'message');
      child.send({ task, url } satisfies SetupRequest, () => {});
      const [reply]: SetupReply[] = await Promise.race([replied, ended]);
      if (reply.error) throw Object.assign(reply.error, { code: reply.code });
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}
