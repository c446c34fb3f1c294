/** Limits the processor time of a job's thread, which, unlike elapsed time, does not depend on other jobs of the machine. */
import type { Worker } from 'node:worker_threads';

/** Processor time in milliseconds. */
export function cpuMsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Shortest interval between two checks of a job. */
const MIN_INTERVAL_MS = 100;

/**
 * Calls `exceed` when a thread has used `limitMs` of processor time from now on. A thread cannot use more processor
 * time than elapses, so the first check is after `limitMs`. Returns a function that stops the checks.
 */
export function limitCpu(thread: Pick<Worker, 'cpuUsage'>, limitMs: number, exceed: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  // Even a busy thread answers at once. One that is still starting has used nothing.
  const used = () => thread.cpuUsage().then(cpuMsOf, () => 0);
  const before = used();
  const check = async () => {
    const left = limitMs - ((await used()) - (await before));
    if (isOver) return;
    if (left <= 0) exceed();
    else wait(left);
  };
  const wait = (ms: number) => {
    timer = setTimeout(check, Math.max(MIN_INTERVAL_MS, ms));
  };
  wait(limitMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
