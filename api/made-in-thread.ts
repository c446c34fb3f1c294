/**
 * Values that are made once, in a thread of their own: the event loop goes on answering calls meanwhile, and the memory of the work
 * ends with the thread.
 */
import { parentPort, Worker } from 'node:worker_threads';

/** Runs a file in a thread, with `workerData`, and returns what it posts. Rejects when the thread fails. */
export function madeInThread<T>(file: URL, workerData?: object): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const thread = new Worker(file, { workerData });
  // The process may end without it.
  thread.unref();
  thread.once('message', (value) => {
    resolve(value);
    void thread.terminate();
  });
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error(`${file.pathname} made nothing`)));
  return promise;
}

/** Hands a value to the thread that waits for it. */
export function postFromThread(value: object): void {
  parentPort?.postMessage(value);
}
