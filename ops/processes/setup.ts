/**
 * Prepares the database in a thread. Its libraries are imported while PostgreSQL starts, and their memory ends with it: the process that
 * supervises the others keeps little.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type SetupTask = 'migrate' | 'declareQueues';

export interface SetupRequest {
  readonly task: SetupTask;
  readonly url: string;
}

export interface SetupReply {
  readonly error: Error | null;
  /** Its code, which an error loses on its way between threads. */
  readonly code: string | undefined;
}

export interface Setup {
  run(task: SetupTask, url: string): Promise<void>;
  close(): Promise<void>;
}

/** `compiledFolder`: where compiled code is kept for the next start. */
export function startSetup(compiledFolder: string): Setup {
  const thread = new Worker(new URL('./setup-thread.ts', import.meta.url), { workerData: { compiledFolder } });
  return {
    async run(task, url) {
      thread.postMessage({ task, url } satisfies SetupRequest);
      const [reply]: SetupReply[] = await once(thread, 'message');
      if (reply.error) throw Object.assign(reply.error, { code: reply.code });
    },
    async close() {
      await thread.terminate();
    },
  };
}
