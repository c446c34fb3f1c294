/** Bounds what a job costs: the processor time of its thread, which other jobs on the machine do not stretch. */
import type { Worker } from 'node:worker_threads';

/** Processor time in milliseconds. */
export function cpuMsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Shortest interval between two checks of a job. */
const LEAST_MS = 100;

/**
 * Calls `exceed` when a thread has used `limitMs` of processor time from now on. A thread cannot use more processor
 * time than passes on the clock, so the first check is after `limitMs`. Returns a function that stops the checks.
 */
export function limitCpu(thread: Pick<Worker, 'cpuUsage'>, limitMs: number, exceed: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  // A busy thread answers at once too. One that is still starting has used nothing.
  const used = () => thread.cpuUsage().then(cpuMsOf, () => 0);
  const before = used();
  const check = async () => {
    const left = limitMs - ((await used()) - (await before));
    if (isOver) return;
    if (left <= 0) exceed();
    else wait(left);
  };
  const wait = (ms: number) => {
    timer = setTimeout(check, Math.max(LEAST_MS, ms));
  };
  wait(limitMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
